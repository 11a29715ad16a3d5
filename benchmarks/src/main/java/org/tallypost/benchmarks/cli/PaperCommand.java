// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.tallypost.benchmarks.harness.ShutdownHooks;
import org.tallypost.benchmarks.loggp.LoggpExperiment;
import org.tallypost.benchmarks.process.WorkDirectory;
import org.tallypost.benchmarks.rudp.EcclibRuns;
import org.tallypost.benchmarks.study.DeckExperiment;
import org.tallypost.cli.console.OptionException;
import org.tallypost.fabric.FabricParameters;
import org.tallypost.report.Environment;
import org.tallypost.report.StatusLine;
import org.tallypost.thesis.Experiment;
import org.tallypost.thesis.FabricRunner;
import org.tallypost.thesis.Finding;
import org.tallypost.thesis.PaperReport;
import org.tallypost.thesis.PaperRun;
import org.tallypost.thesis.Scale;
import org.tallypost.thesis.Source;
import org.tallypost.thesis.ecclib.EcclibExperiment;
import org.tallypost.thesis.experiment.Experiments;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code tallypost paper}: the published experiments on a simulated fabric, beside what was published.
 * <p>
 * Exit codes: 0 whether facts agree or not, 1 if it failed, 2 for options that cannot be; 130 if it was interrupted, when what
 * was done is in the report.
 */
@Command(
    name = "paper",
    description = "Does the published experiments again, on a simulated fabric that runs the real protocol.",
    mixinStandardHelpOptions = true)
public final class PaperCommand implements Callable<Integer>
{
    private static final String ALL = "all";
    /** What 'all' does behind the protocol's sources, each with a report in a directory of its own. */
    private static final List<String> OTHER_SOURCES = List.of(EcclibExperiment.FIGURE, DeckExperiment.FIGURE,
        LoggpExperiment.FIGURE);
    private static final int PARALLEL = 2;
    private static final long STATUS_INTERVAL_S = 5;
    private static final long WRITING_S = 30;

    @Spec
    private CommandSpec spec;

    @Parameters(paramLabel = "FIGURE", description = "A figure or table, like 5.3 or table-7.1, or 'all'; or 'ecclib', for the " +
        "facts about ECCLib's collectives on a simulated bus and switch; or 'deck' or 'loggp', for those " +
        "about mail boxes on Myrinet, and about LogGP's parameters of active messages.")
    private String figure;

    @Option(names = "--out", paramLabel = "DIR", defaultValue = "paper-report",
        description = "Directory for paper.json, facts.csv, series.csv and paper.html; default ${DEFAULT-VALUE}.")
    private Path directory;

    @Option(names = "--quick", description = "128 processes where the sources have 1,024.")
    private boolean isQuick;

    @Option(names = "--seed", paramLabel = "N", defaultValue = "1",
        description = "Of the times at which processes start, and of losses; default ${DEFAULT-VALUE}.")
    private long seed;

    @Option(names = "--real", description = "Also run what fits for real, over shared memory or, for ecclib, on emulated " +
        "networks, and show it beside: a minute or two more. Such figures differ from run to run, and so does paper.json then.")
    private boolean isReal;

    @Override
    public Integer call() throws IOException, InterruptedException
    {
        final List<Experiment> experiments = experiments(figure);
        if (experiments.isEmpty())
        {
            throw new OptionException(spec.commandLine(), "FIGURE: found '" + figure + "', expected all, " +
                String.join(", ", Experiments.figures()) + ", " + DeckExperiment.FIGURE + ", " + LoggpExperiment.FIGURE);
        }
        if (Files.exists(directory) && !Files.isDirectory(directory))
        {
            throw new OptionException(spec.commandLine(), "--out: found " + directory + ", expected a directory");
        }
        final Source source = experiments.get(0).source();
        if (source != Source.PROTOCOL && isQuick)
        {
            throw new OptionException(spec.commandLine(), "--quick: found for '" + figure + "', expected for other figures only");
        }
        if (isReal && (source == Source.DECK || source == Source.LOGGP))
        {
            throw new OptionException(spec.commandLine(), "--real: found for '" + figure +
                "', expected for other figures only; '" + (source == Source.DECK ? "bench deck" : "calibrate loggp") +
                "' measures on this machine");
        }
        boolean isComplete = run(experiments, directory, real(source));
        if (figure.equals(ALL))
        {
            for (final String other : OTHER_SOURCES)
            {
                isComplete = isComplete && run(experiments(other), directory.resolve(other), Map.of());
            }
        }
        return isComplete ? 0 : 1;
    }

    private List<Experiment> experiments(final String name)
    {
        return switch (name)
        {
            case DeckExperiment.FIGURE -> List.of(new DeckExperiment());
            case LoggpExperiment.FIGURE -> List.of(new LoggpExperiment());
            default -> Experiments.of(name, seed);
        };
    }

    /** Runs experiments of one source. False if it was interrupted. */
    private boolean run(final List<Experiment> experiments, final Path to, final Map<String, String> real)
        throws IOException, InterruptedException
    {
        final Source source = experiments.get(0).source();
        final FabricRunner runner = new FabricRunner(FabricParameters.fitted(), seed);
        final Map<String, Object> description = switch (source)
        {
            case PROTOCOL -> runner.description();
            case ECCLIB -> EcclibExperiment.description();
            case DECK -> DeckExperiment.description();
            case LOGGP -> LoggpExperiment.description();
        };
        final PaperRun run = new PaperRun(source, isQuick ? Scale.QUICK : Scale.FULL, seed, to, runner, description, PARALLEL,
            new StatusLine(System.err, STATUS_INTERVAL_S, TimeUnit.SECONDS));
        final PaperReport report = guarded(run, experiments, real);
        print(report, to);
        return report.isComplete();
    }

    /** On an interrupt the experiments are given up, and the process ends when the report is written. */
    private PaperReport guarded(final PaperRun run, final List<Experiment> experiments, final Map<String, String> real)
        throws IOException, InterruptedException
    {
        final CountDownLatch isWritten = new CountDownLatch(1);
        final Thread hook = new Thread(() ->
        {
            run.stop();
            try
            {
                isWritten.await(WRITING_S, TimeUnit.SECONDS);
            }
            catch (final InterruptedException ex)
            {
                Thread.currentThread().interrupt();
            }
        }, "paper-stop");
        Runtime.getRuntime().addShutdownHook(hook);
        try
        {
            final Map<String, Object> settings = new LinkedHashMap<>();
            settings.put("figure", figure);
            settings.put("quick", isQuick);
            settings.put("seed", seed);
            settings.put("real", isReal);
            return run.run(experiments, Environment.current(List.of()), settings, real);
        }
        finally
        {
            isWritten.countDown();
            ShutdownHooks.remove(hook);
        }
    }

    private Map<String, String> real(final Source source) throws IOException, InterruptedException
    {
        if (!isReal)
        {
            return Map.of();
        }
        return source == Source.ECCLIB ? new EcclibRuns(System.err).run() :
            new RealRuns(WorkDirectory.defaultParent(), System.err).run();
    }

    private void print(final PaperReport report, final Path to)
    {
        final PrintWriter out = spec.commandLine().getOut();
        int agree = 0;
        int differ = 0;
        for (final Finding finding : report.found())
        {
            final Boolean agrees = finding.agrees();
            agree += Boolean.TRUE.equals(agrees) ? 1 : 0;
            differ += Boolean.FALSE.equals(agrees) ? 1 : 0;
            out.printf("%-9s  %-3s  %s%n%16sexpected: %s%n%16sfound:    %s%n", finding.fact().figure(),
                agrees == null ? "?" : agrees ? "yes" : "NO", finding.fact().claim(), "", finding.fact().expected(), "",
                finding.simulated());
            if (report.reason(finding) != null)
            {
                out.printf("%16sreason:   %s%n", "", report.reason(finding));
            }
        }
        out.println(agree + " of " + report.found().size() + " published facts agree, " + differ + " do not, " +
            (report.found().size() - agree - differ) + " were not seen" + (report.isComplete() ? "" : "; INTERRUPTED") +
            ". Report: " + to.resolve("paper.html"));
        out.flush();
    }
}
