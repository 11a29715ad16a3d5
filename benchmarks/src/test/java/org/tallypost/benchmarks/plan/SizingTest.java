// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.tallypost.benchmarks.PlanFixture;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;

class SizingTest
{
    @Test
    void shouldCountSlotsOfMessages()
    {
        assertEquals(1, Sizing.slotsOf(1));
        assertEquals(33, Sizing.slotsOf(2048));
        assertTrue(Sizing.slotsOf(Endpoint.MAX_MESSAGE_LENGTH) * 64L > Endpoint.MAX_MESSAGE_LENGTH);
    }

    @Test
    void shouldHoldTwoOperationsWithoutFlowControl()
    {
        final RunPlan plan = PlanFixture.plan(WorkloadKind.ALLTOALL, 64, 2, 8);
        assertTrue(Sizing.ringSlots(plan, MessagePath.RUNS) >= 2 * 7 * 33);
    }

    @Test
    void shouldCountSlotsOfEachPath()
    {
        assertEquals(33, Sizing.slotsOf(MessagePath.RUNS, 2048));
        assertEquals(43, Sizing.slotsOf(MessagePath.PACKETS, 2048));
        assertEquals(1, Sizing.slotsOf(MessagePath.PACKETS, 48));
        assertEquals(2, Sizing.slotsOf(MessagePath.PACKETS, 49));
        assertEquals(1, Sizing.slotsOf(MessagePath.REGIONS, Endpoint.MAX_MESSAGE_LENGTH));
    }

    @Test
    void shouldHaveRoomForTheRegionsOfAProcess()
    {
        final RunPlan plan = PlanFixture.plan(WorkloadKind.ALLTOALL, 65, 2, 64);
        final long length = new SendRegionDescriptor(plan).length();
        assertTrue(Sizing.regionBytes(plan) >= 33 * length, length + " bytes a rank");
        final Way regions = new Way(Flow.DYNAMIC, MessagePath.REGIONS);
        assertEquals(
            Sizing.fileBytes(plan, new Way(Flow.DYNAMIC, MessagePath.RUNS)) + 2 * Sizing.regionBytes(plan),
            Sizing.fileBytes(plan, regions));
    }

    @Test
    void shouldGivePairsWindowsOfTheirOwnUpToALimit()
    {
        for (final int ranks : new int[]{ 2, 3, 64, 65, 1000, 1024 })
        {
            assertTrue(Sizing.windowsOfRank(ranks) >= ranks, ranks + " ranks");
            assertTrue(Sizing.windows(ranks) >= ranks * Sizing.windowsOfRank(ranks), ranks + " ranks");
        }
        for (final int ranks : new int[]{ 1025, 5000, PlanRules.MAX_RANKS })
        {
            assertEquals(1 << 20, Sizing.windows(ranks), ranks + " ranks");
            assertTrue(Sizing.windowsOfRank(ranks) >= ranks, ranks + " ranks");
        }
    }

    @Test
    void shouldAddUpTheFlowControls()
    {
        final RunPlan plan = PlanFixture.plan(WorkloadKind.ALLTOALL, 64, 2, 64);
        assertEquals(
            Sizing.referenceBytes(plan) + 2 * Sizing.fileBytes(plan, new Way(Flow.DYNAMIC, MessagePath.RUNS)),
            Sizing.fileBytes(plan));
    }
}
