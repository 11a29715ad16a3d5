// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NodeLockTest
{
    private static final long SHORT_LIMIT_MS = 20;

    @TempDir
    private File directory;
    private File file;

    @BeforeEach
    void setUp()
    {
        file = NodeLock.file(directory);
    }

    @Test
    void shouldLockTheSameFileWithinItself()
    {
        assertEquals(7, NodeLock.locked(file, () -> NodeLock.locked(file, () -> 7)));
    }

    @Test
    void shouldLetGoWhenTheActionThrows()
    {
        final Supplier<Object> failing = () ->
        {
            throw new IllegalStateException("expected");
        };
        assertThrows(IllegalStateException.class, () -> NodeLock.locked(file, failing));
        try (ForkedJvm other = ForkedJvm.start(Holder.class, file))
        {
            assertEquals(Holder.HELD, other.readLine());
        }
    }

    @Test
    void shouldNameAHolderThatStandsStill()
    {
        try (ForkedJvm holder = ForkedJvm.start(Holder.class, file))
        {
            assertEquals(Holder.HELD, holder.readLine());
            holder.stop();
            final AtomicBoolean isDone = new AtomicBoolean();
            final MailboxException refused = assertThrows(
                MailboxException.class, () -> NodeLock.lockedWithin(file, SHORT_LIMIT_MS, () -> done(isDone)));
            assertFalse(isDone.get(), "done without the lock");
            assertTrue(refused.getMessage().contains("file=" + file), refused.getMessage());
            assertTrue(refused.getMessage().contains("holder=pid " + holder.pid()), refused.getMessage());
            holder.resume();
        }
    }

    @Test
    void shouldWaitForTheHolder()
    {
        try (ForkedJvm holder = ForkedJvm.start(Holder.class, file))
        {
            assertEquals(Holder.HELD, holder.readLine());
            final AtomicBoolean isDone = new AtomicBoolean();
            final Thread waiting = new Thread(() -> NodeLock.locked(file, () -> done(isDone)));
            waiting.start();
            Watchdog.await("pause of the one that waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);
            assertFalse(isDone.get(), "done without the lock");
            holder.writeLine("let go");
            Watchdog.await("its turn", isDone::get);
        }
    }

    @Test
    void shouldTakeTheLockOfADeadHolder()
    {
        try (ForkedJvm holder = ForkedJvm.start(Holder.class, file))
        {
            assertEquals(Holder.HELD, holder.readLine());
            holder.kill();
            final AtomicBoolean isDone = new AtomicBoolean();
            NodeLock.locked(file, () -> done(isDone));
            assertTrue(isDone.get(), "not done");
        }
    }

    @Test
    void shouldEndTheWaitOfAnInterruptedThread()
    {
        try (ForkedJvm holder = ForkedJvm.start(Holder.class, file))
        {
            assertEquals(Holder.HELD, holder.readLine());
            final AtomicReference<Throwable> thrown = new AtomicReference<>();
            final Thread waiting = new Thread(() -> NodeLock.locked(file, () -> null));
            waiting.setUncaughtExceptionHandler((t, ex) -> thrown.set(ex));
            waiting.start();
            Watchdog.await("pause of the one that waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);
            waiting.interrupt();
            Watchdog.await("its end", () -> thrown.get() != null);
            assertTrue(thrown.get() instanceof MailboxException, thrown.get().toString());
            assertTrue(thrown.get().getMessage().startsWith("interrupted"), thrown.get().getMessage());
        }
    }

    private static Object done(final AtomicBoolean isDone)
    {
        isDone.set(true);
        return null;
    }

    /** Holds the lock until it reads a line. */
    public static final class Holder
    {
        static final String HELD = "held";

        private Holder()
        {
        }

        /**
         * Entry point.
         *
         * @param args the file to lock.
         */
        public static void main(final String[] args)
        {
            NodeLock.locked(new File(args[0]), () ->
            {
                System.out.println(HELD);
                try
                {
                    return System.in.read();
                }
                catch (final IOException ex)
                {
                    throw new UncheckedIOException(ex);
                }
            });
        }
    }
}
