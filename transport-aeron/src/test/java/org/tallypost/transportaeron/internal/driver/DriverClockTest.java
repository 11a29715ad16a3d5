// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.transportaeron.NodesRig;
import org.tallypost.transportaeron.Topology;

/** An embedded driver does not take a stream for gone because its own thread stood still. */
@Timeout(1800)
class DriverClockTest
{
    private static final long INTERVAL_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long PAUSE_NS = TimeUnit.HOURS.toNanos(1);

    @TempDir
    private File directory;

    private long aheadNs;
    /** Once it stands, only the test moves the time on. */
    private long stoodNs;

    private long nowNs()
    {
        return (stoodNs == 0 ? System.nanoTime() : stoodNs) + aheadNs;
    }

    @Test
    void shouldKeepAStreamWhileItsThreadStandsStill()
    {
        final List<Throwable> errors = new ArrayList<>();
        final Topology topology = NodesRig.topology(1, 1);
        final AeronSettings sender = NodesRig.settings(topology, 0);
        final AeronSettings receiver = NodesRig.settings(topology, 1);
        try (
            AeronConnection from = new AeronConnection(sender, new File(directory, "from"), INTERVAL_NS, errors::add);
            AeronConnection to = new AeronConnection(receiver, new File(directory, "to"), INTERVAL_NS, errors::add);
            Subscription subscription = to.aeron().addSubscription(receiver.channel(1), receiver.stream(0));
            ExclusivePublication publication = from.aeron().addExclusivePublication(
                sender.channel(1), sender.stream(0)))
        {
            Watchdog.await("a stream: " + errors, () ->
            {
                from.doWork(nowNs(), 0, true);
                to.doWork(nowNs(), 0, true);
                return publication.isConnected() && subscription.imageCount() == 1;
            });
            // the sender is not driven any more: what passes meanwhile, on a busy machine much, is not what is tested
            stoodNs = System.nanoTime();
            for (int i = 0; i < 100; i++)
            {
                aheadNs += PAUSE_NS;
                to.doWork(nowNs(), PAUSE_NS, true);
                to.doWork(nowNs(), 0, true);
                assertEquals(1, subscription.imageCount(), "after a pause of its own thread");
            }
            Watchdog.await("the end of a stream that was silent while the driver listened", () ->
            {
                aheadNs += PAUSE_NS;
                to.doWork(nowNs(), 0, true);
                return subscription.imageCount() == 0;
            });
        }
        assertEquals(List.of(), errors);
    }

    @Test
    void shouldLeaveOutPausesAndNeverGoBack()
    {
        final DriverClock clock = new DriverClock();
        final long startNs = clock.nanoTime();
        clock.stop(startNs + 10, 0);
        assertEquals(startNs + 10, clock.nanoTime());
        clock.stop(startNs + 15 + PAUSE_NS, PAUSE_NS);
        assertEquals(startNs + 15, clock.nanoTime());
        clock.stop(startNs + PAUSE_NS, 0);
        assertEquals(startNs + 15, clock.nanoTime(), "went back");
        clock.go();
        assertEquals(startNs + 15, clock.nanoTime(), "an hour is left out");
    }

    @Test
    void shouldNotStandStillForAPauseThatItHasShown()
    {
        final DriverClock clock = new DriverClock();
        final long startNs = clock.nanoTime();
        clock.stop(startNs + PAUSE_NS, 0);
        // the thread was busy for so long, and the driver looked at the clock meanwhile
        clock.stop(startNs + PAUSE_NS + 7, PAUSE_NS);
        assertEquals(startNs + PAUSE_NS, clock.nanoTime());
        clock.stop(startNs + PAUSE_NS + 9, 0);
        assertEquals(startNs + PAUSE_NS + 2, clock.nanoTime());
    }
}
