// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** For how long a test waits. */
class WatchdogTest
{
    private static final long SECOND_NS = 1_000_000_000L;

    private long nowNs = Long.MAX_VALUE - SECOND_NS;
    private final Watchdog watchdog = new Watchdog(Duration.ofSeconds(30), () -> "an end", () -> nowNs);

    private void look(final int seconds)
    {
        nowNs += seconds * SECOND_NS;
        watchdog.idle();
    }

    @Test
    void shouldEndAWaitWithoutProgress()
    {
        look(15);
        look(15);
        assertEquals("waited 30000 ms for an end", assertThrows(AssertionError.class, () -> look(1)).getMessage());
        watchdog.progress();
        look(15);
    }

    /** One that is stopped from outside for an hour goes on waiting for what it has left of its time. */
    @Test
    void shouldNotCountATimeInWhichTheProcessWasStopped()
    {
        look(5);
        look(3_600);
        look(5);
        assertThrows(AssertionError.class, () -> look(1));
    }

    /** However slow its turns are, a wait ends. */
    @Test
    void shouldEndAWaitOfSlowTurns()
    {
        look(100);
        assertThrows(AssertionError.class, () -> look(100));
    }
}
