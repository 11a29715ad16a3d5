// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.tallypost.mailbox.Watchdog;

/** Which failures are held back at the end of a process, and for how long. */
class ProcessEndTest
{
    private static final long LONG_MS = Watchdog.DEFAULT_LIMIT.toMillis();

    @Test
    void shouldFailAtOnceWithWhatIsNotOfTheEnd()
    {
        new ProcessEnd(LONG_MS).beforeFailure(false);
    }

    @Test
    void shouldHoldBackThatAnotherIsGoneOnce()
    {
        final ProcessEnd end = new ProcessEnd(1);
        end.beforeFailure(true);
        end.beforeFailure(true);
        end.begin();
        end.beforeFailure(true);
    }

    @Test
    void shouldKeepThreadsFromTheEndOn()
    {
        final ProcessEnd end = new ProcessEnd(LONG_MS);
        final Thread gone = new Thread(() -> end.beforeFailure(true));
        gone.setDaemon(true);
        gone.start();
        Watchdog.await("wait for the end", () -> gone.getState() == Thread.State.TIMED_WAITING);
        end.begin();
        final Thread closed = new Thread(() -> end.beforeFailure(false));
        closed.setDaemon(true);
        closed.start();
        Watchdog.await("wait in the end", () -> closed.getState() == Thread.State.TIMED_WAITING);
        assertTrue(gone.isAlive());
    }

    @Test
    void shouldLetAThreadGoThatTheEndMayWaitFor()
    {
        final ProcessEnd end = new ProcessEnd(1);
        end.begin();
        Thread.currentThread().interrupt();
        end.beforeFailure(false);
        assertTrue(Thread.interrupted());
        assertFalse(Thread.interrupted());
    }
}
