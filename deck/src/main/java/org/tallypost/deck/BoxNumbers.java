// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Numbers of the mail boxes of a deck, which are the tags of their messages. They begin anywhere: a number of a former process of
 * this rank, which others may still know, is hardly that of a box now. The first ones are short, so that messages need no head.
 * Any thread.
 */
final class BoxNumbers
{
    /** So many there are. */
    static final int COUNT = 1 << 19;
    /** Numbers below this are short: as tags they go with a message of a compact context, which needs no head then. */
    static final int SHORT = 1 << 16;

    private final int first = ThreadLocalRandom.current().nextInt(SHORT);
    private int used;

    synchronized int next()
    {
        if (used == COUNT)
        {
            throw new IllegalStateException("a deck has " + COUNT + " mail boxes in its life at most");
        }
        final int number = used++;
        return number < SHORT ? (first + number) % SHORT : number;
    }
}
