// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.mailbox.layout.LaneDescriptor;

/** When a poll of a lane stops for what was freed, what is taken then, and how it goes on. */
class LaneReturnTest extends LaneFixture
{
    private static final int SLOTS = 64;
    private static final int QUARTER = SLOTS / 4;

    /** Runs of one slot, and those of more than {@code LONG_SLOTS}, for which there is another loop. */
    @ParameterizedTest
    @CsvSource({"40,1", "150,3", "300,5"})
    void shouldStopAtEachQuarterAndGoOn(final int length, final int slots)
    {
        start(SLOTS);
        final int each = (QUARTER + slots - 1) / slots;
        for (int lap = 0; lap < 20; lap++)
        {
            lane.pay(2L * each * slots + slots);
            for (int i = 0; i < 2 * each + 1; i++)
            {
                send(length);
            }
            final long before = readPosition();
            assertEquals(each, poller.poll(handler, 100));
            assertTrue(poller.isDue());
            assertFalse(poller.isSettled());
            assertEquals(before, readPosition(), "not before it is published");
            assertEquals(each * slots, poller.takeFreed());
            assertEquals(0, poller.takeFreed());
            poller.publish(0);
            assertEquals(before + each * slots, readPosition());
            assertFalse(poller.isDue());
            assertEquals(each, poller.goOn(handler, 100));
            assertTrue(poller.isDue());
            assertEquals(each * slots, poller.takeFreed());
            poller.publish(0);
            assertEquals(1, poller.goOn(handler, 100));
            assertEquals(0, poller.goOn(handler, 100), "at its end");
            assertFalse(poller.isDue(), "something may have to be answered first");
            assertEquals(0, poller.poll(handler, 100));
            assertTrue(poller.isDue());
            assertEquals(slots, poller.takeFreed());
            poller.publish(0);
            assertEquals(lane.position(), readPosition());
        }
        assertEquals(sequence, handler.next[SOURCE]);
        assertEquals(0, handler.freedSlots[SOURCE], "it was not told");
    }

    /** A poll that was stopped and goes on is one poll: what it has found is not few. */
    @Test
    void shouldCountTheWholePollOfOneThatSendsALot()
    {
        start(8);
        lane.pay(100);
        assertEquals(0, LaneReader.poll(poller, handler, 10));
        send(40);
        assertEquals(1, LaneReader.poll(poller, handler, 10));
        assertTrue(poller.isQuiet());
        for (int i = 0; i < 5; i++)
        {
            send(40);
        }
        int count = poller.poll(handler, 10);
        while (poller.isDue())
        {
            assertTrue(poller.isQuiet(), "not at its end");
            poller.publish(poller.takeFreed());
            count += poller.goOn(handler, 10 - count);
        }
        assertEquals(5, count);
        assertFalse(poller.isQuiet());
    }

    @Test
    void shouldStopAtItsLimitAndAtAQuarterAtOnce()
    {
        start(SLOTS);
        lane.pay(2 * QUARTER);
        for (int i = 0; i < 2 * QUARTER; i++)
        {
            send(40);
        }
        assertEquals(QUARTER, poller.poll(handler, QUARTER));
        assertTrue(poller.isDue());
        poller.takeFreed();
        poller.publish(0);
        assertEquals(0, poller.goOn(handler, 0));
        assertFalse(poller.isDue());
        assertEquals(3, poller.poll(handler, 3));
        assertFalse(poller.isDue());
    }

    /** As when an Error ends the booking: what was taken is taken, and the position is shown with the next one. */
    @Test
    void shouldShowThePositionLaterIfItWasNotPublished()
    {
        start(SLOTS);
        lane.pay(2 * QUARTER);
        for (int i = 0; i < QUARTER; i++)
        {
            send(40);
        }
        assertEquals(QUARTER, poller.poll(handler, 100));
        assertEquals(QUARTER, poller.takeFreed());
        assertEquals(0, poller.poll(handler, 100), "that comes first");
        assertTrue(poller.isDue());
        assertEquals(0, poller.takeFreed());
        poller.publish(5);
        assertEquals(lane.position(), readPosition());
        assertEquals(2 * QUARTER + 5 - lane.position(), poller.outstanding());
        assertEquals(0, poller.goOn(handler, 100));
    }

    @Test
    void shouldGoOnBehindAHandlerThatThrows()
    {
        start(SLOTS);
        lane.pay(2 * QUARTER);
        for (int i = 0; i < QUARTER + 1; i++)
        {
            send(40);
        }
        final LaneHandler thrower = new LaneHandler()
        {
            @Override
            public void onPacket(
                final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
            {
                handler.onPacket(type, flags, source, from, offset, length);
                if (handler.next[SOURCE] == QUARTER)
                {
                    throw new IllegalStateException("the last of a quarter");
                }
            }
        };
        assertThrows(IllegalStateException.class, () -> poller.poll(thrower, 100));
        assertTrue(poller.isDue());
        assertEquals(QUARTER, poller.takeFreed());
        poller.publish(0);
        assertEquals(0, poller.goOn(handler, 100), "it has ended");
        assertEquals(1, poller.poll(handler, 100));
        assertEquals(sequence, handler.next[SOURCE]);
    }

    /** Nothing has changed: the holder's copy of the line is not taken away. */
    @Test
    void shouldStoreNothingIfNothingWasRead()
    {
        start(SLOTS);
        lane.pay(1);
        send(40);
        LaneReader.poll(poller, handler, 10);
        LaneReader.poll(poller, handler, 10);
        final int offset = box.laneOffset(1) + LaneDescriptor.READ_POSITION_OFFSET;
        buffer.putLong(offset, -1);
        assertEquals(0, poller.takeFreed());
        poller.publish(0);
        assertEquals(-1, buffer.getLong(offset));
        assertTrue(poller.repairReadPosition());
        assertEquals(lane.position(), readPosition());
    }
}
