// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.tallypost.benchmarks.harness.Booking;
import org.tallypost.benchmarks.harness.Session;
import org.tallypost.benchmarks.harness.Turn;
import org.tallypost.benchmarks.harness.Verdict;
import org.tallypost.report.Environment;

class RowMakerTest
{
    private static final Settings SETTINGS = CompareFixture.settings(
        Mode.RATE, TransportKind.TALLYPOST_ENDPOINT, TransportKind.AGRONA_ONE_TO_ONE, TransportKind.JCTOOLS_SPSC);
    private static final Group GROUP = SETTINGS.groups().get(0);

    /** The contestants by turns, each with one figure, a fifth of the turns disturbed. */
    private static Session.Outcome outcome(
        final int cycles, final long[] wrong, final Map<Integer, String> failures, final double... figures)
    {
        final List<Turn> turns = new ArrayList<>();
        for (int i = 0; i < cycles * figures.length; i++)
        {
            final int contestant = i % figures.length;
            turns.add(new Turn(i, i / figures.length, contestant, i / figures.length % 2, figures[contestant],
                i / figures.length % 5 == 0));
        }
        return new Session.Outcome(List.of(turns), new long[][] { wrong }, failures, List.of(),
            new long[][] { { RowMaker.WARM_MESSAGES, RowMaker.WARM_MESSAGES - 1, 1L << 40 } });
    }

    private static List<Row> rows(final Session.Outcome outcome)
    {
        return RowMaker.rows(GROUP, 0, SETTINGS.contestants(), List.of(0, 1, 2), 0, outcome, 1);
    }

    @Test
    void shouldHoldTheSubjectAgainstEachOther()
    {
        final List<Row> rows = rows(outcome(30, new long[3], Map.of(), 20e6, 10e6, 40e6));
        assertEquals(5, rows.size());
        assertNull(rows.get(0).against());
        assertEquals(20e6, rows.get(0).figure().median());
        assertEquals(0.2, rows.get(0).disturbedShare(), 1e-9);
        final Row slower = rows.get(3);
        assertEquals("tallypost-endpoint", slower.transport());
        assertEquals("agrona-one-to-one", slower.against());
        assertEquals(2, slower.ratio().median());
        assertEquals(30, slower.pairs());
        assertEquals(Verdict.BETTER, slower.verdict());
        assertEquals(Verdict.WORSE, rows.get(4).verdict());
        assertNull(Row.whyNothingIsValid(rows));
    }

    @Test
    void shouldMarkWhatCannotBeTrusted()
    {
        final List<Row> few = rows(outcome(19, new long[3], Map.of(), 20e6, 10e6, 40e6));
        assertEquals("too few pairs: found 19 pairs of turns in 19 blocks, expected at least 20 in 5: give it more time " +
            "(--seconds)", few.get(3).invalid());
        assertEquals(Verdict.INVALID, few.get(3).verdict());
        assertNotNull(few.get(3).ratio(), "it is shown");
        assertNull(few.get(0).invalid());
        final List<Row> bad = rows(outcome(
            30, new long[] { 0, 3, 0 }, Map.of(2, "process 1 of jctools-spsc, team 1 ended"), 20e6, 10e6, 40e6));
        assertNull(bad.get(0).invalid());
        assertEquals("wrong payload: 3 messages did not arrive as they were sent", bad.get(1).invalid());
        assertEquals("process 1 of jctools-spsc, team 1 ended", bad.get(2).invalid());
        assertEquals(Verdict.INVALID, bad.get(3).verdict());
        assertEquals("jctools-spsc: process 1 of jctools-spsc, team 1 ended", bad.get(4).invalid());
        final List<Row> nothing = rows(outcome(0, new long[3], Map.of(), 1, 1, 1));
        assertTrue(Row.whyNothingIsValid(nothing).startsWith("none of 5 rows is valid; tallypost-endpoint: it had no turn"));
        assertEquals("nothing was measured", Row.whyNothingIsValid(List.of()));
    }

    @Test
    void shouldShowNoIntervalOfOneBlock()
    {
        final Session.Outcome outcome = outcome(30, new long[3], Map.of(), 20e6, 10e6, 40e6);
        final List<Turn> turns = outcome.turns().get(0).stream().map((turn) -> new Turn(
            turn.number(), 0, turn.contestant(), turn.team(), turn.figure(), turn.isDisturbed())).toList();
        final Row row = rows(new Session.Outcome(
            List.of(turns), outcome.wrong(), outcome.failures(), List.of(), outcome.warmUps())).get(3);
        assertEquals(Verdict.INVALID, row.verdict());
        assertNull(row.ratio(), "it would look exact");
        assertTrue(row.invalid().startsWith("too few blocks: found 30 pairs of turns in 1 block, expected"), row.invalid());
    }

    @Test
    void shouldTellHowManyBytesWentBeside()
    {
        final Settings settings = CompareFixture.settings(
            Mode.RTT, TransportKind.TALLYPOST_MESSAGING_BESIDE, TransportKind.TALLYPOST_MESSAGING);
        final Session.Outcome outcome = outcome(30, new long[2], Map.of(), 200, 100);
        final List<Session.Detail> details = List.of(new Session.Detail(0, 0, BesideNotes.detail(3_000, 1_000)),
            new Session.Detail(0, 0, BesideNotes.detail(1_000, 1_000)));
        final Session.Outcome told = new Session.Outcome(
            outcome.turns(), outcome.wrong(), outcome.failures(), details, outcome.warmUps());
        assertEquals(List.of("round trip, 48 bytes: tallypost-messaging-beside: bytes went beside in 2 of 30 turns, in these " +
            "2.000 GB/s"), BesideNotes.of(settings, told));
        assertEquals(Booking.NO_DETAIL, BesideNotes.detail(0, 1_000));
        assertNull(RowMaker.rows(settings.groups().get(0), 0, settings.contestants(), List.of(0, 1), 0, told, 1).get(0).times(),
            "they are no times");
    }

    @Test
    void shouldNameWhatWasMeasuredBeforeItWasWarm()
    {
        final List<String> notes = RowMaker.coldNotes(SETTINGS, outcome(30, new long[3], Map.of(), 20e6, 10e6, 40e6));
        assertEquals(1, notes.size());
        assertTrue(notes.get(0).startsWith("not warm: a team of agrona-one-to-one had 9999 messages before it counted in rate"),
            notes.get(0));
    }

    @Test
    void shouldReportRowsInWordsAndAsData()
    {
        final List<Row> rows = rows(outcome(30, new long[] { 0, 0, 7 }, Map.of(), 20e6, 10e6, 40e6));
        final Environment environment = Environment.current(List.of());
        final String table = CompareTable.format(rows, SETTINGS, environment, List.of("a note"));
        assertTrue(table.contains("rate, 48 bytes, 1 producer, threads, 256 slots, M/s (more is better)"), table);
        assertTrue(table.matches(
            "(?s).*agrona-one-to-one +10\\.00 +10\\.00 +10\\.00 +20 % +30 +2\\.000 +2\\.000 +2\\.000 +better +30.*"),
            table);
        assertTrue(table.contains("INVALID jctools-spsc: wrong payload: 7"), table);
        assertTrue(table.contains("a note"), table);
        final JsonNode json = CompareReport.tree(rows, SETTINGS, environment, List.of("a note"));
        final JsonNode held = json.at("/rows/3");
        assertEquals("agrona-one-to-one", held.get("against").asText());
        assertEquals("better", held.get("verdict").asText());
        assertEquals(2, held.at("/ratio/median").asDouble());
        assertEquals(30, held.get("pairs").asInt());
        assertEquals(20_000_000, held.get("median").asLong());
        assertTrue(json.at("/rows/1/isReference").asBoolean());
        assertTrue(!json.at("/rows/0/isReference").asBoolean());
        assertTrue(json.at("/rows/1/ratio").isNull());
        assertTrue(json.at("/rows/2/invalid").isTextual());
    }
}
