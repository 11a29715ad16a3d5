// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.cli;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.concurrent.Callable;

import org.tallypost.benchmarks.loggp.CalibrateLoggpCommand;
import org.tallypost.benchmarks.study.CalibrateBulkCommand;
import org.tallypost.benchmarks.study.CalibrateCollectivesCommand;
import org.tallypost.fabric.Calibration;
import org.tallypost.fabric.FabricParameters;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/**
 * {@code tallypost calibrate}: how well the simulated fabric meets the published times.
 */
@Command(
    name = "calibrate",
    description = "Prints the parameters of the simulated fabric, and how well it meets the four published times to which " +
        "they are fitted.",
    mixinStandardHelpOptions = true,
    subcommands = { CalibrateBulkCommand.class, CalibrateCollectivesCommand.class, CalibrateLoggpCommand.class })
public final class CalibrateCommand implements Callable<Integer>
{
    private static final int REFIT_FAILED = 1;

    @Spec
    private CommandSpec spec;

    @Option(names = "--refit", description = "Fits anew, which takes about half a minute; exit code 1 if it finds other " +
        "parameters than those in use.")
    private boolean refit;

    @Override
    public Integer call() throws InterruptedException
    {
        final PrintWriter out = spec.commandLine().getOut();
        final FabricParameters parameters = refit ? Calibration.refit() : FabricParameters.fitted();
        out.printf(Locale.ROOT, "L = %.3f ns, o = %.3f ns, g = %.3f ns, G = %.3f ns per byte%n", nanos(parameters.hopPs()),
            nanos(parameters.sendPs()), nanos(parameters.cardPs()), nanos(parameters.bytePs()));
        for (final Calibration.Fit fit : Calibration.check(parameters))
        {
            out.println(fit);
        }
        out.flush();
        return parameters.equals(FabricParameters.fitted()) ? 0 : REFIT_FAILED;
    }

    private static double nanos(final long picos)
    {
        return picos / 1e3;
    }
}
