// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.cli;

import org.tallypost.benchmarks.plan.WorkloadKind;
import picocli.CommandLine.Command;

/**
 * {@code tallypost bench multipingpong}.
 */
@Command(
    name = "multipingpong",
    description = "Ranks i and i + ranks/2 exchange a message and its answer, all pairs at once.",
    mixinStandardHelpOptions = true)
public final class MultiPingPongCommand extends GroupRunCommand
{
    @Override
    WorkloadKind workload()
    {
        return WorkloadKind.MULTIPINGPONG;
    }
}
