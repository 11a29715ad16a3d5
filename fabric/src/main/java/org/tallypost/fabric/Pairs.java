// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

/**
 * What a process keeps for each peer that it sends to: credits, and the list of its messages. In rows, since of a million pairs
 * each is looked at now and then, and each look costs a cache miss.
 */
final class Pairs
{
    /** Credits at hand. */
    static final int CREDITS = 0;
    /** Oldest message that is not sent whole, plus 1; 0 for none. */
    static final int HEAD = 1;
    /** Newest one, plus 1. */
    static final int TAIL = 2;
    /** 1 if the peer is listed as one to which can be sent. */
    static final int LISTED = 3;

    private static final int STRIDE = 4;

    final int[] cells;
    private final int processes;

    Pairs(final int processes)
    {
        this.processes = processes;
        cells = new int[Math.multiplyExact(Math.multiplyExact(processes, processes), STRIDE)];
    }

    /** Where the row of a pair begins. */
    int row(final int from, final int to)
    {
        return (from * processes + to) * STRIDE;
    }
}
