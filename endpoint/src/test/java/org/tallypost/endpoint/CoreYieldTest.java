// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** What yields of given lengths tell, on a clock of the test. */
class CoreYieldTest
{
    private static final long ALONE_NS = CoreYield.SWITCH_NS - 1;
    private static final long WAITING_NS = 15_000;
    private static final long COMPUTING_NS = 3_000_000;

    private final CoreYield core = new CoreYield();
    private long nowNs = System.nanoTime();

    /** Whether the thread is to sleep behind a yield that took so long. */
    private boolean takes(final long tookNs)
    {
        final long startNs = nowNs;
        nowNs += tookNs;
        return core.isToSleep(startNs, nowNs);
    }

    private int yieldsUntilSleep()
    {
        int yields = 1;
        while (!takes(WAITING_NS))
        {
            yields++;
        }
        return yields;
    }

    @Test
    void shouldNotSleepWhileNoOtherThreadRuns()
    {
        for (int i = 0; i < 100_000; i++)
        {
            assertFalse(takes(ALONE_NS));
            assertFalse(core.isSharing());
        }
    }

    @Test
    void shouldShareWithAThreadThatWaitsAgain()
    {
        assertTrue(takes(WAITING_NS), "the first sleep is at once");
        assertTrue(core.isSharing());
        takes(ALONE_NS);
        assertFalse(core.isSharing());
    }

    @Test
    void shouldSleepButNotShareWithAThreadThatComputes()
    {
        assertTrue(takes(COMPUTING_NS));
        assertFalse(core.isSharing());
    }

    @Test
    void shouldSleepLessOftenIfThatDoesNotHelp()
    {
        yieldsUntilSleep();
        long expectedNs = CoreYield.FIRST_INTERVAL_NS;
        for (int i = 0; i < 20; i++)
        {
            expectedNs = Math.min(2 * expectedNs, CoreYield.LAST_INTERVAL_NS);
            assertEquals((expectedNs + WAITING_NS - 1) / WAITING_NS, yieldsUntilSleep(), "yields to sleep " + i);
        }
    }

    @Test
    void shouldSleepSoonAgainOnceASleepHasHelped()
    {
        for (int i = 0; i < 10; i++)
        {
            yieldsUntilSleep();
        }
        takes(ALONE_NS);
        assertEquals((CoreYield.FIRST_INTERVAL_NS - ALONE_NS + WAITING_NS - 1) / WAITING_NS, yieldsUntilSleep());
    }

    @Test
    void shouldYield()
    {
        core.yield();
    }
}
