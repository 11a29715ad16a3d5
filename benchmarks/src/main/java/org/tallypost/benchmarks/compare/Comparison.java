// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Runs all forks, round by round over all transports, so that whatever happens to the machine happens to all of them.
 */
final class Comparison
{
    /** A transport that fails so many times in a row fails always. */
    private static final int MAX_FAILURES = 2;

    private final Settings settings;
    private final ForkRunner runner;
    private final int cores;
    private final Consumer<String> progress;

    Comparison(final Settings settings, final ForkRunner runner, final int cores, final Consumer<String> progress)
    {
        this.settings = settings;
        this.runner = runner;
        this.cores = cores;
        this.progress = progress;
    }

    List<Row> run() throws IOException, InterruptedException
    {
        final List<Row> rows = new ArrayList<>();
        for (final Group group : settings.groups())
        {
            final Map<TransportKind, ForkSpec> specs = new LinkedHashMap<>();
            final Map<TransportKind, List<ForkResult>> results = new LinkedHashMap<>();
            for (final TransportKind kind : settings.transports(group))
            {
                specs.put(kind, settings.spec(group, kind));
                results.put(kind, new ArrayList<>());
            }
            for (int round = 0; round < settings.rounds(); round++)
            {
                progress.accept(group.title() + ": round " + (round + 1) + " of " + settings.rounds());
                final List<TransportKind> order = new ArrayList<>(specs.keySet());
                // nobody is always the one after the same neighbour
                Collections.rotate(order, round);
                round(order, specs, results);
            }
            for (int extra = 0; extra < settings.extraRounds(); extra++)
            {
                final List<TransportKind> lacking = lacking(specs, results);
                if (lacking.isEmpty())
                {
                    break;
                }
                progress.accept(group.title() + ": extra round " + (extra + 1) + " for " + lacking.size() + " transports");
                round(lacking, specs, results);
            }
            rows.addAll(RowMaker.rows(group, results, specs, cores));
        }
        return rows;
    }

    private void round(
        final List<TransportKind> order,
        final Map<TransportKind, ForkSpec> specs,
        final Map<TransportKind, List<ForkResult>> results) throws IOException, InterruptedException
    {
        for (final TransportKind kind : order)
        {
            if (!hasFailed(results.get(kind)))
            {
                results.get(kind).add(runner.run(specs.get(kind)));
            }
        }
    }

    private static boolean hasFailed(final List<ForkResult> results)
    {
        final int size = results.size();
        return size >= MAX_FAILURES &&
            results.subList(size - MAX_FAILURES, size).stream().allMatch((result) -> result.failure() != null);
    }

    /** Transports with too few rounds in the state that most of the others are in. */
    private static List<TransportKind> lacking(
        final Map<TransportKind, ForkSpec> specs, final Map<TransportKind, List<ForkResult>> results)
    {
        final Map<TransportKind, List<Row.Sample>> samples = new LinkedHashMap<>();
        results.forEach((kind, forks) -> samples.put(kind, RowMaker.samples(forks, specs.get(kind))));
        final MachineState state = RowMaker.state(samples.values());
        return specs.keySet().stream()
            .filter((kind) -> RowMaker.kept(samples.get(kind), state).size() < RowMaker.MIN_ROUNDS)
            .filter((kind) -> !hasFailed(results.get(kind)) &&
            results.get(kind).stream().allMatch((result) -> result.wrong() == 0))
            .toList();
    }
}
