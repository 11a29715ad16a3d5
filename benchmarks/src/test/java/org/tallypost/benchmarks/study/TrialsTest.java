// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.benchmarks.study.StudyFixture.FAST_NS;
import static org.tallypost.benchmarks.study.StudyFixture.SLOW_NS;
import static org.tallypost.benchmarks.study.StudyFixture.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;

import org.junit.jupiter.api.Test;
import org.tallypost.benchmarks.compare.JvmForkRunner;

class TrialsTest
{
    private static final TrialSpec.Point SMALL = new TrialSpec.Point(4_096, 0);
    private static final TrialSpec.Point LARGE = new TrialSpec.Point(262_144, 0);

    private final List<TrialSpec> specs = new ArrayList<>();

    /** Runs trials of which only the probe's figure after a run is given. */
    private List<Series> trials(final Rounds rounds, final ToDoubleFunction<Integer> probeAfter)
        throws IOException, InterruptedException
    {
        final TrialSpec template = StudyFixture.trial(Study.ISOLATION, Contender.TALLYPOST_DYNAMIC, 2, SMALL, LARGE);
        return new Trials(template, List.of(Contender.AGRONA_MANY_TO_ONE, Contender.AERON_IPC), rounds, (spec) ->
        {
            specs.add(spec);
            final List<TrialResult> results = new ArrayList<>();
            spec.points().forEach((point) -> spec.study().phases().forEach((phase) -> results.add(new TrialResult(point, phase,
                List.of(run(FAST_NS, 1e6, phase == Phase.FLOOD ? 300 : 100, probeAfter.applyAsDouble(specs.size()))), 0, 64, 128,
                0))));
            return new JvmForkRunner.Outcome<>(results, null);
        }, (line) ->
        {
        }).run(2);
    }

    private static Rounds rounds(final int extra)
    {
        return new Rounds(5, extra, false, 0);
    }

    @Test
    void shouldTakeTurnsAndLeaveOutWhatCannotBe() throws IOException, InterruptedException
    {
        final List<Series> series = trials(rounds(3), (count) -> FAST_NS);
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
    void shouldGoOnWhileRoundsAreLacking() throws IOException, InterruptedException
    {
        final List<StudyRow> rows = StudyRow.of(trials(rounds(9), (count) -> count == 1 ? SLOW_NS : FAST_NS));
        assertEquals(12, specs.size(), "one round more of everybody");
        rows.forEach((row) -> assertNull(row.invalid()));
        assertEquals(5, rows.get(0).rounds());
        assertEquals(6, rows.get(0).samples().size());
    }

    @Test
    void shouldReportWhatThereIsWhenTheTimeIsUp() throws IOException, InterruptedException
    {
        final List<StudyRow> rows = StudyRow.of(trials(new Rounds(5, 0, true, System.nanoTime()), (count) -> FAST_NS));
        assertEquals(2, specs.size());
        assertEquals("1 of 1 rounds kept, 5 are needed", rows.get(0).invalid());
    }

    @Test
    void shouldGiveUpWhatIsAlwaysLacking() throws IOException, InterruptedException
    {
        final List<StudyRow> rows = StudyRow.of(trials(rounds(2), (count) -> SLOW_NS));
        assertEquals(14, specs.size());
        assertEquals("0 of 7 rounds kept, 5 are needed: 7 x machine changed from fast to slow", rows.get(0).invalid());
    }
}
