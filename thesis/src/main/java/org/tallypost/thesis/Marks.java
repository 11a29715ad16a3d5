// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.tallypost.thesis.rudp.RudpSettings;

/**
 * The marks of all plots: numbers of the facts, where they are ones of a plot's axes. Most facts are orderings, and have none.
 */
final class Marks
{
    private static final double MIB = 1 << 20;
    private static final List<String> MEMORY_RANKS = List.of("1K", "4K", "16K", "64K", "256K");
    private static final double ACCEPTABLE = 5;
    private static final double ACCEPTABLE_BENCHMARKS = 3;

    private final FactTable table;

    Marks(final FactTable table)
    {
        this.table = table;
    }

    /** The marks of a plot, in the order in which its legend has them. */
    List<Mark> of(final String figure, final Plot plot)
    {
        return switch (figure)
        {
            case "reference" -> List.of(mark("the time", plot.positions().stream().map((position) -> place(position, 100.0))));
            case "table-5.1" -> List.of(thresholds(plot));
            case "5.5" -> overheads();
            case "table-5.2" -> List.of(mark("steady from",
                IntStream.rangeClosed(2, 5).mapToObj((slots) -> place(slots, value("table-5.2-" + slots)))));
            case "5.9" -> List.of(mark("below 5% from here", Stream.of(place((int)value("5.9-58"), ACCEPTABLE))));
            case "6.5" -> plot.title().startsWith(Rule.DYNAMIC.label()) ?
                List.of(mark("below 5% with half active", Stream.of(place(30, ACCEPTABLE)))) : List.of();
            case "7.12" -> List.of(
                mark("at most 3%, static", Stream.of(place(64, ACCEPTABLE_BENCHMARKS))),
                mark("at most 3%, dynamic", Stream.of(place(16, ACCEPTABLE_BENCHMARKS))),
                mark("below, dynamic", Stream.of(place(8, table.fact("7.8-dynamic").atMost()))),
                mark("above, static", Stream.of(place(8, table.fact("7.8-static").atLeast()))));
            case "table-7.1" -> List.of(memory("static"), memory("dynamic"));
            case "ecclib" -> sweep(plot);
            case "deck" -> List.of(mark("table 2", plot.positions().stream()
                .map((limit) -> place(limit, value("table-2-" + limit)))));
            case "loggp" -> slowdowns(plot);
            default -> List.of();
        };
    }

    private double value(final String id)
    {
        return Objects.requireNonNull(table.fact(id).value(), () -> "fact without a number: " + id);
    }

    private static Mark mark(final String label, final Stream<Mark.Place> places)
    {
        return new Mark(label, places.toList());
    }

    private static Mark.Place place(final Object position, final Double value)
    {
        return new Mark.Place(position.toString(), value);
    }

    private Mark thresholds(final Plot plot)
    {
        final String[] published = table.fact("table-5.1-values").expected().split(" ");
        return mark("the rule in use", IntStream.range(0, Math.min(published.length, plot.positions().size()))
            .mapToObj((row) -> place(plot.positions().get(row), Double.valueOf(published[row]))));
    }

    private List<Mark> overheads()
    {
        final Function<Integer, Mark.Place> fall = (slots) -> place((int)value("5.5-drop-" + slots), null);
        return List.of(
            mark("the fall begins, 1 to 5 credit slots", IntStream.rangeClosed(1, 5).boxed().map(fall)),
            mark("below 5% with 2 credit slots", Stream.of(place(57, ACCEPTABLE))));
    }

    private Mark memory(final String flow)
    {
        return mark(flow, MEMORY_RANKS.stream().map((ranks) -> place(ranks, value("table-7.1-" + flow + "-" + ranks) * MIB /
            (1024.0 * Integer.parseInt(ranks.replace("K", ""))))));
    }

    /** The settings that the source found best. */
    private static List<Mark> sweep(final Plot plot)
    {
        if (!plot.title().startsWith("RUDP by packets and bursts"))
        {
            return List.of();
        }
        final RudpSettings best = plot.title().contains("100 Mb/s") ? RudpSettings.FAST : RudpSettings.SLOW;
        return List.of(mark("best, with " + best.packetLength() + " bytes, " + best.asking(),
            Stream.of(place(best.burstPackets(), null))));
    }

    private List<Mark> slowdowns(final Plot plot)
    {
        final String longest = "100";
        return !plot.title().contains("overhead") ? List.of() : Arrays.asList(
            mark("up to, 32 processors", Stream.of(place(longest, value("slowdown-o")))),
            mark("up to, 16 processors", Stream.of(place(longest, value("slowdown-o-16")))));
    }
}
