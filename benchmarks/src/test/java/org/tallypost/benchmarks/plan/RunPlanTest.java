// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.plan;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tallypost.benchmarks.PlanFixture;

class RunPlanTest
{
    @ParameterizedTest
    @EnumSource(WorkloadKind.class)
    void shouldGiveEveryRankToExactlyOneProcess(final WorkloadKind workload)
    {
        final RunPlan plan = PlanFixture.plan(workload, 10, 3, 10);
        final int[] owners = new int[10];
        for (int process = 0; process < 3; process++)
        {
            for (final int rank : plan.ranksOf(process))
            {
                owners[rank]++;
            }
        }
        assertArrayEquals(new int[]{ 1, 1, 1, 1, 1, 1, 1, 1, 1, 1 }, owners);
    }

    @Test
    void shouldSpreadActiveRanksOverProcesses()
    {
        final RunPlan plan = PlanFixture.plan(WorkloadKind.ALLTOALL, 64, 2, 8);
        for (int process = 0; process < 2; process++)
        {
            int active = 0;
            for (final int rank : plan.ranksOf(process))
            {
                active += plan.isActive(rank) ? 1 : 0;
            }
            assertEquals(4, active, "active ranks of process " + process);
        }
    }

    @Test
    void shouldPutTheTwoSidesOfAPairIntoDifferentProcesses()
    {
        for (int processes = 2; processes <= 8; processes++)
        {
            final RunPlan plan = PlanFixture.plan(WorkloadKind.MULTIPINGPONG, 16, processes, 16);
            for (int rank = 0; rank < 8; rank++)
            {
                assertNotEquals(plan.processOf(rank), plan.processOf(rank + 8), rank + " of " + processes);
            }
        }
    }

    @Test
    void shouldKeepBothSidesOfAPairActive()
    {
        final RunPlan plan = PlanFixture.plan(WorkloadKind.MULTIPINGPONG, 16, 2, 4);
        assertTrue(plan.isActive(1) && plan.isActive(9));
        assertFalse(plan.isActive(2) || plan.isActive(10));
    }

    @Test
    void shouldLeaveTheReceiverOfARateAlone()
    {
        final RunPlan plan = PlanFixture.plan(WorkloadKind.RATE, 8, 3, 8);
        assertArrayEquals(new int[]{ 0 }, plan.ranksOf(0));
    }

    @Test
    void shouldCountMessages()
    {
        assertEquals(56, PlanFixture.plan(WorkloadKind.ALLTOALL, 64, 2, 8).messagesPerStep());
        assertEquals(160, PlanFixture.plan(WorkloadKind.MULTIPINGPONG, 64, 2, 16).messagesPerStep());
        assertEquals(70, PlanFixture.plan(WorkloadKind.RATE, 64, 2, 8).messagesPerStep());
    }
}
