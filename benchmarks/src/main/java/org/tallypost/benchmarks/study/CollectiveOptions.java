// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** Which collectives are measured: numbers of members, lengths, and how often. */
final class CollectiveOptions
{
    private static final int MAX_MEMBERS = 64;
    private static final int MAX_LENGTH = 1 << 24;
    private static final int MAX_ROUNDS = 1_000;

    @Option(names = "--members", paramLabel = "N", split = ",", defaultValue = "2,3,4,8",
        description = "Numbers of members; default ${DEFAULT-VALUE}.")
    private List<Integer> members;

    @Option(names = "--bytes", paramLabel = "N", split = ",",
        description = "Bytes of a portion, multiples of 8; default 8,1024,8192,65536,262144,1048576, to calibrate powers of 4.")
    private List<Integer> bytes;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "31",
        description = "Turns of each algorithm, of which the median counts; default ${DEFAULT-VALUE}.")
    private int rounds;

    /**
     * Checks them, and sets what is not given.
     *
     * @param commandLine that has read them.
     * @param lengths     if none are given.
     */
    void check(final CommandLine commandLine, final List<Integer> lengths)
    {
        bytes = bytes == null ? lengths : bytes;
        members.forEach((count) -> require(commandLine, count >= 2 && count <= MAX_MEMBERS, "--members", count,
            "2 to " + MAX_MEMBERS));
        bytes.forEach((count) -> require(commandLine, count >= 8 && count <= MAX_LENGTH && count % 8 == 0, "--bytes", count,
            "multiples of 8 from 8 to " + MAX_LENGTH));
        require(commandLine, rounds >= 1 && rounds <= MAX_ROUNDS, "--rounds", rounds, "1 to " + MAX_ROUNDS);
    }

    /**
     * Checks where something is to be written, before it is measured.
     *
     * @param commandLine that has read it.
     * @param option      its name.
     * @param file        or null.
     */
    static void checkFile(final CommandLine commandLine, final String option, final Path file)
    {
        final Path place = file == null ? null : file.toAbsolutePath().getParent();
        require(commandLine, file == null || !Files.isDirectory(file) && place != null && Files.isDirectory(place), option, file,
            "a file in an existing directory");
    }

    private static void require(
        final CommandLine commandLine, final boolean isGood, final String option, final Object found, final String expected)
    {
        if (!isGood)
        {
            throw new ParameterException(commandLine, option + ": found " + found + ", expected " + expected);
        }
    }

    List<Integer> members()
    {
        return members;
    }

    List<Integer> bytes()
    {
        return bytes;
    }

    int rounds()
    {
        return rounds;
    }
}
