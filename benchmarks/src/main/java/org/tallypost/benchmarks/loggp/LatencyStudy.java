// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Arrays;
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
    private final int attempts;

    LatencyStudy(
        final File parent, final boolean isLive, final boolean isSimulated, final int rounds, final int attempts)
    {
        this.attempts = attempts;
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
        final double[] none = new double[SHARES.length + 1];
        boolean isThere = true;
        final double[] model = new double[SHARES.length + 1];
        try (LoggpStudy.Live ranks = isLive ? new LoggpStudy.Live(parent, Flood::new, RANKS, LIVE_REQUESTS, attempts) : null)
        {
            for (int i = 0; i <= SHARES.length; i++)
            {
                final LoggpTimes times = machine(i == 0 ? 0 : SHARES[i - 1]);
                model[i] = Flood.modelNs(times, LoggpStudy.WINDOW);
                simulated[i] = isSimulated ?
                    LoggpStudy.simulate(Flood::new, RANKS, SIMULATED_REQUESTS, times).ns() / SIMULATED_REQUESTS : Double.NaN;
                final LoggpStudy.Turns turns = isLive ? ranks.turns(LoggpStudy.MACHINE, times, rounds) : null;
                isThere &= turns == null || turns.isThere();
                none[i] = isLive ? turns.without().ns() / LIVE_REQUESTS : Double.NaN;
                live[i] = isLive ? turns.with().ns() / LIVE_REQUESTS : Double.NaN;
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
        state("live", live, none, model, isThere, statements);
        final double[] simulatedNone = new double[simulated.length];
        Arrays.fill(simulatedNone, simulated[0]);
        state("simulated", simulated, simulatedNone, model, true, statements);
    }

    private static String us(final double ns)
    {
        return Double.isNaN(ns) ? "" : String.format(Locale.ROOT, "%.2f", ns / NS_IN_US);
    }

    private static void state(
        final String way, final double[] times, final double[] none, final double[] model, final boolean isThere,
        final LoggpStatements statements)
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
                flat = worse(flat, times[i] / none[i]);
            }
            else
            {
                behind = worse(behind, times[i] / model[i]);
            }
        }
        final String flatText = "window " + way + ": L flat within 5 % until it fills";
        final String behindText = "window " + way + ": behind that (2 L + 4 o) / W within 15 %";
        if (!isThere)
        {
            statements.invalid(flatText);
            statements.invalid(behindText);
            return;
        }
        statements.add(flatText, Math.abs(flat - 1) <= FLAT_SHARE,
            "worst %.3f of none", flat);
        statements.add(behindText,
            Math.abs(behind - 1) <= LoggpStatements.MODEL_SHARE, "worst %.3f of the model", behind);
    }

    private static double worse(final double one, final double other)
    {
        return Math.abs(other - 1) > Math.abs(one - 1) ? other : one;
    }
}
