// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.report.Environment;
import org.tallypost.report.StatusLine;
import org.tallypost.thesis.experiment.Experiments;

@Tag("once")
class PaperRunTest
{
    @TempDir
    private Path directory;

    private static PaperRun paper(final Scale scale, final Path directory, final CellRunner runner)
    {
        final PrintStream nowhere = new PrintStream(new ByteArrayOutputStream());
        return new PaperRun(Source.PROTOCOL, scale, 1, directory, runner, Map.of("made up", true), 2,
            new StatusLine(nowhere, 1, TimeUnit.DAYS));
    }

    private static PaperReport run(final PaperRun run) throws IOException, InterruptedException
    {
        return run.run(Experiments.all(), Environment.current(List.of()), Map.of("seed", 1), Map.of("5.3-far", "a real one"));
    }

    @Test
    void shouldJudgeEveryFactOfEveryFigure() throws IOException, InterruptedException
    {
        for (final Scale scale : Scale.values())
        {
            final PaperReport report = run(paper(scale, directory.resolve(scale.name()), new MadeUpRunner()));
            assertTrue(report.isComplete());
            assertEquals(FactTable.load(Source.PROTOCOL).facts().size(), report.found().size());
            for (final Finding finding : report.found())
            {
                assertNotEquals("not run", finding.simulated(), finding.fact().id());
                assertTrue(finding.agrees() != null || scale == Scale.QUICK, finding.fact().id());
            }
        }
    }

    @Test
    void shouldWriteEveryFigureIntoPageAndTables() throws IOException, InterruptedException
    {
        run(paper(Scale.QUICK, directory, new MadeUpRunner()));
        final JsonNode paper = new ObjectMapper().readTree(directory.resolve("paper.json").toFile());
        final String page = Files.readString(directory.resolve("paper.html"));
        final String mark = "id=\"data\">";
        final int start = page.indexOf(mark) + mark.length();
        final JsonNode data = new ObjectMapper().readTree(page.substring(start, page.indexOf("</script>", start)));
        assertEquals(paper, data.get("paper"), "the page shows what the file says");
        final Set<String> figures = new LinkedHashSet<>();
        for (final JsonNode figure : paper.get("figures"))
        {
            figures.add(figure.get("figure").asText());
            assertFalse(figure.get("plots").isEmpty(), figure.get("title").asText());
            for (final JsonNode plot : figure.get("plots"))
            {
                assertFalse(plot.get("series").isEmpty(), plot.get("title").asText());
            }
        }
        assertEquals(Set.copyOf(FactTable.load(Source.PROTOCOL).facts().stream().map(Fact::figure).toList()), figures);
        assertEquals(List.of("reference", "conference-1", "conference-2", "table-5.1",
            "table-5.2", "5.3", "5.4", "5.5", "5.6", "5.8", "5.9", "6.4", "6.5", "7.1",
            "table-7.1", "7.2", "7.3", "7.4", "7.5", "7.6", "7.7", "7.8", "7.9", "7.10", "7.11", "7.12"), List.copyOf(figures));
        assertFalse(page.matches("(?s).*<(script|link|img)[^>]*(src|href)=.*"), "nothing is loaded");
        assertFalse(page.contains("/* DATA */") || page.contains("/* STYLE */") || page.contains("/* HELPERS */"));
        assertTrue(page.contains("Chart.js"), "the library is inside");
        assertEquals(1 + paper.get("facts").size(), Files.readAllLines(directory.resolve("facts.csv")).size());
        assertTrue(Files.readString(directory.resolve("series.csv"))
            .contains("\"5.3\",\"1 hop\",\"2 credit slots\",\"10\",10.0000"));
        final JsonNode far = find(paper, "5.3-far");
        assertEquals("a real one", far.get("real").asText());
        for (final String name : List.of("figure", "claim", "source", "expected", "simulated", "real", "agrees"))
        {
            assertNotNull(far.get(name), name);
        }
    }

    /** Which publication it is, and its numbers, stand beside what was found. */
    @Test
    void shouldNameTheSourceAndMarkItsNumbersInThePlots() throws IOException, InterruptedException
    {
        run(paper(Scale.QUICK, directory, new MadeUpRunner()));
        final JsonNode paper = new ObjectMapper().readTree(directory.resolve("paper.json").toFile());
        assertTrue(paper.get("publication").asText().contains("2015") && paper.get("subject").asText().contains("slots"));
        assertTrue(paper.get("conditions").asText().contains("1,024"), "quick says that it is smaller");
        final Set<String> marked = new LinkedHashSet<>();
        for (final JsonNode figure : paper.get("figures"))
        {
            for (final JsonNode plot : figure.get("plots"))
            {
                final Set<String> positions = new HashSet<>();
                plot.get("positions").forEach((position) -> positions.add(position.asText()));
                for (final JsonNode mark : plot.get("marks"))
                {
                    marked.add(figure.get("figure").asText());
                    assertFalse(mark.get("places").isEmpty(), mark::toString);
                    for (final JsonNode place : mark.get("places"))
                    {
                        final String position = place.get("position").asText();
                        assertTrue(plot.get("kind").asText().equals("line") || positions.contains(position),
                            () -> mark + " is beside the axis of " + plot.get("title"));
                    }
                }
            }
        }
        assertEquals(Set.of("reference", "table-5.1", "table-5.2", "5.5", "5.9", "6.5", "table-7.1", "7.12"), marked);
    }

    /** The marks of the other sources are on the axes of their plots. */
    @Test
    void shouldMarkTheNumbersOfTheOtherSources()
    {
        final Plot limits = new Plot("Memory of a mail box", Plot.Kind.LINE, "limit", "KB", List.of("10", "20"), List.of());
        assertEquals(List.of(new Mark("table 2", List.of(new Mark.Place("10", 19.29), new Mark.Place("20", 20445.12)))),
            new Marks(FactTable.load(Source.DECK)).of("deck", limits));
        final Plot slowdown = new Plot("Slowdown by more overhead", Plot.Kind.LINE, "us", "times", List.of("100"), List.of());
        assertEquals(List.of(60.0, 30.0), new Marks(FactTable.load(Source.LOGGP)).of("loggp", slowdown).stream()
            .map((mark) -> mark.places().get(0).value()).toList());
        final Plot sweep = new Plot("RUDP by packets and bursts, switch of 100 Mb/s, loss 0.1%", Plot.Kind.LINE, "packets",
            "MB/s", List.of("64"), List.of());
        assertEquals(List.of(new Mark.Place("64", null)),
            new Marks(FactTable.load(Source.ECCLIB)).of("ecclib", sweep).get(0).places());
    }

    private static JsonNode find(final JsonNode paper, final String id)
    {
        for (final JsonNode fact : paper.get("facts"))
        {
            if (fact.get("id").asText().equals(id))
            {
                return fact;
            }
        }
        throw new AssertionError("no fact " + id);
    }

    @Test
    void shouldWriteTheSameBytesAgain() throws IOException, InterruptedException
    {
        run(paper(Scale.QUICK, directory.resolve("one"), new MadeUpRunner()));
        run(paper(Scale.QUICK, directory.resolve("two"), new MadeUpRunner()));
        for (final String name : List.of("paper.json", "facts.csv", "series.csv"))
        {
            assertArrayEquals(Files.readAllBytes(directory.resolve("one").resolve(name)),
                Files.readAllBytes(directory.resolve("two").resolve(name)), name);
        }
    }

    @Test
    void shouldRunWhatSeveralFiguresNeedOnce() throws IOException, InterruptedException
    {
        final MadeUpRunner runner = new MadeUpRunner();
        run(paper(Scale.FULL, directory, runner));
        final Set<Cell> cells = new HashSet<>();
        int needed = 0;
        for (final Experiment experiment : Experiments.all())
        {
            cells.addAll(experiment.cells(Scale.FULL));
            needed += experiment.cells(Scale.FULL).size();
        }
        assertEquals(cells.size(), runner.runs());
        assertTrue(cells.size() < needed, "nothing is shared");
    }

    @Test
    void shouldKeepWhatWasDoneWhenStopped() throws IOException, InterruptedException
    {
        final AtomicReference<PaperRun> stopped = new AtomicReference<>();
        final MadeUpRunner runner = new MadeUpRunner();
        stopped.set(paper(Scale.QUICK, directory, (cell) ->
        {
            if (cell.pattern() == PatternKind.SCATTERV)
            {
                stopped.get().stop();
            }
            return runner.run(cell);
        }));
        final PaperReport report = run(stopped.get());
        assertFalse(report.isComplete());
        final List<String> figures = report.found().stream().map((finding) -> finding.fact().figure()).distinct().toList();
        assertTrue(figures.contains("6.4"), figures::toString);
        assertFalse(figures.contains("7.10"), figures::toString);
        try (Stream<Path> files = Files.list(directory))
        {
            assertEquals(4, files.count());
        }
        assertFalse(new ObjectMapper().readTree(directory.resolve("paper.json").toFile()).get("complete").asBoolean());
    }

    @Test
    void shouldSayWhichRunFailed()
    {
        final IllegalStateException failure = assertThrows(IllegalStateException.class, () ->
            run(paper(Scale.QUICK, directory, (cell) ->
            {
                throw new IllegalStateException("no such mesh");
            })));
        assertTrue(failure.getMessage().contains("no such mesh"), failure::getMessage);
    }

    /** A whole run's facts that disagree, each with a cause that names the page of its test. */
    @Test
    void shouldNameTheLabPageOfTheCauseOfEachFactThatDisagrees()
    {
        final Reasons reasons = Reasons.load(Source.PROTOCOL);
        for (final String id : List.of("5.3-far", "5.4-distance", "5.4-credit-slots", "5.5-processes", "5.5-drop-1",
            "5.5-drop-3", "5.5-drop-4", "5.5-drop-5", "5.5-data-37", "5.5-two-credit-slots", "5.5-waits-matter", "table-5.2-4",
            "table-5.2-5", "5.8-overhead", "5.8-no-room", "5.9-58", "6.5-eighth", "7.3-50", "7.3-25", "7.8-dynamic",
            "7.10-original", "7.9-gatherv", "7.9-reduce-scatter-best", "table-7.1-structures", "table-7.1-dynamic-bytes",
            "table-7.1-static-bytes"))
        {
            final String reason = reasons.of(id);
            assertNotNull(reason, id);
            assertTrue(reason.matches("(Model|Measure|Protocol|Paper)[,:].* Labs? 1\\d\\d( and 1\\d\\d)?\\."),
                id + ": " + reason);
        }
    }

    @Test
    void shouldGiveReasonsOnlyForFacts()
    {
        for (final Source source : Source.values())
        {
            final FactTable table = FactTable.load(source);
            Reasons.load(source).all().forEach((id, reason) ->
            {
                assertNotNull(table.fact(id));
                assertTrue(reason.matches("(Model|Measure|Protocol|Paper)[,:].*"), id + " names no cause: " + reason);
            });
        }
    }
}
