// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.fabric.FabricParameters;
import org.tallypost.fabric.FabricResult;
import org.tallypost.fabric.FabricRun;
import org.tallypost.fabric.FlowOptions;
import org.tallypost.fabric.Topology;
import org.tallypost.schedule.Schedule;

/** Patterns of the benchmarks: each message that is sent is received, and there are as many as the algorithm has. */
class BenchmarkSchedulesTest
{
    private static final int ROUNDS = 3;
    private static final int LENGTH = 2048;

    private static FabricResult run(final Schedule schedule) throws InterruptedException
    {
        final FabricResult result = new FabricRun(Topology.mesh(16, 2), FabricParameters.fitted(), schedule)
            .flow(FlowOptions.dynamic(2, 8)).run();
        assertTrue(result.isComplete(), schedule.toString());
        return result;
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 6, 7, 8, 17, 32})
    void shouldBringBothHalvesToAllAndBack(final int processes) throws InterruptedException
    {
        final int halves = 2 * (processes - 1);
        // 1,024 bytes and a header of 16 are 19 packets
        for (final boolean isUpwards : new boolean[]{ false, true })
        {
            final FabricResult result = run(new HalvesTree(processes, LENGTH, ROUNDS, isUpwards));
            assertEquals(ROUNDS * halves, result.messages());
            assertEquals(ROUNDS * halves * 19, result.dataPackets());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 4, 10, 32})
    void shouldExchangeWithOneNeighbourAndWithBoth(final int processes) throws InterruptedException
    {
        assertEquals(ROUNDS * processes, run(new PingPing(processes, ROUNDS, LENGTH)).messages());
        // the first block fits into packets, two go as bulk, which is asked for by one
        final FabricResult exchange = run(new NeighbourExchange(processes, ROUNDS, LENGTH));
        assertEquals(ROUNDS * processes * processes / 2, exchange.messages());
        assertEquals(ROUNDS * processes * (37 + processes / 2 - 1), exchange.dataPackets());
    }
}
