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
 * Regions of 2 or 3 nodes, beside messages, on the whole runtime in one thread, with faults: puts, gets, notifications and
 * words, compared with plain arrays. {@code -Dsimulation.first} and {@code -Dsimulation.seeds} say which seeds.
 */
class BulkSimulationTest
{
    private static final long FIRST = Long.getLong("simulation.first", 1);
    private static final long SEEDS = Long.getLong("simulation.seeds", 100);
    private static final String AGAIN = "mvn -B verify -pl simulation -am -Dsurefire.failIfNoSpecifiedTests=false" +
        " -Dtest='BulkSimulationTest#shouldKeep*' -Dsimulation.seeds=1 -Dsimulation.first=";

    @Tag("once")
    @Test
    void shouldKeepWhatIsWrittenWhateverGoesWrong()
    {
        final LongFunction<Map<String, Long>> simulation = SimulatedClasses.simulation(null, SimulationKind.BULK);
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
        System.out.println("bulk simulation: seeds " + FIRST + " to " + (FIRST + SEEDS - 1) + " in " +
            (System.nanoTime() - startNs) / 1_000_000 + " ms (" +
            (threads.getCurrentThreadCpuTime() - startCpuNs) / 1_000_000 + " ms of processor time), " + new TreeMap<>(tally));
        assertTrue(tally.get("bulk done between nodes") > 0);
    }

    @Test
    void shouldDoTheSameWithTheSameSeed()
    {
        for (long seed = 1; seed <= 3; seed++)
        {
            assertEquals(new TreeMap<>(SimulatedClasses.simulation(null, SimulationKind.BULK).apply(seed)),
                new TreeMap<>(SimulatedClasses.simulation(null, SimulationKind.BULK).apply(seed)), "seed " + seed);
        }
    }

    /** What the simulation could not find it would not have to look for. */
    @Tag("once")
    @ParameterizedTest
    @ValueSource(strings = {
        "org/tallypost/transportaeron/internal/link/BulkEgress.close",
        "org/tallypost/transportaeron/internal/link/BulkAnswers.put"})
    void shouldFindWhatIsLeftOut(final String leftOut)
    {
        final LongFunction<Map<String, Long>> broken = SimulatedClasses.simulation(leftOut, SimulationKind.BULK);
        final AssertionError found = assertThrows(AssertionError.class, () ->
        {
            for (long seed = 1; seed <= 1_000; seed++)
            {
                broken.apply(seed);
            }
        });
        System.out.println("bulk simulation: without " + leftOut + ": " + found.getMessage().split("\n")[0]);
    }
}
