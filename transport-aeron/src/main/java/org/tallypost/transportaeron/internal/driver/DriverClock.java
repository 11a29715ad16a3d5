// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.driver;

import org.agrona.concurrent.NanoClock;

/**
 * The clock of an embedded driver. Each of its agents reads it in each of its duty cycles, which together take a microsecond if
 * there is nothing to do: for all of a cycle it shows the time that the caller has read. Where the driver is called otherwise, to
 * wait for its answers, it goes.
 *
 * <p>Time for which the driver's thread stood still is left out. In that time the driver could not hear anything: it would find
 * all streams silent, and end them. For one thread.
 */
final class DriverClock implements NanoClock
{
    private boolean isStopped;
    private long skippedNs;
    private long shownNs = System.nanoTime();

    /**
     * Shows one time until {@link #go()}. It never goes back behind what it has shown.
     *
     * @param nowNs   the time.
     * @param pauseNs for which the driver's thread stood still until now. What was shown of it already is not left out.
     */
    void stop(final long nowNs, final long pauseNs)
    {
        skippedNs += Math.max(0, Math.min(pauseNs, nowNs - skippedNs - shownNs));
        show(nowNs);
        isStopped = true;
    }

    void go()
    {
        isStopped = false;
    }

    private void show(final long nowNs)
    {
        final long driverNs = nowNs - skippedNs;
        shownNs = driverNs - shownNs < 0 ? shownNs : driverNs;
    }

    @Override
    public long nanoTime()
    {
        if (!isStopped)
        {
            show(System.nanoTime());
        }
        return shownNs;
    }
}
