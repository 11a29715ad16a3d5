// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

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
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.mailbox.lane.Lane;
import org.tallypost.mailbox.layout.LaneDescriptor;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/** A poll behind one that found nothing, of a lane with a holder that knows how far was read: it looks at one header. */
class ArrivalPollTest extends LaneFixture
{
    private static final int SLOTS = 16;
    private static final int QUARTER = SLOTS / 4;
    private final List<Integer> arrived = new ArrayList<>();
    private final List<Integer> followed = new ArrayList<>();
    private int throwAt = -1;
    private final LaneHandler taker = new LaneHandler()
    {
        @Override
        public void onPacket(
            final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
        {
            take(followed, from.getInt(offset));
        }

        @Override
        public void onArrival(
            final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
        {
            take(arrived, from.getInt(offset));
        }
    };

    private void take(final List<Integer> list, final int tag)
    {
        list.add(tag);
        if (tag == throwAt)
        {
            throw new IllegalStateException("as wanted");
        }
    }

    private void begin()
    {
        start(SLOTS);
        lane.pay(1_000);
        settle();
    }

    private void sendShort(final int tag, final int length)
    {
        long at = lane.shortPlace(length);
        if (at == Lane.NO_PLACE)
        {
            assertEquals(lane.position(), lane.claim(1));
            at = lane.shortPlaceClaimed();
        }
        lane.publishShort(at, length, LaneDescriptor.shortHeader(0, tag));
    }

    private void sendRun(final int type, final int tag)
    {
        final long position = lane.claim(2);
        buffer.putInt(lane.payloadOffset(position), tag);
        lane.publish(position, 2, type, 0, MailboxDescriptor.payloadLength(2), SOURCE);
    }

    private int pollBehind(final int limit)
    {
        return poller.pollBehind(taker, limit);
    }

    private void giveBack()
    {
        poller.takeFreed();
        poller.publish(0);
    }

    /** Polls until nothing is there and nothing is due. */
    private void settle()
    {
        while (pollBehind(8) > 0 || poller.isDue())
        {
            giveBack();
        }
    }

    @Test
    void shouldDeliverAShortRunAloneAndTheRestWithTheNextPoll()
    {
        begin();
        for (int round = 0; round < 50; round++)
        {
            arrived.clear();
            followed.clear();
            for (int tag = 0; tag < 4; tag++)
            {
                sendShort(tag, 24);
            }
            assertEquals(1, pollBehind(8));
            assertEquals(List.of(0), arrived);
            assertEquals(List.of(), followed);
            assertFalse(poller.isDue());
            assertEquals(0, poller.goOn(taker, 8), "it has not stopped for anything");
            assertEquals(3, pollBehind(8));
            assertEquals(List.of(1, 2, 3), followed);
            settle();
            assertTrue(lane.isRead());
        }
        assertEquals(0, poller.corruptCount());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 8, 56})
    void shouldStoreNothingAndDeliverNothingAsLongAsNothingComes(final int length)
    {
        begin();
        sendShort(0, length);
        settle();
        for (int i = 0; i < 100; i++)
        {
            assertEquals(0, pollBehind(8));
            assertFalse(poller.isDue());
        }
        sendShort(1, length);
        assertEquals(1, pollBehind(8));
        assertEquals(List.of(0, 1), arrived);
    }

    @Test
    void shouldDeliverNothingWithLimitZero()
    {
        begin();
        sendShort(0, 8);
        assertEquals(0, pollBehind(0));
        assertTrue(poller.isUnread());
        assertEquals(List.of(), arrived);
        assertEquals(1, pollBehind(1));
        assertEquals(List.of(0), arrived);
    }

    /** What was read and not published yet is due, poll by poll, and goes before the short way. */
    @Test
    void shouldNotForgetWhatIsDue()
    {
        begin();
        sendShort(0, 56);
        assertEquals(1, pollBehind(8));
        for (int i = 0; i < 3; i++)
        {
            assertEquals(0, pollBehind(8));
            assertTrue(poller.isDue());
        }
        assertEquals(1, poller.takeFreed());
        poller.publish(0);
        assertEquals(0, pollBehind(8));
        assertFalse(poller.isDue());
        assertTrue(lane.isRead());
    }

    @Test
    void shouldDeliverARunOfSeveralSlotsAndWhatIsBehindIt()
    {
        begin();
        sendRun(TYPE, 7);
        sendShort(8, 8);
        assertEquals(2, pollBehind(8));
        assertEquals(List.of(7, 8), followed);
        assertEquals(List.of(), arrived);
        lane.close();
        settle();
        assertTrue(lane.isRead());
        assertEquals(0, poller.corruptCount());
    }

    @Test
    void shouldPassAnAbortedRun()
    {
        begin();
        sendRun(MailboxDescriptor.TYPE_ABORTED, 7);
        sendShort(8, 8);
        assertEquals(2, pollBehind(8));
        assertEquals(List.of(8), followed);
        assertEquals(List.of(), arrived);
        assertEquals(0, poller.corruptCount());
    }

    @Test
    void shouldPassASlotThatWasClosed()
    {
        begin();
        sendShort(0, 8);
        settle();
        lane.close();
        assertEquals(0, pollBehind(8));
        assertTrue(poller.isDue(), "the slot is free");
        settle();
        assertTrue(lane.isRead());
        sendShort(1, 8);
        settle();
        // closed by what has no room in it
        sendShort(2, 56);
        assertEquals(1, pollBehind(8));
        assertEquals(List.of(0, 1, 2), arrived);
        assertEquals(0, poller.corruptCount());
    }

    @ParameterizedTest
    @CsvSource({"0", "1", "4", "13", "15"})
    void shouldRefuseAHeaderThatCannotBe(final int type)
    {
        begin();
        sendShort(0, 56);
        final long header = type == 15 ?
            MailboxDescriptor.lapBits(1) | LaneDescriptor.shortHeader(0, 0) | LaneDescriptor.lengthBits(63) :
            MailboxDescriptor.header(MailboxDescriptor.lap(poller.position(), 4), type, 0, 40, SOURCE);
        buffer.putLong(slot(poller.position()), header);
        assertEquals(1, pollBehind(8));
        assertEquals(1, poller.corruptCount());
        settle();
        sendShort(1, 8);
        assertEquals(1, pollBehind(8));
        assertEquals(List.of(1), arrived);
        assertEquals(List.of(), followed);
    }

    /** The next one is delivered, and none is taken for something else. */
    @ParameterizedTest
    @ValueSource(ints = {8, 24, 56})
    void shouldGoOnBehindAMessageWhoseHandlerThrew(final int length)
    {
        begin();
        for (int tag = 0; tag < 60; tag += 3)
        {
            settle();
            throwAt = tag;
            sendShort(tag, length);
            sendShort(tag + 1, length);
            assertThrows(IllegalStateException.class, () -> pollBehind(8));
            throwAt = -1;
            assertEquals(1, pollBehind(8));
            settle();
            sendShort(tag + 2, length);
            assertEquals(1, pollBehind(8));
            assertEquals(List.of(tag, tag + 2), arrived.subList(arrived.size() - 2, arrived.size()));
            assertEquals(tag + 1, followed.get(followed.size() - 1));
        }
        assertEquals(0, poller.corruptCount());
        settle();
        lane.close();
        settle();
        assertEquals(lane.position(), poller.position());
    }

    /** A poll had stopped for what was due, and no other went on with it. */
    @Test
    void shouldNotGoOnWithAPollBeforeIt()
    {
        begin();
        for (int tag = 0; tag < QUARTER; tag++)
        {
            sendShort(tag, 56);
        }
        assertEquals(QUARTER, poller.poll(taker, 8));
        assertTrue(poller.isDue());
        giveBack();
        assertFalse(poller.peek(taker), "nothing more is there");
        assertFalse(poller.isDue());
        assertEquals(0, pollBehind(8));
        sendShort(100, 8);
        assertEquals(0, poller.goOn(taker, 8), "the last poll has come to its end");
        assertEquals(1, pollBehind(8));
        assertEquals(List.of(100), arrived.subList(arrived.size() - 1, arrived.size()));
        assertEquals(0, poller.goOn(taker, 8));
    }

    /** What is behind a run that was delivered alone is known with the next poll. */
    @ParameterizedTest
    @ValueSource(ints = {1, 8})
    void shouldSeeWhetherItsHolderIsQuiet(final int limit)
    {
        begin();
        assertFalse(poller.isQuiet());
        sendShort(0, 8);
        assertEquals(1, pollBehind(limit));
        assertFalse(poller.isQuiet(), "it is not known yet");
        assertEquals(0, pollBehind(limit));
        assertTrue(poller.isQuiet());
        settle();
        for (int tag = 1; tag < 8; tag++)
        {
            sendShort(tag, 8);
        }
        assertEquals(1, pollBehind(8));
        assertEquals(6, pollBehind(8));
        assertFalse(poller.isQuiet());
        settle();
        assertFalse(poller.isQuiet(), "it had much to send");
    }

    /** The next holder of the lane has sent nothing. */
    @Test
    void shouldForgetTheHolderBefore()
    {
        begin();
        sendShort(0, 8);
        assertEquals(1, pollBehind(8));
        poller.free();
        poller.grant(SOURCE);
        lane = new Lane(box, 1);
        lane.pay(100);
        assertEquals(0, pollBehind(8));
        assertFalse(poller.isQuiet());
        sendShort(1, 8);
        assertEquals(1, pollBehind(8));
        assertEquals(List.of(0, 1), arrived);
    }
}
