// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.report;

import java.util.Locale;

import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.Schedule;
import org.tallypost.benchmarks.plan.WorkloadKind;

/**
 * What a run will take, from its plan alone: within a factor of two or so on a machine with nothing else to do.
 *
 * @param label    of the workload.
 * @param messages in all steps of all flow controls.
 * @param length   of a message in bytes.
 * @param seconds  from the start of the processes to the table.
 */
public record Estimate(String label, long messages, int length, double seconds)
{
    private static final double START_S = 2;
    private static final double RANK_S = 0.003;
    private static final double MESSAGE_S = 1.5e-6;
    private static final double TURN_S = 3e-6;
    private static final double BYTE_S = 1e-9;
    private static final double MINUTE_S = 60;

    /**
     * The estimate of a plan.
     *
     * @param plan  of the run.
     * @param cores of the machine.
     * @return the estimate.
     */
    public static Estimate of(final RunPlan plan, final int cores)
    {
        final long steps = new Schedule(plan).steps().size();
        final long messages = steps * plan.messagesPerStep();
        final double each = MESSAGE_S + plan.messageLength() * BYTE_S +
            (plan.workload() == WorkloadKind.ALLTOALL ? 0 : TURN_S);
        final double crowd = Math.max(1, (double)plan.processes() / Math.max(1, cores));
        final double opening = START_S + plan.ways().size() * plan.ranks() * RANK_S;
        return new Estimate(plan.workload().label(), messages, plan.messageLength(), crowd * (opening + messages * each));
    }

    /**
     * What to tell before the run begins.
     *
     * @return one line.
     */
    public String sentence()
    {
        final String time = seconds < 2 * MINUTE_S ? String.format(Locale.ROOT, "%.0f s", seconds) :
            String.format(Locale.ROOT, "%.0f minutes", seconds / MINUTE_S);
        return String.format(Locale.ROOT, "%s: %,d messages of %,d bytes, about %s on a machine with nothing else to do",
            label, messages, length, time);
    }
}
