// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.cli;

import java.io.PrintWriter;
import java.io.StringWriter;

import org.tallypost.benchmarks.Tallypost;

/**
 * A command line executed in this JVM.
 *
 * @param exitCode as the process would end with.
 * @param output   standard output.
 * @param errors   of the command line's parser.
 */
record CommandRun(int exitCode, String output, String errors)
{
    static CommandRun of(final String... args)
    {
        final StringWriter output = new StringWriter();
        final StringWriter errors = new StringWriter();
        final int exitCode = Tallypost.commandLine()
            .setOut(new PrintWriter(output))
            .setErr(new PrintWriter(errors))
            .execute(args);
        return new CommandRun(exitCode, output.toString(), errors.toString());
    }
}
