// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.transportaeron.MessengersRig.check;
import static org.tallypost.transportaeron.MessengersRig.filled;
import static org.tallypost.transportaeron.MessengersRig.room;

import com.sun.management.ThreadMXBean;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.Channel;
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
import org.tallypost.messaging.rma.RegionKey;
import org.tallypost.messaging.rma.RegionMemory;

/** Long messages of private memory that are put into staging areas of receivers of another node. */
@Tag("once")
class StagedMessagesTest
{
    private static final int SMALL = MessengerContext.MIN_STAGING_LENGTH;
    private static final int LONG = 2 << 20;

    @TempDir
    private File directory;

    private MessengersRig rig;

    private void launch(final double loss, final int stagingLength)
    {
        rig = new MessengersRig(directory, loss, (rank, context) -> context.stagingLength(stagingLength), 1, 1);
    }

    @AfterEach
    void close()
    {
        if (rig != null)
        {
            rig.close();
        }
    }

    private void assertNothingRefused()
    {
        for (final Messenger messenger : rig.messengers)
        {
            assertEquals(0, messenger.counters().refused());
        }
        assertTrue(rig.nodes.errors.isEmpty(), rig::toString);
    }

    private void exchange()
    {
        for (int from = 0; from < 2; from++)
        {
            final UnsafeBuffer bytes = filled(200_000, from);
            final UnsafeBuffer room = room(200_000, true);
            final ReceiveRequest receive = rig.receive(1 - from, Communicator.ANY_SOURCE, 77, room, 200_000);
            final SendRequest send = rig.send(from, 1 - from, 77, bytes, 200_000);
            rig.await(receive, send);
            assertEquals(RequestResult.SUCCESS, receive.result());
            assertEquals(RequestResult.SUCCESS, send.result());
            check(room, 200_000, from);
        }
    }

    /** Both directions, posted before and after, shorter and longer than the one area, with faults of the network and without. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.02})
    void shouldPutMessagesOfAllLengths(final double loss)
    {
        launch(loss, SMALL);
        final int limit = MessengersRig.EAGER_LIMIT;
        final int ring = SMALL - 256;
        final int[] lengths = {limit, limit + 1, 32_768, 32_769, ring - 1, ring, ring + 1, 100_001, 3 * ring, 500_000};
        for (int from = 0; from < 2; from++)
        {
            final int to = 1 - from;
            for (final int length : lengths)
            {
                final UnsafeBuffer room = room(length, length % 3 == 0);
                final boolean isFirst = length % 2 == 0;
                final ReceiveRequest early = isFirst ? rig.receive(to, from, 3, room, length) : null;
                final SendRequest send = rig.send(from, to, 3, filled(length, length), length);
                if (!isFirst)
                {
                    rig.drive("a message of " + length, () -> rig.messengers[to].counters().unexpected() == 1);
                }
                final ReceiveRequest receive = isFirst ? early : rig.receive(to, from, 3, room, length);
                rig.await(send, receive);
                assertEquals(RequestResult.SUCCESS, send.result());
                assertEquals(RequestResult.SUCCESS, receive.result());
                assertEquals(length, receive.length());
                check(room, length, length);
            }
        }
        for (int rank = 0; rank < 2; rank++)
        {
            assertEquals(lengths.length - 1, rig.staged(rank));
            assertEquals(lengths.length - 1, rig.messengers[rank].counters().sentByBulk());
            assertEquals(SMALL, rig.memories[rank].usedLength());
        }
        assertNothingRefused();
    }

    @Test
    void shouldTellTruncationAndFillLoans()
    {
        launch(0, 1 << 21);
        final UnsafeBuffer bytes = filled(300_000, 1);
        for (final int length : new int[]{0, 1, 40_000, 299_999})
        {
            final UnsafeBuffer buffer = room(length + 8, true);
            final ReceiveRequest receive = rig.receive(1, 0, 3, buffer, length);
            final SendRequest send = rig.send(0, 1, 3, bytes, 300_000);
            rig.await(send, receive);
            assertEquals(RequestResult.SUCCESS, send.result());
            assertEquals(RequestResult.TRUNCATED, receive.result());
            assertEquals(length, receive.length());
            assertEquals(300_000, receive.messageLength());
            check(buffer, length, 1);
            assertEquals(0, buffer.getLong(length), "beyond the room");
        }
        assertEquals(2, rig.staged(1), "what was longer than the limit");
        final LoanedMessage message = new LoanedMessage();
        final ReceiveRequest loaned = new ReceiveRequest();
        rig.messengers[1].receiveLoaned(loaned, rig.messengers[1].world(), 0, 1, message);
        rig.await(loaned, rig.send(0, 1, 1, bytes, 300_000));
        assertEquals(RequestResult.SUCCESS, loaned.result());
        final UnsafeBuffer copy = room(300_000, false);
        copy.putBytes(0, message.buffer(), 0, 300_000);
        check(copy, 300_000, 1);
        message.release();
        assertEquals(3, rig.staged(1));
        assertNothingRefused();
    }

    /** Many at random, several at once, some cancelled: each receive gets the next message of its tag that was not. */
    @ParameterizedTest
    @ValueSource(doubles = {0, 0.02})
    void shouldKeepTheOrder(final double loss)
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("StagedMessagesTest.shouldKeepTheOrder: -Dtallypost.seed=" + seed);
        final Random random = new Random(seed);
        launch(loss, 2 * SMALL);
        final int longest = 120_000;
        final int count = 12;
        for (int round = 0; round < 4; round++)
        {
            final SendRequest[] sends = new SendRequest[count];
            final ReceiveRequest[] receives = new ReceiveRequest[count];
            final UnsafeBuffer[] rooms = new UnsafeBuffer[count];
            final int[] lengths = new int[count];
            for (int i = 0; i < count; i++)
            {
                lengths[i] = 1 + random.nextInt(random.nextInt(3) == 0 ? MessengersRig.EAGER_LIMIT : longest);
                sends[i] = rig.send(0, 1, 5, filled(lengths[i], i), lengths[i]);
                if (random.nextInt(5) == 0)
                {
                    rig.messengers[0].cancel(sends[i]);
                }
            }
            for (int i = 0; i < count; i++)
            {
                rooms[i] = room(longest, random.nextBoolean());
                receives[i] = rig.receive(1, 0, 5, rooms[i], longest);
            }
            rig.drive("sends", () -> Requests.allDone(sends));
            int next = 0;
            for (int i = 0; i < count; i++)
            {
                if (sends[i].result() == RequestResult.SUCCESS)
                {
                    rig.await(receives[next]);
                    assertEquals(lengths[i], receives[next].length());
                    check(rooms[next], lengths[i], i);
                    next++;
                }
                else
                {
                    assertEquals(RequestResult.CANCELLED, sends[i].result());
                }
            }
            while (next < count)
            {
                assertTrue(rig.messengers[1].cancel(receives[next++]));
            }
        }
        assertNothingRefused();
    }

    @Test
    void shouldLetAShortMessageByAndRefuseToCancelWhatMoves()
    {
        launch(0, SMALL);
        final UnsafeBuffer room = room(LONG, true);
        final ReceiveRequest receive = rig.receive(1, 0, 1, room, LONG);
        final SendRequest send = rig.send(0, 1, 1, filled(LONG, 3), LONG);
        rig.drive("first bytes", () -> send.state() == RequestState.MOVING);
        assertFalse(rig.messengers[1].cancel(receive));
        rig.messengers[0].cancel(send);
        final UnsafeBuffer shortRoom = room(8, false);
        final ReceiveRequest shortOne = rig.receive(1, 0, 2, shortRoom, 8);
        rig.await(shortOne, rig.send(0, 1, 2, filled(8, 3), 8));
        check(shortRoom, 8, 3);
        assertTrue(receive.isActive() && send.isActive(), "it has gone by");
        rig.await(receive, send);
        assertEquals(RequestResult.SUCCESS, send.result());
        check(room, LONG, 3);
        assertEquals(1, rig.staged(1));
        assertNothingRefused();
    }

    /** Without memory at one side, or with a limit for the other rank, the bytes go as ever. */
    @ParameterizedTest
    @ValueSource(strings = {"sender without memory", "receiver without memory", "limit of the sender", "memory in use"})
    void shouldSendTheBytesWhereTheyCannotBePut(final String reason)
    {
        rig = new MessengersRig(directory, 0, (rank, context) ->
        {
            final boolean isNamed = reason.contains("sender") == (rank == 0);
            if (reason.contains("without") && isNamed)
            {
                context.regionMemory(null);
            }
            if (reason.contains("limit") && isNamed)
            {
                context.bulkLength(1 - rank, Integer.MAX_VALUE);
                assertEquals(Integer.MAX_VALUE, context.bulkLengthOf(1 - rank));
            }
            context.stagingLength(SMALL);
        }, 1, 1);
        if (reason.equals("memory in use"))
        {
            rig.memories[1].register(64 << 20, 0);
        }
        final UnsafeBuffer room = room(20_000, true);
        final ReceiveRequest receive = rig.receive(1, 0, 1, room, 20_000);
        final SendRequest send = rig.send(0, 1, 1, filled(20_000, 6), 20_000);
        rig.await(receive, send);
        assertEquals(RequestResult.SUCCESS, receive.result());
        check(room, 20_000, 6);
        assertEquals(0, rig.staged(1));
        assertNothingRefused();
    }

    /** The only area is kept by a sender that does nothing: the message of another one comes without. */
    @Test
    void shouldNotWaitForASenderThatDoesNothing()
    {
        rig = new MessengersRig(directory, 0, (rank, context) -> context.stagingLength(SMALL), 2, 1);
        final UnsafeBuffer[] rooms = {room(200_000, true), room(200_000, true)};
        final ReceiveRequest[] receives = new ReceiveRequest[2];
        final SendRequest[] sends = new SendRequest[2];
        receives[0] = rig.receive(2, 0, 1, rooms[0], 200_000);
        sends[0] = rig.send(0, 2, 1, filled(200_000, 0), 200_000);
        rig.drive("an area for rank 0", () -> receives[0].state() == RequestState.MOVING);
        final Messenger quiet = rig.messengers[0];
        rig.messengers[0] = null;
        receives[1] = rig.receive(2, 1, 1, rooms[1], 200_000);
        sends[1] = rig.send(1, 2, 1, filled(200_000, 1), 200_000);
        rig.drive("the bytes of rank 1", () ->
        {
            // the receiver counts its rounds
            for (int i = 0; i < 256; i++)
            {
                rig.messengers[2].doWork();
            }
            return receives[1].isDone() && sends[1].isDone();
        });
        check(rooms[1], 200_000, 1);
        assertEquals(0, rig.staged(2));
        assertTrue(receives[0].isActive());
        rig.messengers[0] = quiet;
        rig.await(receives[0], sends[0]);
        check(rooms[0], 200_000, 0);
        assertEquals(1, rig.staged(2));
        assertNothingRefused();
    }

    /** Ranks of a node send at once to one receiver with one area: all get their turns. */
    @Test
    void shouldServeSeveralSenders()
    {
        rig = new MessengersRig(directory, 0, (rank, context) -> context.stagingLength(SMALL), 3, 1);
        final int each = 4;
        final Request[] requests = new Request[3 * each * 2];
        final UnsafeBuffer[] rooms = new UnsafeBuffer[3 * each];
        for (int i = 0; i < rooms.length; i++)
        {
            rooms[i] = room(150_000, true);
            requests[2 * i] = rig.receive(3, i % 3, i, rooms[i], 150_000);
            requests[2 * i + 1] = rig.send(i % 3, 3, i, filled(150_000, i), 150_000);
        }
        rig.await(requests);
        for (int i = 0; i < rooms.length; i++)
        {
            assertEquals(RequestResult.SUCCESS, requests[2 * i].result());
            check(rooms[i], 150_000, i);
        }
        assertNothingRefused();
    }

    /** The exception goes to the caller of doWork; the area is free for the next message. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldFailWhenABufferBecomesShorter(final boolean isSenders)
    {
        launch(0, SMALL);
        final UnsafeBuffer bytes = filled(LONG, 1);
        final UnsafeBuffer room = room(LONG, true);
        final ReceiveRequest receive = rig.receive(1, 0, 1, room, LONG);
        final SendRequest send = rig.send(0, 1, 1, bytes, LONG);
        rig.drive("first bytes", () -> send.state() == RequestState.MOVING);
        (isSenders ? bytes : room).wrap(new byte[8]);
        assertThrows(IndexOutOfBoundsException.class, () -> rig.await(send, receive));
        rig.await(send, receive);
        assertEquals(isSenders ? RequestResult.FAILED : RequestResult.CANCELLED, send.result());
        assertEquals(RequestResult.FAILED, receive.result());
        exchange();
        assertEquals(1, rig.staged(1));
    }

    /** The link goes in the midst of a message, with the node of the sender or the receiver; the next incarnation is served. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldEndWhenTheOtherNodeGoes(final boolean isSenderGone)
    {
        launch(0, SMALL);
        exchange();
        final int from = isSenderGone ? 1 : 0;
        final UnsafeBuffer room = room(LONG, true);
        final ReceiveRequest receive = rig.receive(1 - from, from, 1, room, LONG);
        final SendRequest send = rig.send(from, 1 - from, 1, filled(LONG, 5), LONG);
        rig.drive("first bytes", () -> send.state() == RequestState.MOVING);
        rig.closeNode(1);
        final Request left = isSenderGone ? receive : send;
        rig.await(left);
        assertEquals(RequestResult.PEER_GONE, left.result());
        room.setMemory(0, LONG, (byte)0);
        rig.launch(1);
        rig.drive("the next incarnation", () -> rig.isOpen(0, 1) && rig.isOpen(1, 0));
        exchange();
        for (int i = 0; i < LONG; i += 8)
        {
            assertEquals(0, room.getLong(i), "written when the receive was over");
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void shouldEndWhenTheMessengerIsClosed(final int closing)
    {
        launch(0, SMALL);
        final UnsafeBuffer room = room(LONG, true);
        final ReceiveRequest receive = rig.receive(1, 0, 1, room, LONG);
        final SendRequest send = rig.send(0, 1, 1, filled(LONG, 5), LONG);
        rig.drive("first bytes", () -> send.state() == RequestState.MOVING);
        rig.messengers[closing].close();
        assertEquals(RequestResult.CLOSED, (closing == 0 ? send : receive).result());
        rig.messengers[closing] = null;
        final Request left = closing == 0 ? receive : send;
        rig.drive("the end of the other request", () ->
        {
            rig.nodes.endpoint(closing).poll((source, tag, buffer, offset, length) -> {}, 16);
            return left.isDone();
        });
        assertEquals(RequestResult.PEER_GONE, left.result());
        room.setMemory(0, LONG, (byte)0);
        rig.launchMessenger(closing, rig.memories[closing]);
        exchange();
        for (int i = 0; i < LONG; i += 8)
        {
            assertEquals(0, room.getLong(i), "written when the receive was over");
        }
        assertEquals(SMALL, rig.memories[1].usedLength(), "areas of closed messengers have gone back");
    }

    /** Whatever an answer says of an area, the message comes: a key of another rank, of nothing, and lengths that cannot be. */
    @Test
    void shouldBelieveNothingOfAnArea()
    {
        launch(0, SMALL);
        rig.closeNode(1);
        rig.nodes.launch(1);
        rig.memories[1] = RegionMemory.open(rig.nodes.nodes.get(1), rig.nodes.endpoint(1));
        rig.drive("a rank without messenger", () -> rig.isOpen(0, 1));
        final int first = 240 << Channel.TAG_BITS;
        final long[] announced = {0};
        final UnsafeBuffer got = room(300, false);
        final int[] gotLength = {0};
        final Region region = rig.memories[1].register(SMALL, Region.READ);
        final Region own = rig.memories[0].register(SMALL, Region.ALL);
        final UnsafeBuffer answer = new UnsafeBuffer(new byte[48]);
        for (int kind = 0; kind < 5; kind++)
        {
            announced[0] = 0;
            gotLength[0] = 0;
            final SendRequest send = rig.send(0, 1, 1, filled(300, kind), 300);
            final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "a forged answer\n" + rig);
            boolean isAnswered = false;
            while (!send.isDone() || gotLength[0] == 0)
            {
                rig.messengers[0].doWork();
                rig.nodes.endpoint(1).poll((source, tag, buffer, offset, length) ->
                {
                    if (tag >>> Channel.TAG_BITS == 243)
                    {
                        announced[0] = buffer.getLong(offset + 8, LITTLE_ENDIAN);
                    }
                    else if (tag >>> Channel.TAG_BITS == 245)
                    {
                        gotLength[0] = length - 16;
                        got.putBytes(0, buffer, offset + 16, length - 16);
                    }
                }, 16);
                if (announced[0] != 0 && !isAnswered)
                {
                    forge(answer, announced[0], kind == 1 ? own : region, kind);
                    isAnswered = rig.nodes.endpoint(1).offer(0, first + (4 << Channel.TAG_BITS), answer, 0, 48) >= 0;
                }
                watchdog.check();
                Thread.yield();
            }
            assertEquals(RequestResult.SUCCESS, send.result());
            assertEquals(300, gotLength[0]);
            check(got, 300, kind);
        }
        for (int i = 0; i < SMALL; i += 8)
        {
            assertEquals(0, region.buffer().getLong(i));
            assertEquals(0, own.buffer().getLong(i));
        }
        assertEquals(3, rig.messengers[0].counters().refused());
    }

    private static void forge(final UnsafeBuffer answer, final long id, final Region named, final int kind)
    {
        answer.putLong(0, id, LITTLE_ENDIAN);
        answer.putLong(8, 42, LITTLE_ENDIAN);
        answer.putLong(16, 300, LITTLE_ENDIAN);
        named.key(new RegionKey()).encode(answer, 24);
        if (kind == 2)
        {
            answer.putInt(32, 5_000, LITTLE_ENDIAN);
        }
        answer.putLong(40, kind == 3 ? -1 : kind == 4 ? 256 : SMALL, LITTLE_ENDIAN);
    }

    @Test
    void shouldAllocateNothing()
    {
        launch(0, SMALL);
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long self = Thread.currentThread().getId();
        final SendRequest send = new SendRequest();
        final ReceiveRequest receive = new ReceiveRequest();
        final UnsafeBuffer bytes = filled(200_000, 2);
        final UnsafeBuffer room = room(200_000, true);
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "messages\n" + rig);
        final Messenger[] messengers = rig.messengers;
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 20 && least > 0; round++)
        {
            final long before = threads.getThreadAllocatedBytes(self);
            for (int i = 0; i < 20; i++)
            {
                messengers[1].receive(receive, messengers[1].world(), 0, 1, room, 0, 200_000);
                messengers[0].sendSynchronous(send, messengers[0].world(), 1, 1, bytes, 0, 200_000);
                while (!receive.isDone() || !send.isDone())
                {
                    messengers[0].doWork();
                    messengers[1].doWork();
                    Thread.yield();
                    watchdog.check();
                }
                watchdog.progress();
            }
            least = Math.min(least, threads.getThreadAllocatedBytes(self) - before);
        }
        assertEquals(0, least);
        assertEquals(messengers[0].counters().sentByBulk(), rig.staged(1));
    }
}
