// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.wake;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.IdleProcess;
import org.tallypost.mailbox.Watchdog;

/** A doorbell and those that ring it, while there are no descriptors. */
class DoorbellTest
{
    private static final int PROCESS = 3;
    private static final int INCARNATION = 7;

    @TempDir
    private Path directory;

    private final AtomicInteger rings = new AtomicInteger();
    private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
    private final List<AutoCloseable> closeables = new ArrayList<>();
    private volatile boolean isOutOfDescriptors;
    private int tries;

    @AfterEach
    void close() throws Exception
    {
        for (final AutoCloseable closeable : closeables)
        {
            closeable.close();
        }
    }

    @Test
    void shouldSayThatAPathIsTooLongAndLeaveNoLink() throws IOException
    {
        final Path place = Files.createDirectory(directory.resolve("y".repeat(SocketPath.MAX_LENGTH)));
        final UnsupportedOperationException found = assertThrows(UnsupportedOperationException.class, () ->
            SocketPath.linked(directory.resolve("x".repeat(SocketPath.MAX_LENGTH)).resolve("bell-3-7").toFile(), place));
        assertTrue(found.getMessage().contains("at most 100; choose a directory with a shorter path"), found.getMessage());
        assertFalse(Files.exists(place));
    }

    private void takeDescriptor() throws SocketException
    {
        tries++;
        if (isOutOfDescriptors)
        {
            throw new SocketException("Too many open files");
        }
    }

    private Doorbell bell()
    {
        final Doorbell bell = new Doorbell(file(), 16, rings::incrementAndGet, errors::add)
        {
            @Override
            ServerSocketChannel openServer() throws IOException
            {
                takeDescriptor();
                return super.openServer();
            }

            @Override
            SocketChannel acceptOne(final ServerSocketChannel from) throws IOException
            {
                takeDescriptor();
                return super.acceptOne(from);
            }
        };
        closeables.add(bell);
        return bell;
    }

    private Ringer ringer()
    {
        final Ringer ringer = new Ringer(directory.toFile(), 16)
        {
            @Override
            SocketChannel openChannel() throws IOException
            {
                takeDescriptor();
                return super.openChannel();
            }
        };
        closeables.add(ringer);
        return ringer;
    }

    private File file()
    {
        return Doorbell.file(directory.toFile(), PROCESS, INCARNATION);
    }

    private Thread listen(final Doorbell bell)
    {
        final Thread thread = new Thread(() ->
        {
            final Sleeper sleeper = new Sleeper(bell);
            sleeper.begin();
            bell.park(sleeper, true, IdleProcess.HOUR_NS);
        });
        thread.start();
        return thread;
    }

    private static void awaitEnd(final Thread... threads)
    {
        for (final Thread thread : threads)
        {
            Watchdog.await("end of a parked thread", () -> !thread.isAlive());
        }
    }

    /** What is rung wakes a thread that listens: the look is the only one, so that it is over when somebody rang. */
    private void assertRings(final Doorbell bell, final Ringer ringer)
    {
        final int before = rings.get();
        final Sleeper[] sleeper = {new Sleeper(bell)};
        final Thread thread = new Thread(() ->
        {
            sleeper[0].begin();
            while (rings.get() == before)
            {
                bell.park(sleeper[0], true, 1_000_000);
            }
        });
        thread.start();
        ringer.ring(PROCESS, INCARNATION);
        awaitEnd(thread);
    }

    @Test
    void shouldMakeTheSocketWhenThereAreDescriptorsAgain()
    {
        final Doorbell bell = bell();
        isOutOfDescriptors = true;
        long nowNs = Long.MAX_VALUE - 5;
        assertFalse(bell.tryOpen(nowNs));
        long delayNs = Doorbell.FIRST_RETRY_NS;
        for (int i = 1; i < 20; i++)
        {
            assertEquals(i, tries);
            assertFalse(bell.tryOpen(nowNs + delayNs - 1));
            assertEquals(i, tries, "tried before its time");
            nowNs += delayNs;
            assertFalse(bell.tryOpen(nowNs));
            delayNs = Math.min(2 * delayNs, Doorbell.LAST_RETRY_NS);
        }
        assertEquals(1, errors.size(), "told once");
        assertTrue(errors.peek().getMessage().contains("tried again"), errors.peek().getMessage());
        isOutOfDescriptors = false;
        assertTrue(bell.tryOpen(nowNs + delayNs));
        assertRings(bell, ringer());
        bell.close();
        assertFalse(bell.tryOpen(nowNs + 100 * delayNs), "closed for good");
        assertFalse(file().exists());
    }

    @Test
    void shouldRecoverIfItCannotAccept() throws IOException
    {
        final Doorbell bell = bell();
        assertTrue(bell.open());
        final Ringer ringer = ringer();
        assertRings(bell, ringer);
        final Thread first = listen(bell);
        final Thread second = listen(bell);
        Watchdog.await("two parked threads", () -> bell.parkedCount() == 2);
        isOutOfDescriptors = true;
        try (SocketChannel other = SocketChannel.open(StandardProtocolFamily.UNIX))
        {
            other.connect(UnixDomainSocketAddress.of(file().toPath()));
            // nobody would wake them any more
            awaitEnd(first, second);
        }
        assertEquals(1, errors.size());
        assertTrue(errors.peek().getMessage().contains("doorbell is broken"), errors.peek().getMessage());
        // a thread that was promised a bell does not park without one
        awaitEnd(listen(bell));
        isOutOfDescriptors = false;
        assertTrue(bell.tryOpen(System.nanoTime() + Doorbell.LAST_RETRY_NS));
        // over a connection to the old bell
        assertRings(bell, ringer);
    }

    @Test
    void shouldRingLaterWhatItHadNoDescriptorFor()
    {
        final Doorbell bell = bell();
        assertTrue(bell.open());
        final Ringer ringer = ringer();
        isOutOfDescriptors = true;
        ringer.ring(PROCESS, INCARNATION);
        ringer.ringOwed();
        isOutOfDescriptors = false;
        final Thread thread = new Thread(() ->
        {
            final Sleeper sleeper = new Sleeper(bell);
            sleeper.begin();
            while (rings.get() == 0)
            {
                bell.park(sleeper, true, 1_000_000);
            }
        });
        thread.start();
        ringer.ringOwed();
        awaitEnd(thread);
        final int before = tries;
        ringer.ringOwed();
        assertEquals(before, tries, "owed once");
    }

    @Test
    void shouldOweNothingToAProcessThatIsGone()
    {
        final Ringer ringer = ringer();
        ringer.ring(PROCESS, INCARNATION);
        ringer.ring(PROCESS, INCARNATION);
        ringer.ringOwed();
        assertEquals(0, tries);
    }
}
