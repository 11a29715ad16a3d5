// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import com.fasterxml.jackson.databind.node.ArrayNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.tallypost.cli.console.TextTable;

/** What is to be true of figures, whether it is, and by which figure. */
final class LoggpStatements
{
    /** Exit code of a command that prints one that does not hold. */
    static final int DOES_NOT_HOLD = 3;
    static final double LEAST_R2 = 0.98;
    static final double MODEL_SHARE = 0.15;
    /** By how much less a median may be seen to differ: what compare sees is more. */
    static final double COST_SHARE = 0.02;

    private final List<Statement> all = new ArrayList<>();

    private record Statement(String what, boolean isHeld, String figure)
    {
    }

    void add(final String what, final boolean isHeld, final String format, final Object... figures)
    {
        all.add(new Statement(what, isHeld, String.format(Locale.ROOT, format, figures)));
    }

    /** A line fits the times of a knob. */
    void linear(final String what, final LineFit fit)
    {
        add(what + " linear, r2 > 0.98", fit.r2() > LEAST_R2, "r2 %.4f", fit.r2());
    }

    /** The worst of times measured to times of the model. */
    void model(final String what, final double... ratios)
    {
        double worst = 1;
        for (final double ratio : ratios)
        {
            worst = Math.abs(ratio - 1) > Math.abs(worst - 1) ? ratio : worst;
        }
        add(what + " T0 + 2 m o within 15 %", Math.abs(worst - 1) <= MODEL_SHARE, "worst %.3f of the model", worst);
    }

    boolean isAllHeld()
    {
        return all.stream().allMatch(Statement::isHeld);
    }

    void print(final ArrayNode to)
    {
        all.forEach((each) ->
            to.addObject().put("statement", each.what()).put("holds", each.isHeld()).put("figure", each.figure()));
    }

    @Override
    public String toString()
    {
        final TextTable table = new TextTable("statement", "figure", "");
        all.forEach((each) -> table.add(each.what(), each.figure(), each.isHeld() ? "holds" : "does not hold"));
        return table.toString();
    }
}
