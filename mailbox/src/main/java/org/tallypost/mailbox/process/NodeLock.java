// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.process;

import java.io.File;
import java.io.IOException;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileLockInterruptionException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.files.MappedFiles;
import org.tallypost.mailbox.files.Uninterrupted;

/**
 * The lock under which the processes of a node, and their threads, exclude each other while they join, leave, open and close. It
 * is a {@link LockFile}, which the operating system takes back when its holder dies. A holder that was stopped keeps it: it is
 * waited for up to {@link #WAIT_LIMIT_MS}.
 *
 * <p>Threads wait in the order in which they came: those of one class loader for each other, the first of them in the queue of
 * the operating system. So many may wait, each for long, without cost. The time counts only while one and the same holder
 * keeps the lock: each holder writes into the file, and those that wait look at the time of its last change. An interrupt does
 * not end a wait, and its flag is kept.
 */
public final class NodeLock
{
    /** Name of the lock file in a node's directory. */
    public static final String NAME = "lock";
    /** Longest wait for one and the same holder of the lock, in milliseconds: thousands of times what is done under it. */
    public static final long WAIT_LIMIT_MS = 30_000;

    private static final long FIRST_PAUSE_NS = 50_000;
    private static final long LONGEST_PAUSE_NS = 1_000_000;

    private static final int WAITING = 0;
    private static final int DONE = 1;
    private static final int GIVEN_UP = 2;

    /** By device and inode of the directory, not by a path, which has several spellings. */
    private static final ConcurrentHashMap<Object, Turn> TURNS = new ConcurrentHashMap<>();

    private final File file;
    private final boolean isFounding;
    private final LockWait patience;

    /** The thread that has its turn in this class loader. */
    private static final class Turn
    {
        private final ReentrantLock lock = new ReentrantLock(true);
        private int users;
    }

    private NodeLock(final File file, final boolean isFounding, final long limitMs)
    {
        this.file = file;
        this.isFounding = isFounding;
        patience = new LockWait(file, limitMs);
    }

    /**
     * The file on which the processes of a node exclude each other. It is never mapped, nor opened by any other code: closing any
     * descriptor of a file drops all of a process's locks on it.
     *
     * @param directory of the node.
     * @return the file, which need not exist yet.
     */
    public static File file(final File directory)
    {
        return new File(directory, NAME);
    }

    /**
     * Does something while no other process or thread does. The action may lock the same file again, and delete it with its
     * directory at its end.
     *
     * @param <T>    type of the result.
     * @param file   to lock, made if it is not there; see {@link #file}.
     * @param action to do.
     * @return what the action returned.
     * @throws MailboxException if the file cannot be locked, or its holder has not let go of it for {@link #WAIT_LIMIT_MS}; then
     *                          nothing was done.
     */
    public static <T> T locked(final File file, final Supplier<T> action)
    {
        return new NodeLock(file, false, WAIT_LIMIT_MS).run(action);
    }

    /**
     * The same for a caller that founds a node: the directory is made too, again if its last user removes it meanwhile.
     *
     * @param <T>    type of the result.
     * @param file   to lock, made if it is not there, as its directory; see {@link #file}.
     * @param action to do.
     * @return what the action returned.
     * @throws MailboxException as {@link #locked}, and if the directory cannot be made.
     */
    public static <T> T founding(final File file, final Supplier<T> action)
    {
        return new NodeLock(file, true, WAIT_LIMIT_MS).run(action);
    }

    /**
     * Does something if the lock is free at this moment. Does not wait.
     *
     * @param file   to lock, made if it is not there; see {@link #file}.
     * @param action to do.
     * @return false if it is held; then nothing was done.
     * @throws MailboxException if the file cannot be locked.
     */
    public static boolean tryLocked(final File file, final Runnable action)
    {
        return new NodeLock(file, false, 0).tryRun(action);
    }

    static <T> T lockedWithin(final File file, final long limitMs, final Supplier<T> action)
    {
        return new NodeLock(file, false, limitMs).run(action);
    }

    private <T> T run(final Supplier<T> action)
    {
        while (true)
        {
            final Object key = directoryKey();
            final Turn turn = enter(key);
            try
            {
                if (turn.lock.isHeldByCurrentThread())
                {
                    return action.get();
                }
                awaitTurn(turn.lock);
                try (LockFile held = tryAcquire(key))
                {
                    if (held != null)
                    {
                        return action.get();
                    }
                }
                finally
                {
                    turn.lock.unlock();
                }
            }
            finally
            {
                leave(key);
            }
        }
    }

    private boolean tryRun(final Runnable action)
    {
        final Object key = directoryKey();
        final Turn turn = enter(key);
        try
        {
            if (!turn.lock.tryLock())
            {
                return false;
            }
            try (LockFile held = Uninterrupted.call(() -> acquireAtOnce(key)))
            {
                if (held != null)
                {
                    action.run();
                }
                return held != null;
            }
            catch (final IOException ex)
            {
                throw cannotLock(ex);
            }
            finally
            {
                turn.lock.unlock();
            }
        }
        finally
        {
            leave(key);
        }
    }

    private Object directoryKey()
    {
        while (true)
        {
            try
            {
                return Files.readAttributes(LockFile.directoryOf(file), BasicFileAttributes.class).fileKey();
            }
            catch (final NoSuchFileException ex)
            {
                if (!isFounding)
                {
                    throw cannotLock(ex);
                }
                patience.checkRemoved("the directory is removed again and again");
                MappedFiles.ensureDirectory(file.getParentFile());
            }
            catch (final IOException ex)
            {
                throw cannotLock(ex);
            }
        }
    }

    private static Turn enter(final Object key)
    {
        return TURNS.compute(key, (ignored, known) ->
        {
            final Turn turn = known == null ? new Turn() : known;
            turn.users++;
            return turn;
        });
    }

    private static void leave(final Object key)
    {
        TURNS.computeIfPresent(key, (ignored, turn) -> --turn.users == 0 ? null : turn);
    }

    private void awaitTurn(final ReentrantLock turn)
    {
        boolean isInterrupted = false;
        try
        {
            while (true)
            {
                try
                {
                    if (turn.tryLock(patience.pauseNs(), TimeUnit.NANOSECONDS))
                    {
                        return;
                    }
                    patience.check("another thread of this process waits for the lock or has it");
                }
                catch (final InterruptedException ex)
                {
                    isInterrupted = true;
                }
            }
        }
        finally
        {
            if (isInterrupted)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Null if the file or its directory was removed meanwhile: then it is looked for again. */
    private LockFile tryAcquire(final Object key)
    {
        try
        {
            final LockFile acquired = Uninterrupted.call(() -> acquire(key));
            if (acquired == null)
            {
                patience.checkRemoved("the lock file is removed again and again");
            }
            return acquired;
        }
        catch (final NoSuchFileException ex)
        {
            patience.checkRemoved("the directory is removed again and again");
            return null;
        }
        catch (final IOException ex)
        {
            throw cannotLock(ex);
        }
    }

    private LockFile acquire(final Object key) throws IOException
    {
        final LockFile claimed = claim();
        boolean isDone = false;
        try
        {
            await(claimed);
            // in the directory in which this thread has its turn: what it does may lock again, and is told by the turn
            isDone = claimed.isIn(key) && claimed.isCurrent();
        }
        finally
        {
            if (!isDone)
            {
                claimed.close();
            }
        }
        return isDone ? claimed : null;
    }

    private LockFile acquireAtOnce(final Object key) throws IOException
    {
        final LockFile claimed = LockFile.claim(file, LockFile.NODE_PLACE);
        boolean isDone = false;
        try
        {
            isDone = claimed != null && claimed.isIn(key) && claimed.tryLock();
        }
        finally
        {
            if (claimed != null && !isDone)
            {
                claimed.close();
            }
        }
        return isDone ? claimed : null;
    }

    /** Only threads of other class loaders can be in the way: seldom enough to look again and again. */
    private LockFile claim() throws IOException
    {
        long pauseNs = FIRST_PAUSE_NS;
        LockFile claimed = LockFile.claim(file, LockFile.NODE_PLACE);
        while (claimed == null)
        {
            patience.check("another class loader of this process waits for the lock or has it");
            LockSupport.parkNanos(pauseNs);
            if (Thread.interrupted())
            {
                throw new ClosedByInterruptException();
            }
            pauseNs = Math.min(pauseNs << 1, LONGEST_PAUSE_NS);
            claimed = LockFile.claim(file, LockFile.NODE_PLACE);
        }
        return claimed;
    }

    private void await(final LockFile claimed) throws IOException
    {
        if (claimed.tryLockAny())
        {
            return;
        }
        final AtomicInteger state = new AtomicInteger(WAITING);
        final Thread watcher = new Thread(() -> watch(claimed, state), "tallypost-lock");
        watcher.setDaemon(true);
        watcher.start();
        boolean isOurs = false;
        try
        {
            lock(claimed);
            isOurs = state.compareAndSet(WAITING, DONE);
        }
        catch (final ClosedByInterruptException ex)
        {
            throw ex;
        }
        catch (final AsynchronousCloseException ex)
        {
            // given up, as is told below
        }
        finally
        {
            // the watcher closes the file only if it is the first to change this
            state.compareAndSet(WAITING, DONE);
            LockSupport.unpark(watcher);
        }
        if (!isOurs)
        {
            throw patience.lost("another process has not let go of the lock");
        }
    }

    private void lock(final LockFile claimed) throws IOException
    {
        while (true)
        {
            try
            {
                claimed.lock();
                return;
            }
            catch (final AsynchronousCloseException | FileLockInterruptionException ex)
            {
                throw ex;
            }
            catch (final IOException ex)
            {
                // several threads of two processes, each for another node, look like a deadlock to the operating system
                patience.check("the lock cannot be waited for, cause=" + ex + ", and another process has not let go of it");
                LockSupport.parkNanos(LONGEST_PAUSE_NS);
            }
        }
    }

    private void watch(final LockFile claimed, final AtomicInteger state)
    {
        while (state.get() == WAITING)
        {
            LockSupport.parkNanos(patience.pauseNs());
            if (patience.isOver() && state.compareAndSet(WAITING, GIVEN_UP))
            {
                claimed.giveUp();
            }
        }
    }

    private MailboxException cannotLock(final IOException ex)
    {
        return new MailboxException("cannot lock file: file=" + file + ", cause=" + ex, ex);
    }
}
