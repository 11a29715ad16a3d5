// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.mailbox.lane.Lane;
import org.tallypost.mailbox.layout.LaneDescriptor;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * Long runs behind each other, which are delivered without a look at what is behind them: what their headers say is not
 * believed.
 */
class LongRunsTest extends LaneFixture
{
    private static final int LENGTH = 504;
    private static final int SLOTS = 8;

    /** From here on the consumer knows that the runs are long, and that the lane was not empty. */
    private void startInFlow(final int laneSlots)
    {
        start(laneSlots);
        lane.pay(Long.MAX_VALUE / 2);
        send(LENGTH);
        send(LENGTH);
        assertEquals(1, poll(1));
        assertEquals(1, poll(1));
    }

    private void header(final long at, final long header)
    {
        buffer.putLong(slot(at), header);
    }

    /** What is published while the run before is delivered is found behind it: nothing was counted before. */
    @Test
    void shouldFindWhatCameMeanwhile()
    {
        startInFlow(128);
        send(LENGTH);
        final PacketHandler sender = new PacketHandler()
        {
            private int left = 5;

            @Override
            public void onPacket(
                final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
            {
                handler.onPacket(type, flags, source, from, offset, length);
                if (left-- > 0)
                {
                    send(LENGTH);
                }
            }

            @Override
            public void onFreed(final int type, final int source, final int slots)
            {
                handler.onFreed(type, source, slots);
            }
        };
        assertEquals(6, LaneReader.poll(poller, sender, 100));
        assertEquals(sequence, handler.next[SOURCE]);
    }

    @Test
    void shouldStopAtItsLimit()
    {
        startInFlow(128);
        for (int i = 0; i < 7; i++)
        {
            send(LENGTH);
        }
        assertEquals(3, poll(3));
        assertEquals(3, poll(3));
        assertFalse(poller.isQuiet());
        assertEquals(1, poll(3));
        assertTrue(poller.isQuiet());
        assertEquals(0, poll(3));
        assertTrue(poller.isSettled());
        assertEquals(lane.position(), readPosition());
    }

    /** The form of a run is kept for the next one only if that has it too. */
    @ParameterizedTest
    @CsvSource({"128", "256", "1024"})
    void shouldDeliverAnyLengthBehindAnyOther(final int laneSlots)
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("LongRunsTest lengths: seed=" + seed);
        final SplittableRandom random = new SplittableRandom(seed);
        startInFlow(laneSlots);
        int length = LENGTH;
        for (int i = 0; i < 30_000; i++)
        {
            // a payload of the tests has 16 bytes at least
            length = random.nextInt(3) == 0 ? 16 + random.nextInt(33 * 64 - 8 - 16 + 1) : length;
            while (lane.claim(MailboxDescriptor.slots(length)) < 0)
            {
                final int limit = 1 + random.nextInt(20);
                assertTrue(poll(limit) <= limit);
            }
            send(length);
        }
        while (poll(20) > 0)
        {
            // more
        }
        assertEquals(sequence, handler.next[SOURCE]);
        assertEquals(0, poller.corruptCount());
        assertEquals(lane.position(), readPosition());
        assertEquals(lane.position(), handler.freedSlots[SOURCE]);
    }

    /** The last of four has a header of this lap that cannot be: another type, or a length beyond the longest run. */
    @ParameterizedTest
    @CsvSource({"0,504", "1,504", "4,504", "4095,504", "3,4095", "14,504", "0,0"})
    void shouldRefuseAHeaderThatCannotBe(final int type, final int length)
    {
        startInFlow(64);
        final long last = lane.position() + SLOTS;
        send(LENGTH);
        send(LENGTH);
        header(last, (long)MailboxDescriptor.lap(last, 6) << 48 | (long)type << 36 | (long)length << 20 | SOURCE);
        assertTrue(poll(100) >= 2);
        while (poll(100) > 0)
        {
            // what looks like runs within it
        }
        assertEquals(3, handler.messages);
        assertTrue(poller.corruptCount() > 0);
        assertTrue(poller.position() > last && poller.position() <= lane.position());
    }

    /** One that was aborted has its own way, and the ones behind it go on. */
    @Test
    void shouldPassAnAbortedOne()
    {
        startInFlow(128);
        send(LENGTH);
        final long position = lane.claim(SLOTS);
        lane.publish(position, SLOTS, MailboxDescriptor.TYPE_ABORTED, 0, LENGTH, SOURCE);
        send(LENGTH);
        send(LENGTH);
        assertEquals(4, poll(100));
        assertEquals(sequence, handler.next[SOURCE]);
        assertEquals(0, poller.corruptCount());
    }

    @Test
    void shouldGoOnBehindOneWhoseHandlerThrew()
    {
        startInFlow(128);
        send(LENGTH);
        send(LENGTH);
        final PacketHandler thrower = new PacketHandler()
        {
            @Override
            public void onPacket(
                final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
            {
                handler.onPacket(type, flags, source, from, offset, length);
                throw new IllegalStateException("as it should");
            }

            @Override
            public void onFreed(final int type, final int source, final int slots)
            {
                handler.onFreed(type, source, slots);
            }
        };
        assertThrows(IllegalStateException.class, () -> LaneReader.poll(poller, thrower, 100));
        assertEquals(1, poll(100));
        assertEquals(0, poll(100));
        assertEquals(sequence, handler.next[SOURCE]);
        assertEquals(lane.position(), readPosition());
    }

    /** A sender that was quiet and then sends more than a turn takes is not quiet, however short the turns are. */
    @Test
    void shouldSeeThatOneWhoWasQuietHasMuchToSend()
    {
        startInFlow(128);
        assertEquals(0, poll(3));
        send(LENGTH);
        assertEquals(1, poll(3));
        assertTrue(poller.isQuiet());
        for (int i = 0; i < 10; i++)
        {
            send(LENGTH);
        }
        assertEquals(3, poll(3));
        assertFalse(poller.isQuiet());
        assertEquals(7, poll(100));
        send(LENGTH);
        assertEquals(1, poll(1));
        assertFalse(poller.isQuiet(), "it is not known what is behind it");
    }

    /** Behind a long run a slot with several short ones, of which some are read: its first word is not looked at again. */
    @Test
    void shouldNotLookAtTheBeginningOfASlotAgain()
    {
        startInFlow(64);
        assertEquals(0, poll(1));
        final long at = lane.position();
        assertEquals(at, lane.claim(1));
        final long address = lane.shortPlaceClaimed();
        lane.publishShort(address, 8, LaneDescriptor.shortHeader(0, 1));
        final int[] delivered = new int[1];
        final PacketHandler counter = new PacketHandler()
        {
            @Override
            public void onPacket(
                final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
            {
                delivered[0]++;
            }

            @Override
            public void onFreed(final int type, final int source, final int slots)
            {
                // what the position says
            }
        };
        assertEquals(1, LaneReader.poll(poller, counter, 1));
        header(at, MailboxDescriptor.header(MailboxDescriptor.lap(at, 6), TYPE, 0, LENGTH, SOURCE));
        assertEquals(0, LaneReader.poll(poller, counter, 8));
        assertEquals(1, delivered[0]);
        assertEquals(at, poller.position());
        lane.publishShort(lane.shortPlace(8), 8, LaneDescriptor.shortHeader(0, 2));
        assertEquals(1, LaneReader.poll(poller, counter, 8));
        assertEquals(2, delivered[0]);
    }

    /** A new holder's first run is looked at as any lane's first. */
    @Test
    void shouldForgetTheRunsOfTheHolderBefore()
    {
        startInFlow(64);
        poller.free();
        poller.grant(SOURCE);
        lane = new Lane(box, 1);
        lane.pay(1000);
        for (int i = 0; i < 4; i++)
        {
            send(24);
        }
        assertEquals(4, poll(100));
        assertEquals(sequence, handler.next[SOURCE]);
    }
}
