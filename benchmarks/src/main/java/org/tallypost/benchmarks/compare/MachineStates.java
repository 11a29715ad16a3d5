// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.Arrays;

/**
 * Where one state of the machine ends and the next begins. What decides is the raw round trip, also where rates are
 * measured: it tells how far the cores are from each other, and repeats within a few percent, while a raw stream of lines
 * differs by a factor of four on a machine that does not change at all. And how long a core takes for some work: a neighbour on
 * the same core changes what instructions cost, and not what a line costs.
 *
 * @param nearNs a raw round trip below this many nanoseconds means that the cores are nearer to each other than they were most
 *               of the time.
 * @param fastNs one below this means that the machine is fast.
 * @param slowNs one below this means that it is slow; above, something else has the cores.
 * @param workNs {@link CoreWork} that takes longer than this means that a core is shared; 0 if that is not known.
 */
public record MachineStates(double nearNs, double fastNs, double slowNs, double workNs)
{
    /** Found by the comparison itself: {@link #around} what it has seen. */
    public static final MachineStates AUTO = new MachineStates(0, 0, 0, 0);
    /** Probes of one state differ by less than this. */
    public static final double FAST_FACTOR = 1.75;
    /** A slow machine takes less than so many times a fast one: cores at the far ends of a large machine. */
    public static final double SLOW_FACTOR = 7;
    /** On a core of one's own the work takes the same time within a percent. */
    public static final double WORK_FACTOR = 1.06;
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
     * These, or as far as they are to be found, those that go with what was seen.
     *
     * @param probes all that were seen.
     * @return states that classify, unless nothing was seen.
     */
    public MachineStates around(final Probe... probes)
    {
        if (probes.length == 0)
        {
            return this;
        }
        final double[] works = Arrays.stream(probes).mapToDouble(Probe::workNs).filter((ns) -> ns > 0).toArray();
        final double limitNs = workNs > 0 || works.length == 0 ? workNs : WORK_FACTOR * referenceNs(works);
        if (!unknown())
        {
            return new MachineStates(nearNs, fastNs, slowNs, limitNs);
        }
        // two parties on the halves of one core have each other for a neighbour: how near they are says nothing of other cores
        final double[] own = Arrays.stream(probes).filter((probe) -> limitNs == 0 || probe.workNs() <= limitNs)
            .mapToDouble(Probe::roundTripNs).toArray();
        final double referenceNs = referenceNs(own);
        return new MachineStates(referenceNs / FAST_FACTOR, FAST_FACTOR * referenceNs, SLOW_FACTOR * referenceNs, limitNs);
    }

    /**
     * What a tenth of those seen are below.
     *
     * @param seenNs at least one.
     * @return nanoseconds.
     */
    static double referenceNs(final double... seenNs)
    {
        final double[] sorted = seenNs.clone();
        Arrays.sort(sorted);
        return sorted[(int)(sorted.length * REFERENCE_SHARE)];
    }

    /**
     * Classifies one probe.
     *
     * @param probe of the machine.
     * @return the state.
     */
    public MachineState classify(final Probe probe)
    {
        final double roundTripNs = probe.roundTripNs();
        final MachineState own = workNs > 0 && probe.workNs() > workNs ? MachineState.SHARED : MachineState.FAST;
        return roundTripNs < nearNs ? MachineState.NEAR : roundTripNs < fastNs ? own :
            roundTripNs < slowNs ? MachineState.SLOW : MachineState.STOLEN;
    }
}
