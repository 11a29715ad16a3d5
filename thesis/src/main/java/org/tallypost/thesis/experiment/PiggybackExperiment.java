// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.IntToDoubleFunction;

import org.tallypost.thesis.Cell;
import org.tallypost.thesis.Experiment;
import org.tallypost.thesis.Findings;
import org.tallypost.thesis.PatternKind;
import org.tallypost.thesis.Plot;
import org.tallypost.thesis.Results;
import org.tallypost.thesis.Rule;
import org.tallypost.thesis.Scale;
import org.tallypost.thesis.Sheet;

/**
 * Figure 5.8: credits in data packets, with the static protocol.
 */
public final class PiggybackExperiment implements Experiment
{
    private static final int LENGTH = 2044;
    private static final int HEADER_LENGTH = 16;
    private static final int PACKET_LENGTH = 56;
    private static final int CREDITS_LENGTH = 2;
    private static final int CREDIT_SLOTS = 2;
    private static final int ALLTOALLS = 12;
    private static final List<Integer> SIZES = List.of(8, 12, 16, 20, 24, 28, 32, 36, 40, 44, 48, 52, 56, 60, 64);

    @Override
    public List<String> figures()
    {
        return List.of("5.8");
    }

    /** A pair's credit packets do not depend on how many other pairs there are. */
    private static int ranks(final Scale scale)
    {
        return scale.pick(64, 32);
    }

    private static Cell without(final Scale scale, final int slots)
    {
        return Cell.of(PatternKind.ALLTOALL_IN_TURN, ranks(scale)).length(LENGTH).rule(Rule.STATIC, slots, CREDIT_SLOTS)
            .times(0, ALLTOALLS, 1);
    }

    private static Cell with(final Scale scale, final int slots)
    {
        return without(scale, slots).withPiggyback();
    }

    @Override
    public List<Cell> cells(final Scale scale)
    {
        final List<Cell> cells = new ArrayList<>();
        cells.add(without(scale, SIZES.get(0)).reference());
        for (final int size : SIZES)
        {
            cells.add(without(scale, size));
            cells.add(with(scale, size));
        }
        return cells;
    }

    @Override
    public List<Sheet> evaluate(final Scale scale, final Results results, final Findings findings)
    {
        final IntToDoubleFunction without = (size) -> results.overhead(without(scale, size));
        final IntToDoubleFunction with = (size) -> results.overhead(with(scale, size));
        final IntToDoubleFunction saved = (size) -> 100 * (1 - (double)results.of(with(scale, size)).creditPackets() /
            results.of(without(scale, size)).creditPackets());
        findings.ordering("5.8-overhead", Curves.all(Curves.below(SIZES, 57), (size) ->
            with.applyAsDouble(size) < without.applyAsDouble(size)), "mean " + Curves.percent(Curves.mean(SIZES, with)) +
            " with, " + Curves.percent(Curves.mean(SIZES, without)) + " without; with: " +
            Curves.listed(List.of(8, 16, 32, 48), with) + "; without: " + Curves.listed(List.of(8, 16, 32, 48), without));
        findings.ordering("5.8-packets", Curves.all(SIZES, (size) -> saved.applyAsDouble(size) > 0),
            "saved: " + Curves.listed(SIZES, saved));
        boolean isUp = false;
        boolean isDown = false;
        for (int i = 1; i < SIZES.size(); i++)
        {
            final double step = saved.applyAsDouble(SIZES.get(i)) - saved.applyAsDouble(SIZES.get(i - 1));
            isUp |= step > 0;
            isDown |= step < 0;
        }
        findings.ordering("5.8-ramp", isUp && isDown, "saved: " + Curves.listed(SIZES, saved));
        final int last = (HEADER_LENGTH + Cell.LENGTH) % PACKET_LENGTH;
        final int spare = last == 0 ? 0 : PACKET_LENGTH - last;
        findings.ordering("5.8-no-room", spare < CREDITS_LENGTH, spare + " bytes");
        final Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("processes", ranks(scale));
        parameters.put("message", LENGTH + " bytes");
        parameters.put("credit slots", CREDIT_SLOTS);
        parameters.put("alltoalls", ALLTOALLS);
        final List<String> positions = Curves.positions(SIZES);
        final Plot overheads = new Plot("Overhead, " + ranks(scale) + " processes", Plot.Kind.LINE, "slots per process",
            "overhead, percent", positions, List.of(Curves.series("credit packets only", SIZES, without),
            Curves.series("with credits in data packets", SIZES, with)));
        return List.of(new Sheet("5.8", "Figure 5.8: credits in data packets",
            List.of("Static protocol; published with 1,024 processes."), parameters, List.of(overheads,
            new Plot("Credit packets saved", Plot.Kind.BAR, "slots per process", "percent", positions, List.of(
            Curves.series("saved", SIZES, saved))))));
    }
}
