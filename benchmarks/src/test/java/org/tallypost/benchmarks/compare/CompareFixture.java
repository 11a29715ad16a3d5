// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.Arrays;
import java.util.List;

import org.tallypost.endpoint.Flow;

/**
 * Settings and results that tests change as they need.
 */
final class CompareFixture
{
    static final int TIMEOUT_MS = 1_800_000;
    static final double FAST_NS = 130;
    static final double SLOW_NS = 500;
    static final double STOLEN_NS = 2_000;

    static final MachineStates STATES = new MachineStates(0, 300, 900, 0);

    private CompareFixture()
    {
    }

    static Settings settings(final Mode mode, final TransportKind... transports)
    {
        return new Settings(Scope.THREADS, List.of(mode), List.of(48), List.of(1), 8, Arrays.asList(transports), 256, 5, 0, 2, 1,
            1, 1, STATES, Flow.DYNAMIC, AeronDriver.EMBEDDED, false, null, TIMEOUT_MS, 1, NetworkTurns.MTU_LENGTH);
    }

    static ForkSpec spec(final TransportKind kind, final Mode mode, final int length, final int producers, final boolean corrupt)
    {
        return new ForkSpec(kind, mode, Scope.THREADS, length, producers, 256, 2, 1, 1, 1, STATES, Flow.DYNAMIC,
            AeronDriver.EMBEDDED, false, corrupt, TIMEOUT_MS);
    }

    static ForkResult rtt(final double before, final double figure, final double after)
    {
        return new ForkResult(List.of(run(before, figure, after)), 0, 65_536, null);
    }

    /** On a fast machine, with a raw stream of 80 million lines per second. */
    static ForkResult rate(final double figure)
    {
        final Probe probe = new Probe(80e6, FAST_NS, 0);
        return new ForkResult(
            List.of(new ForkResult.Run(probe, probe, figure, 0, 0, 0, 1_000, 1)), 0, 65_536, null);
    }

    static ForkResult.Run run(final double before, final double figure, final double after)
    {
        return run(probe(before, 0), figure, probe(after, 0));
    }

    static ForkResult.Run run(final Probe before, final double figure, final Probe after)
    {
        return new ForkResult.Run(before, after, figure, figure + 20, figure * 2, figure * 3, 1_000, 1);
    }

    static Probe probe(final double roundTripNs, final double workNs)
    {
        return new Probe(roundTripNs, roundTripNs, workNs);
    }
}
