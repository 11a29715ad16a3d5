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
        assertTrue(Sizing.ringSlots(plan) >= 2 * 7 * 33);
    }

    @Test
    void shouldAddUpTheFlowControls()
    {
        final RunPlan plan = PlanFixture.plan(WorkloadKind.ALLTOALL, 64, 2, 64);
        assertEquals(
            Sizing.referenceBytes(plan) + 2 * Sizing.fileBytes(plan, Flow.DYNAMIC), Sizing.fileBytes(plan));
    }
}
