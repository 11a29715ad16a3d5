// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.OtherLoader;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.files.MailboxException;

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
            Watchdog.await("wait in the queue of the system", NodeLockTest::isAnyWatched);
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
    void shouldWaitThoughItIsInterrupted()
    {
        try (ForkedJvm holder = ForkedJvm.start(Holder.class, file))
        {
            assertEquals(Holder.HELD, holder.readLine());
            final AtomicBoolean isKept = new AtomicBoolean();
            final AtomicBoolean isDone = new AtomicBoolean();
            final Thread waiting = new Thread(() ->
            {
                Thread.currentThread().interrupt();
                NodeLock.locked(file, () -> done(isDone));
                isKept.set(Thread.interrupted());
            });
            waiting.start();
            Watchdog.await("wait in the queue of the system", NodeLockTest::isAnyWatched);
            waiting.interrupt();
            assertFalse(isDone.get(), "done without the lock");
            holder.writeLine("let go");
            Watchdog.await("its turn", isDone::get);
            Watchdog.await("the flag for the caller", isKept::get);
        }
    }

    @Test
    void shouldNotCareHowItsPathIsSpelled() throws IOException
    {
        final Path link = directory.toPath().resolveSibling(directory.getName() + "-link");
        Files.createSymbolicLink(link, directory.toPath());
        final Path working = Path.of("").toAbsolutePath();
        final List<File> spellings = List.of(
            new File(directory, "./" + NodeLock.NAME), NodeLock.file(link.toFile()),
            NodeLock.file(working.relativize(directory.toPath().toAbsolutePath()).toFile()));
        for (final File spelling : spellings)
        {
            assertEquals(7, NodeLock.locked(file, () -> NodeLock.locked(spelling, () -> 7)), spelling.toString());
            assertEquals(7, NodeLock.locked(spelling, () -> NodeLock.locked(file, () -> 7)), spelling.toString());
        }
        Files.delete(link);
    }

    @Test
    void shouldExcludeOtherClassLoadersAndKeepTheLockMeanwhile() throws Exception
    {
        final AtomicBoolean isDone = new AtomicBoolean();
        final AtomicBoolean isTried = new AtomicBoolean();
        try (URLClassLoader loader = OtherLoader.create())
        {
            final Class<?> copy = loader.loadClass(NodeLock.class.getName());
            assertNotSame(NodeLock.class, copy);
            final Runnable tried = () -> isTried.set(true);
            final Supplier<Object> action = () -> done(isDone);
            final Thread waiting = new Thread(() -> OtherLoader.call(copy, "locked", Supplier.class, file, action));
            NodeLock.locked(file, () ->
            {
                assertEquals(false, OtherLoader.call(copy, "tryLocked", Runnable.class, file, tried));
                waiting.start();
                Watchdog.await("pause of the one that waits", () -> waiting.getState() == Thread.State.TIMED_WAITING);
                try (ForkedJvm other = ForkedJvm.start(Trier.class, file))
                {
                    assertEquals("false", other.readLine(), "another process got the lock");
                }
                assertFalse(isDone.get(), "done without the lock");
                return null;
            });
            Watchdog.await("its turn", isDone::get);
            waiting.join();
            assertFalse(isTried.get(), "done without the lock");
            assertEquals(true, OtherLoader.call(copy, "tryLocked", Runnable.class, file, tried));
        }
    }

    @Test
    void shouldNotWaitForTheHolderInAnotherDirectory(@TempDir final File elsewhere)
    {
        try (ForkedJvm holder = ForkedJvm.start(Holder.class, file))
        {
            assertEquals(Holder.HELD, holder.readLine());
            final AtomicBoolean isDone = new AtomicBoolean();
            final Thread waiting = new Thread(() -> NodeLock.locked(file, () -> done(isDone)));
            waiting.start();
            Watchdog.await("wait in the queue of the system", NodeLockTest::isAnyWatched);
            assertEquals(7, NodeLock.locked(NodeLock.file(elsewhere), () -> 7));
            assertFalse(NodeLock.tryLocked(file, () -> isDone.set(true)), "tried while another thread waits");
            assertFalse(isDone.get(), "done without the lock");
            holder.writeLine("let go");
            Watchdog.await("its turn", isDone::get);
        }
    }

    @Test
    void shouldLockTheFileThatIsThereWhenItsTurnComes()
    {
        try (ForkedJvm holder = ForkedJvm.start(Holder.class, file))
        {
            assertEquals(Holder.HELD, holder.readLine());
            final AtomicBoolean isThere = new AtomicBoolean();
            final AtomicBoolean isDone = new AtomicBoolean();
            final Thread waiting = new Thread(() -> NodeLock.founding(file, () ->
            {
                isThere.set(file.exists());
                return done(isDone);
            }));
            waiting.start();
            Watchdog.await("wait in the queue of the system", NodeLockTest::isAnyWatched);
            // as the last one of a node does under the lock
            assertTrue(file.delete() && directory.delete(), "not removed");
            holder.writeLine("let go");
            Watchdog.await("its turn", isDone::get);
            assertTrue(isThere.get(), "locked a file that was removed");
        }
    }

    @Test
    void shouldLockWithinItselfAlthoughItsDirectoryWasMadeAnew(@TempDir final File elsewhere)
    {
        final AtomicBoolean isDone = new AtomicBoolean();
        final Thread waiting = new Thread(() -> NodeLock.locked(file, () ->
            NodeLock.lockedWithin(file, SHORT_LIMIT_MS, () -> done(isDone))));
        NodeLock.locked(file, () ->
        {
            waiting.start();
            Watchdog.await("wait for its turn", () -> waiting.getState() == Thread.State.TIMED_WAITING);
            // not removed: the new one could have the same inode
            assertTrue(directory.renameTo(new File(elsewhere, "former")) && directory.mkdir(), "not made anew");
            return null;
        });
        Watchdog.await("end of the other thread", () -> waiting.getState() == Thread.State.TERMINATED);
        assertTrue(isDone.get(), "not done");
    }

    @Test
    void shouldCountTheTimeOnlyWhileTheHolderIsTheSame() throws IOException
    {
        Files.createFile(file.toPath());
        final LockWait wait = new LockWait(file, 1);
        Watchdog.await("end of the wait for the same holder", wait::isOver);
        assertTrue(file.setLastModified(1_000_000));
        assertFalse(wait.isOver(), "the holder is another one");
        Watchdog.await("end of the wait for this one", wait::isOver);
    }

    @Test
    void shouldNotLookWithoutEndForAFileThatIsAnotherOneEachTime() throws IOException
    {
        Files.createFile(file.toPath());
        final LockWait wait = new LockWait(file, 1);
        final MailboxException[] lost = new MailboxException[1];
        final long[] changes = new long[1];
        Watchdog.await("end of the search", () ->
        {
            assertTrue(file.setLastModified(1_000_000 + 1_000 * ++changes[0]));
            assertFalse(wait.isOver(), "a holder that has just come");
            lost[0] = removed(wait);
            return lost[0] != null;
        });
        assertTrue(lost[0].getMessage().startsWith("it is removed for 10 ms: file=" + file), lost[0].getMessage());
    }

    private static MailboxException removed(final LockWait wait)
    {
        try
        {
            wait.checkRemoved("it is removed");
            return null;
        }
        catch (final MailboxException ex)
        {
            return ex;
        }
    }

    @Test
    void shouldRefuseASymbolicLinkInItsPlace(@TempDir final File elsewhere) throws IOException
    {
        Files.createSymbolicLink(file.toPath(), elsewhere.toPath().resolve("victim"));
        assertThrows(MailboxException.class, () -> NodeLock.locked(file, () -> 7));
        assertFalse(new File(elsewhere, "victim").exists(), "followed");
    }

    /** Whether some thread waits in the queue of the operating system: then another one looks after it. */
    private static boolean isAnyWatched()
    {
        return Thread.getAllStackTraces().keySet().stream().anyMatch((thread) -> thread.getName().equals("tallypost-lock"));
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

    /** Says whether it gets the lock. */
    public static final class Trier
    {
        private Trier()
        {
        }

        /**
         * Entry point.
         *
         * @param args the file to lock.
         */
        public static void main(final String[] args)
        {
            System.out.println(NodeLock.tryLocked(new File(args[0]), Thread::yield));
        }
    }
}
