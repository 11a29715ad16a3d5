// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.experiment;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

import org.tallypost.thesis.Experiment;
import org.tallypost.thesis.Findings;
import org.tallypost.thesis.Plot;
import org.tallypost.thesis.Scale;
import org.tallypost.thesis.Sheet;

import org.tallypost.thesis.Cell;
import org.tallypost.thesis.Results;
import org.tallypost.creditprotocol.Ledger;
import org.tallypost.creditprotocol.LedgerActions;
import org.tallypost.creditprotocol.StaticLedger;

/**
 * Table 5.1 and the example of figure 5.2: the ledger itself, without any network.
 */
public final class ThresholdExperiment implements Experiment
{
    private static final int[][] ROWS = {
        { 100, 1 }, { 100, 2 }, { 100, 3 }, { 100, 4 }, { 100, 5 }, { 60, 2 }, { 40, 2 }, { 20, 2 }, { 10, 2 }, { 3, 2 } };
    private static final int MOST_CREDIT_SLOTS = 5;
    private static final String PUBLISHED = "51 34 26 21 17 21 14 7 4 2";

    @Override
    public List<String> figures()
    {
        return List.of("table-5.1");
    }

    @Override
    public List<Cell> cells(final Scale scale)
    {
        return List.of();
    }

    private static int rule(final int row)
    {
        return Ledger.threshold(ROWS[row][0], ROWS[row][1]);
    }

    private static int ruleA(final int row)
    {
        return ROWS[row][0] / ROWS[row][1] + 1;
    }

    private static int ruleB(final int row)
    {
        return ROWS[row][0] / ROWS[row][1];
    }

    @Override
    public List<Sheet> evaluate(final Scale scale, final Results results, final Findings findings)
    {
        final List<Integer> rows = Curves.range(0, ROWS.length - 1, 1);
        final String found = String.join(" ", rows.stream().map((row) -> String.valueOf(rule(row))).toList());
        findings.ordering("table-5.1-values", found.equals(PUBLISHED), found);
        findings.ordering("table-5.1-a", ruleA(0) > ROWS[0][0], "threshold " + ruleA(0) + " of " + ROWS[0][0] + " credits");
        final int last = ROWS.length - 1;
        final int packets = ROWS[last][0] / ruleB(last);
        findings.ordering("table-5.1-b", packets > ROWS[last][1] && ROWS[last][0] / rule(last) <= ROWS[last][1],
            packets + " credit packets for " + ROWS[last][1] + " slots; " + ROWS[last][0] / rule(last) + " by the rule in use");
        findings.ordering("table-5.1-frequency", IntStream.range(0, last).allMatch((row) ->
            rule(row) < ruleA(row) && rule(row) < ruleB(row)), "least in rows 1 to " + last);
        judgeLeastQuota(findings);
        judgeExample(findings);
        return List.of(new Sheet("table-5.1", "Table 5.1: three rules for the threshold",
            List.of("Computed by the ledger in use; the two others are those that the thesis rejects."),
            Map.of("rows", ROWS.length), List.of(new Plot("Threshold by three rules", Plot.Kind.BAR,
            "credit quota / credit slots", "slots freed before credits go back",
            rows.stream().map((row) -> ROWS[row][0] + "/" + ROWS[row][1]).toList(), List.of(
            Curves.series("in use: quota div (slots + 1) + 1", rows, ThresholdExperiment::rule),
            Curves.series("quota div slots + 1", rows, ThresholdExperiment::ruleA),
            Curves.series("quota div slots", rows, ThresholdExperiment::ruleB))))));
    }

    /** The thesis, and this project, allow one slot less. */
    private static void judgeLeastQuota(final Findings findings)
    {
        final List<Integer> numbers = Curves.range(1, MOST_CREDIT_SLOTS, 1);
        findings.ordering("conference-least", Curves.all(numbers, (number) -> Ledger.threshold(number + 1, number) == 2),
            "thresholds " + String.join(" ", numbers.stream()
            .map((number) -> String.valueOf(Ledger.threshold(number + 1, number))).toList()) +
            "; with as many slots as credit slots, which the thesis allows, " + Ledger.threshold(2, 2));
    }

    /** A sender uses up its 20 credits, and gets no more: what comes back for them. */
    private static void judgeExample(final Findings findings)
    {
        final int[] packets = new int[1];
        final StaticLedger ledger = new StaticLedger(1, 2, 22, new LedgerActions()
        {
            @Override
            public void grant(final int sender, final int credits)
            {
                packets[0]++;
            }

            @Override
            public int revoke(final int victim, final int keep)
            {
                return 0;
            }
        });
        for (int slot = 0; slot < 20; slot++)
        {
            ledger.onRetrieved(0, 1);
        }
        final int threshold = Ledger.threshold(20, 2);
        findings.ordering("example-5.2", threshold == 7 && packets[0] == 2 && ledger.retrieved(0) == 6,
            "threshold " + threshold + ", " + packets[0] + " credit packets, " + ledger.retrieved(0) + " slots left");
    }
}
