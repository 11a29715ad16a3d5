// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * How much longer a message takes when further receives are posted, for each transport that was measured with and without them.
 * The subject has pairs of turns with both; of another transport it is the ratio of the subject's ratios to the two.
 */
final class Factors
{
    private Factors()
    {
    }

    static List<String> notes(final List<Row> rows, final Settings settings)
    {
        final List<String> notes = new ArrayList<>();
        for (final Group group : settings.groups())
        {
            final List<Row> members = rows.stream().filter((row) -> row.group().equals(group)).toList();
            settings.contestants().stream().filter((contestant) -> !contestant.beside().isNothing())
                .map((contestant) -> note(group, members, contestant)).flatMap(Optional::stream).forEach(notes::add);
        }
        return notes;
    }

    private static Optional<String> note(final Group group, final List<Row> rows, final Contestant beside)
    {
        final double alone = ratio(rows, beside.kind().label());
        final double with = ratio(rows, beside.label());
        // of the subject to each of the two, in turns that were adjacent
        final double factor = group.isMoreBetter() ? with / alone : alone / with;
        final double moreNs = perMessageNs(group, rows, beside.label()) - perMessageNs(group, rows, beside.kind().label());
        return Double.isFinite(factor) && Double.isFinite(moreNs) ? Optional.of(String.format(Locale.ROOT,
            "%s: %s with %s posted beside takes %.2f times as long, %+.0f ns for a message by the medians",
            group.title(), beside.kind().label(), beside.beside().text(), factor, moreNs)) : Optional.empty();
    }

    /** The subject's to a transport; 1 to itself, not a number if there is none that is valid. */
    private static double ratio(final List<Row> rows, final String transport)
    {
        final Optional<Row> held = rows.stream().filter((row) -> transport.equals(row.against())).findFirst();
        if (held.isPresent())
        {
            return held.get().invalid() != null || held.get().ratio() == null ? Double.NaN : held.get().ratio().median();
        }
        return rows.stream().anyMatch((row) -> row.against() == null && row.transport().equals(transport)) ? 1 : Double.NaN;
    }

    /** One way. */
    private static double perMessageNs(final Group group, final List<Row> rows, final String transport)
    {
        final double figure = rows.stream().filter((row) -> row.against() == null && row.transport().equals(transport))
            .filter((row) -> row.figure() != null).mapToDouble((row) -> row.figure().median()).findFirst().orElse(Double.NaN);
        return group.isMoreBetter() ? 1e9 * group.unit() / figure : figure / 2;
    }
}
