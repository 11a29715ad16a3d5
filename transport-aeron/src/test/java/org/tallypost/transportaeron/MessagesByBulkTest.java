// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.RankState;
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
import org.tallypost.messaging.rma.LoanedMessage;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.transportaeron.faults.NetworkFaults;

/** Matched messages that lie in regions of one node, and are read by receivers of another one. */
@Tag("once")
class MessagesByBulkTest
{
    private static final int MAX_LENGTH = 4 << 20;
    private static final int EAGER_LIMIT = 256;

    @TempDir
    private File directory;

    private RegionsRig rig;
    private final Messenger[] messengers = new Messenger[2];
    private double loss;

    private void launch()
    {
        rig = new RegionsRig(directory, (context, transport) ->
        {
            if (loss > 0)
            {
                transport.faults(new NetworkFaults(7).loss(loss).duplicates(loss).reordering(loss));
            }
        });
        launch(0, rig.own);
        launch(1, rig.other);
    }

    private void launch(final int rank, final RegionMemory memory)
    {
        messengers[rank] = Messenger.launch(new MessengerContext().endpoint(rig.nodes.endpoint(rank)).rankCount(2)
            .eagerLimit(EAGER_LIMIT).regionMemory(memory));
    }

    @AfterEach
    void close()
    {
        if (rig != null)
        {
            rig.close();
        }
    }

    private RegionMemory memory(final int rank)
    {
        return rank == 0 ? rig.own : rig.other;
    }

    private void drive(final String what, final BooleanSupplier condition)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> what + "\n" + rig);
        while (!condition.getAsBoolean())
        {
            int work = 0;
            for (int rank = 0; rank < 2; rank++)
            {
                // a read that is under way counts as work, whether anything comes or not
                work += messengers[rank] == null ? 0 : messengers[rank].doWork();
            }
            if (work == 0)
            {
                watchdog.idle();
            }
            else
            {
                watchdog.check();
                Thread.yield();
            }
        }
    }

    private void await(final Request... requests)
    {
        drive("requests " + List.of(requests), () -> Requests.allDone(requests));
    }

    private static void fill(final UnsafeBuffer buffer, final int offset, final int length, final int salt)
    {
        for (int i = 0; i < length; i++)
        {
            buffer.putByte(offset + i, expected(i, salt));
        }
    }

    private static byte expected(final int index, final int salt)
    {
        return (byte)(salt + index * 7 + (index >> 8));
    }

    private static void check(final UnsafeBuffer buffer, final int length, final int salt)
    {
        for (int i = 0; i < length; i++)
        {
            if (buffer.getByte(i) != expected(i, salt))
            {
                throw new AssertionError("byte " + i + " of " + length + ": found=" + buffer.getByte(i) + ", expected=" +
                    expected(i, salt));
            }
        }
    }

    private SendRequest send(final int from, final int tag, final Region region, final int offset, final int length)
    {
        final SendRequest send = new SendRequest();
        messengers[from].sendSynchronous(send, messengers[from].world(), 1 - from, tag, region.buffer(), offset, length);
        return send;
    }

    private ReceiveRequest receive(final int at, final int tag, final UnsafeBuffer room, final int length)
    {
        final ReceiveRequest receive = new ReceiveRequest();
        messengers[at].receive(receive, messengers[at].world(), Communicator.ANY_SOURCE, tag, room, 0, length);
        return receive;
    }

    private static UnsafeBuffer room(final int length, final boolean isDirect)
    {
        return isDirect ? new UnsafeBuffer(ByteBuffer.allocateDirect(length)) : new UnsafeBuffer(new byte[length]);
    }

    private void assertNothingRefused()
    {
        for (final Messenger messenger : messengers)
        {
            assertEquals(0, messenger.counters().refused());
            assertEquals(0, messenger.counters().placesRefused());
        }
        assertTrue(rig.nodes.errors.isEmpty(), rig::toString);
    }

    /** Both directions, with the receive posted before and after, into memory of each kind. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.02})
    void shouldReadMessagesOfAllLengths(final double rate)
    {
        loss = rate;
        launch();
        final int[] lengths =
            {0, 1, 8, EAGER_LIMIT, EAGER_LIMIT + 1, 32_768, 32_769, 100_001, 524_288, 524_289, rate > 0 ? 600_000 : MAX_LENGTH};
        int read = 0;
        for (int from = 0; from < 2; from++)
        {
            try (Region region = memory(from).register(MAX_LENGTH + 5, Region.READ))
            {
                for (final int length : lengths)
                {
                    fill(region.buffer(), 5, length, length);
                    final UnsafeBuffer room = room(length, length % 2 == 0);
                    final boolean isFirst = length % 3 == 0;
                    final ReceiveRequest early = isFirst ? receive(1 - from, 3, room, length) : null;
                    final SendRequest send = send(from, 3, region, 5, length);
                    final int to = 1 - from;
                    if (!isFirst)
                    {
                        drive("a message of " + length, () -> messengers[to].counters().unexpected() == 1);
                    }
                    final ReceiveRequest receive = isFirst ? early : receive(1 - from, 3, room, length);
                    await(send, receive);
                    assertEquals(RequestResult.SUCCESS, send.result());
                    assertEquals(RequestResult.SUCCESS, receive.result());
                    assertEquals(length, receive.length());
                    check(room, length, length);
                    read += length > EAGER_LIMIT ? 1 : 0;
                }
            }
        }
        assertEquals(read, messengers[0].counters().readByBulk() + messengers[1].counters().readByBulk());
        assertNothingRefused();
    }

    @Test
    void shouldReadIntoLoansAndRegionsAndCutWhatHasNoRoom()
    {
        launch();
        try (Region region = rig.own.register(300_000, Region.READ); Region target = rig.other.register(300_000, 0))
        {
            fill(region.buffer(), 0, 300_000, 1);
            final LoanedMessage message = new LoanedMessage();
            final ReceiveRequest loaned = new ReceiveRequest();
            messengers[1].receiveLoaned(loaned, messengers[1].world(), 0, 1, message);
            await(loaned, send(0, 1, region, 0, 300_000));
            assertEquals(RequestResult.SUCCESS, loaned.result());
            final UnsafeBuffer copy = room(300_000, false);
            copy.putBytes(0, message.buffer(), 0, 300_000);
            check(copy, 300_000, 1);
            message.release();
            await(receive(1, 2, target.buffer(), 300_000), send(0, 2, region, 0, 300_000));
            check(target.buffer(), 300_000, 1);
            for (final int room : new int[]{0, 1, 40_000, 299_999})
            {
                final UnsafeBuffer buffer = room(room + 8, true);
                final ReceiveRequest receive = receive(1, 3, buffer, room);
                final SendRequest send = send(0, 3, region, 0, 300_000);
                await(send, receive);
                assertEquals(RequestResult.SUCCESS, send.result());
                assertEquals(RequestResult.TRUNCATED, receive.result());
                assertEquals(room, receive.length());
                assertEquals(300_000, receive.messageLength());
                check(buffer, room, 1);
                assertEquals(0, buffer.getLong(room), "beyond the room");
            }
            assertEquals(6, messengers[1].counters().readByBulk());
            assertNothingRefused();
        }
    }

    /** Many at random, of several regions, also cancelled: each gets what its own receive was posted for, in order. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.02})
    void shouldKeepTheOrder(final double rate)
    {
        loss = rate;
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("MessagesByBulkTest.shouldKeepTheOrder: -Dtallypost.seed=" + seed);
        final Random random = new Random(seed);
        launch();
        final int longest = 150_000;
        final int count = 12;
        final Region[] regions = {rig.own.register(longest * count, Region.READ), rig.own.register(longest * count, Region.READ)};
        for (int round = 0; round < 5; round++)
        {
            final SendRequest[] sends = new SendRequest[count];
            final ReceiveRequest[] receives = new ReceiveRequest[count];
            final UnsafeBuffer[] rooms = new UnsafeBuffer[count];
            final int[] lengths = new int[count];
            for (int i = 0; i < count; i++)
            {
                final int length = 1 + random.nextInt(random.nextInt(3) == 0 ? EAGER_LIMIT : longest);
                lengths[i] = length;
                final Region region = regions[random.nextInt(2)];
                fill(region.buffer(), i * longest, length, i);
                sends[i] = send(0, 5, region, i * longest, length);
                if (random.nextInt(5) == 0)
                {
                    messengers[0].cancel(sends[i]);
                }
            }
            for (int i = 0; i < count; i++)
            {
                rooms[i] = room(longest, random.nextBoolean());
                receives[i] = receive(1, 5, rooms[i], longest);
            }
            drive("sends", () -> Requests.allDone(sends));
            int next = 0;
            for (int i = 0; i < count; i++)
            {
                if (sends[i].result() == RequestResult.SUCCESS)
                {
                    await(receives[next]);
                    assertEquals(lengths[i], receives[next].length());
                    check(rooms[next], receives[next].length(), i);
                    next++;
                }
                else
                {
                    assertEquals(RequestResult.CANCELLED, sends[i].result());
                }
            }
            while (next < count)
            {
                assertTrue(messengers[1].cancel(receives[next++]));
            }
        }
        assertNothingRefused();
    }

    /** The long one needs a hundred windows of gets, each asked for by a round of its receiver. */
    @Test
    void shouldLetAShortMessageBy()
    {
        launch();
        final int length = 32 << 20;
        try (Region region = rig.own.register(length, Region.READ))
        {
            fill(region.buffer(), 0, length, 3);
            final UnsafeBuffer room = room(length, true);
            final ReceiveRequest receive = receive(1, 1, room, length);
            final SendRequest send = send(0, 1, region, 0, length);
            drive("first bytes", () -> receive.state() == RequestState.MOVING);
            final UnsafeBuffer shortRoom = room(8, false);
            final ReceiveRequest shortOne = receive(1, 2, shortRoom, 8);
            await(shortOne, send(0, 2, region, 0, 8));
            check(shortRoom, 8, 3);
            assertTrue(receive.isActive() && send.isActive(), "it has gone by");
            await(receive, send);
            check(room, length, 3);
            assertNothingRefused();
        }
    }

    @Test
    void shouldCancelBeforeItIsMatchedOnly()
    {
        launch();
        try (Region region = rig.own.register(MAX_LENGTH, Region.READ))
        {
            final SendRequest cancelled = send(0, 1, region, 0, MAX_LENGTH);
            drive("announcement", () -> messengers[1].counters().unexpected() == 1);
            messengers[0].cancel(cancelled);
            await(cancelled);
            assertEquals(RequestResult.CANCELLED, cancelled.result());
            fill(region.buffer(), 0, MAX_LENGTH, 4);
            final UnsafeBuffer room = room(MAX_LENGTH, false);
            final ReceiveRequest receive = receive(1, 1, room, MAX_LENGTH);
            final SendRequest send = send(0, 1, region, 0, MAX_LENGTH);
            drive("first bytes", () -> receive.state() == RequestState.MOVING);
            assertFalse(messengers[1].cancel(receive));
            messengers[0].cancel(send);
            await(receive, send);
            assertEquals(RequestResult.SUCCESS, receive.result());
            assertEquals(RequestResult.SUCCESS, send.result());
            check(room, MAX_LENGTH, 4);
        }
    }

    /** What cannot be read comes with its bytes: the receiver has no memory, or the key is of nothing. */
    @Test
    void shouldAskForTheBytesWhereItCannotRead()
    {
        launch();
        messengers[1].close();
        launch(1, null);
        try (Region region = rig.own.register(200_000, Region.READ))
        {
            fill(region.buffer(), 0, 200_000, 6);
            final UnsafeBuffer room = room(200_000, false);
            final SendRequest[] send = {send(0, 1, region, 0, 200_000)};
            final ReceiveRequest receive = receive(1, 1, room, 200_000);
            drive("a message to the next messenger", () ->
            {
                if (send[0].isDone() && send[0].result() == RequestResult.PEER_GONE)
                {
                    send[0] = send(0, 1, region, 0, 200_000);
                }
                return receive.isDone() && send[0].isDone();
            });
            check(room, 200_000, 6);
            assertEquals(1, messengers[1].counters().placesRefused());
            assertEquals(0, messengers[1].counters().readByBulk());
        }
    }

    /** The sender closes the region while it is read: both ends hear of it, and the link goes on. */
    @Test
    void shouldFailWhenTheRegionOfTheSenderIsClosed()
    {
        launch();
        final Region region = rig.own.register(32 << 20, Region.READ);
        final UnsafeBuffer room = room(32 << 20, true);
        final ReceiveRequest receive = receive(1, 1, room, 32 << 20);
        final SendRequest send = send(0, 1, region, 0, 32 << 20);
        drive("first bytes", () -> receive.state() == RequestState.MOVING);
        region.close();
        endInFailure(send, receive);
        exchange();
    }

    /** The exception goes to the caller of doWork. */
    private void endInFailure(final SendRequest send, final ReceiveRequest receive)
    {
        assertThrows(IndexOutOfBoundsException.class, () -> await(send, receive));
        await(send, receive);
        assertEquals(RequestResult.FAILED, receive.result());
        assertEquals(RequestResult.FAILED, send.result());
    }

    @Test
    void shouldFailWhenTheBufferOfTheReceiverIsClosed()
    {
        launch();
        try (Region region = rig.own.register(MAX_LENGTH, Region.READ))
        {
            fill(region.buffer(), 0, MAX_LENGTH, 9);
            final Region target = rig.other.register(MAX_LENGTH, 0);
            final ReceiveRequest receive = receive(1, 1, target.buffer(), MAX_LENGTH);
            final SendRequest send = send(0, 1, region, 0, MAX_LENGTH);
            drive("first bytes", () -> receive.state() == RequestState.MOVING);
            target.close();
            try (Region next = rig.other.register(MAX_LENGTH, 0))
            {
                assertThrows(IndexOutOfBoundsException.class, () -> drive("refusal", receive::isDone));
                await(send, receive);
                assertEquals(RequestResult.FAILED, receive.result());
                assertEquals(RequestResult.CANCELLED, send.result());
                exchange();
                for (int i = 0; i < MAX_LENGTH; i += 8)
                {
                    assertEquals(0, next.buffer().getLong(i), "the next region was written");
                }
            }
        }
    }

    private void exchange()
    {
        try (Region region = rig.own.register(200_000, Region.READ))
        {
            fill(region.buffer(), 0, 200_000, 8);
            final UnsafeBuffer room = room(200_000, false);
            final ReceiveRequest receive = receive(1, 77, room, 200_000);
            final long before = messengers[1].counters().readByBulk() + messengers[1].counters().placesRefused();
            final SendRequest send = send(0, 77, region, 0, 200_000);
            await(receive, send);
            assertEquals(RequestResult.SUCCESS, receive.result());
            assertEquals(RequestResult.SUCCESS, send.result());
            check(room, 200_000, 8);
            assertEquals(before + 1, messengers[1].counters().readByBulk() + messengers[1].counters().placesRefused());
        }
    }

    /** The link goes in the midst of a message, with the node of the sender or the receiver; the next incarnation is served. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldEndWhenTheOtherNodeGoes(final boolean isSenderGone)
    {
        launch();
        exchange();
        final int from = isSenderGone ? 1 : 0;
        final Region region = memory(from).register(32 << 20, Region.READ);
        region.buffer().setMemory(0, 32 << 20, (byte)5);
        final UnsafeBuffer room = room(32 << 20, true);
        final ReceiveRequest receive = receive(1 - from, 1, room, 32 << 20);
        final SendRequest send = send(from, 1, region, 0, 32 << 20);
        drive("first bytes", () -> receive.state() == RequestState.MOVING);
        messengers[1] = null;
        rig.other.close();
        rig.nodes.close(1);
        final Request left = isSenderGone ? receive : send;
        await(left);
        assertEquals(RequestResult.PEER_GONE, left.result());
        room.setMemory(0, 32 << 20, (byte)0);
        rig.nodes.launch(1);
        rig.other = RegionMemory.open(rig.nodes.nodes.get(1), rig.nodes.endpoint(1));
        launch(1, rig.other);
        drive("the next incarnation", () -> RankState.of(rig.nodes.endpoint(0).rankState(1)) == RankState.OPEN &&
            RankState.of(rig.nodes.endpoint(1).rankState(0)) == RankState.OPEN);
        exchange();
        for (int i = 0; i < 32 << 20; i += 8)
        {
            assertEquals(0, room.getLong(i), "written when the receive was over");
        }
    }

    @Test
    void shouldEndWhenTheMessengerIsClosed()
    {
        launch();
        try (Region region = rig.own.register(32 << 20, Region.READ))
        {
            region.buffer().setMemory(0, 32 << 20, (byte)5);
            final UnsafeBuffer room = room(32 << 20, true);
            final ReceiveRequest receive = receive(1, 1, room, 32 << 20);
            final SendRequest send = send(0, 1, region, 0, 32 << 20);
            drive("first bytes", () -> receive.state() == RequestState.MOVING);
            messengers[1].close();
            assertEquals(RequestResult.CLOSED, receive.result());
            room.setMemory(0, 32 << 20, (byte)0);
            messengers[1] = null;
            rig.nodes.pollUntil("the end of what was asked for", (source, tag, buffer, offset, length) -> {}, () ->
            {
                messengers[0].doWork();
                rig.other.poll();
                return send.isDone();
            });
            assertEquals(RequestResult.PEER_GONE, send.result());
            launch(1, rig.other);
            exchange();
            for (int i = 0; i < 32 << 20; i += 8)
            {
                assertEquals(0, room.getLong(i), "written when the receive was over");
            }
        }
    }

    @Test
    void shouldAllocateNothing()
    {
        launch();
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        try (Region region = rig.own.register(200_000, Region.READ))
        {
            final long self = Thread.currentThread().getId();
            final SendRequest send = new SendRequest();
            final ReceiveRequest receive = new ReceiveRequest();
            final UnsafeBuffer room = room(200_000, true);
            final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "messages\n" + rig);
            long least = Long.MAX_VALUE;
            for (int round = 0; round < 20 && least > 0; round++)
            {
                final long before = threads.getThreadAllocatedBytes(self);
                for (int i = 0; i < 50; i++)
                {
                    messengers[1].receive(receive, messengers[1].world(), 0, 1, room, 0, 200_000);
                    messengers[0].sendSynchronous(send, messengers[0].world(), 1, 1, region.buffer(), 0, 200_000);
                    while (!receive.isDone() || !send.isDone())
                    {
                        messengers[0].doWork();
                        messengers[1].doWork();
                        watchdog.check();
                    }
                    watchdog.progress();
                }
                least = Math.min(least, threads.getThreadAllocatedBytes(self) - before);
            }
            assertEquals(0, least);
        }
    }
}
