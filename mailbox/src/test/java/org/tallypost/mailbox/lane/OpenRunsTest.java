// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.lane;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.mailbox.AwaitedClaim;
import org.tallypost.mailbox.LaneFixture;
import org.tallypost.mailbox.LaneReader;
import org.tallypost.mailbox.PacketHandler;
import org.tallypost.mailbox.layout.LaneDescriptor;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/** Runs of a lane that stay open while others are published behind them, and are settled in any order. */
class OpenRunsTest extends LaneFixture implements PacketHandler
{
    /** A run in the order of the lane. */
    private static final class Run
    {
        final int number;
        final long position;
        final int length;
        boolean isOpen;
        boolean isAborted;

        Run(final int number, final long position, final int length, final boolean isOpen)
        {
            this.number = number;
            this.position = position;
            this.length = length;
            this.isOpen = isOpen;
        }
    }

    private final ArrayDeque<Run> due = new ArrayDeque<>();
    private final List<Run> open = new ArrayList<>();
    private int numbers;
    private long freed;

    /** Opens a run of n slots, all of which look like headers that are due now or in the next lap. */
    private Run open(final int n)
    {
        final long position = lane.claim(n);
        if (position < 0)
        {
            return null;
        }
        final int length = MailboxDescriptor.payloadLength(n);
        final Run run = new Run(numbers++, position, length, true);
        lane.defer(position, n, length, SOURCE);
        fill(run, n);
        due.add(run);
        open.add(run);
        return run;
    }

    private void fill(final Run run, final int n)
    {
        final int at = lane.payloadOffset(run.position);
        for (int i = 0; i < run.length; i += Long.BYTES)
        {
            final int lap = (int)((run.position + n) / box.laneSlots()) + 1 + (i / Long.BYTES & 1);
            buffer.putLong(at + i, MailboxDescriptor.header(lap & 0xFFFF, TYPE, 0, 8, SOURCE));
        }
        buffer.putLong(at, run.number);
    }

    private boolean publish(final int n)
    {
        final long position = lane.claim(n);
        if (position < 0)
        {
            return false;
        }
        final Run run = new Run(numbers++, position, MailboxDescriptor.payloadLength(n), false);
        fill(run, n);
        lane.publish(position, n, TYPE, 0, run.length, SOURCE);
        due.add(run);
        return true;
    }

    private boolean publishShort(final int length)
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
        final Run run = new Run(numbers++, -1, LaneDescriptor.MAX_SHORT_LENGTH, false);
        for (int i = 0; i < length; i++)
        {
            UnsafeApi.putByte(at + MailboxDescriptor.HEADER_LENGTH + i, (byte)i);
        }
        lane.publishShort(at, length, LaneDescriptor.shortHeader(0, run.number));
        due.add(run);
        return true;
    }

    private void settle(final Run run, final boolean isCommitted)
    {
        assertTrue(open.remove(run));
        run.isOpen = false;
        run.isAborted = !isCommitted;
        lane.settle(run.position, isCommitted ? TYPE : MailboxDescriptor.TYPE_ABORTED, 0, run.length, SOURCE);
    }

    @Override
    public void onPacket(
        final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
    {
        passAborted();
        final Run run = due.poll();
        assertEquals(run.number, from.getInt(offset));
        assertFalse(run.isOpen, "an open run was delivered");
        assertEquals(SOURCE, source);
        assertTrue(run.position < 0 || run.length == length);
    }

    private void passAborted()
    {
        while (!due.isEmpty() && due.peek().isAborted)
        {
            due.poll();
        }
    }

    @Override
    public void onFreed(final int type, final int source, final int slots)
    {
        freed += slots;
    }

    private int pollSome(final int limit)
    {
        return LaneReader.poll(poller, this, limit);
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 16, 128})
    void shouldDeliverInTheOrderOfClaimsWhateverIsSettledFirst(final int laneSlots)
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("OpenRunsTest order: seed=" + seed + ", laneSlots=" + laneSlots);
        final Random random = new Random(seed);
        start(laneSlots);
        lane.pay(Long.MAX_VALUE / 2);
        int heldUp = 0;
        for (int i = 0; i < 300_000; i++)
        {
            final int what = random.nextInt(8);
            if (what == 0)
            {
                open(1 + random.nextInt(lane.runSlots()));
            }
            else if (what == 1)
            {
                publish(1 + random.nextInt(lane.runSlots()));
            }
            else if (what < 4)
            {
                publishShort(random.nextInt(LaneDescriptor.MAX_SHORT_LENGTH + 1));
            }
            else if (what < 6 && !open.isEmpty())
            {
                settle(open.get(random.nextInt(open.size())), random.nextInt(4) > 0);
            }
            else
            {
                pollSome(1 + random.nextInt(20));
            }
            if (!open.isEmpty() && poller.isClaimOpen())
            {
                heldUp++;
                assertFalse(poller.isVacant());
                assertFalse(poller.isUnread());
            }
        }
        assertTrue(heldUp > 0, "an open run has held up the consumer");
        while (!open.isEmpty())
        {
            settle(open.get(random.nextInt(open.size())), true);
        }
        lane.close();
        while (pollSome(20) > 0)
        {
            assertFalse(lane.isOutOfStep());
        }
        passAborted();
        assertTrue(due.isEmpty(), () -> "left: " + due.size());
        assertTrue(poller.isVacant());
        assertTrue(lane.isRead());
        assertEquals(poller.position(), freed);
        assertEquals(lane.position(), freed);
        assertEquals(0, poller.corruptCount());
        assertTrue(freed > 20L * laneSlots, "laps");
    }

    @Test
    void shouldHoldUpWhatLiesBehindAnOpenRun()
    {
        start(16);
        lane.pay(100);
        final Run first = open(2);
        final Run second = open(1);
        publish(3);
        assertTrue(publishShort(8));
        assertEquals(0, pollSome(10));
        assertFalse(poller.isUnread());
        assertTrue(poller.isClaimOpen());
        assertEquals(7, box.backlogSlots());
        settle(second, true);
        assertEquals(0, pollSome(10), "the first one is open");
        settle(first, false);
        assertFalse(poller.isClaimOpen());
        assertTrue(poller.isUnread());
        assertEquals(4, pollSome(10), "the aborted one among them");
        assertTrue(due.isEmpty());
        lane.close();
        assertEquals(0, pollSome(10));
        assertTrue(poller.isVacant());
        assertEquals(7, freed);
        assertEquals(0, box.backlogSlots());
    }

    /** A sender has what it paid for, used or not, until the consumer has read it. */
    @Test
    void shouldLeaveAnOpenRunInHand()
    {
        start(16);
        lane.pay(10);
        final Run run = open(3);
        publish(2);
        assertEquals(0, pollSome(10));
        assertEquals(10, poller.inHand());
        assertEquals(5, lane.inHand());
        assertEquals(5, lane.refund());
        assertEquals(5, poller.inHand());
        settle(run, false);
        assertEquals(2, pollSome(10));
        assertEquals(0, poller.inHand());
        assertEquals(5, freed);
    }

    /** What a holder that is gone has left open is passed, and what lies behind it delivered. */
    @Test
    void shouldPassWhatIsOpenOfAHolderThatIsGone()
    {
        start(16);
        lane.pay(16);
        assertFalse(poller.passClaim(), "nothing is open");
        publish(1);
        final Run first = open(4);
        final Run second = open(1);
        publish(2);
        assertFalse(poller.passClaim(), "something is unread before it");
        assertEquals(1, pollSome(10));
        assertTrue(poller.passClaim());
        assertTrue(poller.isDue(), "what was passed is to be given back");
        assertTrue(poller.passClaim());
        assertFalse(poller.passClaim());
        first.isAborted = true;
        second.isAborted = true;
        LaneReader.settle(poller, this);
        assertEquals(1, pollSome(10));
        assertEquals(0, pollSome(10));
        assertEquals(8, freed);
        poller.free();
        poller.grant(SOURCE);
        final Lane next = new Lane(box, 1);
        next.pay(16);
        final long position = next.claim(8);
        final long other = next.claim(8);
        assertEquals(position, other);
        next.publish(position, 8, TYPE, 0, MailboxDescriptor.payloadLength(8), SOURCE);
        // the one that was gone comes again, in the lane of another one
        for (final Run run : List.of(first, second))
        {
            final long found = buffer.getLong(slot(run.position));
            lane.settle(run.position, TYPE, 0, run.length, SOURCE);
            assertEquals(found, buffer.getLong(slot(run.position)), "it wrote into a lane that is not its own");
        }
    }

    @Test
    void shouldRefuseAnOpenRunThatCannotBe()
    {
        start(8);
        lane.pay(8);
        // a lap before that of the position, and longer than a run of this lane
        buffer.putLong(slot(0), LaneDescriptor.open(0, MailboxDescriptor.payloadLength(40), SOURCE));
        assertTrue(poller.isClaimOpen());
        assertEquals(0, pollSome(10));
        assertTrue(poller.passClaim());
        assertEquals(1, poller.corruptCount());
        assertEquals(1, poller.position());
        assertFalse(poller.isClaimOpen());
    }

    /** A lane without a holder has no open run: it would count as unread. */
    @Test
    void shouldWipeAnOpenRunOutOfALaneWithoutAHolder()
    {
        start(8);
        poller.free();
        buffer.putLong(slot(0), LaneDescriptor.open(0, 8, SOURCE));
        assertFalse(poller.isVacant());
        poller.repairReadPosition();
        assertTrue(poller.isVacant());
        assertEquals(1, poller.corruptCount());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 5})
    void shouldGiveUpWhatTheConsumerWaitsFor(final int before)
    {
        start(8);
        lane.pay(40);
        for (int lap = 0; lap < 5; lap++)
        {
            for (int i = 0; i < before; i++)
            {
                publish(1);
                assertEquals(1, pollSome(1));
            }
            final AwaitedClaim awaited = new AwaitedClaim(box, 1);
            assertEquals(0, pollSome(10));
            assertFalse(awaited.find());
            final Run first = open(2);
            final Run second = open(1);
            assertFalse(new AwaitedClaim(box, 0).find(), "another lane");
            assertTrue(awaited.find());
            assertEquals(first.position, awaited.position());
            assertEquals(SOURCE, awaited.source());
            assertTrue(awaited.giveUp());
            assertFalse(awaited.giveUp(), "once");
            assertTrue(awaited.findNext());
            assertEquals(second.position, awaited.position());
            settle(second, true);
            assertFalse(awaited.giveUp(), "it was settled");
            assertFalse(awaited.findNext());
            open.remove(first);
            first.isOpen = false;
            first.isAborted = true;
            assertEquals(2, pollSome(10));
            assertTrue(due.isEmpty());
        }
        assertEquals(0, poller.corruptCount());
    }
}
