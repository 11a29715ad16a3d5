// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.ToLongFunction;

import org.tallypost.benchmarks.plan.MessagePath;
import org.tallypost.benchmarks.plan.Phase;
import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.Schedule;
import org.tallypost.benchmarks.plan.Way;
import org.tallypost.benchmarks.plan.WorkloadKind;
import org.tallypost.benchmarks.process.FlowCounts;
import org.tallypost.benchmarks.process.RunOutcome;
import org.tallypost.endpoint.Flow;

/**
 * What one flow control did in a run, on one path of messages.
 *
 * @param plan          of the run.
 * @param flow          the flow control.
 * @param path          of the messages.
 * @param timeNs        of a unit: an alltoall, a round trip, a message.
 * @param overhead      against the reference of the same path as a fraction, or null if the reference was not run or this is it.
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
    MessagePath path,
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
     * Results of all flow controls and paths of a run that came to its end.
     *
     * @param plan    of the run.
     * @param outcome of the run.
     * @return one result for each flow control and path, in the order of the plan.
     */
    public static List<FlowResult> of(final RunPlan plan, final RunOutcome outcome)
    {
        final Schedule schedule = new Schedule(plan);
        final List<FlowResult> results = new ArrayList<>();
        for (final Way way : plan.ways())
        {
            final boolean hasReference = way.flow() != Flow.NONE && plan.flows().contains(Flow.NONE);
            final TimeSummary times = times(plan, schedule, outcome, way);
            final Double overhead = hasReference ?
                (Double)times.overheadOver(times(plan, schedule, outcome, new Way(Flow.NONE, way.path()))) : null;
            results.add(of(plan, schedule, outcome, way, times, overhead));
        }
        return results;
    }

    private static FlowResult of(
        final RunPlan plan, final Schedule schedule, final RunOutcome outcome,
        final Way way, final TimeSummary times, final Double overhead)
    {
        final List<FlowCounts> counts = outcome.workers().stream()
            .flatMap(worker -> worker.flows().stream())
            .filter(count -> count.way().equals(way))
            .toList();
        final long steps = schedule.steps().stream().filter(step -> step.way().equals(way)).count();
        final long measured = schedule.steps().stream()
            .filter(step -> step.way().equals(way) && step.phase() == Phase.TIMED).count();
        final String mismatch = counts.stream().map(FlowCounts::firstMismatch).filter(Objects::nonNull).findFirst().orElse(null);
        final boolean isComplete = sum(counts, FlowCounts::checked) == steps * plan.messagesPerStep();
        return new FlowResult(
            plan,
            way.flow(),
            way.path(),
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
        final RunPlan plan, final Schedule schedule, final RunOutcome outcome, final Way way)
    {
        return TimeSummary.of(schedule.steps().stream()
            .filter(step -> step.way().equals(way) && step.phase() == Phase.TIMED)
            .mapToDouble(step -> (double)outcome.durationsNs()[step.timedIndex()] / plan.unitsTimed())
            .toArray());
    }

    private static long sum(final List<FlowCounts> counts, final ToLongFunction<FlowCounts> part)
    {
        return counts.stream().mapToLong(part).sum();
    }

    /**
     * Which of the run's ways it is.
     *
     * @return the flow control and the path, in words.
     */
    public String wayText()
    {
        return new Way(flow, path).text();
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
