// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.beyond;

import org.tallypost.fabric.Operations;
import org.tallypost.fabric.Workload;

/**
 * An alltoall of all ranks, and then one of the first half again and again, while the second half never looks at its mailbox
 * again, so that no compulsory request is answered.
 *
 * @param ranks  number of processes, even.
 * @param before rounds of all.
 * @param after  rounds of the first half.
 * @param length of the data of a message in bytes.
 */
record Silent(int ranks, int before, int after, int length) implements Workload
{
    @Override
    public int processes()
    {
        return ranks;
    }

    @Override
    public int rounds()
    {
        return before + after;
    }

    @Override
    public void round(final int rank, final int round, final Operations to)
    {
        final int active = round < before ? ranks : ranks / 2;
        if (rank >= active)
        {
            to.leave();
            return;
        }
        for (int distance = 1; distance < active; distance++)
        {
            to.receive((rank + distance) % active);
        }
        for (int distance = 1; distance < active; distance++)
        {
            to.sendAndWait((rank + active - distance) % active, length);
        }
        to.waitAll();
    }
}
