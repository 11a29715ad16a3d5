// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

    /** The machine may change its pace between settings: times are held against the time without knobs of their own turn. */
    @Test
    void shouldTakeTheTimeWithoutKnobsFromTheSameTurns()
    {
        final LoggpFits fits = new LoggpFits(LoggpApp.EM3D, Knob.OVERHEAD);
        final double[] without = {100, 150, 90, 130, 100};
        for (int i = 0; i < without.length; i++)
        {
            // messages grow with the times, as labels of components do
            final double messages = 1_000 + 100 * i;
            fits.add(5_000 * (i + 1), new LoggpStudy.Turns(new RunTime(without[i], 1_000, true),
                new RunTime(without[i] + 2 * messages * 5_000 * (i + 1), messages, true)), null);
        }
        final LoggpStatements statements = new LoggpStatements();
        fits.state(statements);
        assertTrue(statements.isAllHeld(), statements::toString);
        assertTrue(statements.toString().contains("worst 1.000 of the model"), statements::toString);
    }

    /** At two ranks messages of barriers go one after the other: the model needs many others beside them. */
    @Test
    void shouldHaveLiveProgramsThatTheModelIsAbout() throws InterruptedException
    {
        final LoggpTimes base = new LoggpTimes(50, 150, 200, 300);
        for (final LoggpApp app : LoggpApp.values())
        {
            final int size = app.liveSize(app == LoggpApp.INTEGER ? 2_000 : 500);
            final LoggpStudy.Turns turns = new LoggpStudy.Turns(LoggpStudy.simulate(app, 2, size, base),
                LoggpStudy.simulate(app, 2, size, base.with(Knob.OVERHEAD, 100_000)));
            assertEquals(1, turns.with().ns() / turns.modelNs(100_000), LoggpStatements.MODEL_SHARE, app.label());
        }
    }

    /** Runs without a processor say what the scheduler does. They are left out by that, and not by their times. */
    @Test
    void shouldLeaveOutRunsOfRanksWithoutAProcessor()
    {
        assertEquals(0.5, ProcessorShare.of(100, 600, 1_000));
        assertEquals(1, ProcessorShare.of(-1, -1, 1_000), "the machine does not tell");
        final RunTime slow = new RunTime(900, 10, true, 0.4);
        final RunTime quick = new RunTime(1, 10, true, 0.96);
        final RunTime there = new RunTime(100, 10, true, 0.98);
        final RunTime other = new RunTime(120, 10, true, 1);
        final RunTime best = LoggpStudy.Live.best(List.of(slow, quick, there, quick, other), 2);
        assertEquals(110, best.ns());
        assertTrue(best.isThere());
        final RunTime all = LoggpStudy.Live.best(List.of(slow, there, there), 3);
        assertEquals(100, all.ns());
        assertFalse(all.isThere(), "two of three are no median of three");
        assertFalse(LoggpStudy.Live.best(List.of(there, new RunTime(900, 10, false, 0.1)), 1).isRight());
    }

    @Test
    void shouldJudgeNothingByTimesOfAMachineWithOtherWork()
    {
        final LoggpFits fits = new LoggpFits(LoggpApp.EM3D, Knob.OVERHEAD);
        final RunTime none = new RunTime(100, 10, true);
        fits.add(5_000, new LoggpStudy.Turns(none, new RunTime(100_100, 10, true)), null);
        fits.add(10_000, new LoggpStudy.Turns(none, new RunTime(9, 10, true, 0.5)), null);
        final LoggpStatements statements = new LoggpStatements();
        fits.state(statements);
        assertEquals(2, statements.toString().lines().filter((line) -> line.endsWith("INVALID")).count(), statements::toString);
        assertEquals(LoggpStatements.INVALID, statements.exitCode());
        statements.linear("radix live: o", new LineFit(1, 0, 0.5));
        assertEquals(LoggpStatements.DOES_NOT_HOLD, statements.exitCode());
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
        // on two processors so many ranks yield when they wait; two would spin, also while one of them has no processor
        final CommandRun run = CommandRun.of(Tallypost.commandLine(), "study", "loggp", "--size", "32", "--live-size", "32",
            "--ranks", "3", "--rounds", "1", "--attempts", "1", "--simulated", "3", "--json", json.toString(), "--directory",
            directory.toString());
        assertEquals(CalibrateLoggpCommandTest.exitCode(run), run.exitCode(), run::toString);
        // for each program and way r2 of o and g and the model; then two of the window
        assertEquals(5 * 2 * 3 + 2 * 2,
            run.output().lines().filter(CalibrateLoggpCommandTest::isStatement).count(), run::toString);
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
            {"--size", "1"}, {"--live-size", "1"}, {"--rounds", "0"}, {"--attempts", "0"}, {"--json", "/none/file"}})
        {
            final CommandRun run = CommandRun.of(Tallypost.commandLine(), "study", "loggp", options[0], options[1]);
            assertEquals(2, run.exitCode(), run::toString);
            assertTrue(run.errors().contains(options[0]), run::toString);
        }
    }
}
