// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.fabric;

import java.util.Arrays;

/**
 * What a process does in one round of a workload, in order. A buffer that is used again for each round.
 */
public final class Operations
{
    static final int SEND = 0;
    static final int RECEIVE = 1;
    static final int WAIT_SENDS = 2;
    static final int WAIT_ALL = 3;
    static final int COMPUTE = 4;
    static final int LEAVE = 5;

    private static final int CELLS = 2;

    private long[] cells = new long[16];
    private int size;

    Operations()
    {
    }

    /**
     * Posts a message: what there are credits for goes at once, the rest as the process makes progress later. Messages to
     * one process go in the order in which they were posted.
     *
     * @param peer   that gets it.
     * @param length of its data in bytes.
     */
    public void send(final int peer, final int length)
    {
        add(SEND | (long)peer << 8, length);
    }

    /**
     * Posts a receive of the next message of a process.
     *
     * @param peer that sends it.
     */
    public void receive(final int peer)
    {
        add(RECEIVE | (long)peer << 8, 0);
    }

    /** Waits until all messages that were posted are on their way. */
    public void waitSends()
    {
        add(WAIT_SENDS, 0);
    }

    /** Waits until all messages that were posted are on their way, and all receives that were posted are satisfied. */
    public void waitAll()
    {
        add(WAIT_ALL, 0);
    }

    /**
     * Sends a message, and waits until it is on its way.
     *
     * @param peer   that gets it.
     * @param length of its data in bytes.
     */
    public void sendAndWait(final int peer, final int length)
    {
        send(peer, length);
        waitSends();
    }

    /**
     * Waits for the next message of a process.
     *
     * @param peer that sends it.
     */
    public void receiveAndWait(final int peer)
    {
        receive(peer);
        waitAll();
    }

    /**
     * Does something else, without any progress meanwhile.
     *
     * @param timePs how long.
     */
    public void compute(final long timePs)
    {
        add(COMPUTE, timePs);
    }

    /** Never looks at the mailbox again. What was posted and is not on its way stays where it is. */
    public void leave()
    {
        add(LEAVE, 0);
    }

    private void add(final long kindAndPeer, final long value)
    {
        if (CELLS * size + 1 >= cells.length)
        {
            cells = Arrays.copyOf(cells, 2 * cells.length);
        }
        cells[CELLS * size] = kindAndPeer;
        cells[CELLS * size + 1] = value;
        size++;
    }

    void clear()
    {
        size = 0;
    }

    int size()
    {
        return size;
    }

    int kind(final int index)
    {
        return (int)cells[CELLS * index] & 0xff;
    }

    int peer(final int index)
    {
        return (int)(cells[CELLS * index] >>> 8);
    }

    long value(final int index)
    {
        return cells[CELLS * index + 1];
    }
}
