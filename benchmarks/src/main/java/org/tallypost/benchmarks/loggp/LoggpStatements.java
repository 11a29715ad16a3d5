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
    /** If there is no such, but one that could not be judged. */
    static final int INVALID = 4;
    static final double LEAST_R2 = 0.98;
    static final double MODEL_SHARE = 0.15;
    /** By how much less a median may be seen to differ: what compare sees is more. */
    static final double COST_SHARE = 0.02;

    private final List<Statement> all = new ArrayList<>();

    private record Statement(String what, Boolean isHeld, String figure)
    {
        String verdict()
        {
            return isHeld == null ? "INVALID" : isHeld ? "holds" : "does not hold";
        }
    }

    /** A statement without a verdict: the machine had other work while its figures were measured. */
    void invalid(final String what)
    {
        all.add(new Statement(what, null, "the ranks had no processor"));
    }

    void add(final String what, final boolean isHeld, final String format, final Object... figures)
    {
        all.add(new Statement(what, isHeld, String.format(Locale.ROOT, format, figures)));
    }

    /** A line fits the times of a knob; null if they could not be measured. */
    void linear(final String what, final LineFit fit)
    {
        final String statement = what + " linear, r2 > 0.98";
        if (fit == null)
        {
            invalid(statement);
            return;
        }
        add(statement, fit.r2() > LEAST_R2, "r2 %.4f", fit.r2());
    }

    /** The worst of times measured to times of the model; null if they could not be measured. */
    void model(final String what, final double... ratios)
    {
        final String statement = what + " T0 + 2 m o within 15 %";
        if (ratios == null)
        {
            invalid(statement);
            return;
        }
        double worst = 1;
        for (final double ratio : ratios)
        {
            worst = Math.abs(ratio - 1) > Math.abs(worst - 1) ? ratio : worst;
        }
        add(statement, Math.abs(worst - 1) <= MODEL_SHARE, "worst %.3f of the model", worst);
    }

    boolean isAllHeld()
    {
        return exitCode() == 0;
    }

    /** 0 if all hold. */
    int exitCode()
    {
        return all.stream().anyMatch((each) -> Boolean.FALSE.equals(each.isHeld())) ? DOES_NOT_HOLD :
            all.stream().anyMatch((each) -> each.isHeld() == null) ? INVALID : 0;
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
        all.forEach((each) -> table.add(each.what(), each.figure(), each.verdict()));
        return table.toString();
    }
}
