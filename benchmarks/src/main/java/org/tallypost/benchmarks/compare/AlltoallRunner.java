// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import org.tallypost.benchmarks.plan.NodePlan;
import org.tallypost.benchmarks.plan.PlanRules;
import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.Step;
import org.tallypost.benchmarks.plan.WorkloadKind;
import org.tallypost.benchmarks.process.Coordinator;
import org.tallypost.benchmarks.process.ProgressListener;
import org.tallypost.benchmarks.process.RunOutcome;
import org.tallypost.benchmarks.report.FlowResult;
import org.tallypost.endpoint.Carrier;

/**
 * The alltoall of {@code tallypost bench alltoall}, each rank in a process of its own.
 */
final class AlltoallRunner implements ForkRunner
{
    private static final int CREDIT_SLOTS = 2;
    /** With fewer, methods are still being compiled in some of the processes. */
    private static final int WARMUPS = 40_000;
    private static final int OPERATIONS = 1_000;
    private static final double PER_MILLE = 1000;

    private final File parent;
    private final Bracket bracket;

    /**
     * A runner.
     *
     * @param parent  existing directory.
     * @param bracket that probes the machine.
     */
    AlltoallRunner(final File parent, final Bracket bracket)
    {
        this.parent = parent;
        this.bracket = bracket;
    }

    @Override
    public ForkResult run(final ForkSpec spec) throws IOException, InterruptedException
    {
        return bracket.measure(spec, () -> measure(spec));
    }

    private ForkResult measure(final ForkSpec spec) throws IOException, InterruptedException
    {
        final int ranks = spec.parties();
        final RunPlan plan = new RunPlan(WorkloadKind.ALLTOALL, ranks, ranks, ranks, spec.length(), spec.slots() / ranks,
            CREDIT_SLOTS, List.of(spec.flow()), Carrier.DIRECT, false, 1, OPERATIONS, 1, WARMUPS,
            TimeUnit.MILLISECONDS.toNanos(spec.timeoutMs()), spec.corrupt() ? 0 : -1, NodePlan.ONE);
        final Optional<String> problem = PlanRules.problem(plan);
        if (problem.isPresent())
        {
            return ForkResult.failed(problem.get());
        }
        final RunOutcome outcome = new Coordinator(plan, parent, new Silence(), System.err).run();
        if (outcome.failure() != null)
        {
            return ForkResult.failed(outcome.failure());
        }
        final FlowResult result = FlowResult.of(plan, outcome).get(0);
        final long[] timesNs = outcome.durationsNs().clone();
        Arrays.sort(timesNs);
        return new ForkResult(
            List.of(new ForkResult.Run(Probe.NONE, Probe.NONE, result.timeNs().median(), result.timeNs().median(),
            at(timesNs, 990), at(timesNs, 999), result.messages(), 1)), result.verified() ? 0 : 1, result.mailboxBytes(), null);
    }

    private static double at(final long[] sorted, final int perMille)
    {
        return sorted[Math.min(sorted.length - 1, (int)(sorted.length * perMille / PER_MILLE))];
    }

    private static final class Silence implements ProgressListener
    {
        @Override
        public void onStarted(final long[] pids)
        {
            // the comparison tells of rounds
        }

        @Override
        public void onOpening(final long opened, final long ofRanks)
        {
            // the comparison tells of rounds
        }

        @Override
        public void onStep(final Step step)
        {
            // the comparison tells of rounds
        }

        @Override
        public void onEnd()
        {
            // the comparison tells of rounds
        }
    }
}
