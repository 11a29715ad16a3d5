// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.cli;

import org.tallypost.benchmarks.plan.WorkloadKind;
import picocli.CommandLine.Option;

/**
 * A workload among many ranks.
 */
abstract class GroupRunCommand extends RunCommand
{
    private static final int ACTIVE_PARTS = 8;
    private static final int LEAST_ACTIVE = 8;

    @Option(names = "--ranks", paramLabel = "N", defaultValue = "64",
        description = "Endpoints in the group; default ${DEFAULT-VALUE}.")
    private int ranks;

    @Option(names = "--processes", paramLabel = "N", defaultValue = "2",
        description = "Processes; each drives its ranks on one thread; default ${DEFAULT-VALUE}.")
    private int processes;

    @Option(names = "--active", paramLabel = "N",
        description = "Ranks that take part; the others hold their credits and keep still; default all, " +
        "but for alltoall an eighth, and no fewer than 8 if there are as many.")
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
        if (active != null)
        {
            return active;
        }
        return workload() == WorkloadKind.ALLTOALL ? Math.min(ranks, Math.max(LEAST_ACTIVE, ranks / ACTIVE_PARTS)) : ranks;
    }
}
