// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.Channel;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.messaging.Communicator;
import org.tallypost.messaging.Messenger;
import org.tallypost.messaging.MessengerContext;
import org.tallypost.messaging.ReceiveRequest;
import org.tallypost.messaging.Request;
import org.tallypost.messaging.RequestResult;
import org.tallypost.messaging.RequestState;
import org.tallypost.messaging.Requests;
import org.tallypost.messaging.SendRequest;
import org.tallypost.messaging.Traffic;
import org.tallypost.messaging.internal.wire.HeadDescriptor;
import org.tallypost.messaging.internal.wire.MessageKind;
import org.tallypost.node.Node;
import org.tallypost.transportaeron.AeronTransport;
import org.tallypost.transportaeron.NodeAddress;
import org.tallypost.transportaeron.Topology;
import org.tallypost.transportaeron.faults.NetworkFaults;

/** Messengers of two nodes, with Aeron between them and nothing simulated: rank 0 is on one, rank 1 on the other. */
@Tag("once")
class MessengersOfTwoNodesTest
{
    private static final int RANKS = 2;
    private static final long ADMISSION_NS = 600_000_000_000L;
    private static final byte[] SECRET = "a secret of the tests, not random".getBytes(StandardCharsets.US_ASCII);
    private static final int LONG = 200_000;
    private static final MessageListener NOTHING = (source, tag, buffer, offset, length) ->
    {
    };

    @TempDir
    private Path directory;

    private final Node[] nodes = new Node[RANKS];
    private final Endpoint[] endpoints = new Endpoint[RANKS];
    private final Messenger[] messengers = new Messenger[RANKS];
    private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
    private Topology topology;
    private double loss;

    private void launchAll() throws IOException
    {
        try (DatagramSocket first = new DatagramSocket(new InetSocketAddress("127.0.0.1", 0));
            DatagramSocket second = new DatagramSocket(new InetSocketAddress("127.0.0.1", 0)))
        {
            topology = Topology.blocks(List.of(new NodeAddress("127.0.0.1", first.getLocalPort()),
                new NodeAddress("127.0.0.1", second.getLocalPort())), new int[]{1, 1});
        }
        launch(0);
        launch(1);
    }

    private void launch(final int rank)
    {
        final AeronTransport transport = new AeronTransport(topology, rank).secret(SECRET).admissionNs(ADMISSION_NS);
        if (loss > 0)
        {
            transport.faults(new NetworkFaults(rank).loss(loss).duplicates(loss).reordering(loss));
        }
        nodes[rank] = Node.launch(new NodeContext().directory(new File(directory.toFile(), "node-" + rank)).groupName("test")
            .rankCount(RANKS).slotsPerSender(64).checkInvariants(true).deleteOnClose(true).livenessIntervalNs(10_000_000_000L)
            .maxSendingThreads(64).maxProcesses(16).transport(transport).errorHandler(errors::add));
        endpoints[rank] = nodes[rank].open(rank);
        messengers[rank] = messenger(rank);
    }

    private Messenger messenger(final int rank)
    {
        return Messenger.launch(new MessengerContext().endpoint(endpoints[rank]).rankCount(RANKS).eagerWindow(8_192));
    }

    @AfterEach
    void close()
    {
        for (int rank = 0; rank < RANKS; rank++)
        {
            closeNode(rank);
        }
    }

    private void closeNode(final int rank)
    {
        if (nodes[rank] != null)
        {
            messengers[rank] = null;
            nodes[rank].close();
            nodes[rank] = null;
        }
    }

    private int work()
    {
        int work = 0;
        for (int rank = 0; rank < RANKS; rank++)
        {
            work += messengers[rank] != null ? messengers[rank].doWork() : nodes[rank] == null ? 0 :
                endpoints[rank].poll(NOTHING, 10);
        }
        return work;
    }

    private void drive(final String what, final BooleanSupplier condition)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> what + ", errors=" + errors);
        while (!condition.getAsBoolean())
        {
            if (work() > 0)
            {
                watchdog.progress();
            }
            else
            {
                watchdog.idle();
            }
        }
    }

    private void await(final Request... requests)
    {
        drive("requests " + List.of(requests), () -> Requests.allDone(requests));
    }

    private static UnsafeBuffer bytes(final int length, final int salt)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[length]);
        for (int i = 0; i < length; i++)
        {
            buffer.putByte(i, (byte)(salt + i * 7 + (i >> 8)));
        }
        return buffer;
    }

    private SendRequest send(final int from, final int tag, final int length)
    {
        final SendRequest send = new SendRequest();
        messengers[from].sendSynchronous(send, messengers[from].world(), 1 - from, tag, bytes(length, tag), 0, length);
        return send;
    }

    private ReceiveRequest receive(final int at, final int source, final int tag, final UnsafeBuffer room)
    {
        final ReceiveRequest receive = new ReceiveRequest();
        messengers[at].receive(receive, messengers[at].world(), source, tag, room, 0, room.capacity());
        return receive;
    }

    /** Also if the first attempt finds that the one before is gone. */
    private void exchange()
    {
        for (int from = 0; from < RANKS; from++)
        {
            for (final int length : new int[]{8, 2_000, LONG})
            {
                final int source = from;
                final UnsafeBuffer room = new UnsafeBuffer(new byte[length]);
                final ReceiveRequest receive = receive(1 - from, Communicator.ANY_SOURCE, 9, room);
                final SendRequest[] send = {send(from, 9, length)};
                drive("message of " + length, () ->
                {
                    if (send[0].isDone() && send[0].result() == RequestResult.PEER_GONE && !receive.isDone())
                    {
                        send[0] = send(source, 9, length);
                    }
                    return receive.isDone() && send[0].isDone();
                });
                assertEquals(RequestResult.SUCCESS, receive.result());
                assertEquals(from, receive.source());
                assertEquals(bytes(length, 9), room);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, 0.02})
    void shouldMatchEverything(final double rate) throws IOException
    {
        loss = rate;
        launchAll();
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("MessengersOfTwoNodesTest: -Dtallypost.seed=" + seed);
        final Random random = new Random(seed);
        final Traffic[] traffic = {
            new Traffic(messengers[0], random, 30_000), new Traffic(messengers[1], random, 30_000)};
        drive("traffic " + List.of(traffic), () ->
        {
            traffic[0].step(1);
            traffic[1].step(0);
            return Math.min(traffic[0].received(), traffic[1].received()) >= 300;
        });
        drive("rest", () ->
        {
            traffic[0].receiveRest();
            traffic[1].receiveRest();
            return traffic[0].isAtRest((rank) -> true) && traffic[1].isAtRest((rank) -> true) &&
                messengers[0].counters().unexpectedBytes() + messengers[1].counters().unexpectedBytes() == 0;
        });
        assertTrue(traffic[0].stop() && traffic[1].stop());
        exchange();
        assertEquals(0, messengers[0].counters().refused() + messengers[1].counters().refused());
        assertTrue(errors.isEmpty(), errors::toString);
    }

    /** The other node is closed in the midst of messages of each state, and comes back. */
    @Test
    void shouldEndEveryRequestWhenTheOtherNodeGoes() throws IOException
    {
        launchAll();
        exchange();
        for (int round = 0; round < 2; round++)
        {
            final SendRequest moving = send(0, 1, 16 << 20);
            receive(1, 0, 1, new UnsafeBuffer(new byte[16 << 20]));
            final SendRequest announced = send(0, 2, LONG);
            final SendRequest synchronous = send(0, 2, 8);
            final UnsafeBuffer room = new UnsafeBuffer(new byte[16 << 20]);
            final ReceiveRequest filling = receive(0, 1, 3, room);
            send(1, 3, 16 << 20);
            final ReceiveRequest posted = receive(0, 1, 4, room);
            drive("states", () -> moving.state() == RequestState.MOVING && filling.state() == RequestState.MOVING &&
                announced.state() == RequestState.ANNOUNCED && synchronous.state() == RequestState.ANNOUNCED);
            closeNode(1);
            await(moving, announced, synchronous, filling, posted);
            for (final Request request : List.of(moving, announced, synchronous, filling, posted))
            {
                assertEquals(RequestResult.PEER_GONE, request.result());
            }
            launch(1);
            exchange();
        }
    }

    @Test
    void shouldHearThatTheMessengerOfTheOtherNodeIsClosed() throws IOException
    {
        launchAll();
        exchange();
        final SendRequest announced = send(0, 2, LONG);
        final SendRequest synchronous = send(0, 2, 8);
        final ReceiveRequest posted = receive(0, 1, 4, new UnsafeBuffer(new byte[8]));
        drive("announcements", () -> messengers[1].counters().unexpected() == 2);
        messengers[1].close();
        messengers[1] = null;
        await(announced, synchronous, posted);
        assertEquals(RequestResult.PEER_GONE, announced.result());
        assertEquals(RequestResult.PEER_GONE, synchronous.result());
        assertEquals(RequestResult.PEER_GONE, posted.result());
        messengers[1] = messenger(1);
        exchange();
    }

    /** A messenger of another version is not let in, and what it sends is refused. */
    @Test
    void shouldRefuseAnotherVersion() throws IOException
    {
        launchAll();
        messengers[1].close();
        messengers[1] = null;
        final int firstChannel = messengers[0].context().firstChannel();
        final UnsafeBuffer hello = new UnsafeBuffer(new byte[HeadDescriptor.HELLO_LENGTH]);
        hello.putLong(HeadDescriptor.SESSION_OFFSET, 5);
        hello.putLong(HeadDescriptor.VERSION_OFFSET, HeadDescriptor.VERSION + 1);
        offer(Channel.tag(firstChannel + MessageKind.HELLO, 0), hello);
        offer(Channel.tag(firstChannel + MessageKind.EAGER, MessageKind.compact(0, 1)), hello);
        drive("refusals", () -> messengers[0].counters().refused() == 2);
        hello.putLong(HeadDescriptor.VERSION_OFFSET, HeadDescriptor.VERSION);
        offer(Channel.tag(firstChannel + MessageKind.HELLO, 0), hello);
        offer(Channel.tag(firstChannel + MessageKind.EAGER, MessageKind.compact(0, 1)), hello);
        drive("a message of this version", () -> messengers[0].counters().unexpected() == 1);
        assertEquals(2, messengers[0].counters().refused());
    }

    private void offer(final int tag, final UnsafeBuffer message)
    {
        drive("offer", () -> endpoints[1].offer(0, tag, message, 0, message.capacity()) >= 0);
    }
}
