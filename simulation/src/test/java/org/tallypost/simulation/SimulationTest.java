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
 * Seeds, one after the other; {@code -Dsimulation.first} and {@code -Dsimulation.seeds} say which.
 */
class SimulationTest
{
    private static final long FIRST = Long.getLong("simulation.first", 1);
    private static final String AGAIN = "mvn -B verify -pl simulation -am -Dsurefire.failIfNoSpecifiedTests=false" +
        " -Dtest='SimulationTest#shouldBalance*' -Dsimulation.seeds=1 -Dsimulation.first=";
    private static final long SEEDS = Long.getLong("simulation.seeds", 100);

    private static Map<String, Long> run(final LongFunction<Map<String, Long>> simulation, final long seed)
    {
        try
        {
            return simulation.apply(seed);
        }
        catch (final AssertionError ex)
        {
            throw new AssertionError(ex.getMessage() + "\n  run it again: " + AGAIN + seed, ex);
        }
    }

    @Tag("once")
    @Test
    void shouldBalanceTheBooksWhateverGoesWrong()
    {
        final LongFunction<Map<String, Long>> simulation = SimulatedClasses.simulation(null, SimulationKind.MESSAGES);
        final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        final long startNs = System.nanoTime();
        final long startCpuNs = threads.getCurrentThreadCpuTime();
        Map<String, Long> tally = Map.of();
        for (long seed = FIRST; seed < FIRST + SEEDS; seed++)
        {
            tally = run(simulation, seed);
        }
        System.out.println(summary(
            tally, System.nanoTime() - startNs, threads.getCurrentThreadCpuTime() - startCpuNs));
        assertTrue(tally.get("messages") > 0);
    }

    private static String summary(final Map<String, Long> tally, final long ns, final long cpuNs)
    {
        final StringBuilder faults = new StringBuilder();
        final StringBuilder rest = new StringBuilder();
        tally.forEach((what, count) ->
        {
            final boolean isFault = Character.isUpperCase(what.charAt(0));
            (isFault ? faults : rest).append(isFault ? " " : ", ").append(isFault ? what : count).append(' ')
                .append(isFault ? count : what);
        });
        return "simulation: seeds " + FIRST + " to " + (FIRST + SEEDS - 1) + " in " + ns / 1_000_000 + " ms (" +
            cpuNs / 1_000_000 + " ms of processor time)" + rest + "; faults:" + faults;
    }

    @Test
    void shouldDoTheSameWithTheSameSeed()
    {
        for (long seed = 1; seed <= 5; seed++)
        {
            assertEquals(new TreeMap<>(SimulatedClasses.simulation(null, SimulationKind.MESSAGES).apply(seed)),
                new TreeMap<>(SimulatedClasses.simulation(null, SimulationKind.MESSAGES).apply(seed)), "seed " + seed);
        }
    }

    /** What the simulation could not find it would not have to look for. */
    @Tag("once")
    @ParameterizedTest
    @ValueSource(strings = {
        "org/tallypost/endpoint/internal/send/Peer.add",
        "org/tallypost/endpoint/internal/send/SendingThread.finishLeft",
        "org/tallypost/mailbox/process/ClaimMark.intend",
        "org/tallypost/endpoint/internal/node/RemoteNodes.mark",
        "org/tallypost/transportaeron/internal/link/HighListener.onCredits",
        "org/tallypost/mailbox/lane/Lane.settle"})
    void shouldFindWhatIsLeftOut(final String leftOut)
    {
        final LongFunction<Map<String, Long>> broken = SimulatedClasses.simulation(leftOut, SimulationKind.MESSAGES);
        final AssertionError found = assertThrows(AssertionError.class, () ->
        {
            for (long seed = 1; seed <= 1_000; seed++)
            {
                broken.apply(seed);
            }
        });
        System.out.println("simulation: without " + leftOut + ": " + found.getMessage().split("\n")[0]);
    }
}
