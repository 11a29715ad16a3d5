// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Makes the rows of a group out of its rounds. Only rounds of one state of the machine are put side by side: of the state in
 * which most transports have rounds enough.
 */
final class RowMaker
{
    /** With fewer rounds a median says little. */
    static final int MIN_ROUNDS = 5;

    private RowMaker()
    {
    }

    /**
     * Makes the rows.
     *
     * @param group   that they belong to.
     * @param results of each transport's rounds, in their order.
     * @param specs   of the transports' forks.
     * @param states of the machine's states.
     * @param cores   of the machine.
     * @return rows in the order of the transports.
     */
    static List<Row> rows(
        final Group group,
        final Map<TransportKind, List<ForkResult>> results,
        final Map<TransportKind, ForkSpec> specs,
        final MachineStates states,
        final int cores)
    {
        final MachineState state = state(results.values(), states);
        final Map<TransportKind, List<Row.Sample>> samples = new LinkedHashMap<>();
        results.forEach((kind, forks) -> samples.put(kind, samples(forks, states, state)));
        final List<Row> rows = new ArrayList<>();
        results.forEach((kind, forks) ->
            rows.add(row(group, kind, forks, samples.get(kind), state, specs.get(kind), cores)));
        return compareToBestPeer(group, rows);
    }

    static List<Row.Sample> samples(
        final List<ForkResult> forks, final MachineStates states, final MachineState state)
    {
        return forks.stream().map((fork) -> Row.Sample.of(fork, states, state)).toList();
    }

    /** The state in which the transports are put side by side. */
    static MachineState state(final Collection<List<ForkResult>> transports, final MachineStates states)
    {
        return MachineState.ofMost(
            transports, (forks, state) -> kept(samples(forks, states, state), state).size(), MIN_ROUNDS);
    }

    static List<Row.Sample> kept(final List<Row.Sample> samples, final MachineState state)
    {
        return samples.stream().filter((sample) -> sample.state() == state).toList();
    }

    private static Row row(
        final Group group,
        final TransportKind kind,
        final List<ForkResult> forks,
        final List<Row.Sample> samples,
        final MachineState state,
        final ForkSpec spec,
        final int cores)
    {
        final List<Row.Sample> kept = kept(samples, state);
        // Without a round that can be trusted the others are shown, and marked.
        final List<ForkResult.Run> runs = (kept.isEmpty() ? samples : kept).stream()
            .map(Row.Sample::run).filter(Objects::nonNull).toList();
        final long wrong = forks.stream().mapToLong(ForkResult::wrong).sum();
        final boolean isTime = group.mode() != Mode.RATE;
        return new Row(
            kind.label(),
            group,
            runs.isEmpty() ? null : spread(runs, ForkResult.Run::figure),
            isTime ? median(runs, ForkResult.Run::p50Ns) : null,
            isTime ? median(runs, ForkResult.Run::p99Ns) : null,
            isTime ? median(runs, ForkResult.Run::p999Ns) : null,
            ratio(kept.isEmpty() ? samples : kept),
            null,
            kept.size(),
            samples.size(),
            kept.isEmpty() ? null : state,
            spec.isOversubscribed(cores),
            forks.stream().mapToLong(ForkResult::bufferBytes).max().orElse(0),
            wrong,
            samples,
            invalid(samples, kept.size(), state, wrong));
    }

    private static String invalid(
        final List<Row.Sample> samples, final int kept, final MachineState state, final long wrong)
    {
        if (wrong > 0)
        {
            return "wrong payload: " + wrong + " messages did not arrive as they were sent";
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
            (reasons.isEmpty() ? "" : reasons.entrySet().stream()
            .map((reason) -> reason.getValue() + " x " + reason.getKey()).collect(Collectors.joining("; ", ": ", "")));
    }

    private static Spread spread(final List<ForkResult.Run> runs, final ToDoubleFunction<ForkResult.Run> value)
    {
        return Spread.of(runs.stream().mapToDouble(value).toArray());
    }

    private static Double ratio(final List<Row.Sample> samples)
    {
        final double[] ratios =
            samples.stream().filter((sample) -> sample.run() != null).mapToDouble(Row.Sample::ratio).toArray();
        return ratios.length == 0 ? null : Double.valueOf(Spread.of(ratios).median());
    }

    private static Double median(final List<ForkResult.Run> runs, final ToDoubleFunction<ForkResult.Run> value)
    {
        return runs.isEmpty() ? null : spread(runs, value).median();
    }

    /** Beside figures that cannot be trusted nothing is compared. */
    private static List<Row> compareToBestPeer(final Group group, final List<Row> rows)
    {
        final double[] peers = rows.stream()
            .filter((row) -> row.invalid() == null && TransportKind.of(row.transport()).isPeer())
            .mapToDouble((row) -> row.figure().median()).toArray();
        if (peers.length == 0)
        {
            return rows;
        }
        final Spread all = Spread.of(peers);
        final double best = group.mode() != Mode.RATE ? all.min() : all.max();
        return rows.stream().map((row) ->
            row.figure() == null ? row : row.withRatioToBestPeer(row.figure().median() / best)).toList();
    }
}
