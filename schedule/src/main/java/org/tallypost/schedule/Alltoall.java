// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.schedule;

/**
 * Each of the first ranks sends one message to each of the others, and receives one of each, round after round without a
 * barrier. In the order of an MPI library's linear algorithm: receives are posted from the next rank upwards, sends from the
 * rank before downwards.
 *
 * @param processes  number of processes.
 * @param active     how many of them take part.
 * @param rounds     how often.
 * @param length     of the data of a message in bytes.
 * @param isBlocking whether a message has to be on its way before the next one is posted.
 */
public record Alltoall(int processes, int active, int rounds, int length, boolean isBlocking) implements Schedule
{
    @Override
    public void round(final int rank, final int round, final Steps to)
    {
        if (rank >= active)
        {
            return;
        }
        for (int distance = 1; distance < active; distance++)
        {
            to.receive((rank + distance) % active);
        }
        for (int distance = 1; distance < active; distance++)
        {
            to.send((rank + active - distance) % active, length);
            if (isBlocking)
            {
                to.waitSends();
            }
        }
        to.waitAll();
    }
}
