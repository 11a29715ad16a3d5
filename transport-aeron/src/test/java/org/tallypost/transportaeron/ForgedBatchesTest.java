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
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.endpoint.Priority;
import org.tallypost.endpoint.transport.LinkCounter;
import org.tallypost.endpoint.transport.TransportEvent;
import org.tallypost.endpoint.transport.TransportSettings;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.NodeStat;
import org.tallypost.transportaeron.internal.driver.AeronSettings;
import org.tallypost.transportaeron.internal.wire.BatchDescriptor;

/**
 * Batches that no node has sent come to node 1, in the name of node 0: they are refused, the event names the stream, and the next
 * link of the two serves as the one before. Node 2 sends to node 1 all the time, and notices nothing. One thread drives all.
 */
@Timeout(1800)
@Tag("once")
class ForgedBatchesTest
{
    private static final int HIGH_SLOTS = 4;
    /** Messages of each priority behind which something is proven. */
    private static final int SOME = 50;
    private static final int HIGH_TAG = 1_000_000;
    private static final long LIVENESS_NS = 2_000_000_000L;

    @TempDir
    private File directory;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[40]);
    /** By sender and priority. */
    private final int[][] sent = new int[3][2];
    private final int[][] next = new int[3][2];
    private final int[][] received = new int[3][2];
    private NodesRig rig;
    private ForgingNetwork network;
    private NodeStat stat;
    /** What node 1 had dropped of each node when it was linked with all: batches of a link may come before its proof. */
    private final long[] dropped = new long[3];

    @BeforeEach
    void launch()
    {
        rig = new NodesRig(directory, 3, 1);
        network = new ForgingNetwork(rig.topology.address(1));
        final Topology through = Topology.blocks(
            List.of(rig.topology.address(0), network.address(), rig.topology.address(2)), new int[]{1, 1, 1});
        rig.tuned((context, transport) ->
        {
            context.highSlots(HIGH_SLOTS).livenessIntervalNs(LIVENESS_NS).transportSettings(new TransportSettings().thread(false)
                .eventHandler(context.transportSettings().eventHandler()));
            if (transport.node() == 0)
            {
                context.transport(new AeronTransport(through, 0).secret(NodesRig.SECRET).admissionNs(NodesRig.LONG_NS));
            }
        }).launchAll();
        stat = NodeStat.attach(new File(directory, "node-1"));
    }

    @AfterEach
    void close()
    {
        rig.close();
        network.close();
    }

    private long counter(final int peer, final LinkCounter counter)
    {
        return stat.links().stream().filter((link) -> link.peer() == peer).mapToLong((link) -> link.value(counter)).sum();
    }

    /** Once and in order; of node 2 all of them. */
    private void take(final int source, final int tag)
    {
        final int priority = tag / HIGH_TAG;
        final int number = tag % HIGH_TAG;
        final int expected = next[source][priority];
        assertTrue(source == 2 ? number == expected : number >= expected, () -> "from " + source + ": " + tag);
        next[source][priority] = number + 1;
        received[source][priority]++;
    }

    /** Nodes 0 and 2 send to node 1 with both priorities until something is so. */
    private void drive(final String what, final BooleanSupplier condition)
    {
        // messages that go on coming are no progress
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () ->
            what + ", " + rig.transports[1].counts() + ", events=" + rig.events + ", errors=" + rig.errors);
        while (!condition.getAsBoolean())
        {
            send();
            for (int node = 0; node < 3; node++)
            {
                rig.nodes.get(node).transportWork();
                network.work();
            }
            if (rig.poll((source, tag, buffer, offset, length) -> take(source, tag)) == 0)
            {
                watchdog.idle();
            }
            else
            {
                watchdog.check();
            }
        }
    }

    private void send()
    {
        for (int source = 0; source < 3; source += 2)
        {
            for (final Priority priority : Priority.values())
            {
                final int of = priority.ordinal();
                sent[source][of] += rig.endpoint(source).offer(
                    1, of * HIGH_TAG + sent[source][of], priority, message, 0, message.capacity()) >= 0 ? 1 : 0;
            }
        }
    }

    private void driveUntilMore(final String what, final LongSupplier... counts)
    {
        for (final LongSupplier count : counts)
        {
            final long enough = count.getAsLong() + SOME;
            drive(what, () -> count.getAsLong() >= enough);
        }
    }

    private void exchange(final String what)
    {
        for (int source = 0; source < 3; source += 2)
        {
            final int[] of = received[source];
            final int peer = source;
            driveUntilMore(what + " of node " + source, () -> of[0], () -> of[1],
                () -> counter(peer, LinkCounter.HIGH_FRAMES_RECEIVED));
        }
    }

    private void begin()
    {
        exchange("messages");
        for (int source = 0; source < 3; source += 2)
        {
            dropped[source] = counter(source, LinkCounter.DROPPED);
        }
    }

    private boolean isTold(final String text)
    {
        return rig.events.stream().anyMatch((event) -> event.kind() == TransportEvent.Kind.LINK_DOWN && event.node() == 0 &&
            event.text().startsWith(text));
    }

    private void assertOthersUntouched()
    {
        assertEquals(1, counter(2, LinkCounter.UPS));
        assertEquals(dropped[2], counter(2, LinkCounter.DROPPED));
        assertTrue(rig.events.stream().noneMatch((event) -> event.node() == 2 && event.kind() != TransportEvent.Kind.LINK_UP),
            rig.events::toString);
        assertTrue(rig.errors.isEmpty(), rig.errors::toString);
    }

    /** A count that cannot be ends the link at once; one that may be, and does not come, when it is waited for too long. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "-1 | packets of the high stream are missing or damaged: drops= | COUNT=1",
        "1099511627776 | a batch of the high stream of node 0 comes behind one that has not come for 1750 ms |"})
    void shouldEndTheLinkOfABatchBehindACountThatWasForged(final long count, final String text, final String counted)
    {
        begin();
        network.forge(rig.settings(1).highStream(0), count);
        drive("a batch that is changed", () -> !network.isForging());
        drive("the end of the link", () -> isTold(text));
        exchange("messages on the next link");
        assertEquals(counted != null, rig.transports[1].counts().contains("COUNT="), rig.transports[1]::counts);
        assertTrue(counted == null || rig.transports[1].counts().contains(counted), rig.transports[1]::counts);
        assertEquals(2, counter(0, LinkCounter.UPS), rig.events::toString);
        assertOthersUntouched();
    }

    /** It has all that a batch of the next number has, but for the session that was proven. */
    @Test
    void shouldTakeNothingOfAStreamThatSaysToBeTheHighOne()
    {
        begin();
        final AeronSettings settings = rig.settings(1);
        final int stream = settings.highStream(0);
        final UnsafeBuffer batch = new UnsafeBuffer(new byte[64]);
        BatchDescriptor.putHeader(batch, 0, BatchDescriptor.KIND_BATCH, 0, 1, 0);
        try (MediaDriver driver = MediaDriver.launch(new MediaDriver.Context()
            .aeronDirectoryName(new File(directory, "stranger").getPath())
            .threadingMode(ThreadingMode.SHARED).termBufferSparseFile(true).dirDeleteOnShutdown(true));
            Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
            Publication stranger = aeron.addPublication(
                settings.channel(1) + "|term-length=" + settings.incomingTermLength(stream), stream))
        {
            drive("a batch of the stranger", () -> stranger.offer(batch) > 0);
            drive("its count", () -> counter(0, LinkCounter.DROPPED) == dropped[0] + 1);
            exchange("messages beside it");
        }
        assertTrue(rig.transports[1].counts().contains("NOT_ADMITTED="), rig.transports[1]::counts);
        assertEquals(dropped[0] + 1, counter(0, LinkCounter.DROPPED));
        assertEquals(1, counter(0, LinkCounter.UPS), rig.events::toString);
        assertTrue(rig.events.stream().allMatch((event) -> event.kind() == TransportEvent.Kind.LINK_UP), rig.events::toString);
        assertOthersUntouched();
    }
}
