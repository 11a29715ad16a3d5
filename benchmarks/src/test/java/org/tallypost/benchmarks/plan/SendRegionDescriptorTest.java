// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Set;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.benchmarks.PlanFixture;
import org.tallypost.endpoint.Flow;

class SendRegionDescriptorTest
{
    @ParameterizedTest
    @CsvSource({ "2, 1, 1", "3, 2, 2047", "64, 2, 2048", "100, 7, 4097" })
    void shouldLayFieldsBehindOneAnother(final int ranks, final int processes, final int messageLength)
    {
        final RunPlan plan = PlanFixture.plan(WorkloadKind.ALLTOALL, ranks, processes, ranks, messageLength, Flow.DYNAMIC);
        final SendRegionDescriptor layout = new SendRegionDescriptor(plan);
        final Set<Integer> receipts = new HashSet<>();
        for (int rank = 0; rank < ranks; rank++)
        {
            final int offset = layout.receiptOffset(rank);
            assertEquals(0, offset % Long.BYTES, "receipt of rank " + rank);
            assertTrue(offset + Long.BYTES <= layout.windowsOffset(), "receipt of rank " + rank);
            assertTrue(receipts.add(offset), "receipt of rank " + rank);
            for (int other = 0; other < rank; other++)
            {
                if (plan.processOf(other) != plan.processOf(rank))
                {
                    assertNotEquals(layout.receiptOffset(other) / 128, offset / 128, "lines of ranks " + other + ", " + rank);
                }
            }
        }
        final int lastWindow = layout.windowsOffset() + (Sizing.windowsOfRank(ranks) - 1) * Long.BYTES;
        assertTrue(lastWindow + messageLength <= layout.spareOffset());
        assertEquals(0, layout.windowsOffset() % Long.BYTES);
        assertEquals(0, layout.spareOffset() % Long.BYTES);
        assertEquals(layout.spareOffset() + messageLength, layout.length());
    }
}
