// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.tallypost.mailbox.lane.Lane;
import org.tallypost.mailbox.layout.LaneDescriptor;

/** What a lane's holder has paid for, was given, and finds free. */
class LanePaymentTest extends LaneFixture
{
    @Test
    void shouldSayWhatIsUnpaidAndWhatIsFull()
    {
        start(8);
        assertEquals(Lane.UNPAID, lane.claim(1));
        lane.pay(3);
        assertEquals(3, lane.inHand());
        assertEquals(3, poller.inHand());
        assertEquals(Lane.UNPAID, lane.claim(4));
        send(100);
        assertEquals(1, lane.inHand());
        // what is unread was paid for: it counts until it is read
        assertEquals(3, poller.inHand());
        assertEquals(1, poll(10));
        assertEquals(1, poller.inHand());
        lane.pay(20);
        for (int i = 0; i < 8; i++)
        {
            send(40);
        }
        assertEquals(Lane.FULL, lane.claim(1));
        assertEquals(8, box.backlogSlots());
        assertEquals(1, poll(1));
        assertEquals(Lane.FULL, lane.claim(1), "room is shown a quarter of the lane at a time");
        assertFalse(poller.isSettled());
        assertEquals(1, poll(1));
        assertTrue(poller.isSettled());
        send(40);
        send(40);
        assertEquals(Lane.FULL, lane.claim(1));
        assertEquals(11, lane.refund());
        assertEquals(0, lane.inHand());
        assertEquals(Lane.UNPAID, lane.claim(1));
        assertEquals(8, poll(20));
        assertEquals(0, poller.inHand());
        assertEquals(0, box.backlogSlots());
        assertEquals(0, lane.refund());
        lane.pay(1);
        send(20);
        assertEquals(1, poll(10));
        assertEquals(sequence, handler.next[SOURCE]);
    }

    /** Reads all that is there, and gives back by the lane what was freed. */
    private void pollAndGive(final int expected)
    {
        int count = poller.poll(handler, 10);
        while (poller.isDue())
        {
            poller.publish(poller.takeFreed());
            count += poller.goOn(handler, 10 - count);
        }
        assertEquals(expected, count);
        poller.publish(poller.takeFreed());
        assertTrue(poller.isSettled());
    }

    @Test
    void shouldPayWithWhatTheConsumerGivesByTheLane()
    {
        start(8);
        lane.pay(3);
        for (int lap = 0; lap < 40; lap++)
        {
            for (int i = 0; i < 3; i++)
            {
                send(40);
            }
            assertEquals(Lane.UNPAID, lane.claim(1));
            assertFalse(lane.awaitPaid(1));
            pollAndGive(3);
            assertEquals(3, poller.inHand());
            assertEquals(3, poller.outstanding());
            assertEquals(0, lane.inHand(), "as far as it has looked");
            assertTrue(lap % 2 == 0 ? lane.awaitPaid(3) : lane.mayHaveInHand());
            assertFalse(lane.awaitPaid(4));
        }
        assertEquals(3, lane.refund());
        assertEquals(0, poller.inHand());
        assertEquals(Lane.UNPAID, lane.claim(1));
        lane.pay(2);
        send(40);
        pollAndGive(1);
        // one in hand, and one more that it has not seen
        assertEquals(2, poller.inHand());
        assertEquals(2, lane.refund());
        assertEquals(sequence, handler.next[SOURCE]);
    }

    @Test
    void shouldWriteAnewWhatItHasPaidWhenItIsGivenMore()
    {
        start(8);
        final int offset = box.laneOffset(1) + LaneDescriptor.PAID_POSITION_OFFSET;
        lane.pay(3);
        for (final long value : new long[]{Long.MIN_VALUE, -1, 2, 5, Long.MAX_VALUE})
        {
            send(40);
            buffer.putLong(offset, value);
            pollAndGive(1);
            assertTrue(lane.mayHaveInHand());
            assertEquals(3, buffer.getLong(offset), "paid position " + value);
            assertEquals(3, lane.inHand());
            assertEquals(3, poller.inHand());
        }
    }

    @Test
    void shouldNotPayWithWhatNobodyCanHaveGiven()
    {
        start(8);
        final int offset = box.laneOffset(1) + LaneDescriptor.GIVEN_OFFSET;
        final long[] wrong = {Long.MIN_VALUE, -1, 17, 1L << 40, Long.MAX_VALUE};
        for (final long value : wrong)
        {
            buffer.putLong(offset, value);
            assertEquals(Lane.UNPAID, lane.claim(1), "credits given " + value);
            assertEquals(0, lane.refund());
            assertEquals(0, poller.inHand(), "the consumer knows what it gave");
            assertTrue(poller.repairReadPosition());
            assertFalse(poller.repairReadPosition());
        }
        assertEquals(wrong.length, poller.corruptCount());
        // what can be is believed, and is missing from what is given next
        buffer.putLong(offset, 2);
        send(40);
        send(40);
        assertEquals(Lane.UNPAID, lane.claim(1));
        assertTrue(poller.repairReadPosition());
        pollAndGive(2);
        assertEquals(Lane.UNPAID, lane.claim(1));
        lane.pay(2);
        send(40);
        send(40);
        pollAndGive(2);
        assertTrue(lane.awaitPaid(2));
    }

    @Test
    void shouldRefuseRoomWhileTheReadPositionCannotBe()
    {
        start(8);
        lane.pay(1000);
        final int offset = box.laneOffset(1) + LaneDescriptor.READ_POSITION_OFFSET;
        final long[] wrong = {Long.MIN_VALUE, -1, 100, Long.MAX_VALUE};
        for (final long value : wrong)
        {
            for (int i = 0; i < 8; i++)
            {
                send(40);
            }
            assertEquals(8, poll(8));
            buffer.putLong(offset, value);
            assertEquals(Lane.FULL, lane.claim(1), "read position " + value);
            assertTrue(lane.isOutOfStep(), "read position " + value);
            assertTrue(poller.repairReadPosition());
            assertFalse(poller.repairReadPosition());
            assertFalse(lane.isOutOfStep());
        }
        assertEquals(wrong.length, poller.corruptCount());
    }

    @Test
    void shouldHaveNothingInHandButWhatFitsTwoLanes()
    {
        start(8);
        final int offset = box.laneOffset(1) + LaneDescriptor.PAID_POSITION_OFFSET;
        for (final long value : new long[]{Long.MIN_VALUE, -1, 0, 3, 8, 9, 1L << 40, Long.MAX_VALUE})
        {
            buffer.putLong(offset, value);
            assertEquals(value < 0 ? 0 : Math.min(16, value), poller.inHand(), "paid position " + value);
        }
    }
}
