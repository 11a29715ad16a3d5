// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.schedule.Barrier;
import org.tallypost.schedule.Broadcast;
import org.tallypost.schedule.Doubling;
import org.tallypost.schedule.Pairwise;
import org.tallypost.schedule.Ring;
import org.tallypost.schedule.Scatter;
import org.tallypost.schedule.Scatterv;
import org.tallypost.schedule.Schedule;

/** Schedules that run over the fabric to their end, with few credits. */
class SchedulesTest
{
    private static final int LENGTH = 500;

    /** Runs with few slots, and counts the messages of each pair. */
    private static Map<String, Integer> messages(final Schedule schedule) throws InterruptedException
    {
        final Map<String, Integer> found = new TreeMap<>();
        final FabricResult result = new FabricRun(
            Topology.mesh(4, (schedule.processes() + 3) / 4), FabricParameters.fitted(), schedule)
            .flow(FlowOptions.dynamic(2, 6))
            .checkInvariants(true)
            .observer(new FabricObserver()
            {
                @Override
                public void onMessage(final int from, final int to, final long postedPs, final long donePs)
                {
                    found.merge(from + ">" + to, 1, Integer::sum);
                }
            })
            .run();
        assertTrue(result.isComplete(), "all processes came to their end");
        assertEquals(found.values().stream().mapToInt(Integer::intValue).sum(), result.messages());
        return found;
    }

    private static int sum(final Map<String, Integer> messages)
    {
        return messages.values().stream().mapToInt(Integer::intValue).sum();
    }

    @ParameterizedTest
    @ValueSource(ints = { 2, 7, 16 })
    void shouldReachEveryProcessOnce(final int n) throws InterruptedException
    {
        final Map<String, Integer> pairwise = messages(new Pairwise(n, n, LENGTH, 3));
        assertEquals(n * (n - 1), pairwise.size());
        assertTrue(pairwise.values().stream().allMatch((count) -> count == 3), pairwise::toString);
        assertEquals(3 * (n - 1), sum(messages(new Broadcast(n, LENGTH, 3, false))));
        assertEquals(3 * (n - 1), sum(messages(new Broadcast(n, LENGTH, 3, true))));
        assertEquals(3 * (n - 1), sum(messages(new Scatter(n, LENGTH, 3, false))));
        assertEquals(3 * (n - 1), sum(messages(new Scatter(n, LENGTH, 3, true))));
        assertEquals(3 * (n - 1), sum(messages(new Scatterv(n, LENGTH, 3, 2, false))));
        assertEquals(3 * (n - 1), sum(messages(new Scatterv(n, LENGTH, 3, 1, true))));
        final int steps = 32 - Integer.numberOfLeadingZeros(n - 1);
        assertEquals(3 * n * steps, sum(messages(new Barrier(n, 3))));
        assertEquals(2 * n, sum(messages(new Ring(n, LENGTH, 2, false))));
        assertEquals(4 * n, sum(messages(new Ring(n, LENGTH, 2, true))));
    }

    @Test
    void shouldChangeTheRoot() throws InterruptedException
    {
        final Map<String, Integer> scatterv = messages(new Scatterv(4, LENGTH, 6, 3, false));
        assertEquals(Map.of("0>1", 3, "0>2", 3, "0>3", 3, "1>0", 3, "1>2", 3, "1>3", 3), scatterv);
        assertEquals(Map.of("0>1", 1, "1>3", 1, "0>2", 1), messages(new Broadcast(4, LENGTH, 1, false)));
        assertEquals(Map.of("0>2", 1, "2>3", 1, "0>1", 1), messages(new Scatter(4, LENGTH, 1, false)));
    }

    @Test
    void shouldDoubleOnlyPowersOfTwo() throws InterruptedException
    {
        assertEquals(2 * 8 * 3, sum(messages(new Doubling(8, LENGTH, 2, false))));
        assertEquals(2 * 8 * 3, sum(messages(new Doubling(8, 2048, 2, true))));
        assertThrows(IllegalArgumentException.class, () -> new Doubling(12, LENGTH, 1, false));
    }

    @Test
    void shouldLeaveTheOthersAlone() throws InterruptedException
    {
        assertEquals(6, messages(new Pairwise(9, 3, LENGTH, 1)).size());
        assertThrows(IllegalArgumentException.class, () -> new Pairwise(3, 4, LENGTH, 1));
    }
}
