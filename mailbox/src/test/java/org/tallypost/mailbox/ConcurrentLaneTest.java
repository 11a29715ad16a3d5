// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.Random;
import java.util.concurrent.Semaphore;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.mailbox.lane.Lane;
import org.tallypost.mailbox.lane.LanePoller;
import org.tallypost.mailbox.layout.LaneDescriptor;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ClaimMark;

/**
 * One thread sends by a lane and by the ring, as it comes, and one receives: in order, because the lane is used only while
 * the ring is read, and a run in the ring says if some in the lane come first.
 */
class ConcurrentLaneTest
{
    private static final int FLAG_AFTER_LANE = 8;
    private static final int FLAG_SHORT = 4;

    @TempDir
    private File directory;

    private Rig rig;
    private Mailbox box;
    private MailboxPoller ring;
    private LanePoller poller;
    private final CheckingHandler checks = new CheckingHandler(1);
    private volatile Throwable failure;
    private long byLane;

    private final class Receiver implements PacketHandler
    {
        private final Semaphore credits;
        private final boolean isRing;

        Receiver(final Semaphore credits, final boolean isRing)
        {
            this.credits = credits;
            this.isRing = isRing;
        }

        @Override
        public void onPacket(
            final int type, final int flags, final int source, final UnsafeBuffer buffer, final int offset, final int length)
        {
            if (isRing && (flags & FLAG_AFTER_LANE) != 0)
            {
                LaneReader.poll(poller, new Receiver(credits, false), box.laneSlots() * LaneDescriptor.SHORT_RUNS);
            }
            final int word = (flags & FLAG_SHORT) == 0 ? 0 : MailboxDescriptor.HEADER_LENGTH;
            checks.onPacket(type, flags, source, buffer, offset + word, length - word);
        }

        @Override
        public void onFreed(final int type, final int source, final int slots)
        {
            credits.release(slots);
        }
    }

    @ParameterizedTest
    @CsvSource({"8,16,10000,50", "64,64,15000,10", "256,1024,100000,1", "8,64,15000,1"})
    void shouldKeepOrderBetweenLaneAndRing(
        final int laneSlots, final int ringSlots, final int messages, final int ringPercent)
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("ConcurrentLaneTest: seed=" + seed + ", laneSlots=" + laneSlots + ", ringSlots=" + ringSlots);
        rig = new Rig(directory, 1, 16, 4);
        // the longest run of the lane goes by the ring as well
        final int runSlots = Math.min(LaneDescriptor.MAX_RUN_SLOTS, ringSlots >> 1);
        box = Mailbox.create(new File(directory, "lanes"), 8, 1, 1, ringSlots, runSlots, 1, laneSlots);
        ring = new MailboxPoller(box);
        poller = new LanePoller(box, 0);
        poller.grant(0);
        final Semaphore credits = new Semaphore(ringSlots);
        final ClaimMark mark = rig.takeMark(rig.process);
        final Thread thread = new Thread(() -> send(mark, credits, messages, ringPercent, new Random(seed)), "sender");
        thread.start();
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "messages: seed=" + seed + ", received=" +
            checks.messages + " of " + messages + ", failure=" + failure);
        final Random random = new Random(seed + 1);
        final PacketHandler laneHandler = new Receiver(credits, false);
        final PacketHandler ringHandler = new Receiver(credits, true);
        while (checks.messages < messages && failure == null)
        {
            int work = LaneReader.poll(poller, laneHandler, 1 + random.nextInt(8));
            work += ring.poll(ringHandler, random.nextInt(4));
            if (work > 0)
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
        while (ring.poll(ringHandler, 8) + LaneReader.poll(poller, laneHandler, 8) > 0)
        {
            watchdog.idle();
        }
        assertEquals(ringSlots, credits.availablePermits() + poller.inHand());
        assertEquals(0, ring.corruptCount() + poller.corruptCount() + box.backlogSlots());
        assertTrue(byLane > 0 && byLane < messages, "by the lane: " + byLane);
    }

    private void send(
        final ClaimMark mark, final Semaphore credits, final int messages, final int ringPercent, final Random random)
    {
        try
        {
            final Lane lane = new Lane(box, 0);
            final int most = MailboxDescriptor.payloadLength(lane.runSlots());
            long afterRing = 0;
            for (long sequence = 0; sequence < messages; sequence++)
            {
                final int length = Payload.MIN_LENGTH + random.nextInt(1 +
                    (random.nextBoolean() ? LaneDescriptor.MAX_SHORT_LENGTH : most) - Payload.MIN_LENGTH);
                final boolean isForLane = random.nextInt(100) >= ringPercent;
                prefetch(lane, random);
                while (isForLane && box.readPosition() < afterRing)
                {
                    Thread.yield();
                }
                if (isForLane && sendByLane(lane, credits, sequence, length))
                {
                    byLane++;
                }
                else
                {
                    credits.release((int)lane.refund());
                    afterRing = sendByRing(mark, lane, credits, sequence, length);
                }
            }
            credits.release((int)lane.refund());
        }
        catch (final Throwable thrown)
        {
            failure = thrown;
        }
    }

    private static void prefetch(final Lane lane, final Random random)
    {
        // at any time, also while the consumer reads or the lane is full
        if (random.nextBoolean())
        {
            lane.prefetchNext();
        }
        if (random.nextBoolean())
        {
            lane.prefetchRest();
        }
    }

    private static boolean sendByLane(final Lane lane, final Semaphore credits, final long sequence, final int length)
    {
        if (length <= LaneDescriptor.MAX_SHORT_LENGTH)
        {
            return sendShort(lane, credits, sequence, length);
        }
        final int slots = MailboxDescriptor.slots(length);
        if (lane.inHand() < slots && credits.tryAcquire(slots))
        {
            lane.pay(slots);
        }
        final long position = lane.claim(slots);
        if (position < 0)
        {
            return false;
        }
        Payload.fill(lane.buffer(), lane.payloadOffset(position), length, 0, sequence);
        lane.publish(position, slots, Rig.TYPE, 0, length, 0);
        return true;
    }

    private static boolean sendShort(final Lane lane, final Semaphore credits, final long sequence, final int length)
    {
        long at = lane.shortPlace(length);
        if (at == Lane.NO_PLACE)
        {
            if (lane.inHand() < 1 && credits.tryAcquire(1))
            {
                lane.pay(1);
            }
            if (lane.claim(1) < 0)
            {
                return false;
            }
            at = lane.shortPlaceClaimed();
        }
        final int offset = (int)(at - lane.buffer().addressOffset()) + MailboxDescriptor.HEADER_LENGTH;
        Payload.fill(lane.buffer(), offset, length, 0, sequence);
        lane.publishShort(at, length, LaneDescriptor.shortHeader(FLAG_SHORT, 0));
        return true;
    }

    private long sendByRing(
        final ClaimMark mark, final Lane lane, final Semaphore credits, final long sequence, final int length)
        throws InterruptedException
    {
        final int slots = MailboxDescriptor.slots(length);
        credits.acquire(slots);
        mark.intend(box.claimKey(), slots);
        final long position = box.claim(mark, slots);
        Payload.fill(box.buffer(), box.payloadOffset(position), length, 0, sequence);
        box.publish(mark, position, Rig.TYPE, lane.isRead() ? 0 : FLAG_AFTER_LANE, length, 0);
        return position + slots;
    }
}
