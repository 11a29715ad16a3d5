// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.cli;

import picocli.CommandLine.Option;

/**
 * A workload among many ranks.
 */
abstract class GroupRunCommand extends RunCommand
{
    @Option(names = "--ranks", paramLabel = "N", defaultValue = "64",
        description = "Endpoints in the group; default ${DEFAULT-VALUE}.")
    private int ranks;

    @Option(names = "--processes", paramLabel = "N", defaultValue = "2",
        description = "Processes; each drives its ranks on one thread; default ${DEFAULT-VALUE}.")
    private int processes;

    @Option(names = "--active", paramLabel = "N",
        description = "Ranks that take part; the others hold their credits and keep still; default all.")
    private Integer active;

    @Override
    final int ranks()
    {
        return ranks;
    }

    @Override
    final int processes()
    {
        return processes;
    }

    @Override
    final int active()
    {
        return active == null ? ranks : active;
    }
}
