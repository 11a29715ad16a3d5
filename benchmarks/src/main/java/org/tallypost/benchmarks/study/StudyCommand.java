// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import org.tallypost.benchmarks.loggp.StudyLoggpCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code tallypost study}: what credits are for, measured.
 */
@Command(
    name = "study",
    description = "Measures what credits are for: with little memory, beside a flood, behind a link that all share; and how " +
        "well collectives choose their algorithms; and which parameter of LogGP programs feel.",
    mixinStandardHelpOptions = true,
    subcommands = { BuffersCommand.class, CollectivesCommand.class, IsolationCommand.class,
        LinkCommand.class, StudyLoggpCommand.class, NetworkMemoryCommand.class })
public final class StudyCommand implements Runnable
{
    @Spec
    private CommandSpec spec;

    /**
     * Refuses a call without a subcommand.
     */
    @Override
    public void run()
    {
        throw new ParameterException(
            spec.commandLine(), "Missing study: buffers, collectives, isolation, link, loggp or network-memory");
    }
}
