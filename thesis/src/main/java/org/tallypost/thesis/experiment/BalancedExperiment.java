// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.experiment;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntToDoubleFunction;

import org.tallypost.creditprotocol.Ledger;
import org.tallypost.thesis.Cell;
import org.tallypost.thesis.Experiment;
import org.tallypost.thesis.Findings;
import org.tallypost.thesis.PatternKind;
import org.tallypost.thesis.Plot;
import org.tallypost.thesis.Results;
import org.tallypost.thesis.Rule;
import org.tallypost.thesis.Scale;
import org.tallypost.thesis.Series;
import org.tallypost.thesis.Sheet;

/**
 * Figures 5.5 and 5.6 and table 5.2: the static protocol in an alltoall of few and of many processes.
 */
public final class BalancedExperiment implements Experiment
{
    private static final int NUMBERS = 5;
    private static final int MESSAGE_PACKETS = 37;
    private static final int FALL_FROM = 34;
    private static final int COMPARED_TIMES = 3;
    private static final int FEW_TIMES = 3;
    private static final int FINE_TIMES = 8;
    /** Sizes at which delays may end. */
    private static final List<Integer> END_SIZES = List.of(55, 56, 57, 58, 60);
    private static final int FEW = 40;
    private static final double ALIKE = 5;
    private static final double ACCEPTABLE = 5;
    private static final double CORRELATED = 0.7;
    /** In percent: a barrier's own packets change what is kept back for the few pairs that have one. */
    private static final double NONE_DELAYED = 0.5;
    private static final List<Integer> SIZES = List.of(10, 16, 24, 32, 34, 35, 36, 37, 38, 39, 40, 41, 42, 43, 44, 46, 48, 49,
        50, 51, 52, 53, 55, 56, 57, 58, 60, 64);
    /** Wide steps with many processes: an alltoall of 1,024 is 39 million packets. */
    private static final List<Integer> MANY_SIZES = List.of(16, 32, 40, 50, 57);

    @Override
    public List<String> figures()
    {
        return List.of("5.5", "5.6", "table-5.2");
    }

    /** Processes of the fine steps of size. */
    private static int fine(final Scale scale)
    {
        return scale.pick(128, 64);
    }

    /** Processes that are held against many. */
    private static int few(final Scale scale)
    {
        return scale.pick(256, 64);
    }

    private static Cell compared(final int ranks, final int slots)
    {
        return cell(ranks, 2, slots).times(0, COMPARED_TIMES, 1);
    }

    /**
     * What receivers keep back of a message's 37 packets changes from one alltoall to the next, and is the same again after as
     * many as the threshold has slots: so the mean of these is that of any number. Where each message waits, whatever they keep,
     * or none does, a few will do.
     */
    static int alltoalls(final int creditSlots, final int slots)
    {
        final int quota = slots - creditSlots;
        final int threshold = Ledger.threshold(quota, creditSlots);
        return quota < MESSAGE_PACKETS || quota - threshold + 1 >= MESSAGE_PACKETS ? FEW_TIMES : threshold;
    }

    private static Cell cell(final int ranks, final int creditSlots, final int slots)
    {
        return Cell.of(PatternKind.ALLTOALL_IN_TURN, ranks).rule(Rule.STATIC, slots, creditSlots)
            .times(0, Math.max(FINE_TIMES, alltoalls(creditSlots, slots)), 1);
    }

    @Override
    public List<Cell> cells(final Scale scale)
    {
        final List<Cell> cells = new ArrayList<>();
        for (final int ranks : new int[]{ few(scale), scale.ranks() })
        {
            cells.add(compared(ranks, MANY_SIZES.get(0)).reference());
            MANY_SIZES.forEach((size) -> cells.add(compared(ranks, size)));
        }
        for (int creditSlots = 1; creditSlots <= NUMBERS; creditSlots++)
        {
            for (final int size : SIZES)
            {
                cells.add(cell(fine(scale), creditSlots, size));
                cells.add(cell(fine(scale), creditSlots, size).reference());
            }
        }
        for (final int size : END_SIZES)
        {
            cells.add(cell(few(scale), 2, size));
        }
        // where delays end, to be held against the multi-pingpong
        cells.add(DistanceExperiment.cell(1));
        for (final int size : DistanceExperiment.sizes())
        {
            cells.add(DistanceExperiment.cell(1, 2, size));
        }
        return cells;
    }

    @Override
    public List<Sheet> evaluate(final Scale scale, final Results results, final Findings findings)
    {
        judgeOverhead(scale, results, findings);
        judgeFall(scale, results, findings);
        judgeDelays(scale, results, findings);
        judgeTable(scale, results, findings);
        final Map<String, Object> parameters = new LinkedHashMap<>();
        parameters.put("processes", List.of(fine(scale), few(scale), scale.ranks()));
        parameters.put("message", Cell.LENGTH + " bytes");
        parameters.put("alltoalls", "fine steps: as many as the threshold has slots; compared: " + COMPARED_TIMES);
        final List<String> notes = List.of("Static protocol; one line for each number of credit slots. " +
            "A message waits for credits before the next one is posted, as section 5.2 of the thesis describes a send. " +
            "With many processes only some sizes.");
        final List<Integer> numbers = Curves.range(1, NUMBERS, 1);
        return List.of(
            new Sheet("5.5", "Figure 5.5: overhead of the static protocol in the alltoall", notes, parameters,
            List.of(fine(scale, results, false), compared(scale, results, false))),
            new Sheet("5.6", "Figure 5.6: delayed sends in the alltoall", notes, parameters,
            List.of(fine(scale, results, true), compared(scale, results, true))),
            new Sheet("table-5.2", "Table 5.2 and equation 5.5: from where the overhead is steady",
            List.of("Steady: within a point of the overhead at 64 slots. Published with 1,024 processes."), parameters,
            List.of(new Plot("Least size of a steady overhead, " + fine(scale) + " processes", Plot.Kind.BAR, "credit slots",
            "slots per process", Curves.positions(numbers), List.of(
            Curves.series("equation 5.5", numbers, (number) -> equation(number)),
            Curves.series("quota that leaves 37 credits", numbers, (number) -> number + leastQuota(number)),
            Curves.series("simulated", numbers, (number) ->
                gap(Curves.steadyFrom(SIZES, overhead(results, fine(scale), number)))))))));
    }

    private static double gap(final int found)
    {
        return found < 0 ? Double.NaN : found;
    }

    private static IntToDoubleFunction overhead(final Results results, final int ranks, final int creditSlots)
    {
        return (size) -> results.overhead(cell(ranks, creditSlots, size));
    }

    private static IntToDoubleFunction delay(final Results results, final int ranks, final int creditSlots)
    {
        return (size) -> results.of(cell(ranks, creditSlots, size)).delayedPercent();
    }

    private static void judgeOverhead(final Scale scale, final Results results, final Findings findings)
    {
        final List<Integer> sizes = MANY_SIZES;
        final IntToDoubleFunction few = (size) -> results.overhead(compared(few(scale), size));
        final IntToDoubleFunction many = (size) -> results.overhead(compared(scale.ranks(), size));
        final List<Integer> low = Curves.below(sizes, FEW);
        final String names = few(scale) + " processes, ";
        findings.ordering("5.5-processes", Curves.all(low, (size) -> many.applyAsDouble(size) > few.applyAsDouble(size)),
            "2 credit slots, mean below 40 slots: " + Curves.percent(Curves.mean(low, few)) + " with " + names +
            Curves.percent(Curves.mean(low, many)) + " with " + scale.ranks());
        findings.ordering("5.5-fifty", Math.abs(many.applyAsDouble(50) - few.applyAsDouble(50)) <= ALIKE,
            Curves.percent(few.applyAsDouble(50)) + " with " + names + Curves.percent(many.applyAsDouble(50)) + " with " +
            scale.ranks());
        final int steepest = Curves.steepest(sizes, 0, many);
        findings.ordering("5.5-drop", steepest >= 38 && steepest <= 52, "steepest before " + Curves.size(steepest) + "; " +
            Curves.listed(MANY_SIZES, many));
        final List<Integer> numbers = Curves.range(1, NUMBERS, 1);
        final IntToDoubleFunction mean = (number) -> Curves.mean(SIZES, overhead(results, fine(scale), number));
        findings.ordering("5.5-two-credit-slots", Curves.all(numbers, (number) ->
            mean.applyAsDouble(2) <= mean.applyAsDouble(number)), fine(scale) + " processes: " + Curves.listed(numbers, mean));
        final IntToDoubleFunction delays = (number) -> Curves.mean(SIZES, delay(results, fine(scale), number));
        final double correlation = Curves.correlation(numbers, mean, delays);
        findings.ordering("5.5-waits-matter", correlation > CORRELATED, String.format(Locale.ROOT,
            "rank correlation %.2f; delayed with 1 to 5 credit slots: %s", correlation, Curves.listed(numbers, delays)));
        final double pingPong = results.overhead(DistanceExperiment.cell(1, 2, 57));
        findings.ordering("5.5-fifty-seven", many.applyAsDouble(57) < ACCEPTABLE && pingPong < ACCEPTABLE,
            Curves.percent(many.applyAsDouble(57)) + " in the alltoall, " + Curves.percent(pingPong) + " in the multi-pingpong");
    }

    private static void judgeFall(final Scale scale, final Results results, final Findings findings)
    {
        final StringBuilder text = new StringBuilder();
        boolean areAll = true;
        for (int number = 1; number <= NUMBERS; number++)
        {
            final int found = Curves.fallBegins(SIZES, FALL_FROM, overhead(results, fine(scale), number));
            findings.number("5.5-drop-" + number, found, Curves.size(found));
            areAll &= Math.abs(found - number - MESSAGE_PACKETS) <= 1;
            text.append(number == 1 ? "" : ", ").append(found - number);
        }
        findings.number("5.5-data-37", areAll ? MESSAGE_PACKETS : Double.NaN, "slots for data: " + text);
    }

    private static void judgeDelays(final Scale scale, final Results results, final Findings findings)
    {
        final List<Integer> sizes = MANY_SIZES;
        final IntToDoubleFunction few = comparedDelay(results, few(scale));
        final IntToDoubleFunction many = comparedDelay(results, scale.ranks());
        double most = 0;
        for (final int size : sizes)
        {
            most = Math.max(most, Math.abs(few.applyAsDouble(size) - many.applyAsDouble(size)));
        }
        findings.ordering("5.6-processes", most <= ALIKE, "2 credit slots, greatest difference of the shares " +
            Curves.percent(most) + "; with " + few(scale) + " processes " + Curves.listed(List.of(16, 32, 40, 50, 57), few) +
            "; with " + scale.ranks() + " " + Curves.listed(List.of(16, 32, 40, 50, 57), many));
        final int end = Curves.firstBelow(END_SIZES, delay(results, few(scale), 2), NONE_DELAYED);
        final int pingPong = DistanceExperiment.noDelayFrom(results, 1, 2);
        findings.ordering("5.6-break-even", end == pingPong && end > 0,
            Curves.size(end) + " in the alltoall, " + Curves.size(pingPong) + " in the multi-pingpong");
    }

    private static void judgeTable(final Scale scale, final Results results, final Findings findings)
    {
        final StringBuilder text = new StringBuilder();
        boolean areAll = true;
        for (int number = 1; number <= NUMBERS; number++)
        {
            final int found = Curves.steadyFrom(SIZES, overhead(results, fine(scale), number));
            if (number == 1)
            {
                final double last = results.overhead(cell(fine(scale), 1, 64));
                final double best = results.overhead(cell(fine(scale), 2, 64));
                findings.ordering("table-5.2-1", last > best + 1, "at 64 slots " + Curves.percent(last) +
                    " with 1 credit slot, " + Curves.percent(best) + " with 2");
            }
            else
            {
                findings.number("table-5.2-" + number, found, Curves.size(found));
                areAll &= number + leastQuota(number) == equation(number);
                text.append(number == 2 ? "" : " ").append(number + leastQuota(number));
            }
        }
        findings.ordering("equation-5.5", areAll, text.toString());
    }

    private static int equation(final int creditSlots)
    {
        return MESSAGE_PACKETS * (creditSlots + 1) / creditSlots + creditSlots;
    }

    /** Least quota of which a whole message is left while one threshold less one is not returned yet, by the ledger's rule. */
    private static int leastQuota(final int creditSlots)
    {
        int quota = MESSAGE_PACKETS;
        while (quota - (Ledger.threshold(quota, creditSlots) - 1) < MESSAGE_PACKETS)
        {
            quota++;
        }
        return quota;
    }

    private static IntToDoubleFunction comparedDelay(final Results results, final int ranks)
    {
        return (size) -> results.of(compared(ranks, size)).delayedPercent();
    }

    private static Plot fine(final Scale scale, final Results results, final boolean isDelay)
    {
        final int ranks = fine(scale);
        final List<Series> series = new ArrayList<>();
        for (int number = 1; number <= NUMBERS; number++)
        {
            series.add(Curves.series(DistanceExperiment.name(number), SIZES,
                isDelay ? delay(results, ranks, number) : overhead(results, ranks, number)));
        }
        return new Plot(ranks + " processes", Plot.Kind.LINE, "slots per process", label(isDelay), Curves.positions(SIZES),
            series);
    }

    private static Plot compared(final Scale scale, final Results results, final boolean isDelay)
    {
        final List<Series> series = new ArrayList<>();
        for (final int ranks : new int[]{ few(scale), scale.ranks() })
        {
            series.add(Curves.series(ranks + " processes", MANY_SIZES,
                isDelay ? comparedDelay(results, ranks) : (size) -> results.overhead(compared(ranks, size))));
        }
        return new Plot("2 credit slots, " + COMPARED_TIMES + " alltoalls", Plot.Kind.LINE, "slots per process", label(isDelay),
            Curves.positions(MANY_SIZES), series);
    }

    private static String label(final boolean isDelay)
    {
        return isDelay ? "delayed sends, percent" : "overhead, percent";
    }
}
