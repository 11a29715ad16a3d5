// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks;

import org.tallypost.benchmarks.cli.BenchCommand;
import org.tallypost.benchmarks.cli.CalibrateCommand;
import org.tallypost.benchmarks.cli.HelloCommand;
import org.tallypost.benchmarks.cli.PaperCommand;
import org.tallypost.benchmarks.cli.PlanCommand;
import org.tallypost.benchmarks.cli.StatCommand;
import org.tallypost.benchmarks.compare.CompareCommand;
import org.tallypost.benchmarks.compare.ResultsCommand;
import org.tallypost.benchmarks.report.OptionException;
import org.tallypost.benchmarks.study.StudyCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command line {@code tallypost}.
 * <p>
 * Exit codes: 0 for success, 1 for a run that failed or in which nothing is valid, 2 for a command line that could not be
 * understood.
 */
@Command(
    name = "tallypost",
    description = "Off-heap message runtime for the JVM: benchmarks and tools.",
    mixinStandardHelpOptions = true,
    versionProvider = Tallypost.Version.class,
    subcommands = { BenchCommand.class, CalibrateCommand.class, CompareCommand.class, HelloCommand.class, PaperCommand.class,
        PlanCommand.class, ResultsCommand.class, StatCommand.class, StudyCommand.class })
public final class Tallypost implements Runnable
{
    @Spec
    private CommandSpec spec;

    /**
     * Runs the command line and ends the process with its exit code.
     *
     * @param args as given by the user.
     */
    public static void main(final String[] args)
    {
        System.exit(commandLine().execute(args));
    }

    /**
     * The command line as {@link #main} runs it: usage is printed for what was not understood, not for a value that cannot be.
     *
     * @return a new one.
     */
    public static CommandLine commandLine()
    {
        final CommandLine commandLine = new CommandLine(new Tallypost());
        return commandLine.setParameterExceptionHandler(
            OptionException.handler(commandLine.getParameterExceptionHandler()));
    }

    /**
     * Refuses a call without a subcommand: the message and the usage go to the standard error.
     */
    @Override
    public void run()
    {
        throw new ParameterException(spec.commandLine(), "Missing subcommand");
    }

    static final class Version implements IVersionProvider
    {
        @Override
        public String[] getVersion()
        {
            final String version = Tallypost.class.getPackage().getImplementationVersion();
            return new String[]{ "tallypost " + (version == null ? "(not run from its jar)" : version) };
        }
    }
}
