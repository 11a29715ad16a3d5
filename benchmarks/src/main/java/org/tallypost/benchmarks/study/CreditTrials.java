// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

import org.tallypost.benchmarks.compare.AeronDriver;
import org.tallypost.benchmarks.compare.ForkResult;
import org.tallypost.benchmarks.compare.ForkRunner;
import org.tallypost.benchmarks.compare.ForkSpec;
import org.tallypost.benchmarks.compare.MachineStates;
import org.tallypost.benchmarks.compare.Mode;
import org.tallypost.benchmarks.compare.Scope;
import org.tallypost.benchmarks.compare.TransportKind;

/**
 * Runs the study of what credits cost: the endpoint with each flow control in the same memory, and with little memory beside
 * Agrona's ring with a lot. One sender, forks of the comparison.
 *
 * @param scope      threads or processes.
 * @param parts      of the study: rtt, rate, few (slots).
 * @param rounds     of each.
 * @param durationMs of a run in milliseconds.
 * @param warmups    runs that are discarded.
 * @param attempts   runs at most in each fork.
 * @param probeMs    of a probe in milliseconds.
 * @param timeoutMs  of a fork in milliseconds.
 */
record CreditTrials(
    Scope scope,
    List<String> parts,
    Rounds rounds,
    int durationMs,
    int warmups,
    int attempts,
    int probeMs,
    int timeoutMs)
{
    /** The part with few slots. */
    static final String FEW = "few";
    /** 64 KiB. */
    static final int SLOTS = 1024;
    /** 1 KiB for the sender. */
    static final int FEW_SLOTS = 16;
    private static final int SLOT_LENGTH = 64;
    private static final int SMALL = 48;
    private static final int LARGE = 2048;
    private static final int RANKS = 2;
    private static final List<Contender> FLOWS =
        List.of(Contender.TALLYPOST_NONE, Contender.TALLYPOST_STATIC, Contender.TALLYPOST_DYNAMIC);

    List<Series> run(final ForkRunner runner, final Consumer<String> progress) throws IOException, InterruptedException
    {
        final Map<Series, ForkSpec> specs = new LinkedHashMap<>();
        for (final Mode mode : Mode.values())
        {
            for (final int length : parts.contains(mode.label()) ? new int[]{ SMALL, LARGE } : new int[0])
            {
                addFlows(specs, mode, length);
            }
        }
        if (parts.contains(FEW))
        {
            addFewSlots(specs);
        }
        for (int round = 0; rounds.goOn(round, specs.keySet()); round++)
        {
            progress.accept("credits: " + rounds.title(round));
            final List<Series> order = new ArrayList<>(specs.keySet());
            Collections.rotate(order, round);
            for (final Series series : order)
            {
                add(series, specs.get(series), runner.run(specs.get(series)), progress);
            }
        }
        return List.copyOf(specs.keySet());
    }

    private static void add(
        final Series series, final ForkSpec spec, final ForkResult result, final Consumer<String> progress)
    {
        if (result.failure() != null)
        {
            progress.accept(series.entry.transport() + ": " + result.failure());
            series.addFailure(result.failure());
            return;
        }
        series.sizes(result.bufferBytes(), 0,
            spec.transport() == TransportKind.TALLYPOST_ENDPOINT ? spec.slots() / spec.parties() : 0);
        series.add(result.runs(), result.wrong());
    }

    private void addFlows(final Map<Series, ForkSpec> specs, final Mode mode, final int length)
    {
        final String title = (mode == Mode.RTT ? "round trip" : "rate") + String.format(", %,d bytes", length);
        Series none = null;
        for (final Contender contender : FLOWS)
        {
            final Series series = series(title, contender, mode, length, SLOTS).comparedWith(none);
            none = none == null ? series : none;
            specs.put(series, spec(contender, mode, length, SLOTS));
        }
    }

    private void addFewSlots(final Map<Series, ForkSpec> specs)
    {
        final String title = "rate, " + SMALL + " bytes, " + FEW_SLOTS + " slots for the sender beside 64 KiB";
        final Series agrona = series(title, Contender.AGRONA_MANY_TO_ONE, Mode.RATE, SMALL, SLOTS);
        specs.put(agrona, spec(Contender.AGRONA_MANY_TO_ONE, Mode.RATE, SMALL, SLOTS));
        for (final Contender contender : List.of(Contender.TALLYPOST_STATIC, Contender.TALLYPOST_DYNAMIC))
        {
            specs.put(series(title, contender, Mode.RATE, SMALL, RANKS * FEW_SLOTS).comparedWith(agrona),
                spec(contender, Mode.RATE, SMALL, RANKS * FEW_SLOTS));
        }
    }

    private Series series(
        final String title, final Contender contender, final Mode mode, final int length, final int slots)
    {
        return new Series(
            new Series.Entry(title, contender.label(), mode, Phase.RATE, 1, length, (long)slots * SLOT_LENGTH, 0));
    }

    private ForkSpec spec(final Contender contender, final Mode mode, final int length, final int slots)
    {
        return new ForkSpec(contender.kind(), mode, scope, length, 1, slots, durationMs, warmups, attempts, probeMs,
            MachineStates.AUTO, contender.flow(), AeronDriver.EMBEDDED, false, false, timeoutMs);
    }
}
