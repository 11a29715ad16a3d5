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


/**
 * Runs the trials of buffers and isolation, round by round over all contenders, so that whatever happens to the machine
 * happens to all of them.
 */
final class Trials
{
    /**
     * Runs one trial.
     */
    interface Runner
    {
        JvmRunner.Outcome<List<TrialResult>> run(TrialSpec spec) throws IOException, InterruptedException;
    }

    private final TrialSpec template;
    private final List<Contender> contenders;
    private final Rounds rounds;
    private final Runner runner;
    private final Consumer<String> progress;

    /**
     * Prepares the trials.
     *
     * @param template   of all trials; its points are those of all contenders.
     * @param contenders in the order of reports.
     * @param rounds     of each.
     */
    Trials(
        final TrialSpec template,
        final List<Contender> contenders,
        final Rounds rounds,
        final Runner runner,
        final Consumer<String> progress)
    {
        this.template = template;
        this.contenders = contenders;
        this.rounds = rounds;
        this.runner = runner;
        this.progress = progress;
    }

    static Runner inJvms(final JvmRunner jvms)
    {
        return (spec) -> jvms.run(
            TrialFork.class,
            (directory) ->
            {
                TrialFork.writeSpec(directory, spec);
                return null;
            },
            TrialFork::readResults,
            spec.timeoutMs());
    }

    /** What is measured, of which contender, where and when; the reference of each is there before it. */
    private record Key(Contender contender, TrialSpec.Point point, Phase phase)
    {
    }

    /** Runs everything for one number of senders. */
    List<Series> run(final int senders) throws IOException, InterruptedException
    {
        final Map<Key, Series> series = series(senders);
        for (int round = 0; rounds.goOn(round); round++)
        {
            progress.accept(template.study().label() + ", " + senders + (senders == 1 ? " sender" : " senders") + ": " +
                rounds.title(round));
            final List<Contender> order = new ArrayList<>(contenders);
            // none is always the one after the same neighbour
            Collections.rotate(order, round);
            for (final Contender contender : order)
            {
                final List<TrialSpec.Point> points = new ArrayList<>(template.points().stream()
                    .filter((point) -> contender.whyNot(point.bytes(), senders, template.length()) == null).toList());
                if (!points.isEmpty())
                {
                    Collections.rotate(points, round);
                    add(series, template.with(contender, senders, points));
                }
            }
        }
        return List.copyOf(series.values());
    }

    private void add(final Map<Key, Series> series, final TrialSpec spec) throws IOException, InterruptedException
    {
        final JvmRunner.Outcome<List<TrialResult>> outcome = runner.run(spec);
        if (outcome.failure() != null)
        {
            progress.accept(spec.contender().label() + ": " + outcome.failure());
            spec.points().forEach((point) -> spec.study().phases().forEach((phase) ->
                series.get(new Key(spec.contender(), point, phase)).addFailure(outcome.failure())));
            return;
        }
        for (final TrialResult result : outcome.value())
        {
            final Series own = series.get(new Key(spec.contender(), result.point(), result.phase()));
            own.sizes(result.bufferBytes(), result.fileBytes(), result.slotsPerSender());
            own.add(result.runs(), result.wrong());
        }
    }

    private Map<Key, Series> series(final int senders)
    {
        final Map<Key, Series> all = new LinkedHashMap<>();
        for (final TrialSpec.Point point : template.points())
        {
            for (final Contender contender : contenders)
            {
                for (final Phase phase : template.study().phases())
                {
                    final Series series = new Series(new Series.Entry(title(point, senders), contender.label(),
                        phase, senders, template.length(), point.bytes(), point.work()));
                    all.put(new Key(contender, point, phase), series.notPossible(
                        contender.whyNot(point.bytes(), senders, template.length())));
                }
            }
        }
        all.forEach((key, series) -> series.comparedWith(all.get(reference(key))));
        return all;
    }

    /** A flood is compared with the same transport alone, a rate with Agrona's in the same bytes. */
    private static Key reference(final Key key)
    {
        return switch (key.phase)
        {
            case ALONE -> null;
            case FLOOD -> new Key(key.contender, key.point, Phase.ALONE);
            case RATE -> key.contender == Contender.AGRONA_MANY_TO_ONE ? null :
                new Key(Contender.AGRONA_MANY_TO_ONE, key.point, key.phase);
        };
    }

    private String title(final TrialSpec.Point point, final int senders)
    {
        return template.study() == Study.ISOLATION ?
            String.format("%,d bytes, %d steps of work for each message", point.bytes(), point.work()) :
            String.format("%d %s, %,d bytes", senders, senders == 1 ? "sender" : "senders", point.bytes());
    }
}
