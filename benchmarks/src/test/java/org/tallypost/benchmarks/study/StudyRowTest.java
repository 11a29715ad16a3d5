// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.benchmarks.study.StudyFixture.run;
import static org.tallypost.benchmarks.study.StudyFixture.series;
import static org.tallypost.benchmarks.study.StudyFixture.withRounds;

import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.report.Environment;

class StudyRowTest
{
    private static TrialRun rate(final double figure)
    {
        return run(figure, 0);
    }

    private static TrialRun latency(final double p99Ns)
    {
        return run(1e6, p99Ns);
    }

    @Test
    void shouldDivideRoundByRound()
    {
        final Series agrona = withRounds(series("g", Contender.AGRONA_MANY_TO_ONE, Phase.RATE),
            rate(10e6), rate(20e6), rate(40e6), rate(20e6), rate(10e6));
        final Series ours = withRounds(series("g", Contender.TALLYPOST_DYNAMIC, Phase.RATE),
            rate(20e6), rate(40e6), rate(60e6), rate(30e6), rate(30e6)).comparedWith(agrona);
        final List<StudyRow> rows = StudyRow.of(List.of(agrona, ours));
        assertNull(rows.get(0).ratio());
        assertEquals(1.5, rows.get(1).ratio().min());
        assertEquals(2, rows.get(1).ratio().median());
        assertEquals(3, rows.get(1).ratio().max());
        assertEquals(30e6, rows.get(1).figure().median());
        assertNull(rows.get(1).p99Ns(), "a rate has no percentiles");
        assertNull(rows.get(1).invalid());
        assertNull(StudyRow.whyNothingIsValid(rows));
    }

    @Test
    void shouldCompareTheQuietSendersTails()
    {
        final Series alone = withRounds(series("g", Contender.AERON_IPC, Phase.ALONE), latency(100),
            latency(100), latency(100), latency(100), latency(100));
        final Series flood = withRounds(series("g", Contender.AERON_IPC, Phase.FLOOD), latency(400),
            latency(400), latency(900), latency(600), latency(400)).comparedWith(alone);
        final StudyRow row = StudyRow.of(List.of(alone, flood)).get(1);
        assertEquals(4, row.ratio().median());
        assertEquals(9, row.ratio().max());
        assertEquals(4, row.ratio999().median());
        assertNull(row.invalid());
    }

    @Test
    void shouldTakeOfEachRoundTheMiddleOfItsRuns()
    {
        final Series alone = series("g", Contender.AERON_IPC, Phase.ALONE);
        final Series flood = series("g", Contender.AERON_IPC, Phase.FLOOD).comparedWith(alone);
        for (int round = 0; round < 5; round++)
        {
            alone.add(List.of(latency(100)), 0);
            flood.add(List.of(latency(900), latency(200), latency(100)), 0);
        }
        final StudyRow row = StudyRow.of(List.of(alone, flood)).get(1);
        assertNull(row.invalid());
        assertEquals(2, row.ratio().median());
    }

    @Test
    void shouldMarkWhatCannotBeTrusted()
    {
        final Series changed = series("g", Contender.TALLYPOST_STATIC, Phase.ALONE);
        changed.add(List.of(run(1, 1)), 0);
        changed.addFailure("timeout: no end after 100 ms");
        final Series wrong = series("h", Contender.TALLYPOST_STATIC, Phase.ALONE);
        wrong.add(List.of(latency(100)), 3);
        final Series impossible = series("i", Contender.AERON_IPC, Phase.ALONE).notPossible("too small");
        final List<StudyRow> rows = StudyRow.of(List.of(changed, wrong, impossible));
        assertEquals("found 1 rounds, expected 5: 1 x timeout: no end after 100 ms", rows.get(0).invalid());
        assertNotNull(rows.get(0).figure(), "it is shown");
        assertEquals("wrong payload: 3 messages did not arrive as they were sent", rows.get(1).invalid());
        assertEquals("none of 3 figures is valid; tallypost-static: " + rows.get(0).invalid(),
            StudyRow.whyNothingIsValid(rows));
        assertEquals("nothing can be measured: too small", StudyRow.whyNothingIsValid(List.of(rows.get(2))));
        assertEquals("nothing was measured", StudyRow.whyNothingIsValid(List.of()));
        assertNull(rows.get(2).invalid());
        final Environment environment = Environment.current(List.of());
        final String table = StudyTable.format(rows, List.of("how"), environment);
        assertTrue(table.startsWith("how"), table);
        assertTrue(table.contains("not possible, aeron-ipc: too small"), table);
        assertTrue(table.contains("INVALID tallypost-static, alone: wrong payload"), table);
        final ObjectNode tree = StudyReport.tree(Study.ISOLATION, rows, List.of("how"), Map.of("rounds", 5), environment);
        assertEquals("too small", tree.at("/rows/2/notPossible").asText());
        assertTrue(tree.at("/rows/2/ratePerSecond").isNull());
        assertEquals("timeout: no end after 100 ms", tree.at("/rows/0/samples/1/failure").asText());
        assertEquals(100, tree.at("/rows/1/p99Ns/median").asInt());
    }

    @ParameterizedTest
    @CsvSource({
        "TALLYPOST_DYNAMIC, 1024, 1, 48, ",
        "TALLYPOST_STATIC, 1024, 16, 48, '16 senders and the receiver itself need 2 slots each, 2176 bytes'",
        "TALLYPOST_DYNAMIC, 1024, 1, 2048, '1 senders and the receiver itself need 34 slots each, 4352 bytes'",
        "AGRONA_MANY_TO_ONE, 1024, 256, 48, ",
        "AGRONA_MANY_TO_ONE, 1024, 1, 256, 'a message may take an eighth of the buffer, 128 bytes'",
        "AERON_IPC, 65536, 1, 48, 'three terms of at least 65536 bytes are 196608 bytes'",
        "AERON_IPC, 262144, 1, 48, ",
    })
    void shouldSayWhyABufferCannotBe(
        final Contender contender, final int bytes, final int senders, final int length, final String why)
    {
        assertEquals(why, contender.whyNot(bytes, senders, length));
    }

    @Test
    void shouldGiveAeronThreeTermsInTheSameBytes()
    {
        assertEquals(65_536, Contender.termLength(196_608));
        assertEquals(65_536, Contender.termLength(262_144));
        assertEquals(262_144, Contender.termLength(1 << 20));
    }
}
