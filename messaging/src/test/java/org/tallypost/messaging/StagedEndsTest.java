// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.messaging.rma.Region;

/** One side of a staged message on one node closes, or is opened again, or its receive fails: what is left, and what is not. */
@Tag("once")
class StagedEndsTest extends StagedFixture
{
    /** How a sender leaves. */
    enum Leaving
    {
        /** Its endpoint goes on. */
        MESSENGER,
        /** It is opened again before its receiver hears of it. */
        ENDPOINT
    }

    private void leave(final Leaving way)
    {
        if (way == Leaving.MESSENGER)
        {
            closeMessenger(0);
            relaunch(0);
        }
        else
        {
            reopen(0);
        }
    }

    /** More often than there are areas. */
    @ParameterizedTest
    @EnumSource
    void shouldUseTheAreasOfASenderAgainThatHasLeft(final Leaving way)
    {
        launchWith(3, AREA << 1);
        for (int i = 1; i <= 3; i++)
        {
            final ReceiveRequest lost = receive(1, ANY, TAG, room(LONG));
            final ReceiveRequest behind = receive(1, ANY, TAG, room(LONG));
            final SendRequest sending = send(0, 1, TAG, bytes(LONG, i), LONG);
            final SendRequest waiting = send(0, 1, TAG, bytes(LONG, i), LONG);
            drive("some bytes", () -> lost.received > 0 && behind.area != null);
            leave(way);
            await(lost, behind);
            assertTrue(sending.isDone() && waiting.isDone());
            assertEquals(RequestResult.PEER_GONE, lost.result());
            assertEquals(RequestResult.PEER_GONE, behind.result());
        }
        exchangeAny(4);
        assertEquals(1, staged());
        final ReceiveRequest[] others = {receive(1, 2, TAG, room(LONG)), receive(1, 2, TAG, room(LONG))};
        final SendRequest first = send(2, 1, TAG, bytes(LONG, 5), LONG);
        final SendRequest second = send(2, 1, TAG, bytes(LONG, 6), LONG);
        drive("another sender has both of them", () -> others[0].area != null && others[1].area != null);
        await(first, second, others[0], others[1]);
        assertEquals(3, staged());
        assertTrue(memories[1].usedLength() <= AREA << 1);
    }

    /** A receive fails, and its sender goes on: the area is for its next message. */
    @Test
    void shouldUseAnAreaAgainForTheSameSender()
    {
        launchWith(2, AREA << 1);
        for (int i = 1; i <= 5; i++)
        {
            failInTheMidst(i);
            assertEquals(AREA, memories[1].usedLength());
        }
        exchange(LONG, 6);
        assertEquals(1, staged());
    }

    private void failInTheMidst(final int salt)
    {
        final Region into = memories[1].register(LONG, 0);
        final ReceiveRequest failing = receive(1, 0, TAG, into.buffer());
        final SendRequest sending = send(0, 1, TAG, bytes(LONG, salt), LONG);
        drive("some bytes", () -> failing.received > 0);
        into.close();
        try
        {
            await(sending, failing);
        }
        catch (final IndexOutOfBoundsException ex)
        {
            await(sending, failing);
        }
        assertEquals(RequestResult.FAILED, failing.result());
        assertEquals(RequestResult.CANCELLED, sending.result());
    }

    /** A receive without its buffer fails, the others end, and the next session of the sender is known. */
    @ParameterizedTest
    @EnumSource
    void shouldEndAllReceivesOfASenderThatHasLeft(final Leaving way)
    {
        launchWith(2, AREA << 2);
        final Region into = memories[1].register(LONG, 0);
        final ReceiveRequest other = receive(1, 0, TAG, room(LONG));
        final ReceiveRequest failing = receive(1, 0, TAG, into.buffer());
        final ReceiveRequest last = receive(1, 0, TAG, room(LONG));
        for (int i = 0; i < 3; i++)
        {
            send(0, 1, TAG, bytes(LONG, i), LONG);
        }
        drive("areas", () -> other.area != null && failing.area != null && last.area != null);
        for (int round = 0; round < 100; round++)
        {
            messengers[0].doWork();
        }
        into.close();
        leave(way);
        awaitAnyway(other, failing, last);
        assertEquals(RequestResult.PEER_GONE, other.result());
        assertEquals(RequestResult.PEER_GONE, last.result());
        assertNotEquals(RequestResult.SUCCESS, failing.result());
        exchangeAny(3);
    }

    /** A receive of one source alone would end at once: that of a messenger that was closed, before the next one greets. */
    private void exchangeAny(final int salt)
    {
        final UnsafeBuffer room = room(LONG);
        final ReceiveRequest receiving = receive(1, ANY, TAG, room);
        final SendRequest sending = send(0, 1, TAG, bytes(LONG, salt), LONG);
        await(sending, receiving);
        assertEquals(RequestResult.SUCCESS, receiving.result());
        check(room, 0, LONG, salt);
    }

    private void awaitAnyway(final Request... requests)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "the ends of " + Arrays.toString(requests));
        while (!Requests.allDone(requests))
        {
            try
            {
                work();
            }
            catch (final IndexOutOfBoundsException | AssertionError ex)
            {
                // of the receive without its buffer, perhaps by the node's error handler
                watchdog.progress();
            }
            watchdog.check();
        }
    }

    /** The receiver is opened again before its sender hears of it. What is for the next incarnation gets there, or is refused. */
    @ParameterizedTest
    @ValueSource(ints = {8, LONG})
    void shouldLoseNothingThatIsForTheNextIncarnation(final int length)
    {
        launchWith(2, AREA);
        final ReceiveRequest lost = receive(1, 0, TAG, room(LONG));
        final SendRequest sending = send(0, 1, TAG, bytes(LONG, 1), LONG);
        drive("some bytes", () -> lost.received > 0);
        reopen(1);
        // rank 1 does nothing meanwhile
        Watchdog.await("the end of the send", () ->
        {
            messengers[0].doWork();
            return sending.isDone();
        });
        assertEquals(RequestResult.PEER_GONE, sending.result());
        final UnsafeBuffer room = room(length);
        final ReceiveRequest next = receive(1, 0, TAG, room);
        final SendRequest toNext = send(0, 1, TAG, bytes(length, 2), length);
        await(toNext, next);
        assertEquals(RequestResult.SUCCESS, toNext.result());
        check(room, 0, length, 2);
        assertEquals(0, messengers[1].counters().refused());
    }

    /** A closed endpoint, and a closed node, in the midst of a message. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndWithTheEndpoint(final boolean isNode)
    {
        launchWith(2, AREA);
        final ReceiveRequest lost = receive(1, 0, TAG, room(LONG));
        final SendRequest sending = send(0, 1, TAG, bytes(LONG, 1), LONG);
        drive("some bytes", () -> lost.received > 0);
        if (isNode)
        {
            node.close();
        }
        else
        {
            endpoints[1].close();
        }
        messengers[1].doWork();
        assertEquals(RequestResult.CLOSED, lost.result());
        closeMessenger(1);
        drive("the end", () -> isNode || sending.isDone());
    }

    /** The copy of a receive throws although there is room: the others end, and the next session is known. */
    @Test
    void shouldEndTheOthersWhenTheCopyOfTheRestThrows()
    {
        launchWith(2, AREA << 1);
        final boolean[] isThrowing = new boolean[1];
        final UnsafeBuffer into = new UnsafeBuffer(new byte[LONG])
        {
            @Override
            public void putBytes(final int index, final DirectBuffer source, final int offset, final int length)
            {
                if (isThrowing[0])
                {
                    throw new IndexOutOfBoundsException("thrown by a test");
                }
                super.putBytes(index, source, offset, length);
            }
        };
        final ReceiveRequest other = receive(1, ANY, TAG, room(LONG));
        final ReceiveRequest failing = receive(1, ANY, TAG, into);
        send(0, 1, TAG, bytes(LONG, 1), LONG);
        send(0, 1, TAG, bytes(LONG, 2), LONG);
        drive("areas", () -> other.received > 0 && failing.area != null);
        for (int round = 0; round < 100; round++)
        {
            messengers[0].doWork();
        }
        isThrowing[0] = true;
        leave(Leaving.MESSENGER);
        awaitAnyway(other, failing);
        assertEquals(RequestResult.PEER_GONE, other.result());
        assertEquals(RequestResult.FAILED, failing.result());
        isThrowing[0] = false;
        exchangeAny(3);
    }

    /** All areas are in use by others: a receive for a message that is here is answered as it starts. */
    @Test
    void shouldAnswerAtOnceWhenOthersHaveAllAreas()
    {
        launchWith(3, AREA);
        final ReceiveRequest first = receive(1, 0, TAG, room(LONG));
        final SendRequest one = send(0, 1, TAG, bytes(LONG, 1), LONG);
        drive("its area", () -> first.received > 0);
        final SendRequest two = send(2, 1, TAG, bytes(LONG, 2), LONG);
        drive("an announcement", () -> messengers[1].counters().unexpected() > 0);
        final UnsafeBuffer room = room(LONG);
        final ReceiveRequest second = receive(1, 2, TAG, room);
        assertEquals(RequestState.MOVING, second.state);
        await(one, two, first, second);
        check(room, 0, LONG, 2);
    }

    /** Three areas, and three senders that have one each and wait for another: one that is behind the others goes on, alone. */
    @Test
    void shouldLeaveTheTurnsOfOthers()
    {
        launchWith(4, AREA * 3);
        final Messenger[] idle = new Messenger[3];
        final int[] senders = {0, 2, 3};
        final ReceiveRequest[] receives = new ReceiveRequest[7];
        final List<Request> sends = new ArrayList<>();
        for (int i = 0; i < 7; i++)
        {
            final int sender = senders[i % 3];
            receives[i] = receive(1, sender, i, room(LONG));
            idle[i % 3] = messengers[sender];
            sends.add(send(sender, 1, i, bytes(LONG, i), LONG));
            final ReceiveRequest receiving = receives[i];
            drive("the answer", () -> receiving.state == (receiving.id > 0 && receiving.area != null ?
                RequestState.MOVING : RequestState.ANSWERING));
        }
        messengers[0] = null;
        messengers[2] = null;
        drive("the area of rank 3 goes to rank 0", () -> receives[3].area != null);
        assertEquals(RequestState.ANSWERING, receives[4].state, "rank 2 waits: it has an area");
        drive("rank 3 goes on without one", () -> receives[5].isDone());
        assertEquals(RequestState.ANSWERING, receives[4].state);
        messengers[0] = idle[0];
        messengers[2] = idle[1];
        await(receives);
        await(sends.toArray(new Request[0]));
        assertEquals(6, staged(), "all but one");
    }

    /** One area: a message of another sender takes the mailbox at once, and the turns of those that wait stay as they are. */
    @Test
    void shouldNotTakeTheTurnsOfOthers()
    {
        launchWith(3, AREA);
        final UnsafeBuffer[] rooms = {room(LONG), room(LONG), room(LONG)};
        final ReceiveRequest first = receive(1, 0, 1, rooms[0]);
        final ReceiveRequest second = receive(1, 0, 2, rooms[1]);
        final SendRequest one = send(0, 1, 1, bytes(LONG, 1), LONG);
        final SendRequest two = send(0, 1, 2, bytes(LONG, 2), LONG);
        drive("the first one's area", () -> first.received > 0 && second.state == RequestState.ANSWERING);
        final ReceiveRequest third = receive(1, 2, TAG, rooms[2]);
        final SendRequest three = send(2, 1, TAG, bytes(LONG, 3), LONG);
        await(one, two, three, first, second, third);
        for (int i = 0; i < 3; i++)
        {
            check(rooms[i], 0, LONG, i + 1);
        }
        assertEquals(2, staged(), "both of rank 0");
    }
}
