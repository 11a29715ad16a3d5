// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.schedule;

/**
 * Each rank of the first half sends a message to its partner in the second half, which answers with another one; all pairs at
 * once. A round is there and back.
 *
 * @param processes number of processes, even.
 * @param rounds    how often.
 * @param length    of the data of a message in bytes.
 */
public record PingPong(int processes, int rounds, int length) implements Schedule
{
    @Override
    public void round(final int rank, final int round, final Steps to)
    {
        final int half = processes / 2;
        if (rank < half)
        {
            to.sendAndWait(rank + half, length);
            to.receiveAndWait(rank + half);
        }
        else
        {
            to.receiveAndWait(rank - half);
            to.sendAndWait(rank - half, length);
        }
    }
}
