// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

import org.tallypost.benchmarks.process.WorkDirectory;
import org.tallypost.deck.DeckContext;
import org.tallypost.deck.SizeClass;
import org.tallypost.endpoint.Priority;
import org.tallypost.thesis.Cell;
import org.tallypost.thesis.Experiment;
import org.tallypost.thesis.Fact;
import org.tallypost.thesis.FactTable;
import org.tallypost.thesis.Findings;
import org.tallypost.thesis.Plot;
import org.tallypost.thesis.Results;
import org.tallypost.thesis.Scale;
import org.tallypost.thesis.Series;
import org.tallypost.thesis.Sheet;
import org.tallypost.thesis.Source;

/** The facts of the paper about DECK-GM that follow from its numbers, and from what module deck does, without a clock. */
public final class DeckExperiment implements Experiment
{
    /** As the command line names it. */
    public static final String FIGURE = "deck";

    /** First row of table 2. */
    static final int FIRST_LIMIT = 10;
    private static final double KIBIBYTE = 1_024;
    private static final int EXAMPLE_LENGTH = 10;
    private static final int EXAMPLE_CLASS = 5;
    private static final double HANDSHAKE_US = 40;
    private static final double SMALL_US = 23;
    private static final double DECK_MEGABYTES = 228.50;
    private static final double MPICH_MEGABYTES = 217.37;
    /** From which length on DECK is ahead, in KB: section 5, and two places of section 7. */
    private static final List<Integer> CROSSOVERS = List.of(6, 6, 8);
    private static final int BELOW_IS_SMALL = 120;
    private static final int ABOVE_IS_LARGE = 121;
    private static final int MYRINETS = 178;
    private static final int SYSTEMS = 500;

    /** Has run nothing. */
    public DeckExperiment()
    {
    }

    /** The row of table 2 with a limit. */
    static Fact published(final int limit)
    {
        return FactTable.load(Source.DECK).fact("table-2-" + limit);
    }

    /** What the source's table 2 has for a limit, in units of 1,024 bytes. */
    static double poolKibibytes(final int limit)
    {
        return SizeClass.poolLength(limit, new DeckContext().buffersPerClass()) / KIBIBYTE;
    }

    /**
     * What the facts are judged by.
     *
     * @return for the report.
     */
    public static Map<String, Object> description()
    {
        final DeckContext context = new DeckContext();
        final Map<String, Object> description = new LinkedHashMap<>();
        description.put("buffers of each class", context.buffersPerClass());
        description.put("limit", context.limit());
        return description;
    }

    @Override
    public Source source()
    {
        return Source.DECK;
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
        sizes(findings);
        final List<Integer> limits = IntStream.rangeClosed(FIRST_LIMIT, SizeClass.MAX).boxed().toList();
        for (final int limit : limits)
        {
            final double found = poolKibibytes(limit);
            findings.number("table-2-" + limit, found, published(limit).admits(found) ? text("%,.2f KB", found) :
                text("%,.2f KB; twice the published row above is %,.2f", found, 2 * published(limit - 1).value()));
        }
        numbers(findings);
        priorities(findings);
        final Plot plot = new Plot("Memory of a mail box", Plot.Kind.LINE, "limit", "KB",
            limits.stream().map(String::valueOf).toList(), List.of(
                new Series("10 times the sum of 2^s - 8", limits.stream().map(DeckExperiment::poolKibibytes).toList())));
        return List.of(new Sheet(FIGURE, "DECK-GM: sizes, table 2, and what its numbers say of each other",
            List.of("No times are measured here: 'bench deck' measures round trips, a retrieve and the handshake."),
            description(), List.of(plot)));
    }

    private static void sizes(final Findings findings)
    {
        final int longest = SizeClass.length(SizeClass.MAX);
        final long wrong = IntStream.rangeClosed(0, longest).filter((length) ->
        {
            final int found = SizeClass.of(length);
            return found < SizeClass.MIN || SizeClass.length(found) < length ||
                found > SizeClass.MIN && SizeClass.length(found - 1) >= length;
        }).count();
        final int example = SizeClass.of(EXAMPLE_LENGTH);
        findings.ordering("size-class", example == EXAMPLE_CLASS && wrong == 0,
            text("%d; of %,d lengths %,d in a wrong class", example, longest + 1, wrong));
        final int most = SizeClass.length(new DeckContext().limit());
        findings.number("standard-range", most, text("%,d to %,d bytes", SizeClass.length(SizeClass.MIN), most));
    }

    private static void numbers(final Findings findings)
    {
        final double control = HANDSHAKE_US / 2;
        findings.number("handshake-time", control / SMALL_US, text("%.0f us, %.2f times a small message", control,
            control / SMALL_US));
        final double ahead = DECK_MEGABYTES / MPICH_MEGABYTES;
        findings.number("bandwidth", ahead, text("%.3f times", ahead));
        findings.number("bandwidth-conclusion", DECK_MEGABYTES, text("%.2f MB/s", DECK_MEGABYTES));
        findings.ordering("crossover", CROSSOVERS.stream().distinct().count() == 1, CROSSOVERS + " KB");
        final List<Integer> neither = IntStream.rangeClosed(0, SizeClass.length(SizeClass.DEFAULT_LIMIT))
            .filter((length) -> length >= BELOW_IS_SMALL && length <= ABOVE_IS_LARGE).boxed().toList();
        findings.ordering("small-limit", neither.isEmpty(), "neither small nor large: " + neither);
        final double share = 100.0 * MYRINETS / SYSTEMS;
        findings.number("share", share, text("%.1f%%", share));
    }

    private static void priorities(final Findings findings)
    {
        try (PriorityFacts facts = new PriorityFacts(WorkDirectory.defaultParent()))
        {
            final int low = facts.fill(Priority.LOW);
            final int high = facts.fill(Priority.HIGH);
            final int first = facts.readFirst(Priority.HIGH);
            final int highAlone = facts.fill(Priority.HIGH);
            final int lowBehind = facts.fill(Priority.LOW);
            findings.ordering("priorities", low > 0 && high > 0 && first == high && highAlone > 0 && lowBehind > 0,
                text("%d high ones taken behind %d low ones, and %d of them read first; %d low ones taken behind %d high ones",
                    high, low, first, lowBehind, highAlone));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static String text(final String format, final Object... values)
    {
        return String.format(Locale.ROOT, format, values);
    }
}
