// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.imb;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * What a team is started for. Handed to its processes as JSON, in the team's directory.
 *
 * @param cells     that are measured.
 * @param ranks     of the team.
 * @param method    by which times are summed up.
 * @param memory    in which ranks have what they send.
 * @param timeoutMs after which a rank that waits gives up, in milliseconds.
 * @param isCorrupt whether ranks send what they should not.
 */
record ImbSpec(List<Cell> cells, int ranks, ImbMethod method, ImbMemory memory, int timeoutMs, boolean isCorrupt)
{
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String FILE_NAME = "team.json";

    /**
     * What is measured.
     *
     * @param call        the operation.
     * @param length      in bytes.
     * @param repetitions of a turn.
     */
    record Cell(ImbCall call, int length, int repetitions)
    {
    }

    void write(final File directory) throws IOException
    {
        MAPPER.writeValue(new File(directory, FILE_NAME), this);
    }

    static ImbSpec read(final File directory)
    {
        try
        {
            return MAPPER.readValue(new File(directory, FILE_NAME), ImbSpec.class);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** For Open MPI's program. */
    List<String> arguments()
    {
        final List<String> arguments = new ArrayList<>(List.of(method.label()));
        cells.forEach((cell) -> arguments.addAll(List.of(cell.call().label(), Integer.toString(cell.length()))));
        return arguments;
    }
}
