// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongFunction;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Messengers on the whole runtime of a node, in one thread, with faults: processes that die or stand still in the midst of a
 * call, endpoints and messengers that are closed, clocks that jump. {@code -Dsimulation.first} and {@code -Dsimulation.seeds} say
 * which seeds.
 */
class MatchedSimulationTest
{
    private static final long FIRST = Long.getLong("simulation.first", 1);
    private static final long SEEDS = Long.getLong("simulation.seeds", 100);
    private static final String AGAIN = "mvn -B verify -pl simulation -am -Dsurefire.failIfNoSpecifiedTests=false" +
        " -Dtest='MatchedSimulationTest#shouldEnd*' -Dsimulation.seeds=1 -Dsimulation.first=";

    @Tag("once")
    @Test
    void shouldEndEveryRequestWhateverGoesWrong()
    {
        final LongFunction<Map<String, Long>> simulation = SimulatedClasses.simulation(null, SimulationKind.MATCHED);
        final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        final long startNs = System.nanoTime();
        final long startCpuNs = threads.getCurrentThreadCpuTime();
        Map<String, Long> tally = Map.of();
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++)
        {
            try
            {
                tally = simulation.apply(seed);
            }
            catch (final AssertionError ex)
            {
                throw new AssertionError(ex.getMessage() + "\n  run it again: " + AGAIN + seed, ex);
            }
        }
        System.out.println("matched simulation: seeds " + FIRST + " to " + (FIRST + SEEDS - 1) + " in " +
            (System.nanoTime() - startNs) / 1_000_000 + " ms (" +
            (threads.getCurrentThreadCpuTime() - startCpuNs) / 1_000_000 + " ms of processor time), " + new TreeMap<>(tally));
        assertTrue(tally.get("matched") > 0);
    }

    @Test
    void shouldDoTheSameWithTheSameSeed()
    {
        for (long seed = 1; seed <= 5; seed++)
        {
            assertEquals(new TreeMap<>(SimulatedClasses.simulation(null, SimulationKind.MATCHED).apply(seed)),
                new TreeMap<>(SimulatedClasses.simulation(null, SimulationKind.MATCHED).apply(seed)), "seed " + seed);
        }
    }

    /** What the simulation could not find it would not have to look for: no goodbye is heard, no credit goes back. */
    @Tag("once")
    @ParameterizedTest
    @ValueSource(strings = {
        "org/tallypost/messaging/OutgoingMessages.onGoodbye",
        "org/tallypost/endpoint/internal/send/Peer.add"})
    void shouldFindWhatIsLeftOut(final String leftOut)
    {
        final LongFunction<Map<String, Long>> broken = SimulatedClasses.simulation(leftOut, SimulationKind.MATCHED);
        final AssertionError found = assertThrows(AssertionError.class, () ->
        {
            for (long seed = 1; seed <= 1_000; seed++)
            {
                broken.apply(seed);
            }
        });
        System.out.println("matched simulation: without " + leftOut + ": " + found.getMessage().split("\n")[0]);
    }
}
