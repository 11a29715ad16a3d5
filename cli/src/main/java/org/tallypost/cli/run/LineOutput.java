// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.run;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Where the lines of all ranks go. A line is written in one piece, so lines of different ranks never mix. A line of more than
 * 64 KiB, and the last one if it has no end, is written in pieces that each end a line.
 * <p>
 * Several threads write, one for each rank.
 */
final class LineOutput
{
    private static final int MOST_LENGTH = 1 << 16;
    private static final byte[] NO_TAG = new byte[0];

    private final OutputStream target;
    private final boolean isTagged;
    private boolean isClosed;

    /**
     * Lines of all ranks.
     *
     * @param target   stream that they go to.
     * @param isTagged if each line begins with its rank.
     */
    LineOutput(final OutputStream target, final boolean isTagged)
    {
        this.target = target;
        this.isTagged = isTagged;
    }

    /**
     * Copies lines until the stream ends.
     *
     * @param rank   that writes them.
     * @param source what the rank has written.
     * @return false if the target takes no more: what was read is lost.
     */
    boolean copy(final int rank, final InputStream source)
    {
        final byte[] tag = isTagged ? ("[" + rank + "] ").getBytes(StandardCharsets.US_ASCII) : NO_TAG;
        final byte[] bytes = new byte[MOST_LENGTH];
        int length = 0;
        while (true)
        {
            final int count = read(source, bytes, length);
            if (count < 0)
            {
                return length == 0 || write(tag, bytes, 0, length, true);
            }
            final int end = length + count;
            int start = 0;
            for (int i = length; i < end; i++)
            {
                if (bytes[i] == '\n')
                {
                    if (!write(tag, bytes, start, i + 1 - start, false))
                    {
                        return false;
                    }
                    start = i + 1;
                }
            }
            length = end - start;
            if (length == MOST_LENGTH)
            {
                if (!write(tag, bytes, 0, length, true))
                {
                    return false;
                }
                length = 0;
            }
            System.arraycopy(bytes, start, bytes, 0, length);
        }
    }

    private static int read(final InputStream source, final byte[] bytes, final int offset)
    {
        try
        {
            return source.read(bytes, offset, bytes.length - offset);
        }
        catch (final IOException ignore)
        {
            // closed because the rank has ended and something that it started still holds the other end
            return -1;
        }
    }

    private synchronized boolean write(
        final byte[] tag, final byte[] bytes, final int offset, final int length, final boolean isCut)
    {
        if (isClosed)
        {
            return false;
        }
        try
        {
            target.write(tag);
            target.write(bytes, offset, length);
            if (isCut)
            {
                target.write('\n');
            }
            target.flush();
        }
        catch (final IOException ignore)
        {
            isClosed = true;
        }
        return !isClosed;
    }
}
