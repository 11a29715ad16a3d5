// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.mailbox.lane.Lane;
import org.tallypost.mailbox.layout.LaneDescriptor;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/** The first short run behind a poll that found nothing, which is delivered in a way of its own: what it says is not believed. */
class ArrivalTest extends LaneFixture
{
    private static final int FLAGS = 3;
    private static final int LONG_RUNS_SLOTS = 1 << 16;
    private final List<Integer> arrived = new ArrayList<>();
    private final List<Integer> followed = new ArrayList<>();
    private final PacketHandler taker = new PacketHandler()
    {
        @Override
        public void onPacket(
            final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
        {
            followed.add(from.getInt(offset));
        }

        @Override
        public void onArrival(
            final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
        {
            assertEquals(TYPE, type);
            assertEquals(FLAGS, flags);
            assertEquals(SOURCE, source);
            final int tag = from.getInt(offset);
            for (int i = 8; i < length; i++)
            {
                assertEquals((byte)(tag + i), from.getByte(offset + i), "byte " + i + " of " + length);
            }
            arrived.add(tag);
        }

        @Override
        public void onFreed(final int type, final int source, final int slots)
        {
            // what the position says
        }
    };

    private void sendShort(final int tag, final int length)
    {
        long at = lane.shortPlace(length);
        if (at == Lane.NO_PLACE)
        {
            assertEquals(lane.position(), lane.claim(1));
            at = lane.shortPlaceClaimed();
        }
        for (int i = 8; i < 8 + length; i++)
        {
            UnsafeApi.putByte(at + i, (byte)(tag + i));
        }
        lane.publishShort(at, length, LaneDescriptor.shortHeader(FLAGS, tag));
    }

    private void pollUntilEmpty()
    {
        while (LaneReader.poll(poller, taker, 8) > 0)
        {
            // more
        }
    }

    @ParameterizedTest
    @CsvSource({"0", "8", "24", "40", "56"})
    void shouldHandOverWhatCameWithEveryByteOfIt(final int length)
    {
        start(8);
        lane.pay(1000);
        for (int tag = 0; tag < 100; tag++)
        {
            pollUntilEmpty();
            sendShort(tag, length);
            assertEquals(1, LaneReader.poll(poller, taker, 8));
            assertEquals(tag, arrived.get(tag));
        }
        assertEquals(List.of(), followed);
        assertEquals(0, poller.corruptCount());
    }

    @Test
    void shouldTellAShortRunFromWhatElseIsUnread()
    {
        start(8);
        lane.pay(1000);
        for (int tag = 0; tag < 100; tag++)
        {
            // the second one follows within a slot
            for (int i = 0; i < 2; i++)
            {
                pollUntilEmpty();
                assertFalse(poller.isUnread() || poller.isShortUnread());
                sendShort(tag, 24);
                assertTrue(poller.isUnread() && poller.isShortUnread());
            }
            pollUntilEmpty();
            final long position = lane.claim(2);
            lane.publish(position, 2, TYPE, FLAGS, MailboxDescriptor.payloadLength(2), SOURCE);
            assertTrue(poller.isUnread());
            assertFalse(poller.isShortUnread());
            pollUntilEmpty();
        }
    }

    /** A header that says that it is longer than what is left of its slot. */
    @ParameterizedTest
    @CsvSource({"0,57", "0,63", "16,41", "32,25", "48,9"})
    void shouldNotReadBeyondASlot(final int within, final int length)
    {
        start(8);
        lane.pay(8);
        for (int i = 0; i < within; i += 16)
        {
            sendShort(i, 8);
        }
        pollUntilEmpty();
        final int before = arrived.size() + followed.size();
        sendShort(within, 8);
        buffer.putLong(slot(0) + within,
            MailboxDescriptor.lapBits(1) | LaneDescriptor.shortHeader(FLAGS, within) | LaneDescriptor.lengthBits(length));
        assertEquals(1, LaneReader.poll(poller, taker, 8));
        assertEquals(1, poller.corruptCount());
        assertEquals(before, arrived.size() + followed.size());
        assertEquals(1, poller.position());
    }

    /** A header that says that another run follows where none can: the next slot is what follows. */
    @ParameterizedTest
    @CsvSource({"0,56", "0,41", "16,40", "32,24", "48,8"})
    void shouldNotLookForMoreBehindTheEndOfASlot(final int within, final int length)
    {
        start(8);
        lane.pay(1000);
        // the last slot of the lane: behind it is what is not the lane's
        for (int i = 0; i < 7; i++)
        {
            sendShort(i, 56);
            pollUntilEmpty();
        }
        for (int i = 0; i < within; i += 16)
        {
            sendShort(i, 8);
        }
        pollUntilEmpty();
        sendShort(100, 8);
        buffer.putLong(slot(7) + within, MailboxDescriptor.lapBits(1) | LaneDescriptor.shortHeader(FLAGS, 100) |
            LaneDescriptor.lengthBits(length) | LaneDescriptor.GOES_ON);
        for (int i = 8 + 8; i < 8 + length; i++)
        {
            buffer.putByte(slot(7) + within + i, (byte)(100 + i));
        }
        assertEquals(1, LaneReader.poll(poller, taker, 8));
        assertEquals(100, arrived.get(arrived.size() - 1));
        assertEquals(8, poller.position());
        assertEquals(0, LaneReader.poll(poller, taker, 8));
        assertEquals(0, poller.corruptCount());
    }

    /** The slot was closed after it was found empty: what comes then begins the next one. */
    @Test
    void shouldPassASlotThatWasClosedMeanwhile()
    {
        start(8);
        lane.pay(1000);
        pollUntilEmpty();
        for (int round = 0; round < 20; round++)
        {
            sendShort(round, 8);
            pollUntilEmpty();
            sendShort(1000 + round, 56);
            assertEquals(1, LaneReader.poll(poller, taker, 8));
            assertEquals(1000 + round, arrived.get(2 * round + 1));
            pollUntilEmpty();
        }
        assertEquals(40, arrived.size());
        assertEquals(40, poller.position());
        assertEquals(0, poller.corruptCount());
    }

    /** A long run, or one that was aborted, comes the usual way; so does the one behind it. */
    @Test
    void shouldLeaveOtherRunsToTheUsualWay()
    {
        start(8);
        lane.pay(1000);
        pollUntilEmpty();
        send(100);
        sendShort(7, 8);
        assertEquals(2, LaneReader.poll(poller, taker, 8));
        pollUntilEmpty();
        final long position = lane.claim(2);
        lane.publish(position, 2, MailboxDescriptor.TYPE_ABORTED, 0, 100, SOURCE);
        sendShort(8, 8);
        assertEquals(2, LaneReader.poll(poller, taker, 8));
        assertEquals(List.of(), arrived);
        assertEquals(3, followed.size());
        assertEquals(List.of(7, 8), followed.subList(1, 3));
        assertEquals(0, poller.corruptCount());
    }

    /** What is behind it is looked for only then, so a handler's answer does not wait for that. */
    @ParameterizedTest
    @CsvSource({"8,8", "8,100", "100,8", "100,100"})
    void shouldLookBehindTheFirstAfterItWasDelivered(final int length, final int next)
    {
        start(16);
        lane.pay(1000);
        final PacketHandler sender = new PacketHandler()
        {
            private int count;

            @Override
            public void onPacket(
                final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int size)
            {
                if (count++ % 2 == 0)
                {
                    sendAny(next);
                }
            }

            @Override
            public void onFreed(final int type, final int source, final int slots)
            {
                // what the position says
            }
        };
        for (int round = 0; round < 100; round++)
        {
            pollUntilEmpty();
            sendAny(length);
            assertEquals(2, LaneReader.poll(poller, sender, 8), "the first, and what was sent meanwhile");
        }
        pollUntilEmpty();
        for (int i = 0; i < 3; i++)
        {
            sendAny(length);
        }
        assertEquals(1, LaneReader.poll(poller, taker, 1));
        assertEquals(2, LaneReader.poll(poller, taker, 8));
        assertEquals(0, poller.corruptCount());
    }

    private void sendAny(final int length)
    {
        if (length <= LaneDescriptor.MAX_SHORT_LENGTH)
        {
            sendShort(0, length);
        }
        else
        {
            send(length);
        }
    }

    @ParameterizedTest
    @CsvSource({"960", "1016", "1080", "2048"})
    void shouldHandOverLongRunsWithEveryByteOfThem(final int length)
    {
        start(128);
        lane.pay(Long.MAX_VALUE / 2);
        while (lane.sentSlots() < LONG_RUNS_SLOTS)
        {
            assertEquals(0, poll(8));
            send(length);
            assertEquals(1, poll(8));
            assertEquals(sequence, handler.next[SOURCE]);
        }
        assertEquals(0, poller.corruptCount());
    }
}
