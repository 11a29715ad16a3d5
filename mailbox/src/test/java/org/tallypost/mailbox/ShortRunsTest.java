// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.mailbox.lane.Lane;
import org.tallypost.mailbox.layout.LaneDescriptor;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/** Slots of an express lane that hold several short runs. */
@Tag("once")
class ShortRunsTest extends LaneFixture
{
    private static final int FLAGS = 3;
    private static final int LONGER = 4;
    private final Checks checks = new Checks();
    private volatile Throwable failure;

    /** Every message says which it is, in its word, and every byte of it follows from that. */
    private static final class Checks implements PacketHandler
    {
        private int next;
        private long freed;
        private int throwAt = -1;

        @Override
        public void onPacket(
            final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
        {
            assertEquals(TYPE, type);
            assertEquals(SOURCE, source);
            if (next == throwAt)
            {
                next++;
                throw new IllegalStateException("as wanted");
            }
            assertEquals(flags == FLAGS ? next : ~next, from.getInt(offset), "which message");
            for (int i = 8; i < length; i++)
            {
                assertEquals(content(next, i - 8), from.getByte(offset + i), "message " + next + ", byte " + i + " of " + length);
            }
            next++;
        }

        @Override
        public void onFreed(final int type, final int source, final int slots)
        {
            freed += slots;
        }
    }

    private static byte content(final int sequence, final int index)
    {
        return (byte)(sequence * 31 + index);
    }

    /** Refused if there is no room or no credit. */
    private boolean sendShort(final int message, final int length)
    {
        long at = lane.shortPlace(length);
        if (at == Lane.NO_PLACE)
        {
            if (lane.claim(1) < 0)
            {
                return false;
            }
            at = lane.shortPlaceClaimed();
        }
        for (int i = 0; i < length; i++)
        {
            UnsafeApi.putByte(at + 8 + i, content(message, i));
        }
        lane.publishShort(at, length, LaneDescriptor.shortHeader(FLAGS, message));
        return true;
    }

    private boolean sendLong(final int message, final int slots)
    {
        final long position = lane.claim(slots);
        if (position < 0)
        {
            return false;
        }
        final int at = lane.payloadOffset(position);
        final int length = MailboxDescriptor.payloadLength(slots);
        buffer.putInt(at, ~message);
        for (int i = 8; i < length; i++)
        {
            buffer.putByte(at + i, content(message, i - 8));
        }
        lane.publish(position, slots, TYPE, LONGER, length, SOURCE);
        return true;
    }

    private int poll()
    {
        return LaneReader.poll(poller, checks, 100);
    }

    @ParameterizedTest
    @CsvSource({"0,4", "8,4", "9,2", "24,2", "25,1", "40,1", "41,1", "56,1"})
    void shouldPutSoManyIntoASlot(final int length, final int runs)
    {
        start(8);
        lane.pay(8);
        int sent = 0;
        for (int slot = 1; slot <= 8; slot++)
        {
            for (int i = 0; i < runs; i++)
            {
                assertTrue(sendShort(sent++, length));
                assertEquals(slot, lane.position());
                assertEquals(8 - slot, lane.inHand());
            }
        }
        assertFalse(sendShort(sent, length), "full");
        assertEquals(sent, poll());
        assertEquals(0, poll());
        assertEquals(8, checks.freed);
        assertTrue(lane.isRead());
    }

    /** Nothing of one length ever waits for a slot to be closed; a longer one closes what it has no room in. */
    @Test
    void shouldReadOnInTheNextSlotIfALongerOneHasNoRoom()
    {
        start(8);
        lane.pay(8);
        final int[] lengths = {8, 8, 24, 8, 41, 24, 40, 8, 8, 8, 56, 0};
        final int[] slots = {1, 1, 1, 2, 3, 4, 5, 6, 6, 6, 7, 8};
        for (int i = 0; i < lengths.length; i++)
        {
            assertTrue(sendShort(i, lengths[i]));
            assertEquals(slots[i], lane.position(), "message " + i);
            assertEquals(1, poll(), "message " + i);
            assertFalse(poller.isUnread());
        }
        assertEquals(0, poll());
        assertEquals(7, checks.freed, "the last has room for more");
        lane.close();
        assertTrue(poller.isUnread());
        assertEquals(0, poll());
        assertEquals(8, checks.freed);
        assertTrue(lane.isRead());
        assertFalse(poller.isUnread());
        assertEquals(lengths.length, checks.next);
        assertEquals(0, poller.corruptCount());
    }

    /** A slot is paid for once, and a sender that has none left gets it back when nothing more goes in. */
    @Test
    void shouldFreeAnOpenSlotWhenTheNextMessageHasNoRoomAnywhere()
    {
        start(8);
        lane.pay(1);
        assertTrue(sendShort(0, 8));
        assertEquals(1, poll());
        assertEquals(0, poll());
        assertEquals(0, checks.freed);
        assertEquals(1, poller.inHand(), "the slot that is open is still the holder's");
        assertTrue(sendShort(1, 24));
        assertFalse(sendShort(2, 56), "unpaid");
        assertEquals(1, poll());
        assertEquals(0, poll());
        assertEquals(1, checks.freed);
        assertEquals(0, poller.inHand());
        assertEquals(0, box.backlogSlots());
    }

    @Test
    void shouldCountABacklogUpToWhatWasReadOfAnOpenSlot()
    {
        start(8);
        lane.pay(8);
        sendShort(0, 8);
        sendShort(1, 8);
        assertEquals(1, box.backlogSlots());
        assertEquals(2, poll());
        assertEquals(0, poll());
        assertEquals(0, box.backlogSlots());
        sendShort(2, 8);
        assertEquals(1, box.backlogSlots());
        sendShort(3, 8);
        sendShort(4, 8);
        sendLong(5, 3);
        assertEquals(5, box.backlogSlots());
        assertEquals(4, poll());
        assertEquals(0, poll());
        assertEquals(0, box.backlogSlots());
    }

    @Test
    void shouldPutRightHowMuchOfAnOpenSlotWasRead()
    {
        start(8);
        lane.pay(8);
        sendShort(0, 8);
        assertEquals(1, poll());
        assertEquals(0, poll());
        final int offset = box.laneOffset(1) + LaneDescriptor.READ_WITHIN_OFFSET;
        for (final int value : new int[]{0, 1, 32, 48, 64, -1, Integer.MIN_VALUE})
        {
            buffer.putInt(offset, value);
            final long backlog = box.backlogSlots();
            assertTrue(backlog >= 0 && backlog <= 8);
            assertTrue(poller.repairReadPosition());
            assertFalse(poller.repairReadPosition());
            assertEquals(0, box.backlogSlots());
        }
    }

    @Test
    void shouldRefuseAShortRunUntilTheLaneWasLookedAt()
    {
        start(8);
        assertEquals(Lane.NO_PLACE, lane.shortPlace(56), "nothing is paid for");
        lane.pay(8);
        assertEquals(Lane.NO_PLACE, lane.shortPlace(56), "nothing is known to be free");
        assertEquals(0, lane.claim(1));
        assertNotEquals(Lane.NO_PLACE, lane.shortPlace(56));
        assertTrue(lane.isShortReady(8));
        assertFalse(lane.isShortReady(9));
        assertTrue(sendShort(0, 8));
        assertNotEquals(Lane.NO_PLACE, lane.shortPlace(40), "behind the first");
        lane.pause();
        assertEquals(Lane.NO_PLACE, lane.shortPlace(8), "paused");
        assertEquals(1, lane.claim(1));
        assertNotEquals(Lane.NO_PLACE, lane.shortPlace(56));
        assertEquals(7, lane.refund());
        assertEquals(Lane.NO_PLACE, lane.shortPlace(8), "all in hand was taken back");
        lane.pay(7);
        assertTrue(sendLong(1, 2));
        assertEquals(Lane.NO_PLACE, lane.shortPlace(8), "payload of a long run lies ahead: further headers need stamps");
        assertTrue(sendShort(2, 8));
        assertNotEquals(Lane.NO_PLACE, lane.shortPlace(8), "in the slot that is open nothing has to be looked at");
        assertEquals(3, poll());
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 32, 256})
    void shouldDeliverAllLengthsInAnyOrderOverManyLaps(final int laneSlots)
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("ShortRunsTest laps: seed=" + seed + ", laneSlots=" + laneSlots);
        final Random random = new Random(seed);
        start(laneSlots);
        lane.pay(Long.MAX_VALUE / 2);
        int sent = 0;
        while (sent < 400_000)
        {
            // of one length for a while, of all lengths, and with long ones in between
            final int phase = sent / 1000 % 5;
            final boolean isLong = phase > 2 && random.nextInt(4) == 0;
            final int length = phase == 0 ? 8 : phase == 1 ? 24 : random.nextInt(57);
            if (isLong ? sendLong(sent, 1 + random.nextInt(lane.runSlots())) : sendShort(sent, length))
            {
                sent++;
            }
            else
            {
                assertTrue(LaneReader.poll(poller, checks, 1 + random.nextInt(4 * laneSlots)) > 0, "full, and nothing there");
            }
            final int chance = random.nextInt(16);
            if (chance == 0)
            {
                LaneReader.poll(poller, checks, 1 + random.nextInt(20));
            }
            else if (chance == 1 && phase > 1)
            {
                lane.close();
            }
        }
        while (poll() > 0)
        {
            assertFalse(lane.isOutOfStep());
        }
        lane.close();
        assertEquals(0, poll());
        assertEquals(sent, checks.next);
        assertEquals(lane.sentSlots(), checks.freed);
        assertEquals(lane.position(), poller.position());
        assertTrue(lane.isRead());
        assertEquals(0, poller.corruptCount());
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 64})
    void shouldNeverTakePayloadForAHeader(final int laneSlots)
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("ShortRunsTest payload: seed=" + seed + ", laneSlots=" + laneSlots);
        final Random random = new Random(seed);
        start(laneSlots);
        lane.pay(Long.MAX_VALUE / 2);
        final int[] counts = new int[2];
        final PacketHandler lengths = new PacketHandler()
        {
            @Override
            public void onPacket(
                final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
            {
                assertEquals(counts[1]++, from.getInt(offset));
            }

            @Override
            public void onFreed(final int type, final int source, final int slots)
            {
                // counted elsewhere
            }
        };
        final int shift = Integer.numberOfTrailingZeros(laneSlots);
        while (counts[0] < 200_000)
        {
            final int length = 8 * random.nextInt(8);
            if (lane.shortPlace(length) == Lane.NO_PLACE && lane.claim(1) < 0)
            {
                assertTrue(LaneReader.poll(poller, lengths, 1 + random.nextInt(laneSlots)) > 0);
                continue;
            }
            final long ready = lane.shortPlace(length);
            final long at = ready == Lane.NO_PLACE ? lane.shortPlaceClaimed() : ready;
            for (int i = 0; i < length; i += 8)
            {
                // a header of this lap, of the one before or of the next: of a short run, of the end of a slot, or of a long run
                final long lap = MailboxDescriptor.lapBits(
                    MailboxDescriptor.lap(lane.position() + (random.nextInt(3) - 1L) * laneSlots, shift));
                final int kind = random.nextInt(3);
                UnsafeApi.putLong(at + 8 + i, kind == 0 ? LaneDescriptor.closed(lap) : kind == 1 ?
                    LaneDescriptor.shortKind(lap) | LaneDescriptor.lengthBits(8) | LaneDescriptor.GOES_ON :
                    MailboxDescriptor.header((int)(lap >>> 48), TYPE, 0, 40, SOURCE));
            }
            lane.publishShort(at, length, LaneDescriptor.shortHeader(0, counts[0]++));
            if (random.nextInt(8) == 0)
            {
                LaneReader.poll(poller, lengths, 1 + random.nextInt(laneSlots));
            }
        }
        while (LaneReader.poll(poller, lengths, laneSlots) > 0)
        {
            assertFalse(lane.isOutOfStep());
        }
        assertEquals(counts[0], counts[1]);
        assertEquals(0, poller.corruptCount());
    }

    /** Polls until there is nothing; which message is next. */
    private int drained()
    {
        while (poll() > 0)
        {
            // not empty yet
        }
        return checks.next;
    }

    /** Also when it was the last of the slots that are told together, or comes after a poll that found nothing. */
    @ParameterizedTest
    @CsvSource({"8,false", "24,false", "56,false", "8,true", "24,true", "56,true"})
    void shouldGoOnBehindAMessageWhoseHandlerThrew(final int length, final boolean isArrival)
    {
        start(8);
        lane.pay(1000);
        final Random random = new Random(length);
        int sent = 0;
        for (int at = 0; at < 60; at++)
        {
            at = isArrival ? drained() : at;
            final int end = at + 5;
            while (sent < end)
            {
                assertTrue(sendShort(sent++, length));
            }
            checks.throwAt = at;
            assertThrows(IllegalStateException.class, this::poll);
            assertEquals(at + 1, checks.next);
            checks.throwAt = -1;
            final int some = 1 + random.nextInt(4);
            assertEquals(some, LaneReader.poll(poller, checks, some));
            at = checks.next - 1;
        }
        poll();
        lane.close();
        assertEquals(0, poll());
        assertEquals(sent, checks.next);
        assertEquals(lane.sentSlots(), checks.freed);
        assertEquals(0, poller.corruptCount());
    }

    /** As many as a poll may deliver, also in the midst of a slot. */
    @Test
    void shouldDeliverNoMoreThanTheLimit()
    {
        start(8);
        lane.pay(8);
        for (int i = 0; i < 30; i++)
        {
            assertTrue(sendShort(i, 8));
        }
        for (int limit = 1; limit < 8; limit++)
        {
            assertEquals(limit, LaneReader.poll(poller, checks, limit));
        }
        assertEquals(2, poll());
    }

    /** What its holder wrote before it died is read, and the next holder of the lane begins with a slot of its own. */
    @Test
    void shouldFreeALaneWhoseHolderLeftASlotOpen()
    {
        start(8);
        int sent = 0;
        for (int round = 0; round < 40; round++)
        {
            lane.pay(8);
            final int runs = round % 6;
            for (int i = 0; i < runs; i++)
            {
                sendShort(sent++, 8);
            }
            assertEquals(runs, poll());
            assertEquals(0, poll());
            poller.free();
            assertEquals(0, box.backlogSlots());
            poller.grant(SOURCE);
            lane = new Lane(box, 1);
            assertFalse(poller.isUnread());
            assertEquals(0, box.backlogSlots());
        }
        assertEquals(sent, checks.next);
        assertEquals(0, poller.corruptCount());
    }

    @Test
    void shouldSkipWhatCannotBe()
    {
        start(8);
        lane.pay(1000);
        final long[] wrong = {
            // beyond the slot, at its begin and at its last quarter; types that are none; a long run within a slot
            LaneDescriptor.shortKind(0) | LaneDescriptor.lengthBits(57),
            LaneDescriptor.shortKind(0) | LaneDescriptor.lengthBits(63), LaneDescriptor.shortKind(0) | 1L << 46,
            LaneDescriptor.closed(0) | 1, 5L << 36};
        int corrupt = 0;
        for (final long header : wrong)
        {
            for (int within = 0; within < 64; within += 16)
            {
                for (int i = 0; i <= within; i += 16)
                {
                    assertTrue(sendShort(checks.next + i / 16, 8));
                }
                final long position = poller.position();
                final long lap = MailboxDescriptor.lapBits(MailboxDescriptor.lap(position, 3));
                buffer.putLong(slot(position) + within, lap | header);
                final String what = Long.toHexString(header) + " at " + within;
                assertEquals(within / 16 + 1, poll(), what);
                assertEquals(++corrupt, poller.corruptCount(), what);
                assertEquals(position + 1, poller.position(), what);
                // the rest of the slot is free
                lane.close();
                assertEquals(0, poll());
            }
        }
        final long freed = checks.freed;
        final int before = checks.next;
        assertTrue(sendShort(before, 56));
        assertEquals(1, poll());
        assertEquals(0, poll());
        assertEquals(freed + 1, checks.freed);
        assertEquals(wrong.length * 3, freed, "a slot with a damaged first header is not booked");
    }

    /** A sender that closes slot after slot, and puts nothing into them, gets no further than a poll's limit. */
    @Test
    void shouldRefuseSlotsThatAreClosedWithNothingInThem()
    {
        start(8);
        lane.pay(100);
        sendShort(0, 56);
        sendShort(1, 56);
        final int[] calls = new int[1];
        final PacketHandler closing = new PacketHandler()
        {
            private void closeAll()
            {
                assertTrue(++calls[0] < 100, "one poll goes on and on");
                for (long slot = poller.position() + 1; slot < poller.position() + 7; slot++)
                {
                    buffer.putLong(slot(slot), LaneDescriptor.closed(MailboxDescriptor.lapBits(MailboxDescriptor.lap(slot, 3))));
                }
            }

            @Override
            public void onPacket(
                final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
            {
                closeAll();
            }

            @Override
            public void onFreed(final int type, final int source, final int slots)
            {
                closeAll();
            }
        };
        assertEquals(2, LaneReader.poll(poller, closing, 2));
        assertTrue(LaneReader.poll(poller, closing, 20) <= 20);
        assertTrue(poller.corruptCount() > 0);
    }

    /** The header of a short run that says that it is longer than what is left of its slot. */
    @ParameterizedTest
    @CsvSource({"16,41", "32,25", "48,9"})
    void shouldNotReadBeyondASlot(final int within, final int length)
    {
        start(8);
        lane.pay(8);
        for (int i = 0; i <= within; i += 16)
        {
            sendShort(i / 16, 8);
        }
        buffer.putLong(slot(0) + within, MailboxDescriptor.lapBits(1) |
            LaneDescriptor.shortHeader(FLAGS, within / 16) | LaneDescriptor.lengthBits(length) | LaneDescriptor.GOES_ON);
        assertEquals(within / 16 + 1, poll());
        assertEquals(1, poller.corruptCount());
        assertEquals(within / 16, checks.next);
        assertEquals(1, poller.position());
    }

    @ParameterizedTest
    @CsvSource({"8,1", "8,40", "64,4", "1024,40"})
    void shouldDeliverToAnotherThread(final int laneSlots, final int most)
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("ShortRunsTest threads: seed=" + seed + ", laneSlots=" + laneSlots + ", most=" + most);
        start(laneSlots);
        lane.pay(Long.MAX_VALUE / 2);
        final int messages = 300_000;
        final Thread thread = new Thread(() -> send(new Random(seed), messages), "sender");
        thread.start();
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "messages: seed=" + seed + ", received=" +
            checks.next + " of " + messages + ", failure=" + failure);
        final Random random = new Random(seed + 1);
        while (checks.next < messages && failure == null)
        {
            if (LaneReader.poll(poller, checks, 1 + random.nextInt(most)) > 0)
            {
                watchdog.progress();
            }
            else
            {
                watchdog.idle();
            }
        }
        assertEquals(null, failure);
        Watchdog.await("end of the sender", () -> !thread.isAlive());
        assertEquals(0, poll());
        assertEquals(lane.sentSlots(), checks.freed);
        assertTrue(lane.isRead());
        assertEquals(0, poller.corruptCount());
    }

    private void send(final Random random, final int messages)
    {
        try
        {
            for (int i = 0; i < messages; i++)
            {
                final int phase = i / 1000 & 3;
                final int length = phase == 0 ? 8 : phase == 1 ? 48 : random.nextInt(phase == 2 ? 9 : 57);
                final boolean isLong = phase == 3 && random.nextInt(4) == 0;
                while (isLong ? !sendLong(i, 1 + random.nextInt(3)) : !sendShort(i, length))
                {
                    Thread.yield();
                }
                if (phase == 2 && random.nextInt(3) == 0)
                {
                    lane.close();
                }
            }
            lane.close();
        }
        catch (final Throwable thrown)
        {
            failure = thrown;
        }
    }
}
