// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

/**
 * How many receives of the messenger a deck may still start. One is kept for control messages: without it the deck could neither
 * take one nor go on. The thread of the deck.
 */
final class ReceiveRoom
{
    /** One for control messages, and one for all others. */
    static final int LEAST = 2;

    private final int most;
    private int used;

    ReceiveRoom(final int maxRequests)
    {
        most = maxRequests - 1;
    }

    boolean isFull()
    {
        return used >= most;
    }

    /** A receive has started. */
    void take()
    {
        used++;
    }

    /** It has ended, and was looked at. */
    void give()
    {
        used--;
    }
}
