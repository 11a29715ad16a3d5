// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.lane.tactic;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.tallypost.mailbox.LaneFixture;
import org.tallypost.mailbox.LaneReader;

/** A consumer that stays behind a holder in full flow while that is tried, and behind nobody else. */
class TrailTest extends LaneFixture
{
    private static final int SLOTS = 64;
    private static final long WAIT_NS = 256;

    /** Only the test moves it, so that no wait ends because the test itself had no processor. */
    private long nowNs;

    @Test
    void shouldStayBehindAFlowWhileThatIsTriedAndThenReadOn()
    {
        final Trail trail = new Trail(SLOTS, () -> nowNs);
        assertFalse(trail.note(100, true), "not before it is to");
        assertFalse(trail.isWaiting());
        trail.use(true);
        assertFalse(trail.note(Trail.FLOW - 1, true), "a few messages");
        assertFalse(trail.note(Trail.FLOW, false), "more is there");
        assertTrue(trail.note(0, true), "the end of a flow");
        nowNs += WAIT_NS - 1;
        assertTrue(trail.isWaiting());
        nowNs++;
        assertFalse(trail.isWaiting(), "the wait is over");
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
        start(SLOTS, () -> nowNs);
        lane.pay(Long.MAX_VALUE / 2);
        // until both ways were tried
        final long slots = LaneTacticsTest.slotsOfBothTrials(SLOTS);
        long waits = 0;
        while (lane.sentSlots() < slots)
        {
            for (int i = 0; i < SLOTS / 2; i++)
            {
                nowNs++;
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
                assertFalse(poller.isReady(), "what is left where it is is not delivered next");
                nowNs += WAIT_NS;
                assertTrue(poller.isReady(), "the wait is over");
            }
            assertEquals(1 - next, poll(SLOTS), "all that is there");
            assertEquals(sequence, handler.next[SOURCE]);
        }
        assertTrue(waits > 0, "it never stayed behind");
    }
}
