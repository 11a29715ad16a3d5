// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.transport;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** How long the transport's thread turns and parks, by times that the test makes up. */
class TransportIdleTest
{
    private final TransportIdle idle = new TransportIdle();

    private void turnUntilItWouldPark()
    {
        while (idle.turns() > 0)
        {
            idle.idle(0);
        }
    }

    @Test
    void shouldTurnLongerAfterMoreWork()
    {
        turnUntilItWouldPark();
        idle.idle(1);
        assertEquals(TransportIdle.TURNS_FOR_WORK, idle.turns(), "what keeps a link up");
        for (int i = 0; i < 100; i++)
        {
            idle.idle(1);
        }
        assertEquals(TransportIdle.MAX_TURNS, idle.turns(), "messages");
        idle.idle(0);
        assertEquals(TransportIdle.MAX_TURNS - 1, idle.turns());
    }

    @Test
    void shouldParkForASmallPartOfTheQuiet()
    {
        turnUntilItWouldPark();
        final long startNs = Long.MAX_VALUE - 1_000_000;
        long nowNs = startNs;
        int parks = 0;
        while (nowNs - startNs < 1_000_000_000)
        {
            final long parkNs = idle.nextParkNs(nowNs);
            final long share = (nowNs - startNs) / TransportIdle.QUIET_SHARE;
            assertTrue(parkNs >= TransportIdle.FIRST_PARK_NS && parkNs <= TransportIdle.LONGEST_PARK_NS &&
                parkNs <= Math.max(TransportIdle.SHORT_PARK_NS, share), "park=" + parkNs + " after " + (nowNs - startNs));
            nowNs += parkNs;
            parks++;
        }
        assertTrue(parks < 2_000, "in a second without work it woke " + parks + " times");
        assertEquals(TransportIdle.LONGEST_PARK_NS, idle.nextParkNs(nowNs));
        idle.idle(1);
        assertEquals(TransportIdle.FIRST_PARK_NS, idle.nextParkNs(nowNs), "work came");
    }
}
