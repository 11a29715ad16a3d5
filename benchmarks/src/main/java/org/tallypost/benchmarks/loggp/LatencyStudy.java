// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import org.tallypost.activemessages.LoggpKnobs.Knob;
import org.tallypost.cli.console.TextTable;

/**
 * Whether the window hides latency: many requests of one rank to another, with the parameters of the simulated machine, which
 * live ranks get by knobs, and with more and more L. Until a window of requests covers the round trip the time is flat.
 */
final class LatencyStudy
{
    private static final int RANKS = 2;
    private static final int SIMULATED_REQUESTS = 2_000;
    private static final int LIVE_REQUESTS = 400;
    private static final double[] SHARES = { 0.25, 0.5, 0.9, 2, 4, 8 };
    private static final double FLAT_SHARE = 0.05;
    private static final double NS_IN_US = 1_000;

    private final File parent;
    private final boolean isLive;
    private final boolean isSimulated;
    private final int rounds;

    LatencyStudy(final File parent, final boolean isLive, final boolean isSimulated, final int rounds)
    {
        this.parent = parent;
        this.isLive = isLive;
        this.isSimulated = isSimulated;
        this.rounds = rounds;
    }

    private static LoggpTimes machine(final double share)
    {
        return LoggpStudy.MACHINE.with(
            Knob.LATENCY, Math.round(share * Flood.hiddenNs(LoggpStudy.MACHINE, LoggpStudy.WINDOW)));
    }

    void run(final PrintWriter out, final LoggpStatements statements) throws IOException, InterruptedException
    {
        final double[] simulated = new double[SHARES.length + 1];
        final double[] live = new double[SHARES.length + 1];
        final double[] model = new double[SHARES.length + 1];
        try (LoggpStudy.Live ranks = isLive ? new LoggpStudy.Live(parent, Flood::new, RANKS, LIVE_REQUESTS) : null)
        {
            for (int i = 0; i <= SHARES.length; i++)
            {
                final LoggpTimes times = machine(i == 0 ? 0 : SHARES[i - 1]);
                model[i] = Flood.modelNs(times, LoggpStudy.WINDOW);
                simulated[i] = isSimulated ?
                    LoggpStudy.simulate(Flood::new, RANKS, SIMULATED_REQUESTS, times).ns() / SIMULATED_REQUESTS : Double.NaN;
                live[i] = isLive ? ranks.run(times, rounds).ns() / LIVE_REQUESTS : Double.NaN;
            }
        }
        final TextTable table = new TextTable("  L", "model us", "live us", "simulated us");
        for (int i = 0; i <= SHARES.length; i++)
        {
            table.add(String.format(Locale.ROOT, "  +%.1f us",
                (machine(i == 0 ? 0 : SHARES[i - 1]).latencyNs() - LoggpStudy.MACHINE.latencyNs()) / NS_IN_US),
                us(model[i]), us(live[i]), us(simulated[i]));
        }
        out.println("window: a request of many to one rank; the window of " + LoggpStudy.WINDOW + " fills at L +" +
            us(Flood.hiddenNs(LoggpStudy.MACHINE, LoggpStudy.WINDOW)) + " us");
        out.print(table);
        state("live", live, model, statements);
        state("simulated", simulated, model, statements);
    }

    private static String us(final double ns)
    {
        return Double.isNaN(ns) ? "" : String.format(Locale.ROOT, "%.2f", ns / NS_IN_US);
    }

    private static void state(
        final String way, final double[] times, final double[] model, final LoggpStatements statements)
    {
        if (Double.isNaN(times[0]))
        {
            return;
        }
        double flat = 1;
        double behind = 1;
        for (int i = 1; i <= SHARES.length; i++)
        {
            if (SHARES[i - 1] < 1)
            {
                flat = worse(flat, times[i] / times[0]);
            }
            else
            {
                behind = worse(behind, times[i] / model[i]);
            }
        }
        statements.add("window " + way + ": L flat within 5 % until it fills", Math.abs(flat - 1) <= FLAT_SHARE,
            "worst %.3f of none", flat);
        statements.add("window " + way + ": behind that (2 L + 4 o) / W within 15 %",
            Math.abs(behind - 1) <= LoggpStatements.MODEL_SHARE, "worst %.3f of the model", behind);
    }

    private static double worse(final double one, final double other)
    {
        return Math.abs(other - 1) > Math.abs(one - 1) ? other : one;
    }
}
