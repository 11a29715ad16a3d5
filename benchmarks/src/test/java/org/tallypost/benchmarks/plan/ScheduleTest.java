// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.tallypost.benchmarks.PlanFixture;
import org.tallypost.endpoint.Flow;

class ScheduleTest
{
    @Test
    void shouldInterleaveFlowControls()
    {
        final Schedule schedule = new Schedule(PlanFixture.plan(WorkloadKind.ALLTOALL, 4, 2, 4));
        final String turns = schedule.steps().stream()
            .map(step -> step.phase().name().charAt(0) + step.way().flow().name().substring(0, 1))
            .collect(Collectors.joining(" "));
        final String timed = "TN TN TS TS TD TD ";
        final String warmup = "WN WN WS WS WD WD ";
        assertEquals("VN VS VD " + warmup + warmup + timed + timed + timed + "VN VS VD", turns);
    }

    @Test
    void shouldInterleavePaths()
    {
        final RunPlan plan = PlanFixture.plan(WorkloadKind.ALLTOALL, 4, 2, 4, 2048, Flow.NONE, Flow.DYNAMIC);
        final Schedule schedule = new Schedule(PlanFixture.withPaths(plan, MessagePath.values()));
        assertEquals(
            List.of("none", "dynamic", "none-packets", "dynamic-packets", "none-regions", "dynamic-regions"),
            schedule.steps().stream().limit(6).map(step -> step.way().label()).toList());
        assertEquals(6 * (1 + 4 + 3 * 2 + 1), schedule.steps().size());
    }

    @Test
    void shouldNumberSteps()
    {
        final Schedule schedule = new Schedule(PlanFixture.plan(WorkloadKind.PINGPONG, 2, 2, 2));
        final List<Step> steps = schedule.steps();
        assertEquals(IntStream.range(0, steps.size()).boxed().toList(), steps.stream().map(Step::index).toList());
        assertEquals(
            IntStream.range(0, schedule.timedCount()).boxed().toList(),
            steps.stream().filter(step -> step.phase() == Phase.TIMED).map(Step::timedIndex).toList());
        assertEquals(9, steps.stream().filter(step -> step.phase() == Phase.STAMPED).count());
    }
}
