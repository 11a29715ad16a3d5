// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.benchmarks.PlanFixture;
import org.tallypost.benchmarks.Tallypost;
import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.Step;
import org.tallypost.benchmarks.plan.WorkloadKind;
import org.tallypost.benchmarks.process.Coordinator;
import org.tallypost.benchmarks.process.ProgressListener;
import org.tallypost.benchmarks.process.RunOutcome;
import org.tallypost.cli.CommandRun;

/**
 * Small runs in real processes.
 */
@Timeout(1800)
@Tag("once")
class BenchRunTest
{
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(strings = {
        "alltoall --ranks 4 --credit-return packet --piggyback --length 1000",
        "pingpong --length 8",
        "alltoall --ranks 4 --processes 4 --nodes 2 --network loopback --path packets,regions",
    })
    void shouldVerifyEveryMessage(final String options) throws IOException
    {
        verify(options);
    }

    /** What the JDK has no further part in. */
    @ParameterizedTest
    @ValueSource(strings = {
        "alltoall --ranks 4",
        "alltoall --ranks 6 --active 5 --processes 3 --slots 8 --path all --check-all",
        "rate --ranks 4 --length 7",
        "multipingpong --ranks 6 --processes 3 --nodes 3 --flow dynamic",
        "alltoall --ranks 6 --active 4 --processes 3 --slots 8 --credit-return packet",
        "alltoall --ranks 4 --processes 1 --flow dynamic --length 20000",
        "alltoall --ranks 4 --processes 1 --path packets --length 1 --slots 4",
        "alltoall --ranks 4 --path packets --length 97 --credit-return packet --piggyback",
        "alltoall --ranks 4 --processes 1 --path regions --length 1 --slots 4 --credit-return packet",
        "alltoall --ranks 4 --path regions,runs --length 20001 --check-all",
        "multipingpong --ranks 4 --flow static --credit-return packet",
        "pingpong --nodes 2 --network loopback",
        "rate --ranks 4 --nodes 2 --flow static",
        "alltoall --ranks 8 --processes 4 --nodes 2 --flow dynamic --loss 1% --duplicate 0.01 --reorder 1% --seed 7",
    })
    void shouldVerifyEveryMessageWithFurtherOptions(final String options) throws IOException
    {
        verify(options);
    }

    private void verify(final String options) throws IOException
    {
        final CommandRun run = run(options + " --warmup 10");
        assertEquals(0, run.exitCode(), run::toString);
        final JsonNode root = new ObjectMapper().readTree(Files.readString(directory.resolve("out.json")));
        assertTrue(root.path("results").size() > 0, run::toString);
        for (final JsonNode result : root.path("results"))
        {
            assertTrue(result.path("verified").asBoolean(), run::toString);
            assertTrue(result.path("timeNs").path("min").asDouble() > 0, run::toString);
            assertTrue(result.path("mailboxBytes").asLong() > 0, run::toString);
            assertTrue(result.path("messages").asLong() > 0, run::toString);
        }
        assertOnlyTheReportIsLeft();
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "alltoall --ranks 4",
        "alltoall --ranks 4 --path packets",
        "alltoall --ranks 4 --path regions",
        "pingpong --length 2048",
        "rate --ranks 4",
    })
    void shouldFindADamagedByte(final String options) throws IOException
    {
        final CommandRun run = run(options + " --warmup 0 --flow static --corrupt-rank 1");
        assertEquals(1, run.exitCode(), run::toString);
        assertTrue(run.output().matches("(?s).*NOT VERIFIED: message from rank 1 to rank \\d in round \\d+: byte 1024: found .*"),
            run::toString);
        assertOnlyTheReportIsLeft();
    }

    @Test
    void shouldFailWhenAWorkerDies() throws IOException, InterruptedException
    {
        final SignallingListener listener = new SignallingListener("KILL");
        final RunOutcome outcome = run(listener, TimeUnit.SECONDS.toNanos(1800));
        assertTrue(outcome.failure().matches("process 1 \\(pid \\d+, ranks 1, 3\\) ended with exit code 137 \\(signal 9\\)"),
            outcome.failure());
        assertNothingIsLeft(listener);
    }

    /** Waits half a minute for an answer. */
    @Test
    void shouldFailWhenNothingMoves() throws IOException, InterruptedException
    {
        final SignallingListener listener = new SignallingListener("STOP");
        final RunOutcome outcome = run(listener, TimeUnit.MILLISECONDS.toNanos(1500));
        assertTrue(outcome.failure().matches("no message moved for 1\\.5 s .*: process 1 .* does not answer.*"),
            outcome.failure());
        assertNothingIsLeft(listener);
    }

    @Test
    void shouldNameAProcessAlsoIfNoRankHasToldAnything() throws IOException, InterruptedException
    {
        // over before a process has started, however quick it is
        final SignallingListener listener = new SignallingListener("0");
        final RunOutcome outcome = run(listener, 1);
        assertTrue(outcome.failure().matches("no message moved for .* while ranks were opened: (the last to end it: )?" +
            "process \\d \\(pid \\d+, ranks \\d, \\d\\).*"), outcome.failure());
        assertNothingIsLeft(listener);
    }

    private RunOutcome run(final SignallingListener listener, final long timeoutNs) throws IOException, InterruptedException
    {
        final RunPlan plan = PlanFixture.plan(WorkloadKind.ALLTOALL, 4, 2, 4);
        final RunPlan withTimeout = new RunPlan(
            plan.workload(), plan.ranks(), plan.processes(), plan.active(), plan.messageLength(), plan.slots(),
            plan.creditSlots(), plan.flows(), plan.paths(), plan.isAllChecked(), plan.creditReturn(), plan.piggyback(),
            plan.repeats(), plan.stepsPerRepeat(), plan.unitsPerStep(), plan.warmupSteps(), timeoutNs,
            plan.corruptRank(), plan.nodes());
        return new Coordinator(withTimeout, directory.toFile(), listener, System.err).run();
    }

    private void assertNothingIsLeft(final SignallingListener listener) throws IOException
    {
        for (final long pid : listener.pids)
        {
            assertFalse(ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false), "worker " + pid);
        }
        try (Stream<Path> left = Files.list(directory))
        {
            assertEquals(List.of(), left.toList());
        }
    }

    private CommandRun run(final String options)
    {
        final List<String> args = new ArrayList<>(List.of("bench"));
        args.addAll(List.of(options.split(" ")));
        args.addAll(List.of(
            "--repeat", "2", "--operations", "10", "--timeout", "1800s", "--directory", directory.toString(),
            "--json", directory.resolve("out.json").toString()));
        return CommandRun.of(Tallypost.commandLine(), args.toArray(new String[0]));
    }

    private void assertOnlyTheReportIsLeft() throws IOException
    {
        try (Stream<Path> left = Files.list(directory))
        {
            assertEquals(List.of("out.json"), left.map(path -> path.getFileName().toString()).toList());
        }
    }

    /** Sends a signal to the second worker as soon as it has been started. */
    private static final class SignallingListener implements ProgressListener
    {
        private final String signal;
        private long[] pids;

        SignallingListener(final String signal)
        {
            this.signal = signal;
        }

        @Override
        public void onStarted(final long[] started)
        {
            pids = started;
            try
            {
                new ProcessBuilder("kill", "-" + signal, Long.toString(pids[1])).start().waitFor();
            }
            catch (final IOException | InterruptedException ex)
            {
                throw new AssertionError(ex);
            }
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
    }
}
