// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class ContextsTest
{
    private static final int RANKS = 3;

    private final List<Contexts> ranks = new ArrayList<>();

    ContextsTest()
    {
        for (int i = 0; i < RANKS; i++)
        {
            ranks.add(new Contexts());
        }
    }

    private int agree() throws MPIException
    {
        int from = 0;
        while (true)
        {
            final int[][] offers = new int[RANKS][];
            for (int i = 0; i < RANKS; i++)
            {
                offers[i] = ranks.get(i).offer(from);
            }
            final int[] common = Contexts.common(offers);
            for (int i = 0; i < RANKS; i++)
            {
                ranks.get(i).close(offers[i]);
            }
            if (Contexts.lowest(common) != Contexts.NONE)
            {
                return Contexts.lowest(common);
            }
            assertTrue(Contexts.next(common) > from);
            from = Contexts.next(common);
        }
    }

    @Test
    void shouldFindTheLowestThatIsFreeAtAllRanks() throws MPIException
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("ContextsTest: seed=" + seed);
        final Random random = new Random(seed);
        for (int round = 0; round < 50; round++)
        {
            final TreeSet<Integer> used = new TreeSet<>();
            for (int i = 0; i < random.nextInt(300); i++)
            {
                final int block = random.nextInt(200);
                ranks.get(random.nextInt(RANKS)).take(block * Channels.CONTEXTS);
                used.add(block);
            }
            int lowest = 0;
            while (used.contains(lowest))
            {
                lowest++;
            }
            assertEquals(lowest * Channels.CONTEXTS, agree(), "seed=" + seed);
            ranks.replaceAll((old) -> new Contexts());
        }
    }

    @Test
    void shouldOfferNothingTwice() throws MPIException
    {
        final Contexts contexts = ranks.get(0);
        final int[] first = contexts.offer(0);
        final int[] second = contexts.offer(0);
        assertEquals(Contexts.NONE, Contexts.lowest(Contexts.common(first, second)));
        contexts.close(first);
        assertEquals(0, Contexts.lowest(contexts.offer(0)));
    }

    @Test
    void shouldHaveNothingInCommonWithAnOfferFarAway()
    {
        final int[] low = { 0, 32, -1 };
        final int[] high = { 100, 132, -1 };
        final int[] common = Contexts.common(low, high);
        assertEquals(Contexts.NONE, Contexts.lowest(common));
        assertEquals(100, Contexts.next(common));
    }
}
