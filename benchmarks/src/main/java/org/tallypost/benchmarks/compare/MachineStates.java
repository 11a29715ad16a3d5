// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.Arrays;

/**
 * Where one state of the machine ends and the next begins. What decides is always the raw round trip, also where rates are
 * measured: it tells how far the cores are from each other, and repeats within a few percent, while a raw stream of lines
 * differs by a factor of four on a machine that does not change at all.
 *
 * @param nearNs a raw round trip below this many nanoseconds means that the cores are nearer to each other than they were most
 *               of the time.
 * @param fastNs one below this means that the machine is fast.
 * @param slowNs one below this means that it is slow; above, something else has the cores.
 */
public record MachineStates(double nearNs, double fastNs, double slowNs)
{
    /** Found by the comparison itself: {@link #around} what it has seen. */
    public static final MachineStates AUTO = new MachineStates(0, 0, 0);
    /** Probes of one state differ by less than this. */
    public static final double FAST_FACTOR = 1.75;
    /** A slow machine takes less than so many times a fast one: cores at the far ends of a large machine. */
    public static final double SLOW_FACTOR = 7;
    /** Share of all probes that are below the reference: the best alone may be a rare whim of the host. */
    public static final double REFERENCE_SHARE = 0.1;

    /**
     * Whether these are still to be found by the comparison.
     *
     * @return true of {@link #AUTO}.
     */
    public boolean unknown()
    {
        return fastNs == 0;
    }

    /**
     * These, or if they are to be found, those that go with what was seen.
     *
     * @param roundTripsNs all raw round trips that were seen, in nanoseconds.
     * @return states that classify, unless nothing was seen.
     */
    public MachineStates around(final double... roundTripsNs)
    {
        if (!unknown() || roundTripsNs.length == 0)
        {
            return this;
        }
        final double referenceNs = referenceNs(roundTripsNs);
        return new MachineStates(referenceNs / FAST_FACTOR, FAST_FACTOR * referenceNs, SLOW_FACTOR * referenceNs);
    }

    /**
     * The raw round trip that a tenth of those seen are below.
     *
     * @param roundTripsNs at least one.
     * @return nanoseconds.
     */
    static double referenceNs(final double... roundTripsNs)
    {
        final double[] sorted = roundTripsNs.clone();
        Arrays.sort(sorted);
        return sorted[(int)(sorted.length * REFERENCE_SHARE)];
    }

    /**
     * Classifies one probe.
     *
     * @param roundTripNs raw round trip in nanoseconds.
     * @return the state.
     */
    public MachineState classify(final double roundTripNs)
    {
        return roundTripNs < nearNs ? MachineState.NEAR : roundTripNs < fastNs ? MachineState.FAST :
            roundTripNs < slowNs ? MachineState.SLOW : MachineState.STOLEN;
    }
}
