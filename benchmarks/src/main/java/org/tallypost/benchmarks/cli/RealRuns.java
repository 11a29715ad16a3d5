// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.cli;

import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.tallypost.benchmarks.plan.MessagePath;
import org.tallypost.benchmarks.plan.NodePlan;
import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.Step;
import org.tallypost.benchmarks.plan.WorkloadKind;
import org.tallypost.benchmarks.process.Coordinator;
import org.tallypost.benchmarks.process.ProgressListener;
import org.tallypost.benchmarks.process.RunOutcome;
import org.tallypost.benchmarks.report.FlowResult;
import org.tallypost.endpoint.CreditReturn;
import org.tallypost.endpoint.Flow;

/**
 * The same experiments where they fit into one machine: real endpoints in two processes over shared memory, credits in
 * packets, dynamic with the endpoint's own rule for steals. Times depend on the machine, and differ from run to run.
 */
final class RealRuns
{
    private static final int RANKS = 64;
    private static final int PROCESSES = 2;
    private static final int LENGTH = 2048;
    private static final int SHORTER_LENGTH = 2044;
    private static final int CREDIT_SLOTS = 2;
    private static final int REPEATS = 5;
    private static final int WARMUPS = 30;
    private static final int STEPS = 10;
    private static final int TRIPS = 200;
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(600);
    private static final List<Integer> SIZES = List.of(8, 16, 32, 57);
    private static final String[] ACTIVE_IDS = { "1024", "512", "256", "128" };

    private static final ProgressListener NOBODY = new ProgressListener()
    {
        @Override
        public void onStarted(final long[] pids)
        {
        }

        @Override
        public void onOpening(final long opened, final long ofRanks)
        {
        }

        @Override
        public void onStep(final Step step)
        {
        }

        @Override
        public void onEnd()
        {
        }
    };

    private final File directory;
    private final PrintStream errorStream;
    private final Map<String, String> found = new LinkedHashMap<>();

    /**
     * Runs nothing yet.
     *
     * @param directory   for the mapped files.
     * @param errorStream that tells which run it is, and gets what the processes complain about.
     */
    RealRuns(final File directory, final PrintStream errorStream)
    {
        this.directory = directory;
        this.errorStream = errorStream;
    }

    /**
     * Runs everything that fits, a minute or two.
     *
     * @return what it showed, for people, by fact.
     * @throws IOException          if files cannot be written, or a run failed.
     * @throws InterruptedException if this thread is interrupted.
     */
    Map<String, String> run() throws IOException, InterruptedException
    {
        for (int i = 0; i < ACTIVE_IDS.length; i++)
        {
            alltoall(ACTIVE_IDS[i], RANKS >> i);
        }
        pingPong();
        piggyback();
        return found;
    }

    private void alltoall(final String id, final int active) throws IOException, InterruptedException
    {
        final List<String> fixed = new ArrayList<>();
        final List<String> dynamic = new ArrayList<>();
        final List<String> delayed = new ArrayList<>();
        for (final int slots : SIZES)
        {
            final List<FlowResult> results = run(plan(WorkloadKind.ALLTOALL, RANKS, active, LENGTH, slots, false,
                List.of(Flow.NONE, Flow.STATIC, Flow.DYNAMIC)));
            fixed.add(slots + ": " + percent(results.get(1).overhead()));
            dynamic.add(slots + ": " + percent(results.get(2).overhead()));
            delayed.add(slots + ": " + percent(results.get(1).delayedShare()));
        }
        final String where = active + " of " + RANKS + " ranks: ";
        found.put("5.9-" + id, where + String.join(", ", fixed));
        if (active == RANKS)
        {
            found.put("6.5-balanced", where + "dynamic " + String.join(", ", dynamic) + "; static " + String.join(", ", fixed));
            found.put("5.6-processes", where + "delayed " + String.join(", ", delayed));
        }
        else
        {
            found.put("6.5-" + id, where + "dynamic " + String.join(", ", dynamic) + "; static " + String.join(", ", fixed));
        }
    }

    private void pingPong() throws IOException, InterruptedException
    {
        final int pairs = RANKS / 2;
        final List<String> times = new ArrayList<>();
        final List<String> packets = new ArrayList<>();
        for (final int slots : SIZES)
        {
            final List<FlowResult> results = run(plan(WorkloadKind.MULTIPINGPONG, pairs, pairs, LENGTH, slots, false,
                List.of(Flow.NONE, Flow.STATIC, Flow.DYNAMIC)));
            times.add(slots + ": " + percent(results.get(2).overhead()) + " and " + percent(results.get(1).overhead()));
            packets.add(slots + ": " + results.get(2).creditPackets() + " and " + results.get(1).creditPackets());
        }
        final String where = pairs + " ranks, dynamic and static: ";
        found.put("7.2-pingpong-total", where + String.join(", ", times));
        found.put("7.2-pingpong-packets", where + String.join(", ", packets));
    }

    private void piggyback() throws IOException, InterruptedException
    {
        final List<String> packets = new ArrayList<>();
        for (final int slots : SIZES)
        {
            final long[] counts = new long[2];
            for (int i = 0; i < counts.length; i++)
            {
                counts[i] = run(plan(WorkloadKind.ALLTOALL, RANKS, RANKS, SHORTER_LENGTH, slots, i == 1, List.of(Flow.STATIC)))
                    .get(0).creditPackets();
            }
            packets.add(slots + ": " + counts[1] + " and " + counts[0]);
        }
        found.put("5.8-packets", RANKS + " ranks, with and without credits in data packets: " + String.join(", ", packets));
    }

    private static RunPlan plan(
        final WorkloadKind workload,
        final int ranks,
        final int active,
        final int length,
        final int slots,
        final boolean piggyback,
        final List<Flow> flows)
    {
        final boolean isAlltoall = workload == WorkloadKind.ALLTOALL;
        return new RunPlan(
            workload, ranks, PROCESSES, active, length, slots, CREDIT_SLOTS, flows, List.of(MessagePath.RUNS), false,
            CreditReturn.PACKET, piggyback, REPEATS, isAlltoall ? STEPS : 1,
            isAlltoall ? 1 : TRIPS, WARMUPS, TIMEOUT_NS, -1, NodePlan.ONE);
    }

    private List<FlowResult> run(final RunPlan plan) throws IOException, InterruptedException
    {
        errorStream.println("real run: " + plan.workload().label() + ", " + plan.active() + " of " + plan.ranks() + " ranks, " +
            plan.slots() + " slots");
        final RunOutcome outcome = new Coordinator(plan, directory, NOBODY, errorStream).run();
        if (outcome.failure() != null)
        {
            throw new IOException("a real run failed: " + outcome.failure());
        }
        return FlowResult.of(plan, outcome);
    }

    private static String percent(final double share)
    {
        return String.format(Locale.ROOT, "%.0f%%", share * 100);
    }
}
