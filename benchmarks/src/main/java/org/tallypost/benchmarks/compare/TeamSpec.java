// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;

import com.fasterxml.jackson.databind.ObjectMapper;

/**
 * What a team of one transport is started for. Handed to its processes as JSON, in the team's directory.
 *
 * @param cells       in the order of the comparison; null for one in which the transport takes no part.
 * @param slowPercent by which it is to be slower than it is.
 * @param turnMs      for which a turn should last, in milliseconds.
 * @param timeoutMs   after which a party that waits gives up, in milliseconds.
 * @param isMixed     whether warm-up turns have messages in other kinds of memory as well.
 */
public record TeamSpec(List<LinkSpec> cells, double slowPercent, int turnMs, int timeoutMs, boolean isMixed)
{
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final String FILE_NAME = "team.json";

    void write(final File directory) throws IOException
    {
        MAPPER.writeValue(new File(directory, FILE_NAME), this);
    }

    static TeamSpec read(final File directory)
    {
        try
        {
            return MAPPER.readValue(new File(directory, FILE_NAME), TeamSpec.class);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Parties of the cell that has most. */
    int parties()
    {
        return cells.stream().filter((cell) -> cell != null).mapToInt(LinkSpec::parties).max().orElse(0);
    }

    boolean isOneProcess()
    {
        return cells.stream().anyMatch((cell) -> cell != null && cell.scope() == Scope.THREADS);
    }
}
