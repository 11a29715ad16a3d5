// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.beyond;

import org.tallypost.fabric.Operations;
import org.tallypost.fabric.Workload;

/**
 * Two halves of the ranks take turns: in a phase all ranks of one half send a message to every rank of the other half, one
 * destination after the other, and then are silent while the other half sends.
 *
 * @param ranks  number of processes, even.
 * @param phases turns.
 * @param stay   messages to each destination in a turn.
 * @param length of the data of a message in bytes.
 */
record Bursts(int ranks, int phases, int stay, int length) implements Workload
{
    @Override
    public int processes()
    {
        return ranks;
    }

    @Override
    public int rounds()
    {
        return phases;
    }

    @Override
    public void round(final int rank, final int round, final Operations to)
    {
        final int half = ranks / 2;
        final boolean sends = rank / half == (round & 1);
        final int first = rank < half ? half : 0;
        for (int message = 0; message < stay; message++)
        {
            for (int distance = 0; distance < half; distance++)
            {
                final int peer = first + (rank + distance) % half;
                if (sends)
                {
                    to.sendAndWait(peer, length);
                }
                else
                {
                    to.receive(peer);
                }
            }
        }
        to.waitAll();
    }
}
