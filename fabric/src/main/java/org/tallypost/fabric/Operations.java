// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

import java.util.Arrays;

import org.tallypost.schedule.Steps;

/**
 * What a process does in one round of a workload, in order. A buffer that is used again for each round.
 */
public final class Operations implements Steps
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

    /** What there are credits for goes at once, the rest as the process makes progress later. */
    @Override
    public void send(final int peer, final int length)
    {
        add(SEND | (long)peer << 8, length);
    }

    @Override
    public void receive(final int peer)
    {
        add(RECEIVE | (long)peer << 8, 0);
    }

    @Override
    public void waitSends()
    {
        add(WAIT_SENDS, 0);
    }

    @Override
    public void waitAll()
    {
        add(WAIT_ALL, 0);
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
