// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;

/** What each call does, with two or three ranks on one node. */
class MessengerTest extends MessengerFixture
{
    private final SendRequest send = new SendRequest();
    private final ReceiveRequest receive = new ReceiveRequest();

    private Communicator world(final int rank)
    {
        return messengers[rank].world();
    }

    private void checkReceived(final int source, final int tag, final int length)
    {
        assertEquals(RequestResult.SUCCESS, receive.result());
        assertEquals(source, receive.source());
        assertEquals(tag, receive.tag());
        assertEquals(length, receive.length());
        assertEquals(length, receive.messageLength());
    }

    @ParameterizedTest
    @CsvSource({"0,true", "8,true", "8,false", "48,true", "49,false", "2047,true", "2048,false", "2049,true", "2049,false",
        "100000,true", "100000,false", "3000000,true"})
    void shouldDeliverWhicheverComesFirst(final int length, final boolean isReceiveFirst)
    {
        for (final int to : new int[]{0, 1})
        {
            for (final SendMode mode : SendMode.values())
            {
                for (final int tag : new int[]{5, 65_535, 65_536, Integer.MAX_VALUE})
                {
                    if (node == null)
                    {
                        launch(2);
                    }
                    final UnsafeBuffer room = room(length + 20);
                    if (isReceiveFirst)
                    {
                        assertFalse(messengers[to].receive(receive, world(to), 0, tag, room, 10, length));
                    }
                    send.prepare(mode, world(0), to, tag, bytes(length + 3, tag), 3, length);
                    messengers[0].start(send);
                    if (!isReceiveFirst)
                    {
                        final Envelope envelope = new Envelope();
                        drive("message", () -> messengers[to].probe(world(to), 0, tag, envelope));
                        assertEquals(length, envelope.length());
                        assertEquals(mode == SendMode.STANDARD && length <= 2_040, send.isDone() && length <= 2_040);
                        messengers[to].receive(receive, world(to), 0, tag, room, 10, length);
                    }
                    await(send, receive);
                    checkReceived(0, tag, length);
                    assertEquals(RequestResult.SUCCESS, send.result());
                    final UnsafeBuffer expected = bytes(length + 3, tag);
                    for (int i = 0; i < length; i++)
                    {
                        assertEquals(expected.getByte(3 + i), room.getByte(10 + i));
                    }
                    assertEquals(0, room.getLong(0) | room.getLong(length + 10), "beside the buffer");
                }
            }
        }
        assertEquals(0, messengers[0].counters().refused() + messengers[1].counters().refused());
        assertEquals(0, messengers[1].counters().unexpectedBytes());
    }

    @ParameterizedTest
    @ValueSource(ints = {100, 5_000})
    void shouldTruncateAndWriteNothingBeyond(final int length)
    {
        launch(2);
        for (final boolean isReceiveFirst : new boolean[]{true, false})
        {
            for (final int to : new int[]{0, 1})
            {
                for (final int capacity : new int[]{0, 60, 99})
                {
                    final UnsafeBuffer room = room(200);
                    if (isReceiveFirst)
                    {
                        messengers[to].receive(receive, world(to), 0, 1, room, 50, capacity);
                    }
                    messengers[0].send(send, world(0), to, 1, bytes(length, 7), 0, length);
                    if (!isReceiveFirst)
                    {
                        drive("message", () -> messengers[to].counters().unexpected() == 1);
                        messengers[to].receive(receive, world(to), 0, 1, room, 50, capacity);
                    }
                    await(send, receive);
                    assertEquals(RequestResult.TRUNCATED, receive.result());
                    assertEquals(RequestResult.SUCCESS, send.result());
                    assertEquals(capacity, receive.length());
                    assertEquals(length, receive.messageLength());
                    check(new UnsafeBuffer(room, 50, capacity), 0, capacity, 7);
                    for (int i = 0; i < 200; i++)
                    {
                        assertTrue(i >= 50 && i < 50 + capacity || room.getByte(i) == 0, "byte " + i);
                    }
                }
            }
        }
    }

    @Test
    void shouldFinishASynchronousSendWhenItIsMatched()
    {
        launch(2);
        final MatchedMessage held = new MatchedMessage();
        for (final int length : new int[]{8, 5_000})
        {
            for (final int to : new int[]{0, 1})
            {
                assertFalse(messengers[0].sendSynchronous(send, world(0), to, 1, bytes(length, 1), 0, length));
                drive("message", () -> messengers[to].matchedProbe(world(to), ANY, ANY, held));
                for (int i = 0; i < 100; i++)
                {
                    work();
                }
                assertTrue(send.isActive());
                messengers[to].receive(receive, held, room(length), 0, length);
                await(send, receive);
                checkReceived(0, 1, length);
                assertEquals(RequestResult.SUCCESS, send.result());
            }
        }
    }

    @Test
    void shouldProbeAndHoldMessages()
    {
        launch(3);
        final Envelope envelope = new Envelope();
        final MatchedMessage held = new MatchedMessage();
        assertFalse(messengers[0].probe(world(0), ANY, ANY, envelope));
        assertFalse(messengers[0].matchedProbe(world(0), ANY, ANY, held));
        for (int i = 1; i <= 2; i++)
        {
            messengers[i].send(new SendRequest(), world(i), 0, 7, bytes(10 * i, i), 0, 10 * i);
            messengers[i].send(new SendRequest(), world(i), 0, 8, bytes(20 * i, i), 0, 20 * i);
        }
        drive("messages", () -> messengers[0].counters().unexpected() == 4);
        assertTrue(messengers[0].probe(world(0), 2, ANY, envelope));
        assertEquals("2 7 20", envelope.source() + " " + envelope.tag() + " " + envelope.length());
        assertTrue(messengers[0].matchedProbe(world(0), 2, 7, held));
        assertThrows(IllegalStateException.class, () -> messengers[0].matchedProbe(world(0), 2, 8, held));
        assertFalse(messengers[0].probe(world(0), 2, 7, envelope));
        assertTrue(messengers[0].probe(world(0), 2, ANY, envelope));
        assertEquals(8, envelope.tag());
        assertTrue(messengers[0].receive(receive, held, room(20), 0, 20));
        checkReceived(2, 7, 20);
        assertFalse(held.isHeld());
        assertThrows(IllegalStateException.class, () -> messengers[0].receive(receive, held, room(20), 0, 20));
        assertTrue(messengers[0].awaitProbe(world(0), ANY, 8, envelope, Messenger.FOREVER));
        assertFalse(messengers[0].awaitProbe(world(0), ANY, 9, envelope, 1_000_000));
    }

    @Test
    void shouldCancelReceives()
    {
        launch(2);
        messengers[1].receive(receive, world(1), 0, 3, room(10), 0, 10);
        assertTrue(messengers[1].cancel(receive));
        assertEquals(RequestResult.CANCELLED, receive.result());
        assertEquals(ANY, receive.source());
        assertFalse(messengers[1].cancel(receive));
        messengers[0].send(send, world(0), 1, 3, bytes(8, 1), 0, 8);
        drive("message", () -> messengers[1].counters().unexpected() == 1);
        assertTrue(messengers[1].receive(receive, world(1), 0, 3, room(10), 0, 10));
        assertFalse(messengers[1].cancel(receive));
        checkReceived(0, 3, 8);
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 5_000})
    void shouldCancelSendsThatAreNotMatched(final int length)
    {
        launch(2);
        final Envelope envelope = new Envelope();
        for (final int to : new int[]{0, 1})
        {
            messengers[0].sendSynchronous(send, world(0), to, 1, bytes(length, 1), 0, length);
            drive("message", () -> messengers[to].probe(world(to), 0, 1, envelope));
            messengers[0].cancel(send);
            await(send);
            assertEquals(RequestResult.CANCELLED, send.result());
            assertFalse(messengers[to].probe(world(to), 0, 1, envelope));
            assertEquals(0, messengers[to].counters().unexpectedBytes());
            // matched before it is cancelled
            messengers[0].sendSynchronous(send, world(0), to, 1, bytes(length, 1), 0, length);
            drive("message", () -> messengers[to].probe(world(to), 0, 1, envelope));
            messengers[to].receive(receive, world(to), 0, 1, room(length), 0, length);
            messengers[0].cancel(send);
            await(send, receive);
            assertEquals(RequestResult.SUCCESS, send.result());
            checkReceived(0, 1, length);
        }
        assertEquals(0, messengers[0].counters().refused() + messengers[1].counters().refused());
    }

    @Test
    void shouldCancelASendThatTheReceiverDoesNotKnowOf()
    {
        launch(2);
        final List<SendRequest> sends = new ArrayList<>();
        while (sends.isEmpty() || sends.get(sends.size() - 1).isDone())
        {
            sends.add(new SendRequest());
            messengers[0].send(sends.get(sends.size() - 1), world(0), 1, 1, bytes(8, 1), 0, 8);
        }
        final SendRequest last = sends.get(sends.size() - 1);
        assertEquals(RequestState.QUEUED, last.state());
        assertTrue(messengers[0].cancel(last));
        assertEquals(RequestResult.CANCELLED, last.result());
        for (int i = 0; i < sends.size() - 1; i++)
        {
            messengers[1].receive(receive, world(1), 0, 1, room(8), 0, 8);
            await(receive);
        }
        assertEquals(0, messengers[1].counters().unexpected());
    }

    /** Those behind it stay where they are until they have a receive: no copy of them is made. */
    @Test
    void shouldTakeNoMoreMessagesThanAReceiveWaitsFor()
    {
        launch(Flow.STATIC, 2, 64, DEFAULTS);
        for (int i = 0; i < 3; i++)
        {
            messengers[0].send(send, world(0), 1, 1, bytes(100, i), 0, 100);
            assertTrue(send.isDone(), send::toString);
        }
        for (int i = 0; i < 3; i++)
        {
            messengers[1].receive(receive, world(1), 0, 1, room(100), 0, 100);
            assertTrue(messengers[1].await(receive, 60_000_000_000L), receive::toString);
            assertEquals(RequestResult.SUCCESS, receive.result());
            assertEquals(0, messengers[1].counters().unexpected());
        }
    }

    @Test
    void shouldStartPreparedRequestsAgainAndAgain()
    {
        launch(2);
        final UnsafeBuffer message = bytes(100, 0);
        final UnsafeBuffer room = room(100);
        send.prepare(SendMode.STANDARD, world(0), 1, 1, message, 0, 100);
        receive.prepare(world(1), ANY, ANY, room, 0, 100);
        final int[] heard = new int[1];
        receive.listener((request) -> heard[0]++);
        for (int round = 0; round < 100; round++)
        {
            fill(message, 0, 100, round);
            final int before = round;
            messengers[1].startAll(receive);
            messengers[0].startAll(send);
            await(send, receive);
            drive("listener", () -> heard[0] > before);
            checkReceived(0, 1, 100);
            check(room, 0, 100, round);
        }
        assertEquals(100, heard[0]);
    }

    @Test
    void shouldCallListenersThatStartAgain()
    {
        launch(2);
        final UnsafeBuffer room = room(8);
        final List<Integer> tags = new ArrayList<>();
        receive.prepare(world(1), 0, ANY, room, 0, 8);
        receive.listener((request) ->
        {
            tags.add(receive.tag());
            if (tags.size() < 5)
            {
                messengers[1].start(receive);
            }
        });
        messengers[1].start(receive);
        for (int i = 0; i < 5; i++)
        {
            messengers[0].send(send, world(0), 1, i, bytes(8, i), 0, 8);
            await(send);
        }
        drive("listeners", () -> tags.size() == 5);
        assertEquals(List.of(0, 1, 2, 3, 4), tags);
        messengers[0].send(send, world(0), 1, 5, bytes(8, 5), 0, 8);
        messengers[1].start(receive);
        drive("message", receive::isDone);
    }

    @Test
    void shouldSendCopies()
    {
        launch(2);
        assertThrows(IllegalStateException.class, () -> messengers[0].sendBuffered(world(0), 1, 1, bytes(8, 1), 0, 8));
        messengers[0].attachBuffer(room(1_000), 10, 900);
        assertThrows(IllegalStateException.class, () -> messengers[0].attachBuffer(room(9), 0, 9));
        final UnsafeBuffer message = room(300);
        int sent = 0;
        int received = 0;
        for (int round = 0; round < 2_000; round++)
        {
            final int length = round * 37 % 300;
            fill(message, 0, length, sent);
            final RequestResult result = messengers[0].sendBuffered(world(0), 1, 1, message, 0, length);
            assertTrue(result == RequestResult.SUCCESS || result == RequestResult.NONE, result::toString);
            sent += result == RequestResult.SUCCESS ? 1 : 0;
            fill(message, 0, 300, -1);
            if (round % 3 > 0 && received < sent)
            {
                final UnsafeBuffer room = room(300);
                messengers[1].receive(receive, world(1), 0, 1, room, 0, 300);
                await(receive);
                check(room, 0, receive.length(), received++);
            }
        }
        assertTrue(sent > 900, "sent " + sent);
        while (received < sent)
        {
            messengers[1].receive(receive, world(1), 0, 1, room(300), 0, 300);
            await(receive);
            received++;
        }
        drive("copies", () -> messengers[0].detachBuffer());
        assertFalse(messengers[1].awaitProbe(world(1), ANY, ANY, new Envelope(), 1_000_000));
        assertThrows(IllegalStateException.class, () -> messengers[0].sendBuffered(world(0), 1, 1, message, 0, 8));
    }

    /** A copy that cannot go is told as a send is. */
    @Test
    void shouldSayThatACopyCannotGo()
    {
        launch(2);
        messengers[0].attachBuffer(room(100), 0, 100);
        messengers[0].send(send, world(0), 1, 1, bytes(8, 1), 0, 8);
        endpoints[1].close();
        messengers[0].send(send, world(0), 1, 1, bytes(8, 1), 0, 8);
        assertEquals(RequestResult.PEER_GONE, send.result());
        assertEquals(send.result(), messengers[0].sendBuffered(world(0), 1, 1, bytes(8, 1), 0, 8));
        messengers[0].close();
        messengers[0].send(send, world(0), 1, 1, bytes(8, 1), 0, 8);
        assertEquals(RequestResult.CLOSED, send.result());
        assertEquals(send.result(), messengers[0].sendBuffered(world(0), 1, 1, bytes(8, 1), 0, 8));
        assertEquals(send.result(), messengers[0].sendBuffered(world(0), 1, 1, bytes(101, 1), 0, 101), "no room");
        assertTrue(messengers[0].detachBuffer());
    }

    /** A messenger does not carry on requests of another one, so none waits there. */
    @Test
    void shouldNotWaitForRequestsOfAnotherMessenger()
    {
        launch(2);
        final ReceiveRequest own = new ReceiveRequest();
        messengers[0].receive(own, world(0), ANY, 1, room(8), 0, 8);
        messengers[1].receive(receive, world(1), ANY, 1, room(8), 0, 8);
        for (final Runnable wait : List.<Runnable>of(
            () -> messengers[0].await(receive, Messenger.FOREVER),
            () -> Requests.awaitAll(messengers[0], Messenger.FOREVER, own, null, receive),
            () -> Requests.awaitAny(messengers[0], Messenger.FOREVER, receive),
            () -> Requests.awaitSome(messengers[0], Messenger.FOREVER, new int[2], own, receive)))
        {
            final String message = assertThrows(IllegalArgumentException.class, wait::run).getMessage();
            assertTrue(message.contains("the request is of another messenger: found rank=1"), message);
            assertTrue(message.contains("expected rank=0"), message);
        }
        assertTrue(messengers[0].cancel(own));
        assertTrue(messengers[0].await(own, Messenger.FOREVER));
        assertTrue(messengers[0].await(new ReceiveRequest(), Messenger.FOREVER), "never started");
        assertTrue(messengers[1].cancel(receive));
    }

    @Test
    void shouldKeepContextsApart()
    {
        launch(3);
        final int[] members = {2, 0};
        final Communicator ofZero = messengers[0].communicator(70_000, members);
        final Communicator ofTwo = messengers[2].communicator(70_000, members);
        assertEquals(1, ofZero.rank());
        assertEquals(0, ofTwo.rank());
        messengers[2].send(send, world(2), 0, 1, bytes(8, 1), 0, 8);
        final SendRequest other = new SendRequest();
        messengers[2].send(other, ofTwo, 1, 1, bytes(16, 1), 0, 16);
        messengers[0].receive(receive, ofZero, ANY, 1, room(100), 0, 100);
        await(receive);
        checkReceived(0, 1, 16);
        messengers[0].receive(receive, world(0), ANY, 1, room(100), 0, 100);
        await(receive);
        checkReceived(2, 1, 8);
        final Communicator twice = messengers[0].duplicate(ofZero, 3);
        assertEquals(2, twice.endpointRank(0));
        messengers[0].free(twice);
        assertThrows(IllegalStateException.class, () -> messengers[0].send(send, twice, 0, 1, room(8), 0, 8));
        messengers[0].receive(receive, ofZero, ANY, 1, room(100), 0, 100);
        assertThrows(IllegalStateException.class, () -> messengers[0].free(ofZero));
        messengers[0].cancel(receive);
        messengers[0].free(ofZero);
        // of a freed context: kept, and what asks for an answer gets one when the context is made again, and freed
        messengers[2].sendSynchronous(send, ofTwo, 1, 1, bytes(8, 1), 0, 8);
        drive("message", () -> messengers[0].counters().unexpected() == 1);
        messengers[0].free(messengers[0].communicator(70_000, members));
        await(send);
        assertEquals(RequestResult.CANCELLED, send.result());
        assertEquals(0, messengers[0].counters().unexpectedBytes());
    }

    @Test
    void shouldWaitForSeveral()
    {
        launch(2);
        final ReceiveRequest[] receives = new ReceiveRequest[3];
        for (int i = 0; i < 3; i++)
        {
            receives[i] = new ReceiveRequest();
            messengers[0].receive(receives[i], world(0), 0, i, room(8), 0, 8);
        }
        assertEquals(-1, Requests.anyDone(receives));
        assertEquals(-1, Requests.awaitAny(messengers[0], 1_000_000, receives));
        messengers[0].send(send, world(0), 0, 1, bytes(8, 1), 0, 8);
        assertEquals(1, Requests.awaitAny(messengers[0], Messenger.FOREVER, receives));
        messengers[0].send(send, world(0), 0, 2, bytes(8, 1), 0, 8);
        final int[] indexes = new int[3];
        assertEquals(2, Requests.awaitSome(messengers[0], Messenger.FOREVER, indexes, receives));
        assertEquals("1 2", indexes[0] + " " + indexes[1]);
        assertFalse(Requests.awaitAll(messengers[0], 1_000_000, receives));
        assertFalse(messengers[0].await(receives[0], 1_000_000));
        messengers[0].send(send, world(0), 0, 0, bytes(8, 1), 0, 8);
        assertTrue(Requests.awaitAll(messengers[0], Messenger.FOREVER, receives));
        assertTrue(Requests.allDone(receives[0], null, new ReceiveRequest()));
        assertEquals(-1, Requests.awaitAny(messengers[0], Messenger.FOREVER, new ReceiveRequest()));
    }

    @Test
    void shouldRefuseMisuseInWords()
    {
        launch(Flow.DYNAMIC, 2, 64, (context) -> context.maxRequests(2));
        final UnsafeBuffer room = room(8);
        assertThrows(IllegalArgumentException.class, () -> messengers[0].send(send, world(0), 2, 1, room, 0, 8));
        assertThrows(IllegalArgumentException.class, () -> messengers[0].send(send, world(0), 1, -1, room, 0, 8));
        assertThrows(IllegalArgumentException.class, () -> messengers[0].send(send, world(0), 1, 1, room, 0, -1));
        assertThrows(IndexOutOfBoundsException.class, () -> messengers[0].send(send, world(0), 1, 1, room, 1, 8));
        assertThrows(IllegalArgumentException.class, () -> messengers[0].receive(receive, world(0), -2, 1, room, 0, 8));
        assertThrows(IllegalArgumentException.class, () -> messengers[0].receive(receive, world(0), 1, -2, room, 0, 8));
        assertThrows(IllegalStateException.class, () -> messengers[0].start(send));
        assertThrows(IllegalArgumentException.class, () -> messengers[0].communicator(0, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> messengers[0].communicator(1, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> messengers[0].communicator(1, 0, 2));
        assertThrows(IllegalArgumentException.class, () -> messengers[0].communicator(1, 1));
        assertThrows(IllegalStateException.class, () -> messengers[0].free(world(0)));
        messengers[0].receive(receive, world(0), 1, 1, room, 0, 8);
        final String message = assertThrows(IllegalStateException.class,
            () -> messengers[0].receive(receive, world(0), 1, 1, room, 0, 8)).getMessage();
        assertTrue(message.contains("found=ReceiveRequest{POSTED") && message.contains("expected="), message);
        messengers[0].receive(new ReceiveRequest(), world(0), 1, 1, room, 0, 8);
        final String full = assertThrows(IllegalStateException.class,
            () -> messengers[0].receive(new ReceiveRequest(), world(0), 1, 1, room, 0, 8)).getMessage();
        assertTrue(full.contains("found=2") && full.contains("maxRequests=2"), full);
        assertThrows(IllegalArgumentException.class, () -> new MessengerContext().conclude());
        final Endpoint endpoint = endpoints[0];
        assertThrows(IllegalArgumentException.class, () -> new MessengerContext().endpoint(endpoint).rankCount(3).conclude());
        assertThrows(IllegalArgumentException.class, () -> new MessengerContext().endpoint(endpoint).rankCount(1).conclude());
        assertThrows(IllegalArgumentException.class,
            () -> new MessengerContext().endpoint(endpoint).rankCount(2).eagerWindow(4_095).conclude());
        final String inUse = assertThrows(IllegalStateException.class,
            () -> Messenger.launch(new MessengerContext().endpoint(endpoint).rankCount(2))).getMessage();
        assertTrue(inUse.contains("rank=0, found=") && inUse.contains("MessengerContext.firstChannel"), inUse);
        assertTrue(messengers[0].context().toString().contains("maxRequests=2"), messengers[0].context()::toString);
    }

    @Test
    void shouldNotFreeACommunicatorOfAMessageThatIsHeld()
    {
        launch(2);
        final Communicator from = messengers[0].communicator(9, 0, 1);
        final Communicator to = messengers[1].communicator(9, 0, 1);
        final MatchedMessage held = new MatchedMessage();
        messengers[0].sendSynchronous(send, from, 1, 1, bytes(8, 1), 0, 8);
        drive("message", () -> messengers[1].matchedProbe(to, 0, 1, held));
        final String message = assertThrows(IllegalStateException.class, () -> messengers[1].free(to)).getMessage();
        assertTrue(message.contains("found=1, expected=0, context=9"), message);
        messengers[1].receive(receive, held, room(8), 0, 8);
        await(send, receive);
        assertEquals(RequestResult.SUCCESS, send.result());
        messengers[1].free(to);
        assertTrue(to.isFreed());
    }

    @Test
    void shouldRefuseWhatIsOfAnotherMessenger()
    {
        launch(2);
        final UnsafeBuffer room = room(8);
        messengers[0].receive(receive, world(0), 1, 5, room, 0, 8);
        messengers[0].sendSynchronous(send, world(0), 0, 6, bytes(8, 1), 0, 8);
        final String message = assertThrows(IllegalArgumentException.class, () -> messengers[1].cancel(receive)).getMessage();
        assertTrue(message.contains("found rank=0") && message.contains("expected rank=1"), message);
        assertThrows(IllegalArgumentException.class, () -> messengers[1].cancel(send));
        assertTrue(receive.isActive() && send.isActive());
        final SendRequest otherSend = new SendRequest();
        final ReceiveRequest other = new ReceiveRequest();
        assertThrows(IllegalArgumentException.class, () -> messengers[1].send(otherSend, world(0), 0, 1, room, 0, 8));
        assertThrows(IllegalArgumentException.class, () -> messengers[1].receive(other, world(0), 0, 1, room, 0, 8));
        assertFalse(other.isActive() || otherSend.isActive());
        assertThrows(IllegalArgumentException.class, () -> messengers[1].probe(world(0), 0, 1, new Envelope()));
        assertThrows(IllegalArgumentException.class, () -> messengers[1].duplicate(world(0), 3));
        final Communicator ofFirst = messengers[0].communicator(3, 0, 1);
        assertThrows(IllegalArgumentException.class, () -> messengers[1].free(ofFirst));
        final MatchedMessage held = new MatchedMessage();
        assertTrue(messengers[0].matchedProbe(world(0), 0, 6, held));
        assertThrows(IllegalArgumentException.class, () -> messengers[1].receive(other, held, room, 0, 8));
        messengers[0].receive(other, held, room, 0, 8);
        assertEquals(RequestResult.SUCCESS, send.result());
        assertTrue(messengers[0].cancel(receive));
    }

    @ParameterizedTest
    @EnumSource
    void shouldAnnounceWhatNeverFitsInOneRun(final Flow flow)
    {
        // 6 slots at most: a message of 2,048 bytes takes 33
        launch(flow, 2, 8, DEFAULTS);
        final UnsafeBuffer room = room(2_000);
        for (int i = 0; i < 20; i++)
        {
            messengers[0].send(send, world(0), 1, i, bytes(2_000, i), 0, 2_000);
            messengers[1].receive(receive, world(1), 0, i, room, 0, 2_000);
            await(send, receive);
            checkReceived(0, i, 2_000);
            check(room, 0, 2_000, i);
        }
    }

    @Test
    void shouldEndAllWhenItIsClosed()
    {
        launch(2);
        messengers[0].receive(receive, world(0), 1, 1, room(8), 0, 8);
        messengers[0].sendSynchronous(send, world(0), 1, 1, room(8), 0, 8);
        final boolean[] heard = new boolean[1];
        final ReceiveRequest other = new ReceiveRequest();
        other.listener((request) -> heard[0] = true);
        messengers[0].receive(other, world(0), ANY, 1, room(8), 0, 8);
        endpoints[0].close();
        assertFalse(messengers[0].await(receive, 0));
        messengers[0].doWork();
        assertEquals(RequestResult.CLOSED, receive.result());
        assertEquals(RequestResult.CLOSED, send.result());
        messengers[0].doWork();
        assertTrue(heard[0]);
        assertThrows(org.agrona.concurrent.AgentTerminationException.class, () -> messengers[0].doWork());
        assertTrue(messengers[0].receive(receive, world(0), 1, 1, room(8), 0, 8));
        assertEquals(RequestResult.CLOSED, receive.result());
        messengers[0].close();
        messengers[0].close();
    }

    @Test
    void shouldEndRequestsOfAPeerThatIsGone()
    {
        launch(3);
        final UnsafeBuffer room = room(5_000);
        final SendRequest announced = new SendRequest();
        final ReceiveRequest any = new ReceiveRequest();
        messengers[1].send(new SendRequest(), world(1), 0, 9, bytes(8, 9), 0, 8);
        messengers[1].send(new SendRequest(), world(1), 0, 10, bytes(4_000, 9), 0, 4_000);
        messengers[0].receive(receive, world(0), 1, 1, room, 0, 8);
        messengers[0].receive(any, world(0), ANY, 1, room, 0, 8);
        messengers[0].send(announced, world(0), 1, 1, bytes(5_000, 1), 0, 5_000);
        drive("announcements", () -> messengers[1].counters().unexpected() == 1 && messengers[0].counters().unexpected() == 2);
        messengers[1].close();
        endpoints[1].close();
        await(receive, announced);
        assertEquals(RequestResult.PEER_GONE, receive.result());
        assertEquals(RequestResult.PEER_GONE, announced.result());
        assertTrue(any.isActive());
        // what came with its bytes is still there, what was announced is not
        assertTrue(messengers[0].receive(receive, world(0), 1, 9, room, 0, 8));
        checkReceived(1, 9, 8);
        assertTrue(messengers[0].receive(receive, world(0), 1, 10, room, 0, 5_000));
        assertEquals(RequestResult.PEER_GONE, receive.result());
        messengers[0].send(send, world(0), 1, 1, room, 0, 8);
        await(send);
        assertEquals(RequestResult.PEER_GONE, send.result());
        // the next incarnation
        open(1, DEFAULTS);
        messengers[1].send(send, world(1), 0, 1, bytes(8, 3), 0, 8);
        await(send, any);
        assertEquals(RequestResult.SUCCESS, any.result());
        final ReceiveRequest next = new ReceiveRequest();
        messengers[1].receive(next, world(1), 0, 1, room, 0, 8);
        drive("message", () ->
        {
            if (!send.isActive() && !next.isDone())
            {
                messengers[0].send(send, world(0), 1, 1, bytes(8, 4), 0, 8);
            }
            return next.isDone();
        });
        assertEquals(0, messengers[0].counters().refused() + messengers[1].counters().refused());
    }
}
