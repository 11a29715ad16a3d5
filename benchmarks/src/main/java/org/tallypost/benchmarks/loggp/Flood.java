// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

/** Rank 0 sends many requests to rank 1, and no other rank does anything: the rate is that of the gap, or of the window. */
final class Flood extends LoggpProgram
{
    private static final int COUNT = 0;

    private final int requests;
    private int come;

    Flood(final LoggpRank rank, final int requests)
    {
        super(rank);
        this.requests = requests;
        rank.onRequest(COUNT, (source, number, b) ->
        {
            come++;
            return number;
        }, (number, value) ->
        {
        });
    }

    /**
     * The latency that may be added before the window fills: until then requests go one gap after the other, behind it a window
     * of them in each round trip of 2 L + 4 o.
     */
    static long hiddenNs(final LoggpTimes machine, final int window)
    {
        return (window * machine.gapNs() - 4 * machine.overheadNs()) / 2 - machine.latencyNs();
    }

    /** What a request takes by this. */
    static double modelNs(final LoggpTimes machine, final int window)
    {
        return Math.max(machine.gapNs(), (2.0 * machine.latencyNs() + 4 * machine.overheadNs()) / window);
    }

    @Override
    void run()
    {
        come = 0;
        barrier();
        if (rank.rank() == 0)
        {
            for (int i = 0; i < requests; i++)
            {
                rank.request(1, COUNT, i, 0);
            }
            rank.awaitAnswers();
        }
        else if (rank.rank() == 1)
        {
            while (come < requests)
            {
                rank.poll();
            }
        }
    }

    @Override
    boolean isRight()
    {
        return sum(rank.rank() == 1 && come != requests ? 1 : 0) == 0;
    }
}
