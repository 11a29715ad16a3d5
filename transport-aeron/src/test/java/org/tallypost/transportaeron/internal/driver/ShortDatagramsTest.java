// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.transport.TransportEvent;
import org.tallypost.transportaeron.NodesRig;

/** A datagram that ends within its header does not pass for a part of the stream that came before it. */
class ShortDatagramsTest
{
    private static final int[] HEADER_LENGTHS = {32, 32, 28, 36, 40, 40, 40};
    private static final int LONGEST = 40;

    @TempDir
    private File directory;

    private final ShortDatagrams datagrams = new ShortDatagrams();

    private static ByteBuffer received(final int type, final int length, final ByteOrder order)
    {
        final ByteBuffer buffer = ByteBuffer.allocate(100).order(ByteOrder.LITTLE_ENDIAN).putShort(6, (short)type);
        return buffer.order(order).position(length);
    }

    @Test
    void shouldKnowTheLeastLengthOfEachType()
    {
        for (int type = 0; type < HEADER_LENGTHS.length; type++)
        {
            for (final ByteOrder order : new ByteOrder[]{ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN})
            {
                final int least = HEADER_LENGTHS[type];
                assertTrue(datagrams.isShort(received(type, least - 1, order)), "type=" + type);
                assertTrue(datagrams.isShort(received(type, 8, order)), "type=" + type);
                assertFalse(datagrams.isShort(received(type, least, order)), "type=" + type);
                assertFalse(datagrams.isShort(received(type, 7, order)), "the driver drops it");
            }
        }
        assertEquals(4L * HEADER_LENGTHS.length, datagrams.count());
        assertFalse(datagrams.isShort(received(0xFFFF, 8, ByteOrder.LITTLE_ENDIAN)), "a type that the driver passes over");
    }

    @Test
    void shouldHandNoneToTheDriver() throws IOException
    {
        final long seed = System.nanoTime();
        System.out.println("ShortDatagramsTest: seed=" + seed);
        final Random random = new Random(seed);
        final UnsafeBuffer message = new UnsafeBuffer(new byte[40]);
        final int[] counts = new int[2];
        try (NodesRig rig = new NodesRig(directory, 2, 1).launchAll(); DatagramChannel stranger = DatagramChannel.open())
        {
            stranger.connect(new InetSocketAddress("127.0.0.1", rig.topology.address(1).port()));
            rig.pollUntil("short datagrams beside messages", (source, tag, buffer, offset, length) ->
            {
                assertEquals(counts[1], tag, "in order");
                counts[1]++;
            }, () ->
            {
                // one for each message: so many that none is lost for want of room in the socket
                if (rig.endpoint(0).offer(1, counts[0], message, 0, 40) >= 0)
                {
                    counts[0]++;
                    send(stranger, random);
                }
                return refused(rig) >= 500;
            });
            assertEquals(0, rig.count(TransportEvent.Kind.LINK_DOWN), rig.events::toString);
            assertTrue(rig.errors.isEmpty(), rig.errors::toString);
        }
    }

    private static long refused(final NodesRig rig)
    {
        final String counts = rig.transports[1].counts();
        return Long.parseLong(counts.substring(counts.lastIndexOf('=') + 1));
    }

    /** Data at an offset where nothing came yet, in as many bytes of a header as tell the offset. */
    private static void send(final DatagramChannel stranger, final Random random)
    {
        final ByteBuffer frame = ByteBuffer.allocate(LONGEST).order(ByteOrder.LITTLE_ENDIAN)
            .putInt(LONGEST).put((byte)0).put((byte)0xC0).putShort((short)1).putInt(random.nextInt(1 << 12) * 32).flip();
        try
        {
            stranger.write(frame);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
