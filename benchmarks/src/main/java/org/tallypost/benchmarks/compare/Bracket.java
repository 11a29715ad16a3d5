// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Puts what cannot probe the machine itself between two forks that do nothing else.
 */
final class Bracket
{
    private static final int WARMUPS = 2;
    private static final int MAX_ATTEMPTS = 3;

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
     * Measures between two probes, again if they did not see the machine fast: these probes are some seconds apart.
     *
     * @param spec        of the fork.
     * @param measurement of one run.
     * @return the runs with their probes, or what failed.
     * @throws IOException          if a fork cannot be started.
     * @throws InterruptedException if this thread is interrupted.
     */
    ForkResult measure(final ForkSpec spec, final Measurement measurement) throws IOException, InterruptedException
    {
        final List<ForkResult.Run> runs = new ArrayList<>();
        long wrong = 0;
        long bufferBytes = 0;
        ForkResult before = probe(spec);
        for (int i = 0; i < Math.min(MAX_ATTEMPTS, spec.attempts()); i++)
        {
            final ForkResult found = before.failure() != null ? before : measurement.take();
            if (found.failure() != null)
            {
                return found;
            }
            final ForkResult after = probe(spec);
            if (after.failure() != null)
            {
                return after;
            }
            final ForkResult.Run first = before.runs().get(0);
            final ForkResult.Run last = after.runs().get(0);
            final ForkResult.Run run = found.runs().get(0);
            runs.add(new ForkResult.Run(first.after(), last.before(), run.figure(), run.p50Ns(), run.p99Ns(), run.p999Ns(),
                run.messages(), run.busy()));
            wrong += found.wrong();
            bufferBytes = found.bufferBytes();
            if (runs.get(i).isKeptFast(spec.states().around(first.after(), last.before())))
            {
                break;
            }
            before = after;
        }
        return new ForkResult(runs, wrong, bufferBytes, null);
    }

    private ForkResult probe(final ForkSpec spec) throws IOException, InterruptedException
    {
        return runner.run(new ForkSpec(TransportKind.RAW, spec.mode() == Mode.RATE ? Mode.RATE : Mode.RTT, Scope.PROCESSES,
            Long.BYTES, 1, spec.slots(), 1, WARMUPS, 1, spec.probeMs(), spec.states(), spec.flow(), spec.aeronDriver(), false,
            false, spec.timeoutMs()));
    }
}
