// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

import org.tallypost.benchmarks.compare.ForkResult;
import org.tallypost.benchmarks.compare.MachineState;
import org.tallypost.benchmarks.compare.MachineStates;
import org.tallypost.benchmarks.compare.Probe;
import org.tallypost.benchmarks.compare.Spread;

/**
 * A figure with its spread over the rounds that are kept: those in the state of the machine in which most of the group has
 * rounds enough.
 *
 * @param series   of rounds.
 * @param samples  its rounds, as the machine was in them.
 * @param figure   mean nanoseconds, or messages per second; null if there is none.
 * @param p50Ns    spread of the rounds' medians in nanoseconds; null for rates.
 * @param p99Ns    the same of the 99th percentile.
 * @param p999Ns   the same of the 99.9th percentile.
 * @param probe    what the raw probes beside it saw; null if there is no round.
 * @param ratio    figure divided by that of the reference in the same round; of the 99th percentiles where the quiet sender is
 *                 concerned. Null if there is no such pair of rounds.
 * @param ratio999 the same of the 99.9th percentiles; null for others than the quiet sender.
 * @param rounds   kept.
 * @param state    of the machine in the rounds kept; null if none was kept.
 * @param invalid  why the figures cannot be trusted, or null.
 */
record StudyRow(
    Series series,
    List<Series.Sample> samples,
    Spread figure,
    Spread p50Ns,
    Spread p99Ns,
    Spread p999Ns,
    Spread probe,
    Spread ratio,
    Spread ratio999,
    int rounds,
    MachineState state,
    String invalid)
{
    /** With fewer rounds a median says little. */
    static final int MIN_ROUNDS = 5;

    /** The rows of all groups, in the order of their series. */
    static List<StudyRow> of(final List<Series> all)
    {
        final Map<String, List<Series>> groups = all.stream()
            .collect(Collectors.groupingBy((series) -> series.entry.group(), LinkedHashMap::new, Collectors.toList()));
        final MachineStates states =
            MachineStates.AUTO.around(all.stream().flatMap(Series::probes).toArray(Probe[]::new));
        final List<StudyRow> rows = new ArrayList<>();
        groups.values().forEach((group) ->
        {
            final MachineState state = MachineState.ofMost(
                group, (series, asked) -> kept(series.samples(states, asked), asked).size(), MIN_ROUNDS);
            group.forEach((series) -> rows.add(row(series, states, state)));
        });
        return rows;
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

    /** Whether further rounds may help a figure that has too few. */
    static boolean isLacking(final Collection<Series> all)
    {
        return of(List.copyOf(all)).stream().anyMatch((row) -> row.invalid() != null && row.series().wrong() == 0);
    }

    private static List<ForkResult.Run> kept(final List<Series.Sample> samples, final MachineState state)
    {
        return samples.stream().filter((sample) -> sample.state() == state).map(Series.Sample::run).toList();
    }

    private static StudyRow row(final Series series, final MachineStates states, final MachineState state)
    {
        final List<Series.Sample> samples = series.samples(states, state);
        final List<ForkResult.Run> kept = kept(samples, state);
        // without a round that can be trusted the others are shown, and marked
        final List<ForkResult.Run> runs = !kept.isEmpty() ? kept :
            samples.stream().map(Series.Sample::run).filter(Objects::nonNull).toList();
        final boolean hasPercentiles = runs.stream().anyMatch((run) -> run.p50Ns() > 0);
        final boolean isQuiet = series.entry.phase() != Phase.RATE;
        return new StudyRow(
            series,
            samples,
            spread(runs, ForkResult.Run::figure),
            hasPercentiles ? spread(runs, ForkResult.Run::p50Ns) : null,
            hasPercentiles ? spread(runs, ForkResult.Run::p99Ns) : null,
            hasPercentiles ? spread(runs, ForkResult.Run::p999Ns) : null,
            spread(runs, ForkResult.Run::probe),
            ratio(series, states, state, isQuiet ? ForkResult.Run::p99Ns : ForkResult.Run::figure),
            isQuiet ? ratio(series, states, state, ForkResult.Run::p999Ns) : null,
            kept.size(),
            kept.isEmpty() ? null : state,
            invalid(series, samples, kept.size(), state));
    }

    private static Spread spread(final List<ForkResult.Run> runs, final ToDoubleFunction<ForkResult.Run> value)
    {
        return runs.isEmpty() ? null : Spread.of(runs.stream().mapToDouble(value).toArray());
    }

    private static Spread ratio(
        final Series series,
        final MachineStates states,
        final MachineState state,
        final ToDoubleFunction<ForkResult.Run> value)
    {
        if (series.reference() == null)
        {
            return null;
        }
        final List<Series.Sample> own = series.samples(states, state);
        final List<Series.Sample> others = series.reference().samples(states, state);
        final List<Double> ratios = new ArrayList<>();
        for (int round = 0; round < Math.min(own.size(), others.size()); round++)
        {
            if (own.get(round).state() == state && others.get(round).state() == state)
            {
                ratios.add(value.applyAsDouble(own.get(round).run()) / value.applyAsDouble(others.get(round).run()));
            }
        }
        return ratios.isEmpty() ? null : Spread.of(ratios.stream().mapToDouble(Double::doubleValue).toArray());
    }

    private static String invalid(
        final Series series, final List<Series.Sample> samples, final int kept, final MachineState state)
    {
        if (series.notPossible() != null)
        {
            return null;
        }
        if (series.wrong() > 0)
        {
            return "wrong payload: " + series.wrong() + " messages did not arrive as they were sent";
        }
        if (kept >= MIN_ROUNDS)
        {
            return null;
        }
        final Map<String, Long> reasons = samples.stream()
            .filter((sample) -> sample.state() != state)
            .collect(Collectors.groupingBy(
            (sample) -> sample.why() != null ? sample.why() : "machine " + sample.state().label(),
            LinkedHashMap::new, Collectors.counting()));
        return kept + " of " + samples.size() + " rounds kept, " + MIN_ROUNDS + " are needed" +
            reasons.entrySet().stream().map((reason) -> reason.getValue() + " x " + reason.getKey())
            .collect(Collectors.joining("; ", reasons.isEmpty() ? "" : ": ", ""));
    }
}
