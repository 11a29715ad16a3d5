// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

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
    private final long maxNs;
    /** Of all probes so far: what the states of the machine are measured against. */
    private Probe[] probes = {};

    /**
     * A comparison.
     *
     * @param settings what is compared.
     * @param runner   of the forks.
     * @param cores    of the machine.
     * @param maxNs    after which no round begins, the same share of it for each group; 0 for no limit.
     * @param progress hears of each round.
     */
    Comparison(
        final Settings settings, final ForkRunner runner, final int cores, final long maxNs, final Consumer<String> progress)
    {
        this.maxNs = maxNs;
        this.settings = settings;
        this.runner = runner;
        this.cores = cores;
        this.progress = progress;
    }

    List<Row> run() throws IOException, InterruptedException
    {
        final Map<Group, Map<TransportKind, ForkSpec>> allSpecs = new LinkedHashMap<>();
        final Map<Group, Map<TransportKind, List<ForkResult>>> allResults = new LinkedHashMap<>();
        final long startNs = System.nanoTime();
        for (final Group group : settings.groups())
        {
            final long shareNs = maxNs * (allSpecs.size() + 1) / settings.groups().size();
            final Map<TransportKind, ForkSpec> specs = new LinkedHashMap<>();
            final Map<TransportKind, List<ForkResult>> results = new LinkedHashMap<>();
            for (final TransportKind kind : settings.transports(group))
            {
                specs.put(kind, settings.spec(group, kind));
                results.put(kind, new ArrayList<>());
            }
            for (int round = 0; round < settings.rounds() && hasTime(startNs, shareNs); round++)
            {
                progress.accept(group.title() + ": round " + (round + 1) + " of " + settings.rounds());
                final List<TransportKind> order = new ArrayList<>(specs.keySet());
                // nobody is always the one after the same neighbour
                Collections.rotate(order, round);
                round(order, specs, results);
            }
            for (int extra = 0; extra < settings.extraRounds() && hasTime(startNs, shareNs); extra++)
            {
                final List<TransportKind> lacking = lacking(specs, results);
                if (lacking.isEmpty())
                {
                    break;
                }
                progress.accept(group.title() + ": extra round " + (extra + 1) + " for " + lacking.size() + " transports");
                round(lacking, specs, results);
            }
            allSpecs.put(group, specs);
            allResults.put(group, results);
        }
        // only now is it known how fast the machine can be
        final List<Row> rows = new ArrayList<>();
        allResults.forEach((group, results) ->
            rows.addAll(RowMaker.rows(group, results, allSpecs.get(group), states(), cores)));
        return rows;
    }

    private boolean hasTime(final long startNs, final long shareNs)
    {
        return maxNs == 0 || System.nanoTime() - startNs < shareNs;
    }

    /** Those by which rounds are kept, as far as is known now. */
    MachineStates states()
    {
        return settings.states().around(probes);
    }

    /** The same as data. */
    ObjectNode statesTree()
    {
        final MachineStates states = states();
        return JsonNodeFactory.instance.objectNode()
            .put("auto", settings.states().unknown())
            .put("nearBelowNs", states.nearNs())
            .put("fastBelowNs", states.fastNs())
            .put("slowBelowNs", states.slowNs())
            .put("sharedAboveWorkNs", states.workNs());
    }

    /** How rounds were chosen, for whoever reads the figures. */
    String describeStates()
    {
        final MachineStates states = states();
        if (states.unknown())
        {
            return "states of the machine: nothing was seen of it";
        }
        final String origin = settings.states().unknown() ? String.format(Locale.ROOT,
            "fast is within a factor of %s of %.0f ns, which a tenth of all probes were below",
            MachineStates.FAST_FACTOR, states.fastNs() / MachineStates.FAST_FACTOR) : "as given";
        return String.format(Locale.ROOT, "machine states by the raw round trip: fast from %.0f to %.0f ns, slow below " +
            "%.0f ns, else not kept; %s%s", states.nearNs(), states.fastNs(), states.slowNs(), origin, describeShared(states));
    }

    private static String describeShared(final MachineStates states)
    {
        return states.workNs() == 0 ? "" : String.format(Locale.ROOT, "; shared is a fast machine on which a piece of work for " +
            "one core takes one of the first two parties more than %.0f ns, %s times what it took in a tenth of all probes: " +
            "somebody else may use the other half of that core", states.workNs(), MachineStates.WORK_FACTOR);
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
                final ForkResult result = runner.run(specs.get(kind).withStates(states()));
                probes = Stream.concat(Arrays.stream(probes), result.probes()).toArray(Probe[]::new);
                results.get(kind).add(result);
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
    private List<TransportKind> lacking(
        final Map<TransportKind, ForkSpec> specs, final Map<TransportKind, List<ForkResult>> results)
    {
        final MachineStates states = states();
        final MachineState state = RowMaker.state(results.values(), states);
        return specs.keySet().stream()
            .filter((kind) -> RowMaker.kept(RowMaker.samples(results.get(kind), states, state), state).size() <
            RowMaker.MIN_ROUNDS)
            .filter((kind) -> !hasFailed(results.get(kind)) &&
            results.get(kind).stream().allMatch((result) -> result.wrong() == 0))
            .toList();
    }
}
