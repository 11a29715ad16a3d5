// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.tallypost.activemessages.LoggpKnobs.Knob;
import org.tallypost.benchmarks.harness.Quartiles;

/** Times of a program at the settings of one knob, live and simulated: do they lie on a line, and on that of the model? */
final class LoggpFits
{
    private static final String[] WAYS = { "live", "simulated" };

    private final LoggpApp app;
    private final Knob knob;
    private final List<Double> values = new ArrayList<>();
    private final List<List<LoggpStudy.Turns>> ways = List.of(new ArrayList<>(), new ArrayList<>());

    LoggpFits(final LoggpApp app, final Knob knob)
    {
        this.app = app;
        this.knob = knob;
    }

    /** A setting; null for a way that is not run. */
    void add(final double value, final LoggpStudy.Turns live, final LoggpStudy.Turns simulated)
    {
        values.add(value);
        ways.get(0).add(live);
        ways.get(1).add(simulated);
    }

    private boolean isRun(final int way)
    {
        return ways.get(way).stream().noneMatch((turns) -> turns == null || !turns.isRight());
    }

    /** Through times, and not through ratios to a time without knobs: that one differs from setting to setting. */
    private LineFit line(final int way)
    {
        final List<LoggpStudy.Turns> all = ways.get(way);
        final double[] x = new double[all.size() + 1];
        final double[] y = new double[all.size() + 1];
        y[0] = Quartiles.of(all.stream().mapToDouble((turns) -> turns.without().ns()).toArray()).median();
        for (int i = 0; i < all.size(); i++)
        {
            x[i + 1] = values.get(i);
            y[i + 1] = all.get(i).with().ns();
        }
        return LineFit.of(x, y);
    }

    String text()
    {
        final StringBuilder text = new StringBuilder();
        for (int way = 0; way < WAYS.length; way++)
        {
            text.append(!isRun(way) ? "" :
                String.format(Locale.ROOT, " %s %s %.3f", LoggpRow.name(knob), WAYS[way], line(way).r2()));
        }
        return text.toString();
    }

    /** Times are linear in o and g, and those by o are the model's. */
    void state(final LoggpStatements statements)
    {
        for (int way = 0; way < WAYS.length; way++)
        {
            final String what = app.label() + ' ' + WAYS[way] + ": " + LoggpRow.name(knob);
            final boolean isThere = isRun(way) && ways.get(way).stream().allMatch(LoggpStudy.Turns::isThere);
            if (isRun(way) && (knob == Knob.OVERHEAD || knob == Knob.GAP))
            {
                statements.linear(what, isThere ? line(way) : null);
            }
            if (isRun(way) && knob == Knob.OVERHEAD)
            {
                final double[] ratios = new double[values.size()];
                for (int i = 0; i < ratios.length; i++)
                {
                    final LoggpStudy.Turns turns = ways.get(way).get(i);
                    ratios[i] = turns.with().ns() / turns.modelNs(values.get(i));
                }
                statements.model(what, isThere ? ratios : null);
            }
        }
    }
}
