// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.wake;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.agrona.CloseHelper;
import org.tallypost.endpoint.internal.node.NodeFiles;
import org.tallypost.mailbox.files.MailboxException;

/**
 * Where the parked threads of one process sleep, and how other processes wake them: a Unix domain socket in the node's
 * directory, made when a thread parks for the first time. A byte that arrives says "look": what it says is not looked at, the
 * armed words in shared memory tell which thread is meant. So nothing that is written to the socket does more than wake a thread
 * in vain.
 *
 * <p>There is no thread for it: one of those that are parked listens to the socket, the others park. When the listener leaves,
 * it calls another one to listen. With one polling thread in a process, a ring wakes it directly.
 */
public class Doorbell implements AutoCloseable
{
    private static final int READ_LENGTH = 256;
    private static final long NS_PER_MS = 1_000_000;
    /** A look at the socket may last so much longer than asked for, for it is told in milliseconds. */
    private static final long ROUNDING_NS = 100_000;
    /** Between two looks at the socket when less than a millisecond is left. */
    private static final long SHORT_LOOK_NS = 100_000;
    /** After the first failure, as when there are no descriptors for a moment; doubled up to {@link #LAST_RETRY_NS}. */
    static final long FIRST_RETRY_NS = 100_000_000;
    /** Longest time between two tries. A bell that worked for so long begins with the first one again. */
    static final long LAST_RETRY_NS = 10_000_000_000L;

    private final File file;
    private final int maxConnections;
    private final Runnable onRing;
    private final Consumer<Throwable> errorHandler;
    private final AtomicReference<Sleeper> listener = new AtomicReference<>();
    private final List<Sleeper> parked = new ArrayList<>();
    private final ByteBuffer scratch = ByteBuffer.allocateDirect(READ_LENGTH);
    private final Consumer<SelectionKey> onKey = this::onKey;
    private volatile Selector selector;
    private ServerSocketChannel server;
    private boolean isClosed;
    private boolean isHopeless;
    private long retryNs;
    private long nextTryNs;
    private long openedNs;
    private boolean isRung;

    /**
     * A bell that no process can ring yet.
     *
     * @param file           of its socket.
     * @param maxConnections that are accepted at a time.
     * @param onRing         called when another process rang.
     * @param errorHandler   told once if there can be no socket.
     */
    public Doorbell(final File file, final int maxConnections, final Runnable onRing, final Consumer<Throwable> errorHandler)
    {
        this.file = file;
        this.maxConnections = maxConnections;
        this.onRing = onRing;
        this.errorHandler = errorHandler;
    }

    static File file(final File directory, final int process, final int incarnation)
    {
        return new File(directory, NodeFiles.BELL_PREFIX + process + "-" + incarnation);
    }

    /**
     * Makes the socket if there is none. What failed is tried again later: there may have been no descriptors.
     *
     * @return whether other processes can ring.
     */
    public boolean open()
    {
        return selector != null || tryOpen(System.nanoTime());
    }

    /** As {@link #open()}, at a time of {@link System#nanoTime()}. */
    synchronized boolean tryOpen(final long nowNs)
    {
        if (selector != null || isClosed || isHopeless || retryNs != 0 && nowNs - nextTryNs < 0)
        {
            return selector != null;
        }
        try
        {
            bind();
            openedNs = nowNs;
        }
        catch (final IOException | UnsupportedOperationException ex)
        {
            release();
            final boolean isFirst = retryNs == 0;
            isHopeless |= ex instanceof UnsupportedOperationException;
            retryLater(nowNs);
            if (isFirst)
            {
                errorHandler.accept(new MailboxException("no doorbell, so parked threads look for themselves now and then: " +
                    "file=" + file + ", cause=" + ex + (isHopeless ? "" : "; it is tried again"), ex));
            }
        }
        return selector != null;
    }

    private void retryLater(final long nowNs)
    {
        retryNs = retryNs == 0 ? FIRST_RETRY_NS : Math.min(2 * retryNs, LAST_RETRY_NS);
        nextTryNs = nowNs + retryNs;
    }

    /** The bell cannot be listened to any more. Threads that are parked are woken: nothing else would wake them. */
    private void broken(final Selector of, final Throwable cause)
    {
        final boolean isNews;
        synchronized (this)
        {
            isNews = selector == of && !isClosed;
            if (isNews)
            {
                release();
                final long nowNs = System.nanoTime();
                if (nowNs - openedNs > LAST_RETRY_NS)
                {
                    retryNs = 0;
                }
                retryLater(nowNs);
            }
        }
        if (isNews)
        {
            wakeAll();
            errorHandler.accept(new MailboxException("doorbell is broken, so parked threads look for themselves until there " +
                "is another one: file=" + file + ", cause=" + cause, cause));
        }
    }

    private void wakeAll()
    {
        final Sleeper[] all;
        synchronized (parked)
        {
            // SYNC POINT bell-broken: the selector is gone before, and a thread that parks is noted before it looks for it
            all = parked.toArray(new Sleeper[0]);
        }
        for (final Sleeper sleeper : all)
        {
            sleeper.wake();
        }
    }

    private void bind() throws IOException
    {
        server = openServer();
        try (SocketPath path = SocketPath.of(file))
        {
            server.bind(path.address(), maxConnections);
        }
        // the directory keeps strangers out already
        Files.setPosixFilePermissions(file.toPath(), PosixFilePermissions.fromString("rw-------"));
        server.configureBlocking(false);
        final Selector opened = Selector.open();
        server.register(opened, SelectionKey.OP_ACCEPT);
        selector = opened;
    }

    /** Makes a socket that is not bound. */
    ServerSocketChannel openServer() throws IOException
    {
        return ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    }

    /** The next connection, null if none waits. */
    SocketChannel acceptOne(final ServerSocketChannel from) throws IOException
    {
        return from.accept();
    }

    /**
     * Parks the calling thread until it is woken, the time is over, it is interrupted, or the bell breaks that it relies on.
     *
     * @param sleeper   of the calling thread.
     * @param canBeRung whether it relies on the bell.
     * @param timeoutNs longest time; while this thread listens it may take 0.1 ms longer.
     */
    public void park(final Sleeper sleeper, final boolean canBeRung, final long timeoutNs)
    {
        final long startNs = System.nanoTime();
        synchronized (parked)
        {
            parked.add(sleeper);
        }
        try
        {
            long leftNs = timeoutNs;
            while (!sleeper.isWoken() && leftNs > 0 && !Thread.currentThread().isInterrupted())
            {
                // SYNC POINT bell-broken
                final Selector current = selector;
                if (current == null && canBeRung)
                {
                    break;
                }
                if (current != null && listener.compareAndSet(null, sleeper))
                {
                    listen(current, sleeper, leftNs);
                    leftNs = timeoutNs - (System.nanoTime() - startNs);
                    if (leftNs > 0 && leftNs < NS_PER_MS - ROUNDING_NS && !sleeper.isWoken())
                    {
                        // too short for a look at the socket that waits
                        LockSupport.parkNanos(this, Math.min(leftNs, SHORT_LOOK_NS));
                    }
                }
                else
                {
                    LockSupport.parkNanos(this, leftNs);
                }
                leftNs = timeoutNs - (System.nanoTime() - startNs);
            }
        }
        finally
        {
            synchronized (parked)
            {
                parked.remove(sleeper);
            }
            callListener();
        }
    }

    private void listen(final Selector current, final Sleeper sleeper, final long timeoutNs)
    {
        try
        {
            // SYNC POINT listener: volatile on both sides, so a wake-up comes before this look, or finds the listener
            if (!sleeper.isWoken())
            {
                isRung = false;
                final long timeoutMs = (timeoutNs + ROUNDING_NS) / NS_PER_MS;
                if (timeoutMs > 0)
                {
                    current.select(onKey, timeoutMs);
                }
                else
                {
                    current.selectNow(onKey);
                }
            }
        }
        catch (final IOException | UncheckedIOException | ClosedSelectorException ex)
        {
            broken(current, ex);
        }
        finally
        {
            final boolean rung = isRung;
            listener.set(null);
            if (rung)
            {
                onRing.run();
            }
        }
    }

    /** Number of threads that are parked here. */
    public int parkedCount()
    {
        synchronized (parked)
        {
            return parked.size();
        }
    }

    /** One thread has to listen while any is parked. */
    private void callListener()
    {
        if (listener.get() != null)
        {
            return;
        }
        synchronized (parked)
        {
            for (int i = 0; i < parked.size(); i++)
            {
                if (!parked.get(i).isWoken())
                {
                    LockSupport.unpark(parked.get(i).thread());
                    return;
                }
            }
        }
    }

    /** Gets a sleeper that is marked as woken out of its park. */
    void rouse(final Sleeper sleeper)
    {
        final Selector current = selector;
        // SYNC POINT listener
        if (current != null && listener.get() == sleeper)
        {
            current.wakeup();
        }
        else
        {
            LockSupport.unpark(sleeper.thread());
        }
    }

    private void onKey(final SelectionKey key)
    {
        isRung = true;
        if (key.channel() instanceof SocketChannel)
        {
            drain((SocketChannel)key.channel());
        }
        else
        {
            accept(key.selector());
        }
    }

    private void accept(final Selector current)
    {
        try
        {
            // as many as may be listened to: a process that connects without end keeps no thread here
            for (int left = maxConnections; left > 0; left--)
            {
                final SocketChannel channel = acceptOne(server);
                if (channel == null)
                {
                    return;
                }
                channel.configureBlocking(false);
                if (current.keys().size() > maxConnections)
                {
                    channel.close();
                }
                else
                {
                    channel.register(current, SelectionKey.OP_READ);
                }
            }
        }
        catch (final IOException ex)
        {
            // out of descriptors, or closed by another thread: no new process can ring this bell
            throw new UncheckedIOException(ex);
        }
    }

    private void drain(final SocketChannel channel)
    {
        int length = -1;
        try
        {
            // what is left after this is read at the next look
            scratch.clear();
            length = channel.read(scratch);
        }
        catch (final IOException ignore)
        {
            // its other end is gone, as at the end of the stream
        }
        if (length < 0)
        {
            CloseHelper.quietClose(channel);
        }
    }

    private synchronized void release()
    {
        final Selector old = selector;
        selector = null;
        CloseHelper.quietClose(server);
        if (old != null)
        {
            old.keys().forEach((key) -> CloseHelper.quietClose(key.channel()));
            CloseHelper.quietClose(old);
        }
        if (server != null)
        {
            file.delete();
            server = null;
        }
    }

    /** Takes the bell away for good. Threads that are parked go on sleeping until their time is over. */
    @Override
    public void close()
    {
        synchronized (this)
        {
            isClosed = true;
            release();
        }
    }
}
