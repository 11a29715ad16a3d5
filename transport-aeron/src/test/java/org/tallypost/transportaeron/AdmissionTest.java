// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import java.io.File;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.transport.TransportEvent;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;
import org.tallypost.transportaeron.internal.driver.AeronSettings;
import org.tallypost.transportaeron.internal.wire.BatchDescriptor;

/** Nodes that are let in, and what becomes of those that are not. */
@Timeout(1800)
@Tag("once")
class AdmissionTest
{
    private static final MessageListener NOTHING = (source, tag, buffer, offset, length) -> {};
    /** A node on a busy machine can prove itself in that time. */
    private static final long ADMISSION_NS = 2_000_000_000L;
    private static final long LONG_NS = 600_000_000_000L;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[40]);

    @TempDir
    private File directory;

    /** A stream that looks like that of node 1, by somebody without the secret. */
    private interface StrangerCase
    {
        void test(NodesRig rig, Publication stranger);
    }

    private void withStranger(final long admissionNs, final StrangerCase test)
    {
        try (NodesRig rig = new NodesRig(directory, 2, 1)
            .tuned((context, transport) -> transport.admissionNs(admissionNs));
            MediaDriver driver = MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(new File(directory, "stranger").getPath())
                .threadingMode(ThreadingMode.SHARED).termBufferSparseFile(true).dirDeleteOnShutdown(true));
            Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName())))
        {
            rig.launch(0);
            final AeronSettings settings = rig.settings(0);
            try (Publication stranger = aeron.addPublication(
                settings.channel(0) + "|term-length=" + settings.incomingTermLength(settings.stream(1)), settings.stream(1)))
            {
                Watchdog.await("the stranger to be connected", stranger::isConnected);
                test.test(rig, stranger);
            }
        }
    }

    @Test
    void shouldDropWhatAStrangerSends()
    {
        withStranger(LONG_NS, (rig, stranger) ->
        {
            // looks like a packet
            final UnsafeBuffer batch = new UnsafeBuffer(new byte[64]);
            BatchDescriptor.putHeader(batch, 0, BatchDescriptor.KIND_BATCH, 1, 0, 0);
            Watchdog.await("a packet of the stranger", () -> stranger.offer(batch) > 0);
            Watchdog.await("its count", () -> rig.transports[0].counts().contains("NOT_ADMITTED=1"));
            assertEquals(0, rig.count(TransportEvent.Kind.STRANGER));
        });
    }

    @Test
    void shouldRejectASilentStrangerAndStillAdmitTheNode()
    {
        withStranger(ADMISSION_NS, (rig, stranger) ->
        {
            Watchdog.await("the event", () -> rig.count(TransportEvent.Kind.STRANGER) >= 1);
            Watchdog.await("the end of its stream", () -> !stranger.isConnected());
            assertTrue(rig.transports[0].counts().contains("strangers rejected=1"), rig.transports[0]::counts);
            rig.launch(1);
            rig.pollUntil("a message of the true node", NOTHING, () -> rig.endpoint(1).offer(0, 0, message, 0, 40) >= 0);
            rig.pollUntil("its arrival", NOTHING, () -> rig.endpoint(0).counters().received() == 1);
        });
    }

    /** Longer on a busy machine, never shorter. */
    private static void standStill(final long ns)
    {
        final long endNs = System.nanoTime() + ns;
        for (long left = ns; left > 0; left = endNs - System.nanoTime())
        {
            LockSupport.parkNanos(left);
        }
    }

    @Test
    void shouldNotRejectAStreamBecauseItsOwnThreadStoodStill()
    {
        final long intervalNs = 400_000_000L;
        // longer than a quarter of the interval; the turns between them cannot fill the time of admission
        final long pauseNs = 150_000_000L;
        final int turns = 16;
        final long admissionNs = 2_000_000_000L;
        try (NodesRig rig = new NodesRig(directory, 2, 1).tuned((context, transport) ->
        {
            transport.admissionNs(admissionNs);
            context.livenessIntervalNs(intervalNs);
            context.transportSettings().thread(false);
        });
            MediaDriver driver = MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(new File(directory, "stranger").getPath())
                .threadingMode(ThreadingMode.SHARED).termBufferSparseFile(true).dirDeleteOnShutdown(true));
            Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName())))
        {
            final Node node = rig.launch(0);
            final AeronSettings settings = rig.settings(0);
            try (Publication stranger = aeron.addPublication(
                settings.channel(0) + "|term-length=" + settings.incomingTermLength(settings.stream(1)), settings.stream(1)))
            {
                Watchdog.await("the stranger to be connected", () ->
                {
                    node.transportWork();
                    return stranger.isConnected();
                });
                for (int turn = 0; turn < turns; turn++)
                {
                    standStill(pauseNs);
                    node.transportWork();
                }
                assertEquals(0, rig.count(TransportEvent.Kind.STRANGER), () -> rig.events.toString());
                Watchdog.await("the event", () ->
                {
                    node.transportWork();
                    return rig.count(TransportEvent.Kind.STRANGER) >= 1;
                });
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"groupName, test, other", "rankCount, 2, 3", "slotsPerSender, 16, 32", "flow, DYNAMIC, STATIC",
        "mtuLength, 8448, 1408", "highSlots, 0, 4", "highStream, true, false"})
    void shouldRefuseWithBothValues(final String what, final String ours, final String theirs)
    {
        try (NodesRig rig = new NodesRig(directory, 2, 1))
        {
            rig.tuned((context, transport) ->
            {
                if (transport.node() == 1)
                {
                    switch (what)
                    {
                        case "groupName":
                            context.groupName(theirs);
                            break;
                        case "rankCount":
                            context.rankCount(3).transport(new AeronTransport(Topology.blocks(
                                List.of(rig.topology.address(0), rig.topology.address(1)), new int[]{1, 2}), 1)
                                .secret(NodesRig.SECRET));
                            break;
                        case "slotsPerSender":
                            context.slotsPerSender(32);
                            break;
                        case "highSlots":
                            context.highSlots(4);
                            break;
                        case "highStream":
                            transport.highStream(false);
                            break;
                        case "mtuLength":
                            transport.mtuLength(1408);
                            break;
                        default:
                            context.flow(Flow.STATIC);
                            break;
                    }
                }
            }).launchAll();
            rig.pollUntil("both values on both sides", NOTHING, () -> rig.count(TransportEvent.Kind.REFUSED) >= 2);
            for (final TransportEvent event : rig.events)
            {
                assertTrue(event.text().contains(what) && event.text().contains("=" + ours) &&
                    event.text().contains("=" + theirs), event::toString);
            }
            assertTrue(rig.errors.stream().allMatch((error) -> error.getMessage().contains(what)), () -> rig.errors.toString());
            assertEquals(Endpoint.NOT_CONNECTED, rig.endpoint(0).offer(1, 0, message, 0, 40));
            assertEquals(0, rig.count(TransportEvent.Kind.LINK_UP));
        }
    }
}
