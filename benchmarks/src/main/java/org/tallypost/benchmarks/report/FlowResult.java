// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;

import org.tallypost.benchmarks.plan.Phase;
import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.Schedule;
import org.tallypost.benchmarks.plan.WorkloadKind;
import org.tallypost.benchmarks.process.FlowCounts;
import org.tallypost.benchmarks.process.RunOutcome;
import org.tallypost.endpoint.Flow;

/**
 * What one flow control did in a run.
 *
 * @param plan          of the run.
 * @param flow          the flow control.
 * @param timeNs        of a unit: an alltoall, a round trip, a message.
 * @param overhead      against the reference as a fraction, or null if the reference was not run or this is it.
 * @param operations    units measured.
 * @param messages      sent in the measured steps.
 * @param delayed       of these, not out at once because credits were missing.
 * @param creditPackets sent in the measured steps.
 * @param creditsStolen moved from one sender to another in the measured steps.
 * @param requests      compulsory requests in the measured steps.
 * @param responses     answers to them.
 * @param mailboxBytes  of one mailbox file.
 * @param roundTrips    distribution, or null if the workload has none.
 * @param mismatch      what was wrong with the first message that was not as sent, or null.
 * @param network       what was counted between nodes, one text for each node.
 * @param verified      did every message arrive once and as it was sent?
 */
public record FlowResult(
    RunPlan plan,
    Flow flow,
    TimeSummary timeNs,
    Double overhead,
    long operations,
    long messages,
    long delayed,
    long creditPackets,
    long creditsStolen,
    long requests,
    long responses,
    long mailboxBytes,
    RoundTrips roundTrips,
    String mismatch,
    List<String> network,
    boolean verified)
{
    /** The thesis's alltoall of 1,024 processes and 2 KB without flow control on 64 nodes (section 5.3), in nanoseconds. */
    public static final double THESIS_ALLTOALL_NS = 278_515_080.0;

    /**
     * Results of all flow controls of a run that came to its end.
     *
     * @param plan    of the run.
     * @param outcome of the run.
     * @return one result for each flow control, in the order of the plan.
     */
    public static List<FlowResult> of(final RunPlan plan, final RunOutcome outcome)
    {
        final Schedule schedule = new Schedule(plan);
        final TimeSummary reference = plan.flows().contains(Flow.NONE) ? times(plan, schedule, outcome, Flow.NONE) : null;
        final List<FlowResult> results = new ArrayList<>();
        for (final Flow flow : plan.flows())
        {
            final TimeSummary times = times(plan, schedule, outcome, flow);
            final Double overhead = reference == null || flow == Flow.NONE ? null : (Double)times.overheadOver(reference);
            results.add(of(plan, schedule, outcome, flow, times, overhead));
        }
        return results;
    }

    private static FlowResult of(
        final RunPlan plan, final Schedule schedule, final RunOutcome outcome,
        final Flow flow, final TimeSummary times, final Double overhead)
    {
        final List<FlowCounts> counts = outcome.workers().stream()
            .flatMap(worker -> worker.flows().stream())
            .filter(count -> count.flow() == flow)
            .toList();
        final long steps = schedule.steps().stream().filter(step -> step.flow() == flow).count();
        final long measured = schedule.steps().stream()
            .filter(step -> step.flow() == flow && step.phase() == Phase.TIMED).count();
        final String mismatch = counts.stream().map(FlowCounts::firstMismatch).filter(Objects::nonNull).findFirst().orElse(null);
        final boolean isComplete = sum(counts, FlowCounts::checked) == steps * plan.messagesPerStep();
        return new FlowResult(
            plan,
            flow,
            times,
            overhead,
            measured * plan.unitsTimed(),
            sum(counts, FlowCounts::messages),
            sum(counts, FlowCounts::delayed),
            sum(counts, FlowCounts::creditPackets),
            sum(counts, FlowCounts::creditsStolen),
            sum(counts, FlowCounts::requests),
            sum(counts, FlowCounts::responses),
            counts.stream().mapToLong(FlowCounts::mailboxBytes).max().orElse(0),
            RoundTrips.of(counts),
            mismatch,
            counts.stream().map(FlowCounts::network).filter(Objects::nonNull).toList(),
            isComplete && sum(counts, FlowCounts::mismatches) == 0);
    }

    private static TimeSummary times(
        final RunPlan plan, final Schedule schedule, final RunOutcome outcome, final Flow flow)
    {
        return TimeSummary.of(schedule.steps().stream()
            .filter(step -> step.flow() == flow && step.phase() == Phase.TIMED)
            .mapToDouble(step -> (double)outcome.durationsNs()[step.timedIndex()] / plan.unitsTimed())
            .toArray());
    }

    private static long sum(final List<FlowCounts> counts, final ToLongFunction<FlowCounts> part)
    {
        return counts.stream().mapToLong(part).sum();
    }

    /**
     * Share of the messages that were not out at once because credits were missing.
     *
     * @return 0 to 1.
     */
    public double delayedShare()
    {
        return messages == 0 ? 0 : (double)delayed / messages;
    }

    /**
     * Units in a second at the median time.
     *
     * @return the rate.
     */
    public double ratePerSecond()
    {
        return 1e9 / timeNs.median();
    }

    /**
     * Is this the experiment that the thesis states an absolute time for?
     *
     * @return true for an alltoall of 1,024 ranks and 2,048 bytes.
     */
    public boolean isThesisAlltoall()
    {
        return plan.workload() == WorkloadKind.ALLTOALL && plan.active() == 1024 &&
            plan.messageLength() == 2048;
    }

    /**
     * Median time as a share of the thesis's.
     *
     * @return 1 if they are equal, less if this is faster.
     */
    public double thesisRatio()
    {
        return timeNs.median() / THESIS_ALLTOALL_NS;
    }
}
