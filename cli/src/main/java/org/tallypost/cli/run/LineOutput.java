// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.run;

import java.io.ByteArrayOutputStream;
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
        final ByteArrayOutputStream lines = new ByteArrayOutputStream();
        int length = 0;
        while (true)
        {
            final int count = read(source, bytes, length);
            final int end = length + Math.max(0, count);
            int start = 0;
            for (int i = length; i < end; i++)
            {
                if (bytes[i] == '\n')
                {
                    add(lines, tag, bytes, start, i + 1);
                    start = i + 1;
                }
            }
            length = end - start;
            if (length == MOST_LENGTH || count < 0 && length > 0)
            {
                // the line has no end here
                add(lines, tag, bytes, start, end);
                lines.write('\n');
                length = 0;
            }
            if (!write(lines))
            {
                return false;
            }
            if (count < 0)
            {
                return true;
            }
            System.arraycopy(bytes, start, bytes, 0, length);
        }
    }

    private static void add(
        final ByteArrayOutputStream lines, final byte[] tag, final byte[] bytes, final int start, final int end)
    {
        lines.write(tag, 0, tag.length);
        lines.write(bytes, start, end - start);
    }

    private static int read(final InputStream source, final byte[] bytes, final int offset)
    {
        try
        {
            return source.read(bytes, offset, bytes.length - offset);
        }
        catch (final IOException ignore)
        {
            // closed because the rank has ended, and a process that it has started still holds the other end
            return -1;
        }
    }

    /** Writes whole lines in one piece. */
    private synchronized boolean write(final ByteArrayOutputStream lines)
    {
        if (isClosed)
        {
            return false;
        }
        try
        {
            lines.writeTo(target);
            target.flush();
            lines.reset();
        }
        catch (final IOException ignore)
        {
            isClosed = true;
        }
        return !isClosed;
    }
}
