// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.cli;

import org.tallypost.benchmarks.plan.WorkloadKind;
import picocli.CommandLine.Command;

/**
 * {@code tallypost bench rate}.
 */
@Command(
    name = "rate",
    description = "All active ranks but rank 0 send to rank 0 as fast as they can.",
    mixinStandardHelpOptions = true)
public final class RateCommand extends GroupRunCommand
{
    @Override
    WorkloadKind workload()
    {
        return WorkloadKind.RATE;
    }
}
