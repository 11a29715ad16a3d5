// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli;

import org.tallypost.cli.console.OptionException;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * The command {@code tallypost} without its subcommands. A subclass names them in an annotation of its own, in the order in
 * which the help has them.
 * <p>
 * Exit codes: 0 for success, 1 for a run that failed or in which nothing is valid, 2 for a command line that could not be
 * understood.
 */
@Command(name = "tallypost", mixinStandardHelpOptions = true, versionProvider = MainCommand.Version.class)
public abstract class MainCommand implements Runnable
{
    @Spec
    private CommandSpec spec;

    /**
     * Refuses a call without a subcommand: the message and the usage go to the standard error.
     */
    @Override
    public final void run()
    {
        throw new ParameterException(spec.commandLine(), "Missing subcommand");
    }

    /**
     * The command line: usage is printed for what was not understood, not for a value that cannot be.
     *
     * @return a new one, of this command.
     */
    protected final CommandLine toCommandLine()
    {
        final CommandLine commandLine = new CommandLine(this);
        return commandLine.setParameterExceptionHandler(
            OptionException.handler(commandLine.getParameterExceptionHandler()));
    }

    static final class Version implements IVersionProvider
    {
        @Override
        public String[] getVersion()
        {
            final String version = MainCommand.class.getPackage().getImplementationVersion();
            return new String[]{ "tallypost " + (version == null ? "(not run from its jar)" : version) };
        }
    }
}
