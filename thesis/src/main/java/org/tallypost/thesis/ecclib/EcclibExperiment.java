// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.ecclib;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntPredicate;
import java.util.function.IntToDoubleFunction;
import java.util.stream.IntStream;

import org.tallypost.schedule.Barrier;
import org.tallypost.thesis.Cell;
import org.tallypost.thesis.Experiment;
import org.tallypost.thesis.Findings;
import org.tallypost.thesis.Plot;
import org.tallypost.thesis.Results;
import org.tallypost.thesis.Scale;
import org.tallypost.thesis.Series;
import org.tallypost.thesis.Sheet;
import org.tallypost.thesis.Source;
import org.tallypost.thesis.rudp.Asking;
import org.tallypost.thesis.rudp.RudpSettings;

/**
 * The facts of the thesis about ECCLib that follow from its formulas, its tables, and its algorithms on a bus and a switch. Runs
 * of its own, small ones, whatever the scale.
 */
public final class EcclibExperiment implements Experiment
{
    /** As the command line names it. */
    public static final String FIGURE = "ecclib";

    private static final int FLOAT = 4;
    /** Floats of a broadcast. */
    private static final List<Integer> SIZES = List.of(8, 128, 1_024, 16_384, 130_600, 1_167_200);
    private static final int MUCH = 1_167_200 * FLOAT;
    /** Bytes of a portion. */
    private static final int PORTION = 130_600 * FLOAT;
    private static final int LARGEST_PORTION = 783_600 * FLOAT;
    private static final List<Integer> RECEIVERS = List.of(1, 2, 3, 4, 5, 6, 7);
    private static final List<Integer> PACKETS = List.of(512, 1_024, 2_048, 5_120, 10_240, 20_480);
    private static final List<Integer> BURSTS = List.of(16, 32, 64, 96, 160, 256);
    private static final double SWEEP_LOSS = 0.001;
    private static final int SWEEP_SEEDS = 3;
    private static final List<Integer> LOSSES = List.of(0, 1, 2, 5, 10, 20);
    private static final int LOSS_SEEDS = 5;
    private static final int MOST_PROCESSES = 16;

    private final long seed;
    private Findings findings;

    /**
     * Has run nothing.
     *
     * @param seed of losses.
     */
    public EcclibExperiment(final long seed)
    {
        this.seed = seed;
    }

    /**
     * The networks that are simulated, and what is fitted.
     *
     * @return for the report.
     */
    public static Map<String, Object> description()
    {
        final Map<String, Object> description = new LinkedHashMap<>(Network.SLOW.description());
        description.putAll(Network.FAST.description());
        return description;
    }

    @Override
    public Source source()
    {
        return Source.ECCLIB;
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
        formulas();
        schedules();
        tables();
        receivers();
        algorithms();
        smallBroadcasts();
        incast();
        final List<Plot> plots = new ArrayList<>();
        plots.add(overReceivers(Network.SLOW));
        plots.add(overReceivers(Network.FAST));
        plots.add(overData(1));
        plots.add(overData(7));
        plots.add(sweep(Network.SLOW, "sweep-10"));
        plots.add(sweep(Network.FAST, "sweep-100"));
        plots.add(overLosses());
        final Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("RUDP at 10 Mb/s", settings(RudpSettings.SLOW));
        parameters.put("RUDP at 100 Mb/s", settings(RudpSettings.FAST));
        parameters.put("losses in the sweep", SWEEP_LOSS * 100 + "% at each receiver, " + SWEEP_SEEDS + " seeds from " + seed +
            " on");
        return List.of(new Sheet(FIGURE, "ECCLib: formulas, and collectives on a bus and a switch", List.of("The bus has " +
            "one transmission at a time, without collisions; the switch has room for all that waits. " +
            "Hosts are equally fast. RUDP runs as it is, with real bursts and bitmaps; messages go in segments over " +
            "connections.",
            "Start-up costs are fitted to the source's tables. They decide one fact, that with 1,024 floats."),
            parameters, plots));
    }

    private static String settings(final RudpSettings settings)
    {
        return settings.packetLength() + " bytes, " + settings.burstPackets() + " packets, " + settings.asking();
    }

    private static String text(final String format, final Object... values)
    {
        return String.format(Locale.ROOT, format, values);
    }

    private void formulas()
    {
        final List<Integer> trees = List.of(1, 3, 7, 15, 31);
        final List<Long> volumes = trees.stream().map((k) -> Formulas.treeVolume(k, 1)).toList();
        findings.ordering("volume", volumes.equals(List.of(0L, 2L, 8L, 22L, 52L)), volumes + " portions");
        findings.ordering("volume-sum", IntStream.rangeClosed(1, 20).map((levels) -> (1 << levels) - 1).allMatch((k) ->
            Formulas.treeVolume(k, 3) == Formulas.treeVolumeBySum(k, 3)), "compared for 1 to 20 levels");
        final double off = Formulas.treeVolumeRoughly(15, 1) / (double)Formulas.treeVolume(15, 1);
        findings.number("volume-roughly", off, text("%.2f times with 3, 7, 15, 31 processes: %s", off, trees.stream().skip(1)
            .map((k) -> text("%.2f", Formulas.treeVolumeRoughly(k, 1) / (double)Formulas.treeVolume(k, 1))).toList()));
        final DoubleUnaryOperator share = (n) -> Math.log(n) / Math.log(2) / n;
        findings.ordering("logarithm", IntStream.rangeClosed(2, 40).allMatch((exponent) ->
            share.applyAsDouble(Math.pow(2, exponent + 1)) < share.applyAsDouble(Math.pow(2, exponent))),
            text("%.1e at 2^40", share.applyAsDouble(Math.pow(2, 40))));
    }

    private static List<Integer> processesFor(final IntPredicate holds)
    {
        return IntStream.rangeClosed(2, MOST_PROCESSES).filter(holds).boxed().toList();
    }

    private void schedules()
    {
        final List<Integer> butterflies = processesFor((k) ->
            ScheduleRun.of(Network.FAST, new ButterflySchedule(k, 0), 0, 0).hasAllHeardOfAll());
        final List<Integer> disseminations = processesFor((k) ->
            ScheduleRun.of(Network.FAST, new Barrier(k, 1), 0, 0).hasAllHeardOfAll());
        findings.ordering("butterfly", butterflies.size() == MOST_PROCESSES - 1, "of 2 to 16 processes all hear of all with " +
            butterflies + "; by dissemination with " + (disseminations.size() == MOST_PROCESSES - 1 ? "all" : disseminations));
        final List<Integer> asMany = processesFor((k) -> ScheduleRun.of(Network.FAST,
            new LinearSchedule(LinearSchedule.Kind.TO_AND_FROM_ROOT, k, 0), 0, 0).messages() == 2 * (k - 1));
        findings.ordering("linear-barrier", asMany.size() == MOST_PROCESSES - 1, "with " + asMany.size() + " of 15 numbers");
        final List<Long> sent = RECEIVERS.stream().map((receivers) ->
            RudpRun.of(Network.FAST, RudpRun.Task.of(RudpSettings.FAST, MUCH, receivers)).sender().sent()).distinct().toList();
        findings.ordering("one-transmission", sent.equals(List.of((long)RudpSettings.FAST.packets(MUCH))),
            "packets sent to 1 to 7 receivers: " + sent);
    }

    private void tables()
    {
        final double many = LARGEST_PORTION * 8.0;
        findings.number("table-8.2-default", Measures.megabytes(many, 2.732121e9),
            text("%.2f MB/s", Measures.megabytes(many, 2.732121e9)));
        findings.number("table-8.2-direct", Measures.megabytes(many, 3.413393e9),
            text("%.2f MB/s", Measures.megabytes(many, 3.413393e9)));
        // tables 8.1 and 8.3, 10 Mb/s, 1 to 3 receivers
        final double[] pvm = { 0.020, 0.030, 0.040 };
        final double[] lam = { 0.0010, 0.0010, 0.0060 };
        final double[] lamDirect = { 0.0001, 0.0003, 0.0005 };
        ratios("table-8.3-default", pvm, lam);
        ratios("table-8.3-direct", pvm, lamDirect);
    }

    private void ratios(final String id, final double[] slower, final double[] faster)
    {
        final double[] ratios = IntStream.range(0, slower.length).mapToDouble((i) -> slower[i] / faster[i]).toArray();
        findings.number(id, IntStream.range(0, ratios.length).mapToDouble((i) -> ratios[i]).min().orElseThrow(),
            text("%.1f, %.1f, %.1f times with 1, 2, 3 receivers", ratios[0], ratios[1], ratios[2]));
    }

    /** A number that is a ratio of two times. */
    private void ratio(final String id, final double above, final double below, final String what)
    {
        findings.number(id, above / below, text("%.3f: %s %.3f and %.3f s", above / below, what, above / 1e9, below / 1e9));
    }

    private void receivers()
    {
        ratio("receivers-10", Measures.rudpNs(Network.SLOW, RudpSettings.SLOW, MUCH, 1),
            Measures.rudpNs(Network.SLOW, RudpSettings.SLOW, MUCH, 2), "RUDP to 1 and 2,");
        ratio("receivers-100", Measures.rudpNs(Network.FAST, RudpSettings.FAST, MUCH, 1),
            Measures.rudpNs(Network.FAST, RudpSettings.FAST, MUCH, 7), "RUDP to 1 and 7,");
        ratio("linear-2", Measures.linearNs(Network.SLOW, MUCH, 1), Measures.linearNs(Network.SLOW, MUCH, 2), "to 1 and 2,");
        ratio("linear-3", Measures.lamNs(Network.SLOW, MUCH, 1), Measures.lamNs(Network.SLOW, MUCH, 3), "to 1 and 3,");
        ratio("double-10", Measures.lamNs(Network.SLOW, MUCH, 3), Measures.rudpNs(Network.SLOW, RudpSettings.SLOW, MUCH, 3),
            "LAM and RUDP to 3,");
        ratio("tcp-scales", Measures.tcpNs(Network.FAST, MUCH, 7), Measures.tcpNs(Network.FAST, MUCH, 1), "TCP to 7 and 1,");
        final double[] ahead = SIZES.stream().mapToDouble((floats) -> Measures.lamNs(Network.FAST, floats * FLOAT, 4) /
            Measures.rudpNs(Network.FAST, RudpSettings.FAST, floats * FLOAT, 4)).toArray();
        findings.number("crossing", ahead[2], text("RUDP takes 1/%.2f of LAM's time", ahead[2]));
        findings.ordering("ahead", ahead[3] > 1 && ahead[4] > ahead[3] && ahead[5] > ahead[4],
            text("LAM's time over RUDP's: %.2f, %.2f, %.2f", ahead[3], ahead[4], ahead[5]));
    }

    private void algorithms()
    {
        final double[] trees = IntStream.of(3, 4, 5, 6).mapToDouble((receivers) ->
            Measures.megabytes(MUCH, Measures.treeNs(Network.FAST, MUCH, receivers))).toArray();
        findings.ordering("tree-levels", alike(trees[1], trees[2]) && alike(trees[2], trees[3]) && !alike(trees[0], trees[1]),
            text("%.2f, %.2f, %.2f, %.2f MB/s with 4, 5, 6, 7 hosts", trees[0], trees[1], trees[2], trees[3]));
        final double fit = determination(RECEIVERS, (receivers) -> Measures.linearNs(Network.FAST, PORTION, receivers));
        findings.number("linear-time", fit, text("R2 %.5f", fit));
        ratio("scatter-receivers", Measures.linearNs(Network.FAST, PORTION, 6) / 6,
            Measures.linearNs(Network.FAST, PORTION, 2) / 2, "for each receiver, 6 and 2,");
        for (final int receivers : new int[]{ 2, 3 })
        {
            final double found = Measures.megabytes((receivers + 1.0) * LARGEST_PORTION,
                Measures.linearNs(Network.SLOW, LARGEST_PORTION, receivers));
            findings.number("scatter-10-" + receivers, found, text("%.2f MB/s", found));
        }
        ratio("gather-scatter-10", Measures.gatherNs(Network.SLOW, PORTION, 3), Measures.linearNs(Network.SLOW, PORTION, 3),
            "gather and scatter,");
        ratio("gather-starts", Measures.gatherNs(Network.FAST, FLOAT, 7), Measures.linearNs(Network.FAST, FLOAT, 7),
            "gather and scatter of a float,");
        ratio("reduce-half", Measures.treeReduceNs(Network.FAST, PORTION, 6), Measures.centralReduceNs(Network.FAST, PORTION, 6),
            "by a tree and at the root,");
        final double tree = Measures.megabytes(7.0 * PORTION, Measures.treeReduceNs(Network.FAST, PORTION, 6));
        findings.number("reduce-above-wire", tree, text("%.1f MB/s", tree));
    }

    private void incast()
    {
        findings.unseen("incast", "no connections are simulated; --real shows what a short backlog of a listener does");
    }

    private static boolean alike(final double one, final double other)
    {
        return Math.abs(one - other) <= 0.1 * Math.max(one, other);
    }

    /** How much of the differences a straight line explains. */
    private static double determination(final List<Integer> xs, final IntToDoubleFunction value)
    {
        final double[] y = xs.stream().mapToDouble((x) -> value.applyAsDouble(x)).toArray();
        final double meanX = xs.stream().mapToDouble(Integer::doubleValue).average().orElseThrow();
        final double meanY = IntStream.range(0, y.length).mapToDouble((i) -> y[i]).average().orElseThrow();
        double xy = 0;
        double xx = 0;
        double yy = 0;
        for (int i = 0; i < y.length; i++)
        {
            xy += (xs.get(i) - meanX) * (y[i] - meanY);
            xx += (xs.get(i) - meanX) * (xs.get(i) - meanX);
            yy += (y[i] - meanY) * (y[i] - meanY);
        }
        return xy * xy / (xx * yy);
    }

    private void smallBroadcasts()
    {
        final double[] aboves = SIZES.stream().mapToDouble((floats) ->
            Measures.rudpNs(Network.FAST, RudpSettings.FAST, floats * FLOAT, 1) -
            Measures.udpNs(Network.FAST, RudpSettings.FAST, floats * FLOAT)).toArray();
        final double grows = (aboves[5] - aboves[0]) / Measures.udpNs(Network.FAST, RudpSettings.FAST, MUCH);
        findings.number("constant-above-udp", grows, text("%.1f%% of UDP's time: %.2f ms above it with 8 floats, " +
            "%.2f with 1,167,200", 100 * grows, aboves[0] / 1e6, aboves[5] / 1e6));
    }

    private static Plot plot(
        final String title, final String xTitle, final String yTitle, final List<Integer> xs, final List<Series> series)
    {
        return new Plot(title, Plot.Kind.LINE, xTitle, yTitle, xs.stream().map(String::valueOf).toList(), series);
    }

    private static Series series(final String label, final List<Integer> xs, final IntToDoubleFunction value)
    {
        return new Series(label, xs.stream().map((x) -> value.applyAsDouble(x)).toList());
    }

    private static Plot overReceivers(final Network network)
    {
        final RudpSettings best = Measures.best(network);
        return plot("Broadcast of 1,167,200 floats, " + network.name(), "receivers", "MB/s", RECEIVERS, List.of(
            series("RUDP", RECEIVERS, (receivers) ->
                Measures.megabytes(MUCH, Measures.rudpNs(network, best, MUCH, receivers))),
            series("message by message", RECEIVERS, (receivers) ->
                Measures.megabytes(MUCH, Measures.linearNs(network, MUCH, receivers))),
            series("binomial tree", RECEIVERS, (receivers) ->
                Measures.megabytes(MUCH, Measures.treeNs(network, MUCH, receivers)))));
    }

    private static Plot overData(final int receivers)
    {
        final Network network = Network.FAST;
        return new Plot("ECCLib's broadcasts, 100 Mb/s, receivers: " + receivers, Plot.Kind.BAR, "floats", "ms",
            SIZES.stream().map(String::valueOf).toList(), List.of(
            series("UDP alone", SIZES, (floats) -> Measures.udpNs(network, RudpSettings.FAST, floats * FLOAT) / 1e6),
            series("TCP", SIZES, (floats) -> Measures.tcpNs(network, floats * FLOAT, receivers) / 1e6),
            series("RUDP", SIZES, (floats) ->
                Measures.rudpNs(network, RudpSettings.FAST, floats * FLOAT, receivers) / 1e6)));
    }

    private double sweptNs(final Network network, final RudpSettings settings)
    {
        return Measures.lossyRudpNs(network, settings, MUCH, 3, SWEEP_LOSS, seed, SWEEP_SEEDS);
    }

    private Plot sweep(final Network network, final String id)
    {
        final List<Series> series = new ArrayList<>();
        RudpSettings best = null;
        double bestNs = Double.MAX_VALUE;
        for (final Asking asking : Asking.values())
        {
            for (final int packetLength : PACKETS)
            {
                final List<Double> values = new ArrayList<>();
                for (final int packets : BURSTS)
                {
                    final RudpSettings settings = RudpSettings.of(packetLength, packets, asking);
                    final double timeNs = sweptNs(network, settings);
                    values.add(Measures.megabytes(MUCH, timeNs));
                    if (timeNs < bestNs)
                    {
                        bestNs = timeNs;
                        best = settings;
                    }
                }
                series.add(new Series(packetLength + " bytes, " + asking, values));
            }
        }
        final RudpSettings published = Measures.best(network);
        final double found = bestNs / sweptNs(network, published);
        findings.number(id, found, text("%.3f of the best rate, which %s has", found, settings(best)));
        return plot("RUDP by packets and bursts, " + network.name() + ", loss 0.1%", "packets of a burst", "MB/s", BURSTS,
            series);
    }

    private Plot overLosses()
    {
        final List<Series> series = new ArrayList<>();
        for (final Network network : List.of(Network.SLOW, Network.FAST))
        {
            for (final Asking asking : Asking.values())
            {
                final RudpSettings best = Measures.best(network);
                final RudpSettings settings = RudpSettings.of(best.packetLength(), best.burstPackets(), asking);
                series.add(series(network.name() + ", " + asking, LOSSES, (percent) -> 100 * Measures.rudpNs(network, settings,
                    PORTION, 7) / Measures.lossyRudpNs(network, settings, PORTION, 7, percent / 100.0, seed, LOSS_SEEDS)));
            }
        }
        return plot("RUDP with losses, 130,600 floats to 7 receivers", "lost at each receiver, %", "% of the rate without losses",
            LOSSES, series);
    }
}
