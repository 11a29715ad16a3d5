// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.tallypost.benchmarks.PlanFixture;
import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.Schedule;
import org.tallypost.benchmarks.plan.Step;
import org.tallypost.benchmarks.plan.WorkloadKind;
import org.tallypost.report.StatusLine;

/** What a file gets of the progress of a run; the clock is made up. */
class ProgressLineTest
{
    private static final RunPlan PLAN = PlanFixture.plan(WorkloadKind.ALLTOALL, 64, 2, 8);
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private long nowNs;
    private final ProgressLine progress = new ProgressLine(
        PLAN, new StatusLine(new PrintStream(bytes, true, StandardCharsets.UTF_8), 0, TimeUnit.SECONDS), () -> nowNs);

    private List<String> lines()
    {
        return bytes.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void shouldTellTheShareAndTheTimeThatIsLeft()
    {
        final List<Step> steps = new Schedule(PLAN).steps();
        progress.onStep(steps.get(0));
        nowNs = TimeUnit.SECONDS.toNanos(10);
        progress.onStep(steps.get(steps.size() / 2));
        assertEquals(2, lines().size());
        assertEquals("alltoall: 0 % (flow none, verifying all bytes)", lines().get(0));
        final int half = steps.size() / 2;
        assertEquals(String.format("alltoall: %.0f %%, %.0f s left (flow %s, ", 100.0 * half / steps.size(),
            10.0 * (steps.size() - half) / half, steps.get(half).way().label()),
            lines().get(1).replaceAll("(, )?(repeat|warming|verifying).*", ", "));
    }

    @Test
    void shouldTellNothingTwice()
    {
        final Step step = new Schedule(PLAN).steps().get(3);
        progress.onOpening(0, 192);
        progress.onOpening(0, 192);
        progress.onStep(step);
        nowNs = TimeUnit.SECONDS.toNanos(5);
        progress.onStep(step);
        assertEquals(2, lines().size(), () -> lines().toString());
    }
}
