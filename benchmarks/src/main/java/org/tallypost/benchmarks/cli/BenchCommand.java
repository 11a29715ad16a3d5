// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.cli;

import org.tallypost.benchmarks.apps.AppsCommand;
import org.tallypost.benchmarks.imb.ImbCommand;
import org.tallypost.benchmarks.study.AdaptersCommand;
import org.tallypost.benchmarks.study.DeckCommand;
import org.tallypost.benchmarks.study.PriorityCommand;
import org.tallypost.benchmarks.study.UnexpectedCommand;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * {@code tallypost bench}: measures a workload in real processes.
 */
@Command(
    name = "bench",
    description = "Measures real processes: workloads, flow controls side by side, with all that arrives verified; also " +
        "priorities and mail boxes.",
    mixinStandardHelpOptions = true,
    subcommands = {
        AlltoallCommand.class, PingPongCommand.class, MultiPingPongCommand.class, RateCommand.class, ImbCommand.class,
        UnexpectedCommand.class, PriorityCommand.class, AppsCommand.class, AdaptersCommand.class,
        DeckCommand.class
    })
public final class BenchCommand implements Runnable
{
    @Spec
    private CommandSpec spec;

    @Override
    public void run()
    {
        throw new ParameterException(spec.commandLine(),
            "Missing workload: expected one of alltoall, pingpong, multipingpong, rate, imb, unexpected, priority, apps, " +
                "adapters, deck");
    }
}
