// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.lane.tactic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.tallypost.mailbox.LaneFixture;
import org.tallypost.mailbox.LaneReader;
import org.tallypost.mailbox.Watchdog;

/** A consumer that stays behind a holder in full flow while that is tried, and behind nobody else. */
class TrailTest extends LaneFixture
{
    private static final int SLOTS = 64;

    @Test
    void shouldStayBehindAFlowWhileThatIsTriedAndThenReadOn()
    {
        final Trail trail = new Trail(SLOTS);
        assertFalse(trail.note(100, true), "not before it is to");
        assertFalse(trail.isWaiting());
        trail.use(true);
        assertFalse(trail.note(Trail.FLOW - 1, true), "a few messages");
        assertFalse(trail.note(Trail.FLOW, false), "more is there");
        assertTrue(trail.note(0, true), "the end of a flow");
        Watchdog.await("end of the wait", () -> !trail.isWaiting());
        assertFalse(trail.note(0, true), "it stays behind once");
        assertTrue(trail.note(Trail.FLOW, true));
        trail.reset();
        assertFalse(trail.isWaiting());
        trail.use(false);
        assertFalse(trail.note(100, true));
    }

    /** What is left where it is comes later, and a caller that needs all of it gets it at once. */
    @Test
    void shouldLeaveNothing()
    {
        start(SLOTS);
        lane.pay(Long.MAX_VALUE / 2);
        // until both ways were tried
        final long slots = LaneTacticsTest.slotsOfBothTrials(SLOTS);
        long waits = 0;
        long unready = 0;
        while (lane.sentSlots() < slots)
        {
            for (int i = 0; i < SLOTS / 2; i++)
            {
                send(40);
            }
            int found = LaneReader.pollBehind(poller, handler, SLOTS);
            while (found < SLOTS / 2)
            {
                found += LaneReader.pollBehind(poller, handler, SLOTS);
            }
            send(40);
            final int next = LaneReader.pollBehind(poller, handler, SLOTS);
            if (next == 0)
            {
                waits++;
                assertTrue(poller.isUnread());
                unready += poller.isReady() ? 0 : 1;
                Watchdog.await("end of the wait", poller::isReady);
            }
            assertEquals(1 - next, poll(SLOTS), "all that is there");
            assertEquals(sequence, handler.next[SOURCE]);
        }
        assertTrue(waits > 0, "it never stayed behind");
        assertTrue(unready > 0, "what is left where it is was said to be delivered next");
    }
}
