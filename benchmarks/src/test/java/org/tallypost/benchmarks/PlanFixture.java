// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks;

import java.util.List;
import java.util.concurrent.TimeUnit;

import org.tallypost.benchmarks.plan.NodePlan;
import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.WorkloadKind;
import org.tallypost.endpoint.CreditReturn;
import org.tallypost.endpoint.Flow;

/**
 * Plans for tests: small, and different from one another in what the test is about.
 */
public final class PlanFixture
{
    private PlanFixture()
    {
    }

    public static RunPlan plan(final WorkloadKind workload, final int ranks, final int processes, final int active)
    {
        return plan(workload, ranks, processes, active, 2048, Flow.NONE, Flow.STATIC, Flow.DYNAMIC);
    }

    public static RunPlan plan(
        final WorkloadKind workload,
        final int ranks,
        final int processes,
        final int active,
        final int messageLength,
        final Flow... flows)
    {
        final boolean isAlltoall = workload == WorkloadKind.ALLTOALL;
        return new RunPlan(
            workload, ranks, processes, active, messageLength, 16, 2, List.of(flows), CreditReturn.DIRECT, false,
            3, isAlltoall ? 2 : 1, isAlltoall ? 1 : 10, 4, TimeUnit.SECONDS.toNanos(1800), -1, NodePlan.ONE);
    }
}
