// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.wake;

import java.io.File;
import java.io.IOException;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.agrona.CloseHelper;

/**
 * Rings the {@link Doorbell}s of other processes, over one connection to each that was ever rung. Never blocks: a connection
 * that is full has woken its process long since. One that is broken leads to a process that is gone, or that has made another
 * bell since. A ring that this process had no descriptor for is owed, and tried again by {@link #ringOwed()}. Any thread.
 */
class Ringer implements AutoCloseable
{
    private final File directory;
    private final AtomicReferenceArray<Line> lines;
    private volatile boolean isClosed;

    Ringer(final File directory, final int processes)
    {
        this.directory = directory;
        lines = new AtomicReferenceArray<>(processes);
    }

    /**
     * Rings.
     *
     * @param process     index of the process, as read from shared memory.
     * @param incarnation of it.
     */
    void ring(final int process, final int incarnation)
    {
        if (process < 0 || process >= lines.length())
        {
            return;
        }
        final Line line = line(process, incarnation);
        synchronized (line)
        {
            if (!isClosed)
            {
                line.ring(this, process);
            }
        }
    }

    /** Rings where it could not be done before. Now and then. */
    void ringOwed()
    {
        for (int process = 0; process < lines.length(); process++)
        {
            final Line line = lines.get(process);
            if (line != null && line.isOwed)
            {
                ring(process, line.incarnation);
            }
        }
    }

    /** Makes a socket that is not connected. */
    SocketChannel openChannel() throws IOException
    {
        return SocketChannel.open(StandardProtocolFamily.UNIX);
    }

    private Line line(final int process, final int incarnation)
    {
        while (true)
        {
            final Line line = lines.get(process);
            if (line != null && line.incarnation == incarnation)
            {
                return line;
            }
            final Line fresh = new Line(incarnation);
            if (lines.compareAndSet(process, line, fresh))
            {
                close(line);
                return fresh;
            }
        }
    }

    @Override
    public void close()
    {
        isClosed = true;
        for (int process = 0; process < lines.length(); process++)
        {
            close(lines.get(process));
        }
    }

    private static void close(final Line line)
    {
        if (line != null)
        {
            synchronized (line)
            {
                line.hangUp();
            }
        }
    }

    /** A connection to one bell; guarded by its monitor. */
    private static final class Line
    {
        private final int incarnation;
        private final ByteBuffer message = ByteBuffer.allocateDirect(1);
        private SocketChannel channel;
        private volatile boolean isOwed;

        Line(final int incarnation)
        {
            this.incarnation = incarnation;
        }

        void ring(final Ringer ringer, final int process)
        {
            isOwed = false;
            final boolean isOld = channel != null;
            if (!tryRing(ringer, process) && isOld)
            {
                // perhaps it has made another bell
                tryRing(ringer, process);
            }
        }

        private boolean tryRing(final Ringer ringer, final int process)
        {
            boolean isTold = false;
            try
            {
                if (channel == null)
                {
                    connect(ringer, Doorbell.file(ringer.directory, process, incarnation));
                }
                if (channel != null)
                {
                    message.clear();
                    channel.write(message);
                }
                isTold = true;
            }
            catch (final ConnectException | UnsupportedOperationException ex)
            {
                // no process is there to be woken
                isOwed = false;
            }
            catch (final IOException ex)
            {
                isOwed = channel == null || !channel.isConnected();
            }
            if (!isTold)
            {
                hangUp();
            }
            return isTold;
        }

        private void connect(final Ringer ringer, final File file) throws IOException
        {
            // a process that never parked has no bell: the usual case when all are told that the membership changed
            if (file.exists())
            {
                channel = ringer.openChannel();
                channel.configureBlocking(false);
                try (SocketPath path = SocketPath.of(file))
                {
                    if (!channel.connect(path.address()))
                    {
                        throw new IOException("too many wait to be accepted: file=" + file);
                    }
                }
            }
        }

        void hangUp()
        {
            CloseHelper.quietClose(channel);
            channel = null;
        }
    }
}
