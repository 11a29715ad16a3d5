// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.benchmarks.PlanFixture;
import org.tallypost.benchmarks.plan.MessagePath;
import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.Schedule;
import org.tallypost.benchmarks.plan.Step;
import org.tallypost.benchmarks.plan.WorkloadKind;
import org.tallypost.benchmarks.process.FlowCounts;
import org.tallypost.benchmarks.process.RunOutcome;
import org.tallypost.benchmarks.process.WorkerResult;
import org.tallypost.endpoint.Flow;
import org.tallypost.report.Environment;
import org.tallypost.report.JsonFile;

class ReportTest
{
    private static final RunPlan PLAN = PlanFixture.plan(WorkloadKind.ALLTOALL, 64, 2, 8);
    private static final long[] TIMES = { 1_000_000, 1_500_000, 1_170_000 };

    @TempDir
    private Path directory;

    @Test
    void shouldComputeOverheadAndSharesOverAllProcesses()
    {
        final List<FlowResult> results = FlowResult.of(PLAN, outcome(PLAN, 0));
        assertEquals(List.of(Flow.NONE, Flow.STATIC, Flow.DYNAMIC), results.stream().map(FlowResult::flow).toList());
        assertEquals(null, results.get(0).overhead());
        assertEquals(0.5, results.get(1).overhead(), 1e-12);
        assertEquals(0.17, results.get(2).overhead(), 1e-12);
        assertEquals(0.25, results.get(2).delayedShare(), 1e-12);
        assertEquals(14, results.get(2).creditPackets());
        assertEquals(6, results.get(2).operations());
        assertTrue(results.stream().allMatch(FlowResult::verified));
    }

    @Test
    void shouldNotBeVerifiedWithAMismatchOrAMissingMessage()
    {
        final List<FlowResult> wrong = FlowResult.of(PLAN, outcome(PLAN, 1));
        assertFalse(wrong.get(0).verified());
        final RunPlan larger = PlanFixture.plan(WorkloadKind.ALLTOALL, 64, 2, 9);
        assertFalse(FlowResult.of(larger, outcome(PLAN, 0)).get(0).verified());
        assertTrue(ResultTable.format(PLAN, wrong).contains("NOT VERIFIED: byte 3 differs"));
    }

    @Test
    void shouldHaveNoOverheadWithoutAReference()
    {
        final RunPlan plan = PlanFixture.plan(WorkloadKind.ALLTOALL, 64, 2, 8, 2048, Flow.STATIC);
        final FlowResult result = FlowResult.of(plan, outcome(plan, 0)).get(0);
        assertEquals(null, result.overhead());
        assertTrue(ResultTable.format(plan, List.of(result)).lines().anyMatch(line -> line.matches("static.* - +yes .*")));
    }

    @Test
    void shouldPrintARowForEachFlowControl()
    {
        final List<String> lines = ResultTable.format(PLAN, FlowResult.of(PLAN, outcome(PLAN, 0))).lines().toList();
        assertEquals(6, lines.size());
        assertEquals("alltoall: 64 ranks in 2 processes, 8 active, 2,048 bytes", lines.get(0));
        assertTrue(lines.get(1).matches("\\d+ slots per sender, credit return direct, 3 repeats"),
            "no slots for credits: " + lines);
        assertTrue(lines.get(2).contains("credit returns") && !lines.get(2).contains("packets"), lines.get(2));
        assertTrue(lines.get(3).matches("none +1\\.00 ms .* reference +yes +25\\.0 % +14 +18 +4 KiB"), lines.get(3));
        assertTrue(lines.get(5).contains("+17.0 %"), lines.get(5));
        assertEquals(1, lines.subList(2, 6).stream().mapToInt(String::length).distinct().count());
    }

    @Test
    void shouldKeepToAHundredColumnsForEveryWorkload()
    {
        final long[] large = { 999_999_000_000L, 888_888_000_000L, 777_777_000_000L };
        for (final WorkloadKind workload : WorkloadKind.values())
        {
            final RunPlan plan = PlanFixture.plan(workload, 1024, 2, workload == WorkloadKind.PINGPONG ? 2 : 1024);
            ResultTable.format(plan, FlowResult.of(plan, outcome(plan, 0, large, 9_999_999))).lines()
                .forEach((line) -> assertTrue(line.length() <= 100, line.length() + ": " + line));
        }
    }

    @Test
    void shouldTellThePath()
    {
        final RunPlan regions = PlanFixture.withPaths(PLAN, MessagePath.REGIONS);
        assertTrue(ResultTable.format(regions, FlowResult.of(regions, outcome(regions, 1))).lines().toList().get(0)
            .endsWith("2,048 bytes, path regions"));
        assertTrue(ResultTable.format(regions, FlowResult.of(regions, outcome(regions, 1)))
            .contains("flow none, path regions NOT VERIFIED: byte 3 differs"));
        final RunPlan all = PlanFixture.withPaths(PLAN, MessagePath.values());
        final List<FlowResult> results = FlowResult.of(all, outcome(all, 0));
        final List<String> lines = ResultTable.format(all, results).lines().toList();
        assertTrue(lines.get(2).matches("path +flow +min .*"), lines.get(2));
        assertTrue(
            lines.stream().anyMatch(line -> line.matches("packets +static +1\\.50 ms .*\\+50\\.0 % .*")), lines::toString);
        assertTrue(lines.stream().allMatch(line -> line.length() <= 100), lines::toString);
        assertEquals(
            List.of("runs", "runs", "runs", "packets", "packets", "packets", "regions", "regions", "regions"),
            JsonReport.tree(results, Environment.current(List.of()), null).path("results").findValuesAsText("path"));
        final List<String> sentences = sentences(all, 10, 20, 30, 40, 50, 60, 2, 4, 3);
        assertEquals(3 * 3 + 3, sentences.size());
        assertTrue(sentences.get(3).startsWith("By packets: With 8 of 64 ranks active an alltoall took 50 % more time with "));
        assertEquals("With flow dynamic an alltoall took 2.00 times as long by packets and 0.10 times as long by regions as by " +
            "runs.", sentences.get(11));
    }

    @Test
    void shouldSayWhatTheFiguresSayWhicheverWayTheyAre()
    {
        assertEquals(List.of(
            "With 8 of 64 ranks active an alltoall took 17 % more time with dynamic credits than without flow control, and " +
                "50 % more time with static ones.",
            "Dynamic credits were faster than static ones, by 22 % of the time of those: 18 credits were moved between quotas " +
                "in the measured turns.",
            "A mailbox took 4 KiB with credits and 4 KiB without; 25 % of the messages waited for dynamic credits (static: " +
                "25 %)."),
            sentences(PLAN, 1_000, 1_500, 1_170));
        assertEquals("Dynamic credits were slower than static ones, by 20 % of the time of those: 18 credits were moved " +
            "between quotas in the measured turns.", sentences(PLAN, 1_000, 1_000, 1_200).get(1));
        assertTrue(sentences(PLAN, 1_000, 900, 800).get(0).contains(" 20 % less time with dynamic"));
        assertTrue(sentences(PLAN, 1_000, 3_000, 1_000).get(1).startsWith("Dynamic credits were 3.0 times as fast as static"));
        final RunPlan all = PlanFixture.plan(WorkloadKind.ALLTOALL, 64, 2, 64);
        assertTrue(sentences(all, 1_000, 2_000, 2_010).get(1)
            .startsWith("Dynamic credits took as long as static ones: no rank rests"));
        assertEquals("Dynamic credits were 3.0 times as fast as static ones: 18 credits were moved between quotas in the " +
            "measured turns.", sentences(all, 1_000, 3_000, 1_000).get(1));
        final RunPlan one = PlanFixture.plan(WorkloadKind.ALLTOALL, 64, 2, 8, 2048, Flow.STATIC);
        assertEquals(List.of(), RunSentences.of(one, FlowResult.of(one, outcome(one, 0))));
    }

    private static List<String> sentences(final RunPlan plan, final long... timesNs)
    {
        return RunSentences.of(plan, FlowResult.of(plan, outcome(plan, 0, timesNs, 9)));
    }

    @Test
    void shouldEstimateTheTimeFromThePlan()
    {
        final Estimate few = Estimate.of(PLAN, 2);
        final Estimate many = Estimate.of(PlanFixture.plan(WorkloadKind.ALLTOALL, 64, 2, 64), 2);
        assertEquals(new Schedule(PLAN).steps().size() * 56L, few.messages());
        assertTrue(few.seconds() > 0 && few.seconds() < many.seconds());
        assertTrue(Estimate.of(PLAN, 1).seconds() > few.seconds(), "fewer cores than processes");
        assertTrue(few.sentence().matches("alltoall: [\\d,]+ messages of 2,048 bytes, about \\d+ s on a machine .*"),
            few.sentence());
    }

    @Test
    void shouldCompareWithTheThesisAtItsSizeOnly()
    {
        final RunPlan plan = PlanFixture.plan(WorkloadKind.ALLTOALL, 1024, 2, 1024);
        final String text = ResultTable.format(plan, FlowResult.of(plan, outcome(plan, 0)));
        assertTrue(text.contains("flow dynamic: 0.00 times the thesis's 278.5 ms"), text);
        assertFalse(ResultTable.format(PLAN, FlowResult.of(PLAN, outcome(PLAN, 0))).contains("thesis"));
    }

    @Test
    void shouldWriteJson() throws IOException
    {
        final Path file = directory.resolve("results.json");
        final Environment environment = Environment.current(List.of("-Xmx1g"));
        JsonFile.write(file, JsonReport.tree(FlowResult.of(PLAN, outcome(PLAN, 0)), environment, null));
        final JsonNode root = new ObjectMapper().readTree(Files.readString(file));
        final JsonNode first = root.path("results").path(0);
        for (final String name : List.of("workload", "flow", "path", "allChecked", "creditReturn", "ranks", "active", "processes",
            "nodes", "messageLength", "slots", "creditSlots",
            "timeNs", "overhead", "delayedShare", "creditPackets", "creditsStolen",
            "mailboxBytes", "verified"))
        {
            assertTrue(first.has(name), name);
        }
        assertEquals("alltoall", first.path("workload").asText());
        assertEquals("none", first.path("flow").asText());
        assertTrue(first.path("overhead").isNull());
        assertEquals(1_000_000, first.path("timeNs").path("median").asDouble());
        assertEquals(0.17, root.path("results").path(2).path("overhead").asDouble());
        assertEquals(1, first.path("nodes").asInt());
        for (final String name : List.of("processor", "cores", "kernel", "jvm", "flags", "versions"))
        {
            assertTrue(root.path("environment").has(name), name);
        }
        assertFalse(root.path("environment").path("versions").path("agrona").asText().contains("$"));
        assertFalse(root.has("failure"));
        try (var files = Files.list(directory))
        {
            assertEquals(1, files.count());
        }
    }

    @Test
    void shouldWriteWhyARunFailed()
    {
        final JsonNode root = JsonReport.tree(List.of(), Environment.current(List.of()), "process 1 ended");
        assertEquals(0, root.path("results").size());
        assertEquals("process 1 ended", root.path("failure").asText());
    }

    private static RunOutcome outcome(final RunPlan plan, final long mismatches)
    {
        return outcome(plan, mismatches, TIMES, 9);
    }

    private static RunOutcome outcome(final RunPlan plan, final long mismatches, final long[] timesNs, final long stolen)
    {
        final Schedule schedule = new Schedule(plan);
        final long[] durations = new long[schedule.timedCount()];
        for (final Step step : schedule.steps())
        {
            if (step.timedIndex() >= 0)
            {
                durations[step.timedIndex()] = timesNs[plan.ways().indexOf(step.way()) % timesNs.length];
            }
        }
        final long stepsOfAFlow = schedule.steps().size() / plan.ways().size();
        final List<WorkerResult> workers = Arrays.asList(new WorkerResult[2]);
        for (int process = 0; process < 2; process++)
        {
            workers.set(process, new WorkerResult(process, plan.ways().stream().map(way -> new FlowCounts(
                way, 100, 25, 7, stolen, 1, 1, 4096, stepsOfAFlow * plan.messagesPerStep() / 2, mismatches,
                mismatches == 0 ? null : "byte 3 differs", plan.workload().hasRoundTrips() ? roundTrips() : null,
                null)).toList()));
        }
        return new RunOutcome(workers, durations, List.of(), null);
    }

    private static byte[] roundTrips()
    {
        final Histogram histogram = new Histogram(3);
        histogram.recordValue(999_999_000_000L);
        final ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        return Arrays.copyOf(buffer.array(), histogram.encodeIntoCompressedByteBuffer(buffer));
    }
}
