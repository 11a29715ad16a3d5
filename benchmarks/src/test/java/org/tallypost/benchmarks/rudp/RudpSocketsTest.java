// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.rudp;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.thesis.rudp.Asking;
import org.tallypost.thesis.rudp.RudpSettings;

/** RUDP over the broadcast address of the loopback, with listeners that drop datagrams by a seed. */
class RudpSocketsTest
{
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(150);
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private final List<RudpListener> listeners = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void close() throws IOException
    {
        threads.shutdownNow();
        for (final RudpListener listener : listeners)
        {
            listener.close();
        }
    }

    private void listen(final int count, final double loss) throws IOException
    {
        for (int i = 0; i < count; i++)
        {
            listeners.add(new RudpListener(LOOPBACK, 0, i == 0 ? 0 : listeners.get(0).dataPort(), loss, i));
        }
    }

    private RudpRoot root() throws IOException
    {
        final List<InetSocketAddress> addresses = new ArrayList<>();
        for (final RudpListener listener : listeners)
        {
            addresses.add(listener.address());
        }
        return new RudpRoot(new InetSocketAddress("127.255.255.255", listeners.get(0).dataPort()), addresses, LIMIT_NS);
    }

    private List<Future<byte[]>> receiving()
    {
        final List<Future<byte[]>> received = new ArrayList<>();
        listeners.forEach((listener) -> received.add(threads.submit(() -> listener.receive(LIMIT_NS))));
        return received;
    }

    private static byte[] data(final int length)
    {
        final byte[] data = new byte[length];
        new SplittableRandom(length).nextBytes(data);
        return data;
    }

    private static RudpSettings settings(final Asking asking)
    {
        // the limits are those of a machine that has other things to do
        return RudpSettings.of(1_000, 32, asking).limits(10_000, 20_000_000, LIMIT_NS);
    }

    @ParameterizedTest
    @CsvSource({ "LAST, 0", "TIMER, 0", "LAST, 0.1", "TIMER, 0.1" })
    void shouldBroadcastToAllWhateverIsLost(final Asking asking, final double loss) throws Exception
    {
        listen(3, loss);
        final RudpRoot root = root();
        for (final int length : new int[]{ 0, 1, 1_000, 100_001 })
        {
            final List<Future<byte[]>> received = receiving();
            root.broadcast(settings(asking), data(length));
            for (final Future<byte[]> each : received)
            {
                assertArrayEquals(data(length), each.get(150, TimeUnit.SECONDS));
            }
            assertEquals(settings(asking).packets(length), root.sent() - root.repeated());
        }
        assertTrue(loss == 0 || listeners.get(0).lost() > 0 && root.repeated() > 0, "losses, and packets sent again");
    }

    @Test
    void shouldSendByConnectionsOneByOne() throws Exception
    {
        listen(3, 0);
        for (final int length : new int[]{ 0, 3_000_001 })
        {
            final List<Future<byte[]>> received = receiving();
            root().sendOneByOne(data(length));
            for (final Future<byte[]> each : received)
            {
                assertArrayEquals(data(length), each.get(150, TimeUnit.SECONDS));
            }
        }
    }

    @Test
    void shouldSayThatAReceiverIsGone() throws Exception
    {
        listen(1, 1);
        receiving();
        try (ServerSocket dying = new ServerSocket(0, 5, LOOPBACK))
        {
            final Future<?> death = threads.submit(() -> sayReadyAndDie(dying));
            final RudpRoot root = new RudpRoot(new InetSocketAddress("127.255.255.255", listeners.get(0).dataPort()),
                List.of(listeners.get(0).address(), (InetSocketAddress)dying.getLocalSocketAddress()), LIMIT_NS);
            final IOException failure =
                assertThrows(IOException.class, () -> root.broadcast(settings(Asking.LAST), data(10_000)));
            assertTrue(failure.getMessage().matches("RUDP: receiver 1 is gone, in round \\d+ of burst 0|.*(reset|[Bb]roken).*"),
                failure::getMessage);
            death.get(150, TimeUnit.SECONDS);
        }
    }

    private static Void sayReadyAndDie(final ServerSocket server) throws IOException
    {
        try (Socket socket = server.accept())
        {
            socket.getInputStream().readNBytes(48);
            socket.getOutputStream().write(ByteBuffer.allocate(16).putInt(16).putInt(ControlChannel.READY).array());
        }
        return null;
    }

    @Test
    void shouldGiveUpAfterTheLimitOfRounds() throws Exception
    {
        listen(1, 1);
        receiving();
        final IOException failure = assertThrows(IOException.class, () ->
            root().broadcast(settings(Asking.LAST).limits(3, 20_000_000, LIMIT_NS), data(10_000)));
        assertEquals("RUDP: gave up after 3 rounds (maxRounds) of burst 0: 10 of 10 packets are missing at receivers {0}",
            failure.getMessage());
    }

    @Test
    void shouldDropDatagramsOfOthers() throws Exception
    {
        listen(1, 0);
        try (DatagramSocket stranger = new DatagramSocket())
        {
            for (final int length : new int[]{ 0, 15, 16, 1_016 })
            {
                stranger.send(new DatagramPacket(new byte[length], length, LOOPBACK, listeners.get(0).dataPort()));
            }
        }
        // it reads them while it waits: what is left in the socket would end each of its waits at once
        final IOException failure = assertThrows(IOException.class, () -> listeners.get(0).receive(1));
        assertEquals("waited 0 ms (limitNs) for a connection", failure.getMessage());
        assertEquals(4, listeners.get(0).foreign());
        final List<Future<byte[]>> received = receiving();
        root().broadcast(settings(Asking.LAST), data(5_000));
        assertArrayEquals(data(5_000), received.get(0).get(150, TimeUnit.SECONDS));
        assertEquals(4, listeners.get(0).foreign());
    }

    @Test
    void shouldRefuseControlMessagesThatCannotBe() throws Exception
    {
        final List<byte[]> messages = List.of(
            ByteBuffer.allocate(16).putInt(8).array(),
            ByteBuffer.allocate(16).putInt(1 << 30).array(),
            ByteBuffer.allocate(16).putInt(16).putInt(ControlChannel.LAST).array(),
            ByteBuffer.allocate(16).putInt(16).putInt(ControlChannel.SESSION).array(),
            ByteBuffer.allocate(16).putInt(16).putInt(ControlChannel.BYTES).putInt(-1).array(),
            ByteBuffer.allocate(48).putInt(48).putInt(ControlChannel.SESSION).putLong(0).putLong(7).putInt(-1).array(),
            ByteBuffer.allocate(48).putInt(48).putInt(ControlChannel.SESSION).putLong(0).putLong(7).putInt(9).array());
        listen(1, 0);
        for (final byte[] message : messages)
        {
            final List<Future<byte[]>> received = receiving();
            try (Socket socket = new Socket(LOOPBACK, listeners.get(0).address().getPort()))
            {
                socket.getOutputStream().write(message);
                final ExecutionException failure =
                    assertThrows(ExecutionException.class, () -> received.get(0).get(150, TimeUnit.SECONDS));
                assertTrue(failure.getCause().getMessage().contains("found"), failure.getCause()::getMessage);
            }
        }
    }
}
