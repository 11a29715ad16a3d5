// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.run;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/** What one rank writes to one of its streams, on its way to where the lines go. A thread copies it. */
final class RankOutput extends FilterInputStream
{
    private final Thread thread;
    private volatile long count;
    private volatile boolean isReading;

    private RankOutput(final int rank, final InputStream source, final LineOutput target, final Runnable onClosed)
    {
        super(source);
        thread = new Thread(() ->
        {
            if (!target.copy(rank, this))
            {
                onClosed.run();
            }
        }, "output-of-rank-" + rank);
        thread.setDaemon(true);
    }

    /**
     * Begins to copy.
     *
     * @param onClosed told if the target takes no more.
     */
    static RankOutput start(final int rank, final InputStream source, final LineOutput target, final Runnable onClosed)
    {
        final RankOutput output = new RankOutput(rank, source, target, onClosed);
        output.thread.start();
        return output;
    }

    @Override
    public int read(final byte[] bytes, final int offset, final int length) throws IOException
    {
        isReading = true;
        final int read = super.read(bytes, offset, length);
        isReading = false;
        count += Math.max(0, read);
        return read;
    }

    /**
     * Waits for the end of the stream, or until nothing has come for some time; then closes it.
     *
     * @param limitMs without any byte.
     */
    void await(final long limitMs) throws InterruptedException
    {
        long before = -1;
        while (thread.isAlive() && (!isReading || count != before))
        {
            before = count;
            thread.join(limitMs);
        }
        try
        {
            close();
        }
        catch (final IOException ignore)
        {
            // it is not used any more
        }
    }
}
