// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import java.util.concurrent.ThreadLocalRandom;

/**
 * Numbers of the mail boxes of a deck. They begin anywhere: a number of a former process of this rank, which others may still
 * know, is that of no box now. Any thread.
 */
final class BoxNumbers
{
    /** So many there are: tags that need no longer header. */
    static final int COUNT = 1 << 19;

    private final int first = ThreadLocalRandom.current().nextInt(COUNT);
    private int used;

    synchronized int next()
    {
        if (used == COUNT)
        {
            throw new IllegalStateException("a deck has " + COUNT + " mail boxes in its life at most");
        }
        return (first + used++) % COUNT;
    }
}
