// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.benchmarks.study.StudyFixture.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

class TrialsTest
{
    private static final TrialSpec.Point SMALL = new TrialSpec.Point(4_096, 0);
    private static final TrialSpec.Point LARGE = new TrialSpec.Point(262_144, 0);

    private final List<TrialSpec> specs = new ArrayList<>();

    private List<Series> trials(final Rounds rounds) throws IOException, InterruptedException
    {
        final TrialSpec template = StudyFixture.trial(Study.ISOLATION, Contender.TALLYPOST_DYNAMIC, 2, SMALL, LARGE);
        return new Trials(template, List.of(Contender.AGRONA_MANY_TO_ONE, Contender.AERON_IPC), rounds, (spec) ->
        {
            specs.add(spec);
            final List<TrialResult> results = new ArrayList<>();
            spec.points().forEach((point) -> spec.study().phases().forEach((phase) -> results.add(new TrialResult(point, phase,
                List.of(run(1e6, phase == Phase.FLOOD ? 300 : 100)), 0, 64, 128, 0))));
            return new JvmRunner.Outcome<>(results, null);
        }, (line) ->
        {
        }).run(2);
    }

    @Test
    void shouldTakeTurnsAndLeaveOutWhatCannotBe() throws IOException, InterruptedException
    {
        final List<Series> series = trials(new Rounds(5, false, 0));
        assertEquals(10, specs.size());
        assertEquals(List.of(Contender.AGRONA_MANY_TO_ONE, Contender.AERON_IPC, Contender.AERON_IPC,
            Contender.AGRONA_MANY_TO_ONE), specs.subList(0, 4).stream().map(TrialSpec::contender).toList());
        assertEquals(List.of(SMALL, LARGE), specs.get(0).points());
        assertEquals(List.of(LARGE, SMALL), specs.get(3).points());
        assertEquals(List.of(LARGE), specs.get(1).points());
        assertEquals(8, series.size());
        final List<StudyRow> rows = StudyRow.of(series);
        rows.forEach((row) -> assertNull(row.invalid()));
        assertEquals("4,096 bytes, 0 steps of work for each message", rows.get(0).series().entry.group());
        assertEquals(3, rows.get(1).ratio().median());
        assertTrue(rows.get(2).series().notPossible().startsWith("three terms"));
    }

    @Test
    void shouldReportWhatThereIsWhenTheTimeIsUp() throws IOException, InterruptedException
    {
        final List<StudyRow> rows = StudyRow.of(trials(new Rounds(5, true, System.nanoTime())));
        assertEquals(2, specs.size());
        assertEquals("found 1 rounds, expected 5", rows.get(0).invalid());
    }
}
