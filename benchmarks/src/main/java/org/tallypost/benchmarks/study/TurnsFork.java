// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.io.IOException;

import com.fasterxml.jackson.databind.ObjectMapper;
import org.tallypost.benchmarks.compare.Fork;

/**
 * The JVM of {@link Turns}.
 */
public final class TurnsFork
{
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private TurnsFork()
    {
    }

    /**
     * Takes all turns. Ends when the standard input does, because then the parent is gone.
     *
     * @param args directory of the fork.
     * @throws IOException if the directory is not what it should be.
     */
    public static void main(final String[] args) throws IOException
    {
        Fork.endWithParent();
        final File directory = new File(args[0]);
        try
        {
            final TurnsSpec spec = MAPPER.readValue(specFile(directory), TurnsSpec.class);
            MAPPER.writeValue(resultFile(directory), new Turns(spec, new File(directory, "turns")).run());
        }
        catch (final InterruptedException | RuntimeException | Error ex)
        {
            System.err.println(Fork.FAILED + TrialFork.describe(ex));
            System.err.flush();
            Runtime.getRuntime().halt(1);
        }
        Runtime.getRuntime().halt(0);
    }

    static void writeSpec(final File directory, final TurnsSpec spec) throws IOException
    {
        MAPPER.writeValue(specFile(directory), spec);
    }

    static TurnsResult readResult(final File directory) throws IOException
    {
        return MAPPER.readValue(resultFile(directory), TurnsResult.class);
    }

    private static File specFile(final File directory)
    {
        return new File(directory, "spec.json");
    }

    private static File resultFile(final File directory)
    {
        return new File(directory, "result.json");
    }
}
