// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.Channel;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.messaging.internal.wire.HeadDescriptor;
import org.tallypost.messaging.internal.wire.MessageKind;
import org.tallypost.messaging.internal.wire.StagingDescriptor;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionKey;
import org.tallypost.messaging.rma.RemoteRegion;

/** Long messages of private memory that are put into staging areas of receivers of the same node. */
@Tag("once")
class StagedOnOneNodeTest extends StagedFixture
{
    private static final int MAX_AREAS = 4;

    @ParameterizedTest
    @ValueSource(ints = {1 << 16, (1 << 16) + 1, 100_001, 3 * RING, LONG})
    void shouldPutMessages(final int length)
    {
        launchWith(2, AREA);
        for (int i = 1; i <= 10; i++)
        {
            exchange(length, i);
        }
        assertEquals(10, staged());
        assertEquals(10, messengers[0].counters().sentByBulk());
        assertEquals(10L * length, messengers[0].counters().sentBytes());
        assertEquals(AREA, memories[1].usedLength(), "one area is used again");
        messengers[1].close();
        assertEquals(0, memories[1].usedLength(), "it is given back");
    }

    @Test
    void shouldTakeTheMailboxWithShorterOnesAndWithoutAreas()
    {
        launchWith(2, 0);
        exchange(LONG, 1);
        assertEquals(0, staged());
        close();
        launchWith(2, AREA);
        exchange((1 << 16) - 1, 1);
        assertEquals(0, staged());
    }

    /** The sender needs nothing of its receiver if there is room for all of a message. */
    @Test
    void shouldPutAllOfAMessageThatHasRoomWithoutItsReceiver()
    {
        launchWith(2, 1 << 23);
        final UnsafeBuffer room = room(LONG);
        final SendRequest first = send(0, 1, TAG, bytes(LONG, 1), LONG);
        final ReceiveRequest last = receive(1, 0, TAG, room);
        drive("a match", () -> last.state == RequestState.MOVING || last.isDone());
        while (first.isActive())
        {
            messengers[0].doWork();
        }
        assertEquals(RequestResult.SUCCESS, first.result());
        assertTrue(endpoints[1].backlogSlots() > 1, "the receiver is woken for the first part and for the end");
        closeMessenger(0);
        drive("the end", () -> pollEndpoint(0) && last.isDone());
        assertEquals(RequestResult.SUCCESS, last.result(), "what was sent is received, also if its sender has closed");
        check(room, 0, LONG, 1);
    }

    /** Sizes, orders, kinds of memory and modes by chance; receivers take some of them in another order, and cut some. */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6})
    void shouldMoveAnyMessages(final long seed)
    {
        final Random random = new Random(seed);
        final int ranks = seed % 2 == 0 ? 8 : 2;
        launchWith(ranks, random.nextBoolean() ? AREA << 2 : 1 << 21);
        for (int round = 0; round < 6; round++)
        {
            final List<Integer> tags = new ArrayList<>();
            final List<Request> all = new ArrayList<>();
            final int count = 3 + random.nextInt(24);
            final int[] lengths = new int[count];
            final int[] from = new int[count];
            final int[] to = new int[count];
            for (int i = 0; i < count; i++)
            {
                lengths[i] = 1 + random.nextInt(1 << 1 + random.nextInt(21));
                from[i] = random.nextInt(ranks);
                to[i] = (from[i] + 1 + random.nextInt(ranks - 1)) % ranks;
                tags.add(i);
                final UnsafeBuffer bytes = bytes(lengths[i], i);
                final SendRequest request = new SendRequest();
                request.prepare(random.nextInt(4) == 0 ? SendMode.SYNCHRONOUS : SendMode.STANDARD, messengers[from[i]].world(),
                    to[i], i, bytes, 0, lengths[i]);
                messengers[from[i]].start(request);
                all.add(request);
                for (int turns = random.nextInt(3); turns > 0; turns--)
                {
                    work();
                }
            }
            Collections.shuffle(tags, random);
            final ReceiveRequest[] receives = new ReceiveRequest[count];
            final UnsafeBuffer[] rooms = new UnsafeBuffer[count];
            for (final int i : tags)
            {
                rooms[i] = room(random.nextInt(5) == 0 ? lengths[i] / 2 : lengths[i] + 1);
                receives[i] = receive(to[i], random.nextBoolean() ? ANY : from[i], i, rooms[i]);
                all.add(receives[i]);
                work();
            }
            await(all.toArray(new Request[0]));
            for (int i = 0; i < count; i++)
            {
                final boolean isCut = rooms[i].capacity() < lengths[i];
                assertEquals(isCut ? RequestResult.TRUNCATED : RequestResult.SUCCESS, receives[i].result());
                assertEquals(RequestResult.SUCCESS, ((SendRequest)all.get(i)).result());
                assertEquals(lengths[i], receives[i].messageLength());
                check(rooms[i], 0, Math.min(rooms[i].capacity(), lengths[i]), i);
            }
        }
        for (final Messenger messenger : messengers)
        {
            assertEquals(0, messenger.counters().refused());
        }
    }

    @Test
    void shouldMove64MiB()
    {
        launchWith(2, 1 << 21);
        exchange(1 << 26, 1);
        assertEquals(1, staged());
    }

    /** One that never copies keeps its own messages, and nobody else's. */
    @Test
    void shouldGoOnBesideAReceiverThatDoesNothing()
    {
        launchWith(3, AREA);
        final ReceiveRequest stuck = receive(1, 0, TAG, room(LONG));
        final ReceiveRequest behind = receive(1, 0, TAG, room(LONG));
        final SendRequest first = send(0, 1, TAG, bytes(LONG, 1), LONG);
        final SendRequest second = send(0, 1, TAG, bytes(LONG, 2), LONG);
        drive("a match", () -> stuck.state == RequestState.MOVING);
        final Messenger idle = messengers[1];
        messengers[1] = null;
        final UnsafeBuffer room = room(LONG);
        final SendRequest other = send(0, 2, TAG, bytes(LONG, 3), LONG);
        final ReceiveRequest third = receive(2, 0, TAG, room);
        await(other, third);
        check(room, 0, LONG, 3);
        assertTrue(first.isActive() && second.isActive());
        messengers[1] = idle;
        await(first, second, stuck, behind);
        assertEquals(2, staged());
    }

    /** A sender that does nothing keeps areas; messages of others take the mailbox. */
    @Test
    void shouldNotWaitForTheAreaOfAnotherSender()
    {
        launchWith(3, AREA);
        final ReceiveRequest stuck = receive(1, 0, TAG, room(LONG));
        final SendRequest first = send(0, 1, TAG, bytes(LONG, 1), LONG);
        drive("a match", () -> stuck.state == RequestState.MOVING);
        final Messenger idle = messengers[0];
        messengers[0] = null;
        final UnsafeBuffer room = room(LONG);
        final SendRequest other = send(2, 1, TAG, bytes(LONG, 3), LONG);
        final ReceiveRequest third = receive(1, 2, TAG, room);
        await(other, third);
        check(room, 0, LONG, 3);
        assertEquals(0, staged());
        messengers[0] = idle;
        await(first, stuck);
        assertEquals(1, staged());
    }

    /** An area that becomes free goes to another sender, which stands still: the one that waits for it goes on without. */
    @Test
    void shouldNotWaitBehindOtherSendersAlone()
    {
        launchWith(3, AREA << 1);
        final ReceiveRequest[] receives = new ReceiveRequest[4];
        final UnsafeBuffer[] rooms = new UnsafeBuffer[4];
        for (int i = 0; i < 4; i++)
        {
            rooms[i] = room(LONG);
            receives[i] = receive(1, i / 2 * 2, i, rooms[i]);
        }
        final SendRequest first = send(0, 1, 0, bytes(LONG, 0), LONG);
        drive("an area for rank 0", () -> receives[0].area != null);
        final Messenger later = messengers[0];
        messengers[0] = null;
        final SendRequest others = send(2, 1, 2, bytes(LONG, 2), LONG);
        drive("an area for rank 2", () -> receives[2].area != null);
        final Messenger idle = messengers[2];
        messengers[2] = null;
        final SendRequest waiting = new SendRequest();
        idle.send(waiting, idle.world(), 1, 3, bytes(LONG, 3), 0, LONG);
        drive("rank 2 in the turn", () -> receives[3].state == RequestState.ANSWERING);
        final SendRequest second = new SendRequest();
        later.send(second, later.world(), 1, 1, bytes(LONG, 1), 0, LONG);
        drive("rank 0 in the turn", () -> receives[1].state == RequestState.ANSWERING);
        messengers[0] = later;
        await(first, second, receives[0], receives[1]);
        check(rooms[0], 0, LONG, 0);
        check(rooms[1], 0, LONG, 1);
        assertTrue(others.isActive() && waiting.isActive());
        messengers[2] = idle;
        await(others, waiting, receives[2], receives[3]);
        check(rooms[3], 0, LONG, 3);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndBothSidesWhenOneCloses(final boolean isSender)
    {
        launchWith(2, AREA);
        final ReceiveRequest receiving = receive(1, 0, TAG, room(LONG));
        final ReceiveRequest behind = receive(1, 0, TAG, room(LONG));
        final SendRequest sending = send(0, 1, TAG, bytes(LONG, 1), LONG);
        final SendRequest waiting = send(0, 1, TAG, bytes(LONG, 2), LONG);
        drive("some bytes", () -> receiving.received > 0);
        final int closing = isSender ? 0 : 1;
        closeMessenger(closing);
        drive("the ends", () -> pollEndpoint(closing) &&
            receiving.isDone() && behind.isDone() && sending.isDone() && waiting.isDone());
        assertEquals(isSender ? RequestResult.CLOSED : RequestResult.PEER_GONE, sending.result());
        assertEquals(isSender ? RequestResult.CLOSED : RequestResult.PEER_GONE, waiting.result());
        assertEquals(isSender ? RequestResult.PEER_GONE : RequestResult.CLOSED, receiving.result());
        assertEquals(isSender ? RequestResult.PEER_GONE : RequestResult.CLOSED, behind.result());
    }

    /** A receiver answers with areas that are none: nothing is written outside of what it has given. */
    @Test
    void shouldBelieveNothingOfAnAnswer()
    {
        launchWith(2, AREA);
        closeMessenger(1);
        final Endpoint forger = endpoints[1];
        final Region given = memories[1].register(1 << 17, Region.ALL);
        final Region kept = memories[1].register(1 << 17, Region.READ);
        given.buffer().setMemory(0, given.length(), (byte)7);
        final UnsafeBuffer head = room(HeadDescriptor.CTS_STAGED_LENGTH);
        final long[] lengths = {AREA, 1 << 17, 1 << 30, 1L << 40, 0, -1, AREA - 1};
        for (int i = 0; i < 2 * lengths.length; i++)
        {
            final SendRequest sending = send(0, 1, TAG, bytes(LONG, i), LONG);
            drive("an announcement", () ->
            {
                forger.poll(NOTHING, 10);
                return sending.state == RequestState.ANNOUNCED;
            });
            head.putLong(HeadDescriptor.ANSWERED_ID_OFFSET, sending.id, LITTLE_ENDIAN);
            head.putLong(HeadDescriptor.RECEIVE_ID_OFFSET, 5, LITTLE_ENDIAN);
            head.putLong(HeadDescriptor.WANTED_OFFSET, LONG, LITTLE_ENDIAN);
            (i % 2 == 0 ? given : kept).key(new RegionKey()).encode(head, HeadDescriptor.STAGING_KEY_OFFSET);
            head.putLong(HeadDescriptor.STAGING_LENGTH_OFFSET, lengths[i / 2], LITTLE_ENDIAN);
            // the word that it reads says more than it has put
            given.buffer().putLong(StagingDescriptor.READ_OFFSET, StagingDescriptor.word(5, LONG), LITTLE_ENDIAN);
            forge(forger, MessageKind.CTS, head, HeadDescriptor.CTS_STAGED_LENGTH);
            forge(forger, MessageKind.LOOK, head, 8);
            for (int turn = 0; turn < 200; turn++)
            {
                forger.poll(NOTHING, 10);
                messengers[0].doWork();
            }
            head.putLong(HeadDescriptor.ANSWERED_ID_OFFSET, sending.id, LITTLE_ENDIAN);
            forge(forger, MessageKind.CANCELLED, head, HeadDescriptor.DONE_LENGTH);
            for (int at = 0; at < kept.length(); at++)
            {
                assertEquals(0, kept.buffer().getByte(at), "a region without the right to write");
            }
            drive("the end of " + sending, () ->
            {
                forger.poll(NOTHING, 10);
                return sending.isDone();
            });
        }
    }

    private void forge(final Endpoint forger, final int kind, final UnsafeBuffer bytes, final int length)
    {
        drive("a forged message", () ->
        {
            forger.poll(NOTHING, 10);
            return forger.offer(0, Channel.tag(FIRST_CHANNEL + kind, 0), bytes, 0, length) >= 0;
        });
    }

    /** A sender writes words that cannot be: its receive fails, nothing else does, and it gets the same area again. */
    @Test
    void shouldBelieveNoWordOfASender()
    {
        launchWith(3, AREA * MAX_AREAS);
        closeMessenger(0);
        final Endpoint forger = endpoints[0];
        final UnsafeBuffer head = room(HeadDescriptor.RTS_LENGTH);
        greet(forger, head);
        final RemoteRegion area = new RemoteRegion();
        final RegionKey key = new RegionKey();
        final long[] id = new long[1];
        final boolean[] hasArea = new boolean[1];
        final MessageListener answers = (source, tag, buffer, offset, length) ->
        {
            id[0] = length < HeadDescriptor.CTS_LENGTH ? id[0] :
                buffer.getLong(offset + HeadDescriptor.RECEIVE_ID_OFFSET, LITTLE_ENDIAN);
            hasArea[0] = length == HeadDescriptor.CTS_STAGED_LENGTH;
            if (hasArea[0])
            {
                key.decode(buffer, offset + HeadDescriptor.STAGING_KEY_OFFSET);
            }
        };
        final Channel channel = forger.channel(FIRST_CHANNEL + MessageKind.CTS, answers);
        final int[] counts = {-1, LONG + 1, RING + 1, Integer.MIN_VALUE, Integer.MAX_VALUE};
        for (int i = 0; i < 2 * MAX_AREAS; i++)
        {
            id[0] = 0;
            hasArea[0] = false;
            final ReceiveRequest receiving = receive(1, 0, TAG, room(LONG));
            announce(forger, head, i + 1);
            drive("an answer", () ->
            {
                forger.poll(NOTHING, 10);
                return id[0] != 0;
            });
            assertTrue(hasArea[0], "one that this sender has not left");
            assertEquals(0, area.attach(memories[0], key));
            // the first one has no message before it that a word could be of
            assertEquals(0, area.putOrdered(StagingDescriptor.WRITTEN_OFFSET, StagingDescriptor.word(id[0] + 1, 100)));
            for (int round = 0; round < 10; round++)
            {
                work();
            }
            assertEquals(i == 0, receiving.isDone());
            if (i > 0)
            {
                assertEquals(0, area.putOrdered(
                    StagingDescriptor.WRITTEN_OFFSET, StagingDescriptor.word(id[0], counts[i % counts.length])));
            }
            drive("the end", receiving::isDone);
            assertEquals(RequestResult.FAILED, receiving.result());
            assertTrue(area.putOrdered(StagingDescriptor.WRITTEN_OFFSET, 0) < 0, "the key is over");
        }
        channel.close();
        assertEquals(AREA, memories[1].usedLength());
        checkThatAnotherSenderGetsAnArea();
    }

    private void checkThatAnotherSenderGetsAnArea()
    {
        final UnsafeBuffer room = room(LONG);
        final ReceiveRequest honest = receive(1, 2, TAG, room);
        await(send(2, 1, TAG, bytes(LONG, 9), LONG), honest);
        check(room, 0, LONG, 9);
        assertEquals(2 * AREA, memories[1].usedLength(), "nobody else gets that area");
        assertEquals(1, staged());
    }

    private void greet(final Endpoint forger, final UnsafeBuffer head)
    {
        head.putLong(HeadDescriptor.SESSION_OFFSET, 77, LITTLE_ENDIAN);
        head.putLong(HeadDescriptor.VERSION_OFFSET, HeadDescriptor.VERSION, LITTLE_ENDIAN);
        forgeTo1(forger, MessageKind.HELLO, head, HeadDescriptor.HELLO_LENGTH);
    }

    private void announce(final Endpoint forger, final UnsafeBuffer head, final long id)
    {
        head.putInt(HeadDescriptor.CONTEXT_OFFSET, 0, LITTLE_ENDIAN);
        head.putInt(HeadDescriptor.TAG_OFFSET, TAG, LITTLE_ENDIAN);
        head.putLong(HeadDescriptor.SEND_ID_OFFSET, id, LITTLE_ENDIAN);
        head.putLong(HeadDescriptor.MESSAGE_LENGTH_OFFSET, LONG, LITTLE_ENDIAN);
        forgeTo1(forger, MessageKind.RTS, head, HeadDescriptor.RTS_LENGTH);
    }

    private void forgeTo1(final Endpoint forger, final int kind, final UnsafeBuffer bytes, final int length)
    {
        drive("a forged message", () ->
        {
            forger.poll(NOTHING, 10);
            return forger.offer(1, Channel.tag(FIRST_CHANNEL + kind, 0), bytes, 0, length) >= 0;
        });
    }
}
