// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.driver;

import io.aeron.driver.Configuration;
import io.aeron.driver.MediaDriver;
import java.util.concurrent.TimeUnit;

/**
 * After how much silence Aeron takes a driver, its client, or a stream for gone. That is never how the death of a node is
 * noticed: a link notices it itself, within the liveness interval, by what it hears. So each of these times is at least that
 * interval.
 *
 * <pre>
 *   an embedded driver and its client     max(60 s, interval)   one thread: neither can be gone without the other
 *   a driver of its own, for its client   max(3 s, interval)    it says once a second that it is there
 *   a stream that comes in                max(10 s, interval)   its log takes room until then
 *   a publication that is stuck           1.5 times the client's, above which Aeron wants it
 * </pre>
 *
 * On a busy machine, or in a container that is frozen, the thread of an embedded driver may have no turn for long. Driver and
 * client then find each other silent, though nothing is wrong but that both stood still. Of streams an embedded driver finds no
 * such thing: its {@link DriverClock} leaves that time out.
 */
final class DriverTimeouts
{
    /** Drivers say once a second that they are there. */
    private static final long MIN_DRIVER_MS = 3_000;
    private static final long MIN_EMBEDDED_MS = 60_000;
    /** Aeron adds these times to others. */
    private static final long MAX_MS = TimeUnit.DAYS.toMillis(365);

    private DriverTimeouts()
    {
    }

    /**
     * For the client of a driver.
     *
     * @param isEmbedded whether the driver is on the client's thread.
     * @param intervalNs liveness interval of the node.
     * @return after so many milliseconds of silence the client takes its driver for gone.
     */
    static long driverMs(final boolean isEmbedded, final long intervalNs)
    {
        return Math.max(isEmbedded ? MIN_EMBEDDED_MS : MIN_DRIVER_MS, intervalMs(intervalNs));
    }

    /**
     * Sets the times of an embedded driver. Longer ones that are set by Aeron's properties stay.
     *
     * @param context    of the driver.
     * @param intervalNs liveness interval of the node.
     * @return the context.
     */
    static MediaDriver.Context set(final MediaDriver.Context context, final long intervalNs)
    {
        final long driverMs = driverMs(true, intervalNs);
        // the client has it from the driver, as the longest time between two of its own duty cycles
        final long clientNs = Math.max(Configuration.clientLivenessTimeoutNs(), TimeUnit.MILLISECONDS.toNanos(driverMs));
        final long intervalAtMost = TimeUnit.MILLISECONDS.toNanos(intervalMs(intervalNs));
        context.driverTimeoutMs(driverMs);
        return context
            .clientLivenessTimeoutNs(clientNs)
            .publicationUnblockTimeoutNs(Math.max(Configuration.publicationUnblockTimeoutNs(), clientNs + clientNs / 2))
            .imageLivenessTimeoutNs(Math.max(Configuration.imageLivenessTimeoutNs(), intervalAtMost));
    }

    /** Rounded up: no time is shorter than the interval. */
    private static long intervalMs(final long intervalNs)
    {
        final long ms = TimeUnit.NANOSECONDS.toMillis(intervalNs);
        return Math.min(MAX_MS, TimeUnit.MILLISECONDS.toNanos(ms) == intervalNs ? ms : ms + 1);
    }
}
