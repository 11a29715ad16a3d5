// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tallypost.activemessages.LoggpKnobs.Knob;
import org.tallypost.benchmarks.Tallypost;
import org.tallypost.cli.CommandRun;

/** Five programs, right at any number of ranks, live and simulated; and what LogGP says about simple patterns. */
class StudyLoggpCommandTest
{
    private static final LoggpTimes TIMES = new LoggpTimes(1_000, 4_000, 10_000, 5_000);
    private static final int WINDOW = 8;

    @TempDir
    private Path directory;

    @Tag("once")
    @ParameterizedTest
    @EnumSource
    void shouldBeRightWhateverTheRanksAndTheTimes(final LoggpApp app) throws InterruptedException
    {
        for (final int ranks : new int[] {2, 3, 7})
        {
            final RunTime time = LoggpStudy.simulate(app, ranks, 48, TIMES);
            assertTrue(time.isRight(), app + " with " + ranks);
            assertEquals(time, LoggpStudy.simulate(app, ranks, 48, TIMES), "the same run takes the same time");
            assertTrue(LoggpStudy.simulate(app, ranks, 48, TIMES.with(Knob.LATENCY, 90_000)).isRight());
            assertTrue(LoggpStudy.simulate(app, ranks, 48, TIMES.with(Knob.OVERHEAD, 90_000)).ns() > time.ns());
        }
    }

    @Test
    void shouldTakeTheTimesOfTheModel() throws InterruptedException
    {
        final SimulatedRanks machine = new SimulatedRanks(2, TIMES, WINDOW);
        machine.run((rank) -> rank.onRequest(0, (source, a, b) -> a, (a, value) ->
        {
        }));
        machine.run((rank) ->
        {
            if (rank.rank() == 0)
            {
                rank.request(1, 0, 0, 0);
                rank.awaitAnswers();
            }
            else
            {
                rank.poll();
                rank.poll();
            }
        });
        // a round trip: 2 (o + L + o)
        assertEquals(2 * (1_000 + 5_000 + 1_000), machine.endNs());
    }

    @Test
    void shouldSendBlocksAtTheirGap() throws InterruptedException
    {
        final SimulatedRanks machine = new SimulatedRanks(2, TIMES, WINDOW);
        machine.run((rank) -> rank.onBlock(0, (source, a, buffer, offset, length) ->
        {
        }));
        machine.run((rank) ->
        {
            if (rank.rank() == 0)
            {
                rank.block(1, 0, 0, LoggpProgram.toBytes(new int[1_000]), 0, 4_000);
                rank.awaitAnswers();
            }
            else
            {
                rank.poll();
                rank.poll();
            }
        });
        assertEquals(2 * (1_000 + 5_000 + 1_000) + 40_000, machine.endNs());
    }

    @Test
    void shouldHideLatencyUntilTheWindowFills() throws InterruptedException
    {
        final long hidden = Flood.hiddenNs(TIMES, WINDOW);
        assertEquals((8 * 4_000 - 4 * 1_000) / 2 - 5_000, hidden);
        for (final long more : new long[] {0, hidden / 2, hidden, 2 * hidden, 5 * hidden})
        {
            final LoggpTimes times = TIMES.with(Knob.LATENCY, more);
            final double each = LoggpStudy.simulate(Flood::new, 2, 500, times).ns() / 500;
            assertEquals(more <= hidden ? 4_000 : (2 * times.latencyNs() + 4_000) / 8.0, Flood.modelNs(times, WINDOW), 1e-6);
            assertEquals(1, each / Flood.modelNs(times, WINDOW), 0.05, "L +" + more);
        }
    }

    @Test
    void shouldSayWhatHolds()
    {
        final LoggpStatements statements = new LoggpStatements();
        statements.model("radix live: o", 1.14, 0.9);
        statements.linear("radix live: o", new LineFit(1, 0, 0.981));
        assertTrue(statements.isAllHeld(), statements::toString);
        statements.model("em3d live: o", 1.01, 0.84);
        assertTrue(statements.toString().contains("worst 0.840 of the model  does not hold"), statements::toString);
        statements.linear("em3d live: o", new LineFit(1, 0, 0.98));
        assertTrue(statements.toString().contains("r2 0.9800  does not hold"), statements::toString);
        assertFalse(statements.isAllHeld());
    }

    @Test
    void shouldNameAStandstill()
    {
        final SimulatedRanks machine = new SimulatedRanks(2, TIMES, WINDOW);
        final String text = assertThrows(IllegalStateException.class, () -> machine.run(LoggpRank::poll)).getMessage();
        assertTrue(text.contains("all simulated ranks wait"), text);
    }

    @Test
    void shouldFitALine()
    {
        final LineFit fit = LineFit.of(new double[] {0, 1, 2}, new double[] {1, 3, 5});
        assertEquals(2, fit.slope(), 1e-12);
        assertEquals(1, fit.intercept(), 1e-12);
        assertEquals(1, fit.r2(), 1e-12);
        assertTrue(LineFit.of(new double[] {0, 1, 2}, new double[] {1, 5, 1}).r2() < 0.1);
    }

    @Test
    void shouldStudyAllProgramsLiveAndSimulated() throws Exception
    {
        final Path json = directory.resolve("study.json");
        final CommandRun run = CommandRun.of(Tallypost.commandLine(), "study", "loggp", "--size", "32", "--live-size", "32",
            "--rounds", "1", "--simulated", "3", "--json", json.toString(), "--directory", directory.toString());
        final boolean isHeld = run.output().lines().noneMatch((line) -> line.endsWith("does not hold"));
        assertEquals(isHeld ? 0 : LoggpStatements.DOES_NOT_HOLD, run.exitCode(), run::toString);
        // for each program and way r2 of o and g and the model; then two of the window
        assertEquals(5 * 2 * 3 + 2 * 2,
            run.output().lines().filter((line) -> line.endsWith("hold") || line.endsWith("holds")).count(), run::toString);
        assertEquals(5, run.output().lines().filter("  all results right"::equals).count(), run::toString);
        assertTrue(Files.readString(json).contains("\"simulated\""));
        try (var files = Files.list(directory))
        {
            assertEquals(1, files.count(), "files are left");
        }
    }

    @Test
    void shouldRefuseWhatCannotBe()
    {
        for (final String[] options : new String[][] {{"--app", "none"}, {"--ranks", "1"}, {"--simulated", "65"},
            {"--size", "1"}, {"--live-size", "1"}, {"--rounds", "0"}, {"--json", "/none/file"}})
        {
            final CommandRun run = CommandRun.of(Tallypost.commandLine(), "study", "loggp", options[0], options[1]);
            assertEquals(2, run.exitCode(), run::toString);
            assertTrue(run.errors().contains(options[0]), run::toString);
        }
    }
}
