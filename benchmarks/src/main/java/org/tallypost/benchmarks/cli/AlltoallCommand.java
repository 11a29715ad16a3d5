// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.cli;

import org.tallypost.benchmarks.plan.WorkloadKind;
import picocli.CommandLine.Command;

/**
 * {@code tallypost bench alltoall}.
 */
@Command(
    name = "alltoall",
    description = "Every active rank sends one message to every other active rank, then receives one from each.",
    mixinStandardHelpOptions = true)
public final class AlltoallCommand extends GroupRunCommand
{
    @Override
    WorkloadKind workload()
    {
        return WorkloadKind.ALLTOALL;
    }
}
