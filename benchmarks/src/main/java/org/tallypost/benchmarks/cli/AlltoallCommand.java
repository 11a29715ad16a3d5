// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.cli;

import java.util.List;

import org.tallypost.benchmarks.plan.MessagePath;
import org.tallypost.benchmarks.plan.WorkloadKind;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/**
 * {@code tallypost bench alltoall}.
 */
@Command(
    name = "alltoall",
    description = "Every active rank sends one message to every other active rank, then receives one from each.",
    mixinStandardHelpOptions = true)
public final class AlltoallCommand extends GroupRunCommand
{
    @Option(names = "--path", paramLabel = "PATH", defaultValue = "runs", converter = Converters.PathsConverter.class,
        description = "How messages come to their receivers: runs (of slots, as the endpoint sends them), packets (of one slot " +
            "each), regions (one copy out of the sender's region, told of by a message of one slot; between nodes by runs), or " +
            "several of them in turns, with commas between them, or all; default ${DEFAULT-VALUE}.")
    private Converters.Paths paths;

    @Override
    List<MessagePath> paths()
    {
        return paths.list();
    }

    @Override
    WorkloadKind workload()
    {
        return WorkloadKind.ALLTOALL;
    }
}
