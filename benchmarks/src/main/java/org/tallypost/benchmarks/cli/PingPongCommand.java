// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.cli;

import org.tallypost.benchmarks.plan.WorkloadKind;
import picocli.CommandLine.Command;

/**
 * {@code tallypost bench pingpong}.
 */
@Command(
    name = "pingpong",
    description = "Two ranks in two processes exchange a message and its answer.",
    mixinStandardHelpOptions = true)
public final class PingPongCommand extends RunCommand
{
    private static final int PAIR = 2;

    @Override
    WorkloadKind workload()
    {
        return WorkloadKind.PINGPONG;
    }

    @Override
    int ranks()
    {
        return PAIR;
    }

    @Override
    int processes()
    {
        return PAIR;
    }

    @Override
    int active()
    {
        return PAIR;
    }
}
