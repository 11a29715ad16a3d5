// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.run;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The processors on which this process may run. */
final class AllowedProcessors
{
    private static final Pattern LIST = Pattern.compile("^Cpus_allowed_list:\\s*([0-9,-]+)$", Pattern.MULTILINE);

    private AllowedProcessors()
    {
    }

    /** The numbers of the processors, rising. */
    static int[] read()
    {
        try
        {
            return parse(Files.readString(Path.of("/proc/self/status")));
        }
        catch (final IOException ex)
        {
            throw new UnavailableToolException("--bind-cores: /proc/self/status cannot be read: " + ex.getMessage());
        }
    }

    static int[] parse(final String status)
    {
        final Matcher matcher = LIST.matcher(status);
        if (!matcher.find())
        {
            throw new UnavailableToolException("--bind-cores: /proc/self/status has no line Cpus_allowed_list");
        }
        return Stream.of(matcher.group(1).split(",")).flatMapToInt(AllowedProcessors::range).toArray();
    }

    private static IntStream range(final String text)
    {
        final String[] ends = text.split("-");
        return IntStream.rangeClosed(Integer.parseInt(ends[0]), Integer.parseInt(ends[ends.length - 1]));
    }
}
