// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.console;

import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * A value of an option that was understood and cannot be: out of range, or not possible on this machine. The user knows the
 * syntax already, so the message is printed without the usage.
 */
public final class OptionException extends ParameterException
{
    private static final long serialVersionUID = 1L;

    /**
     * A value that cannot be.
     *
     * @param commandLine of the command.
     * @param message     that names the option, what was found and what was expected.
     */
    public OptionException(final CommandLine commandLine, final String message)
    {
        super(commandLine, message);
    }

    /**
     * A value that cannot be, for a reason.
     *
     * @param commandLine of the command.
     * @param message     that names the option, what was found and what was expected.
     * @param cause       that tells more.
     */
    public OptionException(final CommandLine commandLine, final String message, final Throwable cause)
    {
        super(commandLine, message, cause);
    }

    /**
     * Prints the message of a value that cannot be, what the option is for, and how to see all of them. Of a command that is not
     * known it prints which ones there are. Everything else is left to another handler.
     *
     * @param others handles what is no value, as an option that is not known.
     * @return the handler.
     */
    public static IParameterExceptionHandler handler(final IParameterExceptionHandler others)
    {
        return (ex, args) ->
        {
            final boolean isValue = ex.getArgSpec() != null && !(ex instanceof CommandLine.MissingParameterException);
            final String unknown = unknownCommand(ex);
            if (!(ex instanceof OptionException) && !isValue && unknown == null)
            {
                return others.handleParseException(ex, args);
            }
            final CommandLine commandLine = ex.getCommandLine();
            commandLine.getErr().println(unknown == null ? ex.getMessage() : unknown);
            if (isValue)
            {
                commandLine.getErr().println(line(ex.getArgSpec()));
            }
            commandLine.getErr().println("options: " + commandLine.getCommandSpec().qualifiedName() + " --help");
            commandLine.getErr().flush();
            return commandLine.getCommandSpec().exitCodeOnInvalidInput();
        };
    }

    /** Null if what was not understood is no name of a command. */
    private static String unknownCommand(final ParameterException ex)
    {
        final Set<String> commands = ex.getCommandLine().getSubcommands().keySet();
        if (!(ex instanceof UnmatchedArgumentException unmatched) || commands.isEmpty() || unmatched.isUnknownOption())
        {
            return null;
        }
        return "no such command: found '" + ex.getCommandLine().getCommandSpec().qualifiedName() + " " +
            unmatched.getUnmatched().get(0) + "', expected one of " + String.join(", ", commands);
    }

    /** An option or a parameter in one line, as the help has it. */
    private static String line(final ArgSpec arg)
    {
        final String name = arg instanceof OptionSpec option ? option.longestName() + "=" + arg.paramLabel() : arg.paramLabel();
        return name + ": " + String.join(" ", arg.description());
    }
}
