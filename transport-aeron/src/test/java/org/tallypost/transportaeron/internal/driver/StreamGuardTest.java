// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.transport.TransportEvent;
import org.tallypost.transportaeron.NodesRig;
import org.tallypost.transportaeron.internal.handshake.GroupSecret;

/** What a driver is given of the streams that somebody announces. */
@Timeout(1800)
class StreamGuardTest
{
    private static final MessageListener NOTHING = (source, tag, buffer, offset, length) -> {};
    private static final long VISIT_NS = 1_000;
    private static final long START_NS = Long.MAX_VALUE - 500;
    private static final int SETUP_LENGTH = 40;
    private static final short SETUP_TYPE = 5;

    private final GroupSecret secret = new GroupSecret(NodesRig.SECRET);
    private final StreamGuard guard = new StreamGuard(secret, 1000, 3, 1, VISIT_NS);

    @TempDir
    private File directory;

    @Test
    void shouldAdmitEveryStreamWithATag()
    {
        for (int i = 0; i < 10_000; i++)
        {
            assertTrue(guard.admits(1000, StreamGuard.session(secret, 0, 1, i), START_NS));
        }
        assertEquals(0, guard.refusedCount());
        assertTrue(guard.admits(7, 1, START_NS), "a stream that is none of ours");
    }

    @Test
    void shouldAdmitFewOthersAtATime()
    {
        final int[] wrong = new int[StreamGuard.MAX_VISITORS + 1];
        for (int i = 0; i < wrong.length; i++)
        {
            wrong[i] = StreamGuard.session(secret, 0, 1, i) ^ 1;
            assertEquals(i < StreamGuard.MAX_VISITORS, guard.admits(1000, wrong[i], START_NS));
        }
        assertTrue(guard.admits(1000, wrong[0], START_NS + VISIT_NS));
        assertFalse(guard.admits(1000, wrong[StreamGuard.MAX_VISITORS], START_NS + VISIT_NS));
        assertFalse(guard.admits(1002, StreamGuard.session(secret, 0, 1, 5), START_NS), "the tag of another node's stream");
        assertFalse(guard.admits(1000, StreamGuard.session(secret, 0, 2, 5), START_NS), "the tag of a stream to another node");
        assertTrue(guard.admits(1000, StreamGuard.session(secret, 0, 1, 5), START_NS));
        assertTrue(guard.admits(1000, wrong[StreamGuard.MAX_VISITORS], START_NS + VISIT_NS + 1),
            "when the others have had their time");
        assertEquals(4, guard.refusedCount());
    }

    /** 40 bytes each, and a driver that makes files for each of them. */
    @Test
    void shouldMakeNothingOfAFloodOfAnnouncements() throws IOException
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[40]);
        final Random random = new Random(23);
        try (NodesRig rig = new NodesRig(directory, 2, 1).launchAll();
            DatagramChannel stranger = DatagramChannel.open())
        {
            rig.pollUntil("a message", NOTHING, () -> rig.endpoint(0).offer(1, 0, message, 0, 40) >= 0);
            stranger.connect(new InetSocketAddress("127.0.0.1", rig.topology.address(1).port()));
            rig.pollUntil("2,000 announcements that are dropped", NOTHING,
                () -> announce(stranger, random) && refused(rig) >= 2_000);
            final String[] images = new File(directory, "node-1/driver/aeron/images").list();
            assertTrue(images != null && images.length <= 1 + 2 * StreamGuard.MAX_VISITORS, () -> images.length + " images");
            final long before = rig.endpoint(1).counters().received();
            rig.pollUntil("a message", NOTHING, () -> rig.endpoint(0).offer(1, 0, message, 0, 40) >= 0);
            rig.pollUntil("its arrival", NOTHING, () -> rig.endpoint(1).counters().received() > before);
            assertEquals(0, rig.count(TransportEvent.Kind.LINK_DOWN), rig.events::toString);
        }
    }

    private static long refused(final NodesRig rig)
    {
        final String counts = rig.transports[1].counts();
        return Long.parseLong(counts.substring(counts.lastIndexOf('=') + 1));
    }

    private static boolean announce(final DatagramChannel stranger, final Random random)
    {
        final int term = random.nextInt();
        final ByteBuffer setup = ByteBuffer.allocate(SETUP_LENGTH).order(ByteOrder.LITTLE_ENDIAN)
            .putInt(SETUP_LENGTH).put((byte)0).put((byte)0).putShort(SETUP_TYPE).putInt(0).putInt(random.nextInt())
            .putInt(1000).putInt(term).putInt(term).putInt(1 << 16).putInt(1408).putInt(0).flip();
        try
        {
            return stranger.write(setup) == SETUP_LENGTH;
        }
        catch (final IOException ex)
        {
            throw new java.io.UncheckedIOException(ex);
        }
    }
}
