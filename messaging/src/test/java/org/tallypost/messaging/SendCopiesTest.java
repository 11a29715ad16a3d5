// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.Flow;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionMemory;

/** Messages of private memory that receivers read out of a copy. */
class SendCopiesTest extends MessengerFixture
{
    private static final int TAG = 3;
    private static final int LENGTH = 20_000;
    /** Of the region that such a message takes. */
    private static final int TAKEN = 32_768;
    private static final int ENTRIES = 256;

    private final RegionMemory[] memories = new RegionMemory[2];
    private final SendRequest send = new SendRequest();
    private final SendRequest second = new SendRequest();
    private final ReceiveRequest receive = new ReceiveRequest();
    private final UnsafeBuffer bytes = room(SendCopies.MAX_LENGTH + 101);
    private final UnsafeBuffer room = room(SendCopies.MAX_LENGTH + 101);

    private void launchWith(final int copyRoom)
    {
        launch(Flow.DYNAMIC, 2, 64, (context) ->
        {
            final int rank = context.endpoint().rank();
            memories[rank] = RegionMemory.open(node, context.endpoint(), 1 << 22, 256, 1);
            context.regionMemory(memories[rank]).copyRoom(copyRoom);
        });
    }

    private void start(final SendRequest request, final int length, final long salt)
    {
        fill(bytes, 100, length, salt);
        messengers[0].send(request, messengers[0].world(), 1, TAG, bytes, 100, length);
    }

    private void receive(final int length)
    {
        messengers[1].receive(receive, messengers[1].world(), 0, TAG, room, 1, length);
    }

    private long copied()
    {
        return messengers[0].counters().copied();
    }

    @ParameterizedTest
    @ValueSource(ints = {SendCopies.MIN_LENGTH, LENGTH, 65_536, 65_537, SendCopies.MAX_LENGTH})
    void shouldBeReadOutOfACopy(final int length)
    {
        launchWith(SendCopies.MAX_LENGTH);
        for (int i = 1; i <= 20; i++)
        {
            if (i % 2 == 0)
            {
                receive(length);
            }
            start(send, length, i);
            if (i % 2 == 1)
            {
                drive("an unexpected message", () -> messengers[1].counters().unexpected() > 0);
                assertFalse(send.isDone(), "it is done when it was read");
                receive(length);
            }
            await(send, receive);
            assertEquals(RequestResult.SUCCESS, send.result());
            assertEquals(RequestResult.SUCCESS, receive.result());
            check(room, 1, length, i);
            assertEquals(i, copied());
        }
        assertEquals(20, messengers[0].counters().sentFromRegion());
        assertEquals(20L * length, messengers[0].counters().sentBytes());
        assertEquals(Integer.highestOneBit(2 * length - 1), memories[0].usedLength(), "one region is used again");
        assertEquals(0, messengers[1].counters().placesRefused());
        messengers[0].close();
        assertEquals(0, memories[0].usedLength(), "it is given back");
    }

    @ParameterizedTest
    @ValueSource(ints = {SendCopies.MIN_LENGTH - 1, SendCopies.MAX_LENGTH + 1})
    void shouldTakeTheMailboxWithAnyOtherLength(final int length)
    {
        launchWith(1 << 20);
        start(send, length, 5);
        receive(length);
        await(send, receive);
        check(room, 1, length, 5);
        assertEquals(0, copied());
        assertEquals(0, memories[0].usedLength());
    }

    @Test
    void shouldTakeTheMailboxWithoutRoom()
    {
        launchWith(TAKEN + TAKEN / 2);
        start(send, LENGTH, 1);
        final UnsafeBuffer others = room(LENGTH);
        fill(others, 0, LENGTH, 2);
        messengers[0].send(second, messengers[0].world(), 1, TAG, others, 0, LENGTH);
        drive("both of them", () -> messengers[1].counters().unexpected() > 1);
        assertEquals(1, copied());
        receive(LENGTH);
        await(send, receive);
        check(room, 1, LENGTH, 1);
        receive(LENGTH);
        await(second, receive);
        check(room, 1, LENGTH, 2);
        assertEquals(1, copied());
        start(second, LENGTH, 3);
        receive(LENGTH);
        await(second, receive);
        check(room, 1, LENGTH, 3);
        assertEquals(2, copied(), "there is room again");
    }

    /** Room that messages of one length have used is there for those of another one when they are over. */
    @Test
    void shouldUseTheRoomOfOtherLengths()
    {
        final int count = 4;
        launchWith(count * SendCopies.MIN_LENGTH);
        final int lengthOfAll = count * SendCopies.MIN_LENGTH;
        for (int round = 0; round < 3; round++)
        {
            final SendRequest[] shorter = new SendRequest[count];
            final long before = copied();
            for (int i = 0; i < count; i++)
            {
                shorter[i] = new SendRequest();
                messengers[0].send(
                    shorter[i], messengers[0].world(), 1, TAG + 1 + i, bytes(SendCopies.MIN_LENGTH, i), 0, SendCopies.MIN_LENGTH);
            }
            drive("announcements", () -> messengers[1].counters().unexpected() == count);
            assertEquals(before + (round == 0 ? count : 1), copied(), "one that is longer serves one message");
            start(send, lengthOfAll, 7);
            receive(lengthOfAll);
            await(send, receive);
            check(room, 1, lengthOfAll, 7);
            assertEquals(before + (round == 0 ? count : 1), copied(), "a receiver that reads none: by the mailbox");
            for (int i = 0; i < count; i++)
            {
                messengers[1].receive(receive, messengers[1].world(), 0, TAG + 1 + i, room, 0, SendCopies.MIN_LENGTH);
                await(shorter[i], receive);
                check(room, 0, SendCopies.MIN_LENGTH, i);
            }
            start(send, lengthOfAll, 8);
            receive(lengthOfAll);
            await(send, receive);
            check(room, 1, lengthOfAll, 8);
            assertEquals(before + (round == 0 ? count : 1) + 1, copied(), "out of a copy");
            assertEquals(lengthOfAll, memories[0].usedLength());
        }
    }

    /** The memory is the program's first. */
    @Test
    void shouldTakeTheMailboxWhenTheProgramHasTheMemory()
    {
        launchWith(1 << 20);
        while (memories[0].usedLength() < 1 << 22)
        {
            memories[0].register(1 << 20, 0);
        }
        start(send, LENGTH, 1);
        receive(LENGTH);
        await(send, receive);
        check(room, 1, LENGTH, 1);
        assertEquals(0, copied());
    }

    /** A receiver that reads too late finds nothing of the next message. */
    @Test
    void shouldEndTheKeyOfACopyThatWasNotRead()
    {
        launchWith(TAKEN);
        start(send, LENGTH, 1);
        drive("an unexpected message", () -> messengers[1].counters().unexpected() > 0);
        messengers[0].cancel(send);
        drive("its end", send::isDone);
        assertEquals(RequestResult.CANCELLED, send.result());
        start(send, LENGTH, 2);
        receive(LENGTH);
        await(send, receive);
        check(room, 1, LENGTH, 2);
        assertEquals(2, copied());
        assertEquals(TAKEN, memories[0].usedLength());
    }

    @Test
    void shouldGiveBackTheRoomOfSendsThatEndWithTheMessenger()
    {
        launchWith(TAKEN);
        start(send, LENGTH, 1);
        assertEquals(1, copied());
        messengers[0].close();
        assertEquals(RequestResult.CLOSED, send.result());
        assertEquals(0, memories[0].usedLength());
    }

    /** Copies that nobody reads take a quarter of the entries at most: the rest of them is for all else of this rank. */
    @Test
    void shouldLeaveEntriesToTheProgram()
    {
        final int count = ENTRIES + 1;
        launch(Flow.DYNAMIC, 2, 64, (context) ->
        {
            final int rank = context.endpoint().rank();
            memories[rank] = RegionMemory.open(node, context.endpoint(), 1 << 24, ENTRIES, ENTRIES);
            context.regionMemory(memories[rank]).copyRoom(1 << 24).eagerWindow(1 << 20);
        });
        final SendRequest[] unread = new SendRequest[count];
        for (int i = 0; i < count; i++)
        {
            unread[i] = new SendRequest();
            messengers[0].send(
                unread[i], messengers[0].world(), 1, TAG, bytes(SendCopies.MIN_LENGTH, i), 0, SendCopies.MIN_LENGTH);
        }
        drive("announcements", () -> messengers[1].counters().unexpected() == count);
        final List<Region> others = new ArrayList<>();
        for (int i = 0; i < ENTRIES * 3 / 4; i++)
        {
            others.add(memories[0].register(1, 0));
        }
        assertEquals(ENTRIES / 4, copied());
        assertEquals(count - ENTRIES / 4, messengers[0].counters().copiesRefused());
        others.forEach(Region::close);
        for (int i = 0; i < count; i++)
        {
            receive(SendCopies.MIN_LENGTH);
            await(unread[i], receive);
            assertEquals(RequestResult.SUCCESS, receive.result());
            check(room, 1, SendCopies.MIN_LENGTH, i);
        }
        start(send, LENGTH, 7);
        receive(LENGTH);
        await(send, receive);
        check(room, 1, LENGTH, 7);
        assertEquals(ENTRIES / 4 + 1, copied(), "an entry of a shorter one, which is over");
        messengers[0].close();
        assertEquals(0, memories[0].usedLength());
    }

    /** The sender closes while a copy is read: bytes of something else are none of the message. */
    @Test
    void shouldNotReadWhatComesBehindACopy()
    {
        launchWith(TAKEN);
        final Runnable[] step = new Runnable[1];
        final UnsafeBuffer into = new UnsafeBuffer(new byte[LENGTH])
        {
            @Override
            public void putBytes(final int index, final DirectBuffer source, final int offset, final int length)
            {
                final Runnable due = step[0];
                step[0] = null;
                if (due != null)
                {
                    due.run();
                }
                super.putBytes(index, source, offset, length);
            }
        };
        step[0] = () ->
        {
            messengers[0].close();
            assertEquals(0, memories[0].usedLength());
            memories[0].register(TAKEN, 0).buffer().setMemory(0, TAKEN, (byte)9);
        };
        start(send, LENGTH, 1);
        messengers[1].receive(receive, messengers[1].world(), 0, TAG, into, 0, LENGTH);
        Watchdog.await("the end of the receive", () ->
        {
            messengers[1].doWork();
            endpoints[0].poll((source, tag, buffer, offset, length) ->
            {
            }, 10);
            return receive.isDone();
        });
        assertEquals(RequestResult.PEER_GONE, receive.result());
        assertNull(step[0]);
        messengers[0] = null;
    }

    /** A receiver without memory of its own cannot read a region. */
    @Test
    void shouldSendTheBytesToAReceiverThatDoesNotRead()
    {
        launch(Flow.DYNAMIC, 2, 64, (context) ->
        {
            if (context.endpoint().rank() == 0)
            {
                memories[0] = RegionMemory.open(node, context.endpoint(), 1 << 22, 256, 1);
                context.regionMemory(memories[0]).copyRoom(TAKEN);
            }
        });
        for (int i = 1; i <= 3; i++)
        {
            start(send, LENGTH, i);
            receive(LENGTH);
            await(send, receive);
            check(room, 1, LENGTH, i);
            assertEquals(RequestResult.SUCCESS, send.result());
        }
        assertTrue(messengers[1].counters().placesRefused() > 0);
        assertEquals(TAKEN, memories[0].usedLength());
    }
}
