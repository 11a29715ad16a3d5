// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.IOException;

/**
 * Puts what cannot probe the machine itself between two forks that do nothing else.
 */
final class Bracket
{
    private static final int WARMUPS = 2;
    private final ForkRunner runner;

    /**
     * Uses a runner of forks.
     *
     * @param runner that runs raw forks.
     */
    Bracket(final ForkRunner runner)
    {
        this.runner = runner;
    }

    /** What stands between the probes. */
    interface Measurement
    {
        /**
         * Measures.
         *
         * @return one run whose probes are not known, or a failure.
         * @throws IOException          if that is not possible.
         * @throws InterruptedException if this thread is interrupted.
         */
        ForkResult take() throws IOException, InterruptedException;
    }

    /**
     * Measures between two probes.
     *
     * @param spec        of the fork.
     * @param measurement of one run.
     * @return the run with its probes, or what failed.
     * @throws IOException          if a fork cannot be started.
     * @throws InterruptedException if this thread is interrupted.
     */
    ForkResult measure(final ForkSpec spec, final Measurement measurement) throws IOException, InterruptedException
    {
        final ForkResult before = probe(spec);
        final ForkResult found = measurement.take();
        if (before.failure() != null || found.failure() != null)
        {
            return found.failure() != null ? found : before;
        }
        final ForkResult after = probe(spec);
        if (after.failure() != null)
        {
            return after;
        }
        final ForkResult.Run first = before.runs().get(0);
        final ForkResult.Run last = after.runs().get(0);
        return new ForkResult(found.runs().stream().map((run) -> new ForkResult.Run(
            first.probeAfter(), last.probeBefore(), first.afterNs(), last.beforeNs(), run.figure(), run.p50Ns(), run.p99Ns(),
            run.p999Ns(), run.messages(), run.busy())).toList(), found.wrong(), found.bufferBytes(), null);
    }

    private ForkResult probe(final ForkSpec spec) throws IOException, InterruptedException
    {
        return runner.run(new ForkSpec(TransportKind.RAW, spec.mode() == Mode.RATE ? Mode.RATE : Mode.RTT, Scope.PROCESSES,
            Long.BYTES, 1, spec.slots(), 1, WARMUPS, 1, spec.probeMs(), spec.states(), spec.flow(), spec.aeronDriver(), false,
            false, spec.timeoutMs()));
    }
}
