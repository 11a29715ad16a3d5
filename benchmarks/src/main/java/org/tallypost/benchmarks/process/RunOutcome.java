// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.process;

import java.util.List;

/**
 * What came out of a run.
 *
 * @param workers     results of the workers; empty if the run failed.
 * @param durationsNs time of each timed step, from the first start to the last end; empty if the run failed.
 * @param flags       of the workers' JVMs.
 * @param failure     why the run failed, or null.
 */
public record RunOutcome(List<WorkerResult> workers, long[] durationsNs, List<String> flags, String failure)
{
    static RunOutcome failed(final List<String> flags, final String failure)
    {
        return new RunOutcome(List.of(), new long[0], flags, failure);
    }
}
