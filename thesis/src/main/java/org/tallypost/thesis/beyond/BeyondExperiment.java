// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.beyond;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.tallypost.thesis.Cell;
import org.tallypost.thesis.Experiment;
import org.tallypost.thesis.Findings;
import org.tallypost.thesis.Plot;
import org.tallypost.thesis.Results;
import org.tallypost.thesis.Scale;
import org.tallypost.thesis.Series;
import org.tallypost.thesis.Sheet;

/**
 * What is beyond the sources: the published protocol and this project's own where the published one is weak. Runs of its own,
 * small ones, whatever the scale.
 */
public final class BeyondExperiment implements Experiment
{
    /** As the command line names it. */
    public static final String FIGURE = "beyond";
    /** Slots of the runs. */
    static final List<Integer> SLOTS = List.of(6, 8, 12, 16, 24, 32, 48, 64);
    /** Ranks that are active, of 32. */
    static final List<Integer> ACTIVE = List.of(32, 16, 8, 4);

    private static final String OVERHEAD = "overhead over mailboxes without end, %";

    /** A figure of a contender at a number of slots. */
    @FunctionalInterface
    private interface Measure
    {
        double of(Contender contender, int slots) throws InterruptedException;
    }

    @Override
    public List<String> figures()
    {
        return List.of(FIGURE);
    }

    @Override
    public List<Cell> cells(final Scale scale)
    {
        return List.of();
    }

    @Override
    public List<Sheet> evaluate(final Scale scale, final Results results, final Findings findings)
    {
        try
        {
            return List.of(sheet());
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", ex);
        }
    }

    /** All tables of it. */
    static Sheet sheet() throws InterruptedException
    {
        final SmallRuns runs = new SmallRuns();
        final List<Plot> plots = new ArrayList<>();
        for (final boolean isBlocking : new boolean[]{false, true})
        {
            for (final int active : ACTIVE)
            {
                plots.add(plot("alltoall, " + (isBlocking ? "one destination after the other, " : "posted together, ") + active +
                    " of 32 ranks active", OVERHEAD,
                    (contender, slots) -> runs.alltoall(contender, active, isBlocking, slots)));
            }
        }
        plots.add(plot("two halves that send to each other in turns", OVERHEAD, runs::bursts));
        plots.add(plot("a quiet sender beside a flood", "99th percentile of the quiet sender's messages, us",
            runs::quietPercentile));
        plots.add(plot("half of the ranks never look again", OVERHEAD, runs::silent));
        return new Sheet(FIGURE, "Where the published protocol is weak, and this project's own", notes(), parameters(), plots);
    }

    private static Plot plot(final String title, final String unit, final Measure measure) throws InterruptedException
    {
        final List<Series> series = new ArrayList<>();
        for (final Contender contender : Contender.values())
        {
            final List<Double> values = new ArrayList<>();
            for (final int slots : SLOTS)
            {
                values.add(measure.of(contender, slots));
            }
            series.add(new Series(contender.label(), values));
        }
        return new Plot(title, Plot.Kind.LINE, "slots of a mailbox for each rank", unit,
            SLOTS.stream().map(String::valueOf).toList(), series);
    }

    private static List<String> notes()
    {
        return List.of("32 ranks whatever the scale; nobody fights for network cards here.",
            "Ranks that take no part in an alltoall never look at their mailboxes.",
            "All have the same slots, credit slots included, and so the same bytes.");
    }

    private static Map<String, Object> parameters()
    {
        final Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("ranks", SmallRuns.RANKS);
        parameters.put("rounds", SmallRuns.ROUNDS);
        parameters.put("messageLength", SmallRuns.LENGTH);
        parameters.put("creditSlots", Contender.CREDIT_SLOTS);
        return parameters;
    }
}
