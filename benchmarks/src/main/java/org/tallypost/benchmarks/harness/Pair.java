// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

import java.util.ArrayList;
import java.util.List;

/**
 * Two adjacent turns of two contestants, whichever was the first.
 *
 * @param block of cycles in which the later one was.
 * @param team  number of the first contestant's team.
 * @param other number of the second contestant's team.
 * @param ratio of the first contestant's figure to the second's.
 */
public record Pair(int block, int team, int other, double ratio)
{
    /** Blocks in which there are pairs. */
    static long blocks(final List<Pair> pairs)
    {
        return pairs.stream().mapToInt(Pair::block).distinct().count();
    }

    /**
     * All pairs of two contestants. A turn between two turns of the other contestant makes a pair with each of them.
     *
     * @param turns  in the order in which they were taken.
     * @param first  number of the contestant that is divided by the other.
     * @param second number of the other one.
     * @return the pairs in their order.
     */
    public static List<Pair> of(final List<Turn> turns, final int first, final int second)
    {
        final List<Pair> pairs = new ArrayList<>();
        for (int i = 1; i < turns.size(); i++)
        {
            final Turn before = turns.get(i - 1);
            final Turn behind = turns.get(i);
            if (before.number() + 1 == behind.number())
            {
                if (before.contestant() == first && behind.contestant() == second)
                {
                    pairs.add(new Pair(behind.block(), before.team(), behind.team(), before.figure() / behind.figure()));
                }
                else if (before.contestant() == second && behind.contestant() == first)
                {
                    pairs.add(new Pair(behind.block(), behind.team(), before.team(), behind.figure() / before.figure()));
                }
            }
        }
        return pairs;
    }
}
