// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks;

import java.util.List;
import java.util.concurrent.TimeUnit;

import org.tallypost.benchmarks.plan.MessagePath;
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

    /** The same run with other paths. */
    public static RunPlan withPaths(final RunPlan plan, final MessagePath... paths)
    {
        return new RunPlan(
            plan.workload(), plan.ranks(), plan.processes(), plan.active(), plan.messageLength(), plan.slots(),
            plan.creditSlots(), plan.flows(), List.of(paths), plan.isAllChecked(), plan.creditReturn(), plan.piggyback(),
            plan.repeats(), plan.stepsPerRepeat(), plan.unitsPerStep(), plan.warmupSteps(), plan.timeoutNs(), plan.corruptRank(),
            plan.nodes());
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
            workload, ranks, processes, active, messageLength, 16, 2, List.of(flows), List.of(MessagePath.RUNS), false,
            CreditReturn.DIRECT, false,
            3, isAlltoall ? 2 : 1, isAlltoall ? 1 : 10, 4, TimeUnit.SECONDS.toNanos(1800), -1, NodePlan.ONE);
    }
}
