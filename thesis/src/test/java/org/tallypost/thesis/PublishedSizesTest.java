// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.report.Environment;
import org.tallypost.report.StatusLine;
import org.tallypost.thesis.experiment.Experiments;

/**
 * Where a whole run has the sizes of the sources, and what figure 6.5 is held against.
 */
@Tag("once")
class PublishedSizesTest
{
    private static final int PUBLISHED = 1024;
    private static final double ABOVE = 10;
    private static final double BELOW = 4;

    @TempDir
    Path directory;

    private static Stream<Cell> cells(final String figure)
    {
        return Experiments.of(figure, 1).stream().flatMap((experiment) -> experiment.cells(Scale.FULL).stream());
    }

    /** Section 7.4: all benchmarks with 1,024 processes; the paper gives numbers for the least slots. */
    @Test
    void shouldRunFigure78WithAsManyProcessesAsPublished()
    {
        final Set<Integer> ranks = cells("7.8").filter((cell) -> cell.slots() == 8).map(Cell::ranks)
            .collect(Collectors.toSet());
        assertEquals(Set.of(PUBLISHED), ranks);
        assertTrue(cells("7.8").filter((cell) -> cell.slots() == 8).allMatch((cell) -> cell.active() == PUBLISHED));
    }

    /** Section 7.3: 100 alltoalls in each phase. */
    @Test
    void shouldRunFigure74WithAsManyAlltoallsAsPublished()
    {
        assertTrue(cells("7.4").allMatch((cell) -> cell.stay() == 100));
    }

    /** Section VI.A of the paper compares with figure 1, in which static needs so many; not with static posted at once. */
    @ParameterizedTest
    @CsvSource({"57, 28, true", "57, 30, false", "55, 28, false", "55, 27, true"})
    void shouldHoldHalfAgainstWhatStaticNeedsInFigure59(final int fixed, final int dynamic, final boolean agrees)
        throws IOException, InterruptedException
    {
        assertEquals(agrees, agrees("6.5-half", fixed, dynamic));
    }

    /** Section 6.8: very little overhead with few slots; section 5.3 calls fewer than 30 low. */
    @ParameterizedTest
    @CsvSource({"28, true", "30, false"})
    void shouldAskForLittleOverheadWithFewSlots(final int dynamic, final boolean agrees) throws IOException, InterruptedException
    {
        assertEquals(agrees, agrees("6.5-512", 57, dynamic));
    }

    /** Whether a fact agrees where overheads are below 5% from so many slots on; static posted at once from 64 on. */
    private boolean agrees(final String id, final int fixed, final int dynamic) throws IOException, InterruptedException
    {
        final CellRunner madeUp = new MadeUpRunner();
        final PaperReport report = new PaperRun(Source.PROTOCOL, Scale.QUICK, 1, directory, (cell) ->
        {
            final int needed = cell.rule() == Rule.DYNAMIC ? dynamic : cell.pattern() == PatternKind.ALLTOALL ? 64 : fixed;
            // the made-up overhead is 100% divided by the slots
            final double percent = (cell.slots() < needed ? ABOVE : BELOW) + (cell.rule() == Rule.DYNAMIC ? 0 : 0.5);
            return madeUp.run(cell.rule() == Rule.NONE ? cell : cell.rule(cell.rule(), (int)(100 / percent), 2));
        }, Map.of(), 1, new StatusLine(System.err, 1, TimeUnit.HOURS))
            .run(List.copyOf(Experiments.of("6.5", 1)), Environment.current(List.of()), Map.of(), Map.of());
        return report.found().stream().filter((finding) -> finding.fact().id().equals(id)).findFirst().orElseThrow().agrees();
    }
}
