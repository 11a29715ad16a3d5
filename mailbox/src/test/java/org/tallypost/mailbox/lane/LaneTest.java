// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.lane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.mailbox.LaneFixture;
import org.tallypost.mailbox.LaneReader;
import org.tallypost.mailbox.PacketHandler;
import org.tallypost.mailbox.Payload;
import org.tallypost.mailbox.layout.LaneDescriptor;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/** An express lane: claim, publish and poll, all in one thread. */
class LaneTest extends LaneFixture
{
    @ParameterizedTest
    @ValueSource(ints = {8, 64})
    void shouldDeliverRunsOfAllLengthsOverManyLaps(final int laneSlots)
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("LaneTest laps: seed=" + seed);
        final Random random = new Random(seed);
        start(laneSlots);
        final int most = MailboxDescriptor.payloadLength(lane.runSlots());
        // more than 2^16 laps of the small one: laps come round
        final int messages = 300_000;
        lane.pay(Long.MAX_VALUE / 2);
        long slots = 0;
        while (sequence < messages)
        {
            final int length = Payload.MIN_LENGTH + random.nextInt(most - Payload.MIN_LENGTH + 1);
            final int n = MailboxDescriptor.slots(length);
            if (lane.claim(n) == Lane.FULL)
            {
                assertTrue(lane.position() - readPosition() + n > laneSlots, "it was not full");
                final boolean isUnread = poller.position() < lane.position();
                assertEquals(isUnread, poll(1 + random.nextInt(laneSlots)) > 0);
                assertTrue(isUnread || lane.isRead(), "an empty poll shows how far the lane was read");
            }
            else
            {
                send(length);
                slots += n;
            }
        }
        while (poll(5) > 0)
        {
            assertFalse(lane.isOutOfStep());
        }
        assertEquals(messages, handler.next[SOURCE]);
        assertEquals(slots, handler.freedSlots[SOURCE]);
        assertEquals(slots, poller.position());
        assertEquals(slots, lane.sentSlots());
        assertTrue(lane.isRead());
        assertEquals(0, poller.corruptCount());
        assertTrue(laneSlots > 8 || slots > 8L << 16, "laps");
    }

    /** One that answers each run is never behind, whatever it has shown; one that is two runs behind is. */
    @Test
    void shouldSayWhetherTheConsumerWasBehind()
    {
        start(8);
        lane.pay(1_000);
        for (int i = 0; i < 40; i++)
        {
            send(40);
            assertFalse(lane.isBacklogged());
            assertEquals(1, poll(20));
            if (i % 3 == 0)
            {
                assertEquals(0, poll(20), "finds nothing, and shows what it has read");
            }
        }
        assertEquals(0, poll(20));
        while (lane.claim(1) >= 0)
        {
            send(40);
        }
        assertTrue(lane.isBacklogged(), "full");
        assertEquals(8, poll(20));
        send(40);
        assertFalse(lane.isBacklogged(), "empty when it was looked at");
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 64, 256})
    void shouldNeverTakePayloadForAHeader(final int laneSlots)
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("LaneTest payload: seed=" + seed + ", laneSlots=" + laneSlots);
        final Random random = new Random(seed);
        start(laneSlots);
        lane.pay(Long.MAX_VALUE / 2);
        final long[] lengths = new long[2];
        for (int i = 0; i < 100_000; i++)
        {
            // long ones for a while, then fewer, then none, so that each comes to lie where the other was
            final int phase = i / 500 & 3;
            final int n = phase < 3 && random.nextInt(1 << 2 * phase) == 0 ? 1 + random.nextInt(lane.runSlots()) : 1;
            final long position = lane.claim(n);
            if (position == Lane.FULL)
            {
                assertTrue(LaneReader.poll(poller, new LengthHandler(lengths), 1 + random.nextInt(laneSlots)) > 0);
                assertEquals(0, lengths[1], "runs of other lengths than were sent");
                continue;
            }
            final int length = MailboxDescriptor.payloadLength(n);
            final int at = lane.payloadOffset(position);
            buffer.putLong(at, length);
            for (int word = 1; word < length >> 3; word++)
            {
                // each word of it looks like a header of this lap, of the one before or of the next
                final int lap = MailboxDescriptor.lap(position + (word + 1) / 8 + (random.nextInt(3) - 1L) * laneSlots,
                    Integer.numberOfTrailingZeros(laneSlots));
                buffer.putLong(at + 8 * word, MailboxDescriptor.header(lap, TYPE, 0, 40, SOURCE));
            }
            lane.publish(position, n, TYPE, 0, length, SOURCE);
            lengths[0] += length;
            if (random.nextInt(8) == 0)
            {
                LaneReader.poll(poller, new LengthHandler(lengths), 1 + random.nextInt(laneSlots));
            }
        }
        while (LaneReader.poll(poller, new LengthHandler(lengths), laneSlots) > 0)
        {
            assertFalse(lane.isOutOfStep());
        }
        assertEquals(0, lengths[0], "bytes sent and not delivered");
        assertEquals(0, lengths[1], "runs of other lengths than were sent");
        assertEquals(lane.position(), poller.position());
        assertEquals(0, poller.corruptCount());
    }

    /** Takes the bytes that come off the first number; adds to the second if a run does not have the length that it says. */
    private static final class LengthHandler implements PacketHandler
    {
        private final long[] lengths;

        LengthHandler(final long[] lengths)
        {
            this.lengths = lengths;
        }

        @Override
        public void onPacket(
            final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
        {
            assertEquals(SOURCE, source);
            lengths[0] -= length;
            lengths[1] += from.getLong(offset) == length ? 0 : 1;
        }

        @Override
        public void onFreed(final int type, final int source, final int slots)
        {
            assertEquals(SOURCE, source);
        }
    }

    @Test
    void shouldFreeALaneWhoseHolderDiedInTheMidstOfARun()
    {
        start(8);
        for (int round = 0; round < 40; round++)
        {
            lane.pay(8);
            final int done = round % 5;
            for (int i = 0; i < done; i++)
            {
                send(40);
            }
            // half a run, with words that look like headers of this lap wherever the next ones are looked for
            final long position = lane.position();
            for (int word = 0; word < 31; word++)
            {
                buffer.putLong(lane.payloadOffset(position) + 8 * word,
                    MailboxDescriptor.header(MailboxDescriptor.lap(position + (word + 1) / 8, 3), TYPE, 0, 30, SOURCE));
            }
            assertEquals(done, poll(20));
            assertEquals(8 - done, poller.inHand());
            poller.free();
            assertEquals(LanePoller.NOBODY, poller.source());
            poller.grant(SOURCE);
            assertEquals(0, poller.inHand(), "what the dead one had paid for is not its heir's");
            lane = new Lane(box, 1);
            assertEquals(0, lane.inHand());
            // one slot each: the consumer looks at every word that was written over
            lane.pay(8);
            for (int i = 0; i < 8; i++)
            {
                assertFalse(poller.isUnread());
                send(40);
                assertEquals(1, poll(20));
            }
        }
        assertEquals(0, poller.corruptCount());
        assertEquals(sequence, handler.next[SOURCE]);
    }

    @Test
    void shouldNotDeliverWhatWasWrittenIntoALaneThatNobodyHeld()
    {
        start(8);
        lane.pay(8);
        send(40);
        assertEquals(1, poll(20));
        poller.free();
        // damage that looks like a message of this lap, and like one of the next
        buffer.putLong(slot(1), MailboxDescriptor.header(MailboxDescriptor.lap(1, 3), TYPE, 0, 40, SOURCE));
        buffer.putLong(slot(8), MailboxDescriptor.header(MailboxDescriptor.lap(8, 3), TYPE, 0, 40, SOURCE));
        poller.grant(SOURCE);
        lane = new Lane(box, 1);
        lane.pay(16);
        for (int i = 0; i < 16; i++)
        {
            assertFalse(poller.isUnread());
            send(40);
            assertEquals(1, poll(20));
        }
        assertEquals(17, handler.next[SOURCE]);
        assertEquals(0, poller.corruptCount());
    }

    @Test
    void shouldNotCountWhatWasWrittenIntoALaneThatNobodyHolds()
    {
        start(8);
        poller.free();
        buffer.putLong(slot(0), MailboxDescriptor.header(MailboxDescriptor.lap(0, 3), TYPE, 0, 40, SOURCE));
        assertEquals(1, box.backlogSlots());
        poller.repairReadPosition();
        assertEquals(0, box.backlogSlots());
        assertEquals(1, poller.corruptCount());
    }

    @Test
    void shouldNameTheHolderAsSourceWhateverTheHeaderSays()
    {
        start(8);
        lane.pay(8);
        final long position = lane.claim(1);
        lane.publish(position, 1, TYPE, 0, 30, 3);
        assertEquals(1, LaneReader.poll(poller, new LengthHandler(new long[2]), 10));
        poller.free();
        poller.grant(3);
        lane = new Lane(box, 1);
        lane.pay(8);
        final long next = lane.claim(2);
        assertEquals(position + 1, next);
        Payload.fill(buffer, lane.payloadOffset(next), 100, 3, 0);
        lane.publish(next, 2, TYPE, 0, 100, SOURCE);
        assertEquals(1, poll(10));
        assertEquals(1, handler.next[3]);
        assertEquals(2, handler.freedSlots[3]);
    }

    @Test
    void shouldSkipHeadersThatCannotBe()
    {
        start(8);
        lane.pay(1000);
        final int[] types = {0, 1, 4, 13, MailboxDescriptor.TYPE_CLAIMED, 0x103};
        int corrupt = 0;
        for (final int type : types)
        {
            send(40);
            buffer.putLong(slot(poller.position()),
                MailboxDescriptor.header(MailboxDescriptor.lap(poller.position(), 3), type, 0, 40, SOURCE));
            assertEquals(1, poll(1));
            assertEquals(++corrupt, poller.corruptCount());
            handler.next[SOURCE]++;
        }
        // longer than any run, and an aborted one, which is freed
        send(40);
        buffer.putLong(slot(poller.position()),
            MailboxDescriptor.header(MailboxDescriptor.lap(poller.position(), 3), TYPE, 0, 4000, SOURCE));
        assertEquals(1, poll(1));
        assertEquals(++corrupt, poller.corruptCount());
        assertEquals(0, handler.freedSlots[SOURCE], "they are not booked as if they had been what they were");
        final long position = lane.claim(2);
        lane.publish(position, 2, MailboxDescriptor.TYPE_ABORTED, 0, 100, SOURCE);
        assertEquals(1, poll(1));
        assertEquals(2, handler.freedSlots[SOURCE]);
        handler.next[SOURCE] = sequence;
        send(40);
        assertEquals(1, poll(1));
        assertEquals(sequence, handler.next[SOURCE]);
    }

    @ParameterizedTest
    @CsvSource({"16,2,10000", "64,12,2000"})
    void shouldSurviveRandomDamage(final int laneSlots, final int most, final int least)
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("LaneTest damage: seed=" + seed);
        final Random random = new Random(seed);
        start(laneSlots);
        final long[] seen = new long[1];
        final PacketHandler any = new PacketHandler()
        {
            @Override
            public void onPacket(
                final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
            {
                from.checkLimit(offset + length);
                final int begin = box.laneOffset(1);
                assertTrue(offset >= begin && offset + length <= begin + LaneDescriptor.length(laneSlots));
                seen[0]++;
            }

            @Override
            public void onFreed(final int type, final int source, final int slots)
            {
                assertTrue(slots > 0);
            }
        };
        for (int i = 0; i < 100_000; i++)
        {
            lane.pay(most);
            final int slots = 1 + random.nextInt(most);
            if (lane.claim(slots) >= 0)
            {
                lane.publish(lane.position(), slots, TYPE, random.nextInt(16), slots * 56, SOURCE);
            }
            final int offset = random.nextBoolean() ? slot(random.nextInt(laneSlots)) :
                box.laneOffset(1) + 8 * random.nextInt(LaneDescriptor.length(laneSlots) / 8);
            buffer.putLong(offset, random.nextBoolean() ? random.nextLong() : buffer.getLong(offset) ^ 1L << random.nextInt(64));
            LaneReader.poll(poller, any, 4);
            assertTrue(box.backlogSlots() <= 2 * laneSlots);
            if (lane.isOutOfStep() || random.nextInt(64) == 0)
            {
                poller.repairReadPosition();
                poller.free();
                poller.grant(SOURCE);
                lane = new Lane(box, 1);
            }
        }
        assertTrue(seen[0] > least && poller.corruptCount() > 100, seen[0] + " delivered, " + poller.corruptCount());
    }

    @Test
    void shouldTellWhatWasFreedAlsoWhenTheHandlerThrows()
    {
        start(8);
        lane.pay(8);
        send(40);
        send(100);
        handler.next[SOURCE] = 1;
        assertThrows(AssertionError.class, () -> poll(5));
        assertEquals(1, poller.position());
        assertEquals(1, poll(5));
        assertEquals(3, handler.freedSlots[SOURCE]);
        assertTrue(lane.isRead());
    }

    /** What was seen ahead is delivered in later turns, whatever happens in between. */
    @Test
    void shouldGoOnWhereATurnEnded()
    {
        start(64);
        lane.pay(64);
        for (int i = 0; i < 20; i++)
        {
            send(40);
        }
        assertEquals(3, poll(3));
        assertFalse(poller.isQuiet());
        handler.next[SOURCE] = 4;
        assertThrows(AssertionError.class, () -> poll(16), "the fourth is not what is expected");
        assertEquals(4, poller.position());
        assertEquals(12, poll(12));
        assertEquals(4, poll(16));
        assertEquals(0, poll(16));
        assertFalse(poller.isQuiet(), "it had much to send");
        send(40);
        assertEquals(1, poll(16));
        assertTrue(poller.isQuiet());
        assertEquals(0, poll(16));
        assertTrue(poller.isQuiet(), "until it is heard of again");
        for (int i = 0; i < 5; i++)
        {
            send(40);
        }
        assertEquals(2, poll(2));
        // the holder is gone; the one that gets the lane next has sent nothing
        poller.free();
        poller.grant(SOURCE);
        assertEquals(0, poll(16));
        assertEquals(23, poller.position());
    }

    @Test
    void shouldTellTheRestOfWhatWasFreedWhenNothingIsThere()
    {
        start(64);
        lane.pay(64);
        send(40);
        assertEquals(1, poll(5));
        assertEquals(0, handler.freedSlots[SOURCE]);
        assertEquals(1, box.backlogSlots(), "nobody else knows yet");
        assertEquals(0, poll(5));
        assertEquals(1, handler.freedSlots[SOURCE]);
        assertEquals(0, box.backlogSlots());
        send(40);
        assertEquals(1, poll(5));
        LaneReader.settle(poller, handler);
        assertEquals(2, handler.freedSlots[SOURCE]);
        assertTrue(lane.isRead());
        LaneReader.settle(poller, handler);
        assertEquals(2, handler.freedSlots[SOURCE]);
    }

    @Test
    void shouldWakeTheConsumerIfItIsArmed()
    {
        start(8);
        lane.pay(8);
        final int[] wakes = new int[1];
        box.wakeWith((found) -> wakes[0]++);
        send(40);
        assertEquals(0, wakes[0]);
        box.arm(MailboxDescriptor.ARMED);
        send(40);
        assertEquals(1, wakes[0]);
        lane.publishShort(lane.shortPlace(8), 8, LaneDescriptor.shortHeader(0, 1));
        lane.publishShort(lane.shortPlace(8), 8, LaneDescriptor.shortHeader(0, 2));
        assertEquals(1, wakes[0], "once, behind the last");
        lane.wakeIfArmed();
        assertEquals(2, wakes[0]);
    }

    @Test
    void shouldWakeTheConsumerWhenNothingMoreGoesIntoASlot()
    {
        start(8);
        lane.pay(3);
        final int[] wakes = new int[1];
        box.wakeWith((found) -> wakes[0]++);
        // from here on the holder knows of room
        send(40);
        box.arm(MailboxDescriptor.ARMED);
        lane.close();
        assertEquals(0, wakes[0], "no slot is begun");
        lane.publishShort(lane.shortPlace(8), 8, LaneDescriptor.shortHeader(0, 1));
        lane.close();
        assertEquals(1, wakes[0], "the consumer frees the slot, and a sender may wait for it");
        lane.close();
        assertEquals(1, wakes[0], "it is closed");
        lane.publishShort(lane.shortPlace(8), 8, LaneDescriptor.shortHeader(0, 1));
        assertEquals(Lane.UNPAID, lane.claim(1));
        assertEquals(2, wakes[0], "a refused claim closes the slot too");
    }

    @Test
    void shouldWriteIntoWhatWasReadBeforeTheHolderHasItAndIntoNothingElse()
    {
        start(32);
        final int lastWord = MailboxDescriptor.SLOT_LENGTH - Long.BYTES;
        lane.pay(10_000);
        // 21 slots in three turns: each length comes to each place, also beyond the end of the lane
        for (int i = 0; i < 200; i++)
        {
            final long position = lane.position();
            final int length = 100 + i % 3 * 50;
            final int end = slot(position) + MailboxDescriptor.slots(length) * MailboxDescriptor.SLOT_LENGTH;
            send(length);
            send(56);
            send(176);
            assertEquals(1, poll(1));
            assertEquals(position, readPosition(), "as long as it is the consumer's");
            LaneReader.settle(poller, handler);
            for (int slot = slot(position); slot < end; slot += MailboxDescriptor.SLOT_LENGTH)
            {
                assertEquals(0, buffer.getLong(slot + lastWord), "slot at " + slot + ", run to " + end + ", turn " + i);
            }
            // the handler checks the contents
            assertEquals(2, poll(10));
            assertEquals(0, poll(10));
        }
        assertEquals(sequence, handler.next[SOURCE]);
    }
}
