// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

import org.tallypost.benchmarks.compare.Spread;

/**
 * A figure with its spread over the rounds.
 *
 * @param series   of rounds.
 * @param samples  its rounds.
 * @param figure   mean nanoseconds, or messages per second; null if there is none.
 * @param p50Ns    spread of the rounds' medians in nanoseconds; null for rates.
 * @param p99Ns    the same of the 99th percentile.
 * @param p999Ns   the same of the 99.9th percentile.
 * @param ratio    figure divided by that of the reference in the same round; of the 99th percentiles where the quiet sender is
 *                 concerned. Null if there is no such pair of rounds.
 * @param ratio999 the same of the 99.9th percentiles; null for others than the quiet sender.
 * @param rounds   that came to their end.
 * @param invalid  why the figures cannot be trusted, or null.
 */
record StudyRow(
    Series series,
    List<Series.Sample> samples,
    Spread figure,
    Spread p50Ns,
    Spread p99Ns,
    Spread p999Ns,
    Spread ratio,
    Spread ratio999,
    int rounds,
    String invalid)
{
    /** With fewer rounds a median says little. */
    static final int MIN_ROUNDS = 5;

    /** The rows in the order of their series. */
    static List<StudyRow> of(final List<Series> all)
    {
        return all.stream().map(StudyRow::row).toList();
    }

    /** Why no figure of several rows is valid, or null if one is. */
    static String whyNothingIsValid(final List<StudyRow> rows)
    {
        if (rows.stream().anyMatch((row) -> row.figure != null && row.invalid == null && row.series.notPossible() == null))
        {
            return null;
        }
        return rows.stream().filter((row) -> row.invalid != null).findFirst()
            .map((row) -> "none of " + rows.size() + " figures is valid; " + row.series.entry.transport() + ": " + row.invalid)
            .orElseGet(() -> rows.stream().map((row) -> row.series.notPossible()).filter(Objects::nonNull).findFirst()
            .map((why) -> "nothing can be measured: " + why).orElse("nothing was measured"));
    }

    private static StudyRow row(final Series series)
    {
        final List<Series.Sample> samples = series.samples();
        final List<TrialRun> runs = samples.stream().map(Series.Sample::run).filter(Objects::nonNull).toList();
        final boolean hasPercentiles = runs.stream().anyMatch((run) -> run.p50Ns() > 0);
        final boolean isQuiet = series.entry.phase() != Phase.RATE;
        return new StudyRow(
            series,
            samples,
            spread(runs, TrialRun::figure),
            hasPercentiles ? spread(runs, TrialRun::p50Ns) : null,
            hasPercentiles ? spread(runs, TrialRun::p99Ns) : null,
            hasPercentiles ? spread(runs, TrialRun::p999Ns) : null,
            ratio(series, isQuiet ? TrialRun::p99Ns : TrialRun::figure),
            isQuiet ? ratio(series, TrialRun::p999Ns) : null,
            runs.size(),
            invalid(series, samples, runs.size()));
    }

    private static Spread spread(final List<TrialRun> runs, final ToDoubleFunction<TrialRun> value)
    {
        return runs.isEmpty() ? null : Spread.of(runs.stream().mapToDouble(value).toArray());
    }

    private static Spread ratio(final Series series, final ToDoubleFunction<TrialRun> value)
    {
        if (series.reference() == null)
        {
            return null;
        }
        final List<Series.Sample> own = series.samples();
        final List<Series.Sample> others = series.reference().samples();
        final List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < Math.min(own.size(), others.size()); round++)
        {
            if (own.get(round).run() != null && others.get(round).run() != null)
            {
                ratios.add(value.applyAsDouble(own.get(round).run()) / value.applyAsDouble(others.get(round).run()));
            }
        }
        return ratios.isEmpty() ? null : Spread.of(ratios.stream().mapToDouble(Double::doubleValue).toArray());
    }

    private static String invalid(final Series series, final List<Series.Sample> samples, final int rounds)
    {
        if (series.notPossible() != null)
        {
            return null;
        }
        if (series.wrong() > 0)
        {
            return "wrong payload: " + series.wrong() + " messages did not arrive as they were sent";
        }
        if (rounds >= MIN_ROUNDS)
        {
            return null;
        }
        final Map<String, Long> reasons = samples.stream().map(Series.Sample::why).filter(Objects::nonNull)
            .collect(Collectors.groupingBy((why) -> why, LinkedHashMap::new, Collectors.counting()));
        return "found " + rounds + " rounds, expected " + MIN_ROUNDS +
            reasons.entrySet().stream().map((reason) -> reason.getValue() + " x " + reason.getKey())
            .collect(Collectors.joining("; ", reasons.isEmpty() ? "" : ": ", ""));
    }
}
