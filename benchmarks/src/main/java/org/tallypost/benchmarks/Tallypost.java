// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks;

import org.tallypost.benchmarks.cli.BenchCommand;
import org.tallypost.benchmarks.cli.CalibrateCommand;
import org.tallypost.benchmarks.cli.PaperCommand;
import org.tallypost.benchmarks.cli.PlanCommand;
import org.tallypost.benchmarks.compare.CompareCommand;
import org.tallypost.benchmarks.compare.ResultsCommand;
import org.tallypost.benchmarks.study.StudyCommand;
import org.tallypost.cli.MainCommand;
import org.tallypost.cli.clean.CleanCommand;
import org.tallypost.cli.doctor.DoctorCommand;
import org.tallypost.cli.doctor.ListCommand;
import org.tallypost.cli.hello.HelloCommand;
import org.tallypost.cli.knobs.KnobsCommand;
import org.tallypost.cli.run.RunCommand;
import org.tallypost.cli.stat.StatCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.HelpCommand;

/**
 * The command line {@code tallypost} with all commands: those of the benchmarks, and those that need the runtime alone.
 */
@Command(
    description = "Off-heap message runtime for the JVM: benchmarks and tools.",
    subcommands = { BenchCommand.class, CalibrateCommand.class, CleanCommand.class, CompareCommand.class, DoctorCommand.class,
        HelloCommand.class, KnobsCommand.class, ListCommand.class, PaperCommand.class, PlanCommand.class, ResultsCommand.class,
        RunCommand.class, StatCommand.class, StudyCommand.class, HelpCommand.class })
public final class Tallypost extends MainCommand
{
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
     * The command line as {@link #main} runs it.
     *
     * @return a new one.
     */
    public static CommandLine commandLine()
    {
        return new Tallypost().toCommandLine();
    }
}
