// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

import java.util.SplittableRandom;

/**
 * The order of turns: in each cycle every contestant has one turn, in a random order of its own. So every two contestants are
 * adjacent often, and each of them is before the other as often as behind. For one thread.
 */
public final class TurnOrder
{
    private final SplittableRandom random;
    private final int[] order;

    /**
     * An order that depends on the seed alone.
     *
     * @param seed  of the random numbers.
     * @param count of contestants.
     */
    public TurnOrder(final long seed, final int count)
    {
        random = new SplittableRandom(seed);
        order = new int[count];
        for (int i = 0; i < count; i++)
        {
            order[i] = i;
        }
    }

    /**
     * The order of the next cycle.
     *
     * @return each number from 0 to the count less one, once; a new array.
     */
    public int[] next()
    {
        for (int i = order.length - 1; i > 0; i--)
        {
            final int other = random.nextInt(i + 1);
            final int swapped = order[i];
            order[i] = order[other];
            order[other] = swapped;
        }
        return order.clone();
    }
}
