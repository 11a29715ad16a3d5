// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;

import org.tallypost.activemessages.LoggpKnobs.Knob;
import org.tallypost.benchmarks.process.WorkDirectory;
import org.tallypost.thesis.Cell;
import org.tallypost.thesis.Experiment;
import org.tallypost.thesis.Findings;
import org.tallypost.thesis.Plot;
import org.tallypost.thesis.Results;
import org.tallypost.thesis.Scale;
import org.tallypost.thesis.Series;
import org.tallypost.thesis.Sheet;
import org.tallypost.thesis.Source;

/**
 * The facts about the apparatus that varies LogGP's parameters: what active messages do, shown by live ranks without a clock; and
 * what each knob changes, shown by simulated ranks.
 */
public final class LoggpExperiment implements Experiment
{
    /** As the command line names it. */
    public static final String FIGURE = "loggp";

    private static final int RANKS = 32;
    /** Keys, nodes or vertices of a process. */
    private static final int SIZE = 24;
    private static final int FEWER = 2;
    private static final double NS_IN_US = 1_000;
    private static final long KNOB_NS = 2_000;
    /** 11 us for each 100 bytes. */
    private static final long KNOB_11_PS = 110_000;
    private static final int FRAGMENT = 4_096;
    private static final double EXACT = 1e-6;
    private static final int REQUESTS = 3_000;
    private static final int STORED = 10_000;
    private static final List<Integer> TIMES_US = List.of(0, 25, 50, 100);
    private static final int SWITCHES = 7;
    private static final int TOP_SWITCHES = 3;
    private static final int MACHINES_AT_SWITCH = 5;
    private static final int PORTS = 8;

    private final int ranks;
    private final int size;
    private Findings findings;

    /** Has run nothing. */
    public LoggpExperiment()
    {
        this(RANKS, SIZE);
    }

    /** With other programs than those that the source's facts are about. */
    LoggpExperiment(final int ranks, final int size)
    {
        this.ranks = ranks;
        this.size = size;
    }

    /**
     * The simulated machine.
     *
     * @return for the report.
     */
    public static Map<String, Object> description()
    {
        final LoggpTimes machine = LoggpStudy.MACHINE;
        final Map<String, Object> description = new LinkedHashMap<>();
        description.put("o", machine.overheadNs() + " ns");
        description.put("g", machine.gapNs() + " ns");
        description.put("G", machine.byteGapPs() + " ps for each byte");
        description.put("L", machine.latencyNs() + " ns");
        description.put("window", LoggpStudy.WINDOW);
        description.put("processes", RANKS);
        description.put("keys, nodes or vertices of a process", SIZE);
        return description;
    }

    @Override
    public Source source()
    {
        return Source.LOGGP;
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
    public List<Sheet> evaluate(final Scale scale, final Results results, final Findings to)
    {
        findings = to;
        tree();
        try
        {
            messages();
            knobs();
            final double[][] overhead = slowdowns(ranks, Knob.OVERHEAD, TIMES_US);
            final double[][] gap = slowdowns(ranks, Knob.GAP, TIMES_US);
            programs(overhead, gap);
            final List<Plot> plots = List.of(plot("overhead", overhead), plot("gap", gap));
            return List.of(new Sheet(FIGURE, "LogGP's apparatus: active messages, knobs, and five programs", List.of(
                "Active messages are live ranks of one thread, without times. Knobs and programs are simulated.",
                "The parameters of the simulated machine are not those of the source's pages, which do not have them."),
                description(), plots));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while ranks were simulated", ex);
        }
    }

    private static String text(final String format, final Object... values)
    {
        return String.format(Locale.ROOT, format, values);
    }

    /** Wires the two levels, machine by machine, and counts what hangs at each switch. */
    private void tree()
    {
        final int[] used = new int[SWITCHES + TOP_SWITCHES];
        for (int below = 0; below < SWITCHES; below++)
        {
            used[below] += MACHINES_AT_SWITCH;
            for (int top = 0; top < TOP_SWITCHES; top++)
            {
                used[below]++;
                used[SWITCHES + top]++;
            }
        }
        final boolean isEnough = Arrays.stream(used).allMatch((ports) -> ports <= PORTS);
        findings.ordering("tree", isEnough && used.length == 10 && SWITCHES * MACHINES_AT_SWITCH == 35,
            text("%d machines, %d switches, ports used: %s", SWITCHES * MACHINES_AT_SWITCH, used.length, Arrays.toString(used)));
    }

    private void messages() throws IOException
    {
        findings.number("short-words", MessageFacts.shortWords(), MessageFacts.shortWords() + " words");
        try (MessageFacts facts = new MessageFacts(WorkDirectory.defaultParent(), MessageFacts.MANY_SLOTS))
        {
            final int request = facts.longestRequest();
            findings.ordering("long-block", request == FRAGMENT && MessageFacts.longWords() == 2,
                text("%d words and %,d bytes", MessageFacts.longWords(), request));
            final int reply = facts.longestReply();
            findings.number("long-reply", reply, text("%,d bytes", reply));
            final long requests = facts.requestsOfStore(STORED);
            findings.number("packets", requests, text("%d requests for %,d bytes, which arrive", requests, STORED));
            final int handled = facts.handledBySending();
            findings.number("poll-on-send", handled, text("%d request carried out by a rank that only sends", handled));
        }
        try (MessageFacts facts = new MessageFacts(WorkDirectory.defaultParent(), MessageFacts.FEWEST_SLOTS))
        {
            final long[] flood = facts.floodAll(REQUESTS);
            findings.ordering("no-deadlock", flood[0] >= REQUESTS && flood[1] > 0, text("all of %,d or more requests answered " +
                "with %d slots for each sender, and answers had to wait for room", REQUESTS, MessageFacts.FEWEST_SLOTS));
        }
    }

    private void knobs() throws InterruptedException
    {
        knob("knob-o", Knob.OVERHEAD, KNOB_NS, 0, 1);
        knob("knob-g", Knob.GAP, KNOB_NS, 3);
        knob("knob-G", Knob.BYTE_GAP, KNOB_11_PS, 4);
        knob("knob-L", Knob.LATENCY, KNOB_NS, 2);
        final LoggpTimes with = LoggpStudy.MACHINE.with(Knob.BYTE_GAP, KNOB_11_PS);
        final double moreNs = SimulatedMeter.measure(with).byteGap() - SimulatedMeter.measure(LoggpStudy.MACHINE).byteGap();
        final double fragmentUs = moreNs * FRAGMENT / NS_IN_US;
        findings.number("fragment", fragmentUs, text("%.2f us more for %,d bytes", fragmentUs, FRAGMENT));
    }

    /** Whether a knob moves some figures by what it is set to, and no other. */
    private void knob(final String id, final Knob knob, final long value, final int... moved) throws InterruptedException
    {
        final LoggpSignature without = SimulatedMeter.measure(LoggpStudy.MACHINE);
        final LoggpSignature with = SimulatedMeter.measure(LoggpStudy.MACHINE.with(knob, value));
        final double expected = knob == Knob.BYTE_GAP ? value / NS_IN_US : value;
        final double[] changes = IntStream.range(0, LoggpSignature.FIGURES)
            .mapToDouble((i) -> with.figure(i) - without.figure(i)).toArray();
        final boolean isRight = IntStream.range(0, changes.length).allMatch((i) -> Math.abs(changes[i] -
            (Arrays.stream(moved).anyMatch((figure) -> figure == i) ? expected : 0)) < EXACT);
        findings.ordering(id, isRight, text("o sending %.0f, o receiving %.0f, L %.0f, g %.0f, G %.1f ns more", changes[0],
            changes[1], changes[2], changes[3], changes[4]));
    }

    /** For each program, how many times as long it takes with each value of a knob, the first of which is 0. */
    private double[][] slowdowns(final int processes, final Knob knob, final List<Integer> timesUs) throws InterruptedException
    {
        final double[][] slowdowns = new double[LoggpApp.values().length][timesUs.size()];
        for (final LoggpApp app : LoggpApp.values())
        {
            double baseNs = 0;
            for (int i = 0; i < timesUs.size(); i++)
            {
                final RunTime time = LoggpStudy.simulate(app, processes, size,
                    LoggpStudy.MACHINE.with(knob, (long)(timesUs.get(i) * NS_IN_US)));
                if (!time.isRight())
                {
                    throw new IllegalStateException(app + " has a wrong result with " + knob + " of " + timesUs.get(i) + " us");
                }
                baseNs = i == 0 ? time.ns() : baseNs;
                slowdowns[app.ordinal()][i] = time.ns() / baseNs;
            }
        }
        return slowdowns;
    }

    private void programs(final double[][] overheads, final double[][] gaps) throws InterruptedException
    {
        linear("linear-o", overheads);
        linear("linear-g", gaps);
        final List<Integer> most = List.of(0, TIMES_US.get(TIMES_US.size() - 1));
        final double[] overhead = last(overheads);
        slowdown("slowdown-o", overhead);
        slowdown("slowdown-o-16", last(slowdowns(ranks / FEWER, Knob.OVERHEAD, most)));
        final double[] latency = last(slowdowns(ranks, Knob.LATENCY, most));
        final long tolerant = IntStream.range(0, latency.length).filter((i) -> latency[i] < overhead[i] / 2).count();
        findings.number("tolerant-L", tolerant, text("%d of %d programs; times with 100 us more: %s", tolerant, latency.length,
            each(latency)));
    }

    private void slowdown(final String id, final double... times)
    {
        findings.number(id, Arrays.stream(times).max().orElseThrow(), "times with 100 us more: " + each(times));
    }

    private static double[] last(final double[]... slowdowns)
    {
        return Arrays.stream(slowdowns).mapToDouble((row) -> row[row.length - 1]).toArray();
    }

    private static String each(final double... values)
    {
        final StringBuilder list = new StringBuilder();
        for (final LoggpApp app : LoggpApp.values())
        {
            list.append(list.isEmpty() ? "" : ", ").append(app.label()).append(text(" %.1f", values[app.ordinal()]));
        }
        return list.toString();
    }

    private void linear(final String id, final double[]... slowdowns)
    {
        final double[] x = TIMES_US.stream().mapToDouble(Integer::doubleValue).toArray();
        final double least = Arrays.stream(slowdowns).mapToDouble((y) -> LineFit.of(x, y).r2()).min().orElseThrow();
        findings.number(id, least, text("R2 at least %.4f", least));
    }

    private static Plot plot(final String what, final double[]... slowdowns)
    {
        return new Plot("Slowdown by more " + what, Plot.Kind.LINE, "us more", "times",
            TIMES_US.stream().map(String::valueOf).toList(),
            Arrays.stream(LoggpApp.values()).map((app) -> new Series(app.label(),
                Arrays.stream(slowdowns[app.ordinal()]).boxed().toList())).toList());
    }
}
