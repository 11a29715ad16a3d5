// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.schedule.Alltoall;

/**
 * Against a second, independent model of the same protocol: 32 ranks, 12 rounds of 37 packets, 8 slots, 0.15 us to send and
 * to retrieve, 1 us on the way, credit packets sent for nothing, and packets of different senders retrieved one by one. What
 * is expected are the overheads in hundredths that it found; tolerated is a point, and 5 points where one run differs from
 * another by as much.
 */
@Tag("once")
class SmallModelTest
{
    private static final int RANKS = 32;
    private static final int ROUNDS = 12;
    private static final int SLOTS = 8;
    private static final long O = 150_000;
    /** Takes off again what it costs to send a credit packet. */
    private static final ProtocolCosts FREE = new ProtocolCosts(0, 0, -O, 0);
    private static final FabricParameters PARAMETERS = new FabricParameters(1_000_000, O, O, 0, 0, 0, 0, FREE, FREE);

    private static FabricResult run(final int active, final boolean isBlocking, final FlowOptions flow)
        throws InterruptedException
    {
        final Alltoall alltoall = new Alltoall(RANKS, active, ROUNDS, 2_048, isBlocking);
        return new FabricRun(Topology.apart(RANKS), PARAMETERS, alltoall).flow(flow).run();
    }

    @ParameterizedTest
    @CsvSource({ "32, false, 17, 19, 1", "4, false, 17, 6, 1", "32, true, 51, 127, 5" })
    void shouldFindTheSameOverheads(
        final int active, final boolean isBlocking, final int fixed, final int dynamic, final int tolerance)
        throws InterruptedException
    {
        final FabricResult least = run(active, isBlocking, FlowOptions.none());
        assertEquals(fixed, 100 * run(active, isBlocking, FlowOptions.fixed(2, SLOTS)).overhead(least), tolerance);
        assertEquals(dynamic, 100 * run(active, isBlocking, FlowOptions.dynamic(2, SLOTS)).overhead(least), tolerance);
    }

    @Test
    void shouldFindThatBlockingSendsMakeTheDynamicProtocolThrash() throws InterruptedException
    {
        assertTrue(run(RANKS, true, FlowOptions.dynamic(2, SLOTS)).requests() > 5_000);
        assertTrue(run(RANKS, false, FlowOptions.dynamic(2, SLOTS)).requests() < 2_000);
        assertEquals(0, run(RANKS, true, FlowOptions.fixed(2, SLOTS)).requests());
    }
}
