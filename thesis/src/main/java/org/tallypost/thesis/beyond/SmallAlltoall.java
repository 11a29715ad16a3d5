// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.beyond;

import org.tallypost.fabric.Operations;
import org.tallypost.fabric.Workload;

/**
 * Each of the first ranks sends a message to each of the others, the next rank first, round after round without a barrier;
 * those that do not take part never look at their mailboxes.
 *
 * @param ranks      number of processes.
 * @param active     how many of them take part.
 * @param rounds     how often.
 * @param length     of the data of a message in bytes.
 * @param isBlocking whether a message has to be on its way before the next one is posted.
 */
record SmallAlltoall(int ranks, int active, int rounds, int length, boolean isBlocking) implements Workload
{
    @Override
    public int processes()
    {
        return ranks;
    }

    @Override
    public void round(final int rank, final int round, final Operations to)
    {
        if (rank >= active)
        {
            to.leave();
            return;
        }
        for (int distance = 1; distance < active; distance++)
        {
            to.receive((rank + active - distance) % active);
        }
        for (int distance = 1; distance < active; distance++)
        {
            to.send((rank + distance) % active, length);
            if (isBlocking)
            {
                to.waitSends();
            }
        }
        to.waitAll();
    }
}
