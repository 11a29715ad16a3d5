// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import org.tallypost.benchmarks.compare.ForkResult;
import org.tallypost.benchmarks.compare.MachineState;
import org.tallypost.benchmarks.compare.Mode;

/**
 * Where one state of the machine ends and the next begins, as the raw probe sees it.
 *
 * @param rttFastNs       a raw round trip below this many nanoseconds means that the machine is fast.
 * @param rttSlowNs       one below this means that it is slow; above, something else has the cores.
 * @param rateFastPerSecond a raw stream of at least so many lines per second means that the machine is fast.
 * @param rateSlowPerSecond one of at least so many means that it is slow; below, something else has the cores.
 */
public record Thresholds(double rttFastNs, double rttSlowNs, double rateFastPerSecond, double rateSlowPerSecond)
{
    /** Those of a virtual machine with two cores whose host moves them about. */
    public static final Thresholds DEFAULT = new Thresholds(300, 900, 65e6, 25e6);

    /**
     * Classifies one probe.
     *
     * @param mode  that the probe was for.
     * @param probe nanoseconds of a round trip, or lines per second.
     * @return the state.
     */
    public MachineState classify(final Mode mode, final double probe)
    {
        if (mode == Mode.RTT)
        {
            return probe < rttFastNs ? MachineState.FAST : probe < rttSlowNs ? MachineState.SLOW : MachineState.STOLEN;
        }
        return probe >= rateFastPerSecond ? MachineState.FAST :
            probe >= rateSlowPerSecond ? MachineState.SLOW : MachineState.STOLEN;
    }

    /**
     * Whether the machine was in one state all the time, as far as the probes can tell.
     *
     * @param mode that the probes were for.
     * @param run  between two of them.
     * @return true if so.
     */
    public boolean keeps(final Mode mode, final ForkResult.Run run)
    {
        final MachineState state = classify(mode, run.probeBefore());
        return run.hasCores() && state != MachineState.STOLEN && state == classify(mode, run.probeAfter());
    }
}
