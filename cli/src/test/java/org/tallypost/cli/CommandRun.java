// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

import picocli.CommandLine;

/**
 * A command line executed in this JVM.
 *
 * @param exitCode as the process would end with.
 * @param output   standard output.
 * @param errors   of the command line's parser.
 */
public record CommandRun(int exitCode, String output, String errors)
{
    /**
     * Executes a command of the module {@code cli}.
     *
     * @param args of the command line.
     * @return what came of it.
     */
    public static CommandRun of(final String... args)
    {
        return of(Tallypost.commandLine(), args);
    }

    /**
     * Executes a command of any module.
     *
     * @param commandLine that has the command.
     * @param args        of it.
     * @return what came of it.
     */
    public static CommandRun of(final CommandLine commandLine, final String... args)
    {
        final StringWriter output = new StringWriter();
        final StringWriter errors = new StringWriter();
        final int exitCode = commandLine
            .setOut(new PrintWriter(output))
            .setErr(new PrintWriter(errors))
            .execute(args);
        return new CommandRun(exitCode, output.toString(), errors.toString());
    }
}
