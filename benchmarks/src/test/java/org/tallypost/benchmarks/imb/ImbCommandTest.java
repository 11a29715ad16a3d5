// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.imb;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.benchmarks.Tallypost;
import org.tallypost.benchmarks.compare.MpiProgram;
import org.tallypost.benchmarks.harness.Ratio;
import org.tallypost.benchmarks.harness.Session;
import org.tallypost.benchmarks.harness.Turn;
import org.tallypost.cli.CommandRun;

/** The operations of the Intel MPI Benchmarks, with numbers so small that figures say nothing. */
@Tag("once")
class ImbCommandTest
{
    /** Without what is raw. */
    private static final int OPERATIONS = ImbCall.values().length - 2;

    @TempDir
    private Path directory;

    private CommandRun run(final String options)
    {
        return bench(options + " --repetitions 3 --seconds 0 --teams 1 --seed 7 --timeout 10m --directory " + directory);
    }

    private static CommandRun bench(final String options)
    {
        return CommandRun.of(Tallypost.commandLine(), ("bench imb " + options).split(" "));
    }

    private static JsonNode read(final Path json) throws IOException
    {
        return new ObjectMapper().readTree(json.toFile());
    }

    private void assertNothingIsLeft(final Path but) throws IOException
    {
        try (Stream<Path> left = Files.list(directory))
        {
            assertEquals(List.of(), left.filter((path) -> !path.equals(but)).toList());
        }
    }

    @Test
    void shouldDoAllOperationsRight() throws IOException
    {
        final Path json = directory.resolve("report.json");
        final CommandRun run = run("--ranks 2 --length 4,8 --alone --json " + json);
        assertEquals(0, run.exitCode(), run.errors() + run.output());
        final JsonNode root = read(json);
        // every operation with both lengths, and the barrier once
        assertEquals(2 * (OPERATIONS - 1) + 1, root.get("rows").size());
        for (final JsonNode row : root.get("rows"))
        {
            final ImbCall call = ImbCall.of(row.get("operation").asText());
            assertTrue(row.get("openMpi").isNull() && row.get("ratio").isNull() && row.get("invalid").isNull(), row::toString);
            final JsonNode figure = row.get("tallypost");
            assertTrue(figure.get("wrong").asInt() == 0, row::toString);
            assertTrue(figure.get("minUs").asDouble() <= figure.get("maxUs").asDouble(), row::toString);
            assertTrue(figure.get("avgUs").asDouble() <= figure.get("avgP99Us").asDouble(), row::toString);
            assertTrue(figure.get("avgUs").asDouble() > 0 && figure.get("turns").asInt() > 0, row::toString);
            assertEquals(call.isTransfer(), !figure.get("megabytesPerSecond").isNull(), row::toString);
            assertEquals(3, row.get("repetitions").asInt());
        }
        assertEquals(7, root.get("settings").get("seed").asInt());
        assertTrue(root.get("notes").toString().contains("load of the machine") && root.has("environment"), root::toString);
        assertFalse(root.has("means"), "without a ratio");
        assertNothingIsLeft(json);
    }

    @Test
    void shouldDoThemWithAnOddNumberOfRanksAndNothingAndMuchToSend() throws IOException
    {
        final Path json = directory.resolve("report.json");
        final CommandRun run = run("--ranks 3 --length 0,49156 --alone --json " + json);
        assertEquals(0, run.exitCode(), run.errors() + run.output());
        final JsonNode root = read(json);
        assertEquals(2 * (OPERATIONS - 1) + 1, root.get("rows").size());
        assertEquals(3 > root.get("settings").get("processors").asInt(), run.output().contains("oversubscribed: 3 ranks on "));
    }

    @Test
    void shouldTakeMoreTimeForRanksThatShareProcessors()
    {
        assertEquals(2, ImbCommand.usualSeconds(2, 2));
        assertEquals(10, ImbCommand.usualSeconds(3, 2));
        assertEquals(3, ImbCommand.usualTeams(8, 8));
        assertEquals(1, ImbCommand.usualTeams(8, 2));
        assertTrue(ImbCommand.oversubscribed(8, 2).startsWith("oversubscribed: 8 ranks on 2 processors,"));
        assertTrue(ImbCommand.oversubscribed(2, 1).startsWith("oversubscribed: 2 ranks on 1 processor,"));
    }

    @Test
    void shouldSendFromMemoryOfTheTeam() throws IOException
    {
        final Path json = directory.resolve("report.json");
        final CommandRun run = run("--ranks 3 --length 4,49156 --alone --memory team --json " + json);
        assertEquals(0, run.exitCode(), run.errors() + run.output());
        final JsonNode root = read(json);
        assertEquals("team", root.get("settings").get("memory").asText());
        assertTrue(run.output().contains("method imb, memory team"), run.output());
        assertEquals(2 * (OPERATIONS - 1) + 1, root.get("rows").size());
        assertNothingIsLeft(json);
    }

    @Test
    void shouldHoldThemAgainstOpenMpi() throws IOException
    {
        final String why = MpiProgram.whyNot(System.getenv("PATH"));
        assumeTrue(why == null, why);
        final Path json = directory.resolve("report.json");
        final CommandRun run = run("--ranks 2 --length 8 --json " + json);
        assertEquals(0, run.exitCode(), run.errors() + run.output());
        final JsonNode root = read(json);
        for (final JsonNode row : root.get("rows"))
        {
            assertTrue(row.get("openMpi").get("avgUs").asDouble() > 0, row::toString);
            assertEquals(0, row.get("openMpi").get("wrong").asInt(), row::toString);
            assertTrue(row.get("ratio").isNull(), "of one block there is no interval: " + row);
        }
        assertTrue(run.output().contains(" in 1 block, expected at least 20 in 5: give it more time (--seconds)"), run.output());
        assertNothingIsLeft(json);
    }

    private static ImbRow row(final ImbCall call, final int length, final double ratio, final String invalid)
    {
        return new ImbRow(
            new ImbSpec.Cell(call, length, 1), null, null, new Ratio(ratio, ratio, ratio), null, 20, null, invalid);
    }

    @Test
    void shouldTellTheGeometricMeanOfEachLength()
    {
        final List<ImbRow.Mean> means = ImbRow.means(List.of(row(ImbCall.BCAST, 8, 2, null), row(ImbCall.REDUCE, 8, 0.125, null),
            row(ImbCall.GATHER, 8, 100, "wrong data"), row(ImbCall.BARRIER, 0, 3, null),
            row(ImbCall.RAW_LINES, 0, 9, null)));
        assertEquals(2, means.size());
        assertEquals(0, means.get(0).length());
        assertEquals(3, means.get(0).ratio(), 1e-9);
        assertEquals(0.5, means.get(1).ratio(), 1e-9);
        assertEquals(2, means.get(1).operations(), "without the one that is not valid");
    }

    @Test
    void shouldMoveNothingButLinesAndBytes() throws IOException
    {
        final Path json = directory.resolve("report.json");
        final CommandRun run = run("--operation raw_lines,barrier,raw_pingpong,pingpong --length 4,2048 --json " + json);
        assertEquals(0, run.exitCode(), run.errors() + run.output());
        final JsonNode rows = read(json).get("rows");
        assertEquals(List.of("raw_lines", "barrier", "raw_pingpong", "raw_pingpong", "pingpong", "pingpong"),
            IntStream.range(0, rows.size()).mapToObj((i) -> rows.get(i).get("operation").asText()).toList());
        for (final JsonNode row : rows)
        {
            assertTrue(row.get("tallypost").get("avgUs").asDouble() > 0, row::toString);
            assertEquals(0, row.get("tallypost").get("wrong").asInt(), row::toString);
            assertTrue(row.get("raw").isNull(), "of one block there is no interval: " + row);
        }
        assertEquals(ImbCall.RAW_LINES, ImbCall.BARRIER.raw(0));
        assertEquals(ImbCall.RAW_LINES, ImbCall.ALLREDUCE.raw(8));
        assertEquals(ImbCall.RAW_PINGPONG, ImbCall.SENDRECV.raw(2_048));
        assertNull(ImbCall.RAW_PINGPONG.raw(2_048));
    }

    @Test
    void shouldHoldTurnsAgainstRawOnesOfTheSameTeam()
    {
        final List<ImbSpec.Cell> cells =
            List.of(new ImbSpec.Cell(ImbCall.RAW_LINES, 0, 1), new ImbSpec.Cell(ImbCall.BARRIER, 0, 1));
        final ImbSpec spec = new ImbSpec(cells, 2, ImbMethod.IMB, ImbMemory.PRIVATE, 1_000, false);
        final List<Turn> raw = new ArrayList<>();
        final List<Turn> turns = new ArrayList<>();
        for (int i = 0; i < 40; i++)
        {
            // teams differ in their pace, blocks too; Open MPI's turns are beside
            final double pace = (1 + i % 2) * (1 + i / 8);
            raw.add(new Turn(4 * i + 2, i / 8, ImbRow.TALLYPOST, i % 2, 10 * pace, false));
            raw.add(new Turn(4 * i + 3, i / 8, ImbRow.OPEN_MPI, 0, 7, false));
            turns.add(new Turn(4 * i, i / 8, ImbRow.TALLYPOST, i % 2, 12 * pace, false));
            turns.add(new Turn(4 * i + 1, i / 8, ImbRow.OPEN_MPI, 0, 24 * pace, false));
        }
        final List<ImbRow> rows = ImbRow.rows(spec, true,
            new Session.Outcome(List.of(raw, turns), new long[2][2], Map.of(), List.of(), new long[2][2]), 1);
        assertNull(rows.get(0).raw());
        assertEquals(1.2, rows.get(1).raw().median(), 1e-9);
        assertEquals(1.2, rows.get(1).raw().low(), 1e-9);
    }

    @Test
    void shouldMeasureAsTheThesisDoes() throws IOException
    {
        final Path json = directory.resolve("report.json");
        final CommandRun run =
            run("--method thesis --operation bcast,gather,barrier,pingpong --length 32 --alone --json " + json);
        assertEquals(0, run.exitCode(), run.errors() + run.output());
        final JsonNode root = read(json);
        assertEquals("thesis", root.get("settings").get("method").asText());
        final JsonNode broadcast = root.get("rows").get(0).get("tallypost");
        // the longest of each repetition, so never less than the mean of the rank that is longest on the whole
        assertTrue(broadcast.get("avgQ3Us").asDouble() >= broadcast.get("minUs").asDouble(), broadcast::toString);
    }

    @Test
    void shouldFindWhatIsWrong() throws IOException
    {
        final CommandRun run = run("--operation raw_pingpong,pingpong,bcast,allreduce,alltoall --length 64 --alone --corrupt");
        assertEquals(1, run.exitCode(), run.output());
        assertTrue(run.errors().contains("imb: none of 5 rows is valid"), run.errors());
        for (final String call : List.of("raw_pingpong", "pingpong", "bcast", "allreduce", "alltoall"))
        {
            assertTrue(run.output().matches("(?s).*INVALID: tallypost: wrong data: [^\n]*\\b" + call + " 64.*"), run.output());
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "--ranks 1|--ranks: found 1, expected 2 to 64",
        "--operation gossip|--operation: found 'gossip', expected one of pingpong, pingping,",
        "--operation reduce --length 2|--length: found [2], expected a multiple of 4 for reductions",
        "--length -1|--length: found -1, expected 0 to 16777216",
        "--method best|--method: found 'best', expected imb or thesis",
        "--memory heap|--memory: found 'heap', expected private or team",
        "--method thesis --operation exchange|--operation: found exchange, expected pingpong or a collective for --method thesis",
        "--operation raw_lines --ranks 3|--operation: found raw_lines for 3 ranks, expected two ranks for what is raw",
        "--method thesis --operation raw_pingpong|--operation: found raw_pingpong, expected pingpong or a collective",
        "--json nowhere/report.json|--json: found nowhere/report.json, expected a file in an existing directory"})
    void shouldRefuseOptions(final String options, final String expected) throws IOException
    {
        final CommandRun run = run(options);
        assertEquals(2, run.exitCode(), run.output());
        assertTrue(run.errors().contains(expected), run.errors());
        assertNothingIsLeft(null);
    }

    @ParameterizedTest
    @CsvSource({"--repetitions 0, 1 to 1000", "--seconds -1, 0 to 100000", "--teams 17, 1 to 16", "--timeout 99ms, 100ms to 60m"})
    void shouldRefuseNumbers(final String option, final String expected)
    {
        final CommandRun run = bench(option);
        assertEquals(2, run.exitCode());
        assertTrue(run.errors().contains(option.replace(" ", ": found ") + ", expected " + expected), run.errors());
    }

    @Test
    void shouldRepeatByTheRuleOfBytes()
    {
        assertEquals(1_000, ImbCall.BCAST.repetitions(0, 1_000));
        assertEquals(1_000, ImbCall.BCAST.repetitions(32_768, 1_000));
        assertEquals(640, ImbCall.BCAST.repetitions(65_536, 1_000));
        assertEquals(40, ImbCall.PINGPONG.repetitions(1 << 20, 1_000));
        assertEquals(10, ImbCall.UNIBAND.repetitions(65_536, 1_000), "of 64 messages each");
        assertEquals(1, ImbCall.BIBAND.repetitions(1 << 22, 1_000));
        assertEquals(16, ImbCall.BCAST.repetitions(8, 16));
    }

    @Test
    void shouldSumUpTimesByBothMethods()
    {
        // two repetitions of three ranks
        final long[] times = {10, 40, 30, 20, 20, 60};
        assertEquals(new ImbMethod.Sum(20 + 40, 50, 80), ImbMethod.IMB.sum(ImbCall.BCAST, 3, 2, times));
        assertEquals(new ImbMethod.Sum(30 + 60, 50, 80), ImbMethod.THESIS.sum(ImbCall.BCAST, 3, 2, times), "longest of each");
        assertEquals(50, ImbMethod.THESIS.sum(ImbCall.GATHER, 3, 2, times).figure(), "the root's");
        assertEquals(60, ImbMethod.THESIS.sum(ImbCall.BARRIER, 3, 2, times).figure(), "mean");
        final ImbMethod.Sum pair = ImbMethod.IMB.sum(ImbCall.PINGPONG, 3, 1, new long[]{10, 30, 1_000});
        assertEquals(new ImbMethod.Sum(20, 10, 30), pair, "the third rank takes no part");
        assertArrayEquals(new long[]{10, 30}, ImbMethod.Sum.parse(pair.detail()));
        assertThrows(IllegalArgumentException.class, () -> ImbMethod.Sum.parse("-"));
    }

    @Test
    void shouldSplitElementsAsEvenlyAsCanBe()
    {
        final int[] shares = IntStream.range(0, 3).map((rank) -> ImbCall.share(8, rank, 3)).toArray();
        assertArrayEquals(new int[]{3, 3, 2}, shares);
        assertArrayEquals(new int[]{0, 3, 6}, IntStream.range(0, 3).map((rank) -> ImbCall.firstOfShare(8, rank, 3)).toArray());
    }

    @Test
    void shouldTellThroughputAsImbDoes()
    {
        assertEquals(1_000, ImbCall.PINGPONG.megabytesPerSecond(1_000, 2, 1_000, 2_000), 1e-9);
        assertEquals(4_000, ImbCall.EXCHANGE.megabytesPerSecond(1_000, 2, 1_000, 2_000), 1e-9);
        assertEquals(64_000, ImbCall.UNIBAND.megabytesPerSecond(1_000, 5, 1_000, 2_000), 1e-9, "two pairs");
        assertEquals(0, ImbCall.BCAST.megabytesPerSecond(1_000, 2, 1_000, 2_000));
        assertEquals(2, ImbCall.EXCHANGE.active(2));
        assertEquals(4, ImbCall.BIBAND.active(5));
    }

    @Test
    void shouldTakeThe99thPercentileOfTurns()
    {
        final List<Turn> turns = new ArrayList<>();
        for (int i = 200; i > 0; i--)
        {
            turns.add(new Turn(i, 0, 0, 0, i, false));
        }
        assertEquals(198, ImbFigure.tail(turns));
        assertEquals(101, ImbFigure.tail(turns.subList(99, 100)));
        assertEquals(Double.NaN, ImbFigure.tail(List.of()));
    }
}
