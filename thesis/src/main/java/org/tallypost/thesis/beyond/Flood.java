// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.beyond;

import org.tallypost.fabric.Operations;
import org.tallypost.fabric.Workload;

/**
 * Rank 1 sends to rank 0 as fast as it can, and rank 2 now and then a short message; the others do nothing.
 *
 * @param ranks    number of processes, at least 3.
 * @param messages of the flood.
 * @param length   of each of them in bytes.
 * @param quiet    short messages.
 * @param gapPs    that rank 2 computes before each of them.
 */
record Flood(int ranks, int messages, int length, int quiet, long gapPs) implements Workload
{
    static final int RECEIVER = 0;
    static final int FLOODER = 1;
    static final int QUIET = 2;
    /** A message of one packet. */
    static final int SHORT = 32;

    @Override
    public int processes()
    {
        return ranks;
    }

    @Override
    public int rounds()
    {
        return 1;
    }

    @Override
    public void round(final int rank, final int round, final Operations to)
    {
        if (rank == RECEIVER)
        {
            expect(to, FLOODER, messages);
            expect(to, QUIET, quiet);
            to.waitAll();
        }
        else if (rank == FLOODER)
        {
            for (int message = 0; message < messages; message++)
            {
                to.sendAndWait(RECEIVER, length);
            }
        }
        else if (rank == QUIET)
        {
            for (int message = 0; message < quiet; message++)
            {
                to.compute(gapPs);
                to.sendAndWait(RECEIVER, SHORT);
            }
        }
    }

    private static void expect(final Operations to, final int peer, final int count)
    {
        for (int message = 0; message < count; message++)
        {
            to.receive(peer);
        }
    }
}
