// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Cache lines that two parties hand to each other, with nothing round them: the limit that the machine sets.
 *
 * <pre>
 *    512   8   head: lines read, every 256 lines     written by the first party
 *   1024  64   line of the first party, one message in flight
 *   1280  64   line of the second party, one message in flight
 *   4096       4,096 lines of 64 bytes, number first written by the second party
 * </pre>
 *
 * Each party has an object of its own over the same memory.
 */
public final class RawLines
{
    /** Payload of a line in bytes. */
    static final int LINE_PAYLOAD = 56;
    /** Bytes that it takes. */
    public static final int LENGTH = 4096 + 4096 * 64;

    private static final int HEAD_OFFSET = 512;
    private static final int LINES_OFFSET = 4096;
    private static final int FIRST_LINE_OFFSET = 1024;
    private static final int SECOND_LINE_OFFSET = 1280;
    private static final int LINE_COUNT = 4096;
    private static final int HEAD_INTERVAL = 256;

    private final UnsafeBuffer buffer;
    private final int offset;
    private long number;
    private long cachedHead;

    /**
     * A party's view of the lines.
     *
     * @param buffer that holds them, zero at first.
     * @param offset of them in bytes, a multiple of 128.
     */
    public RawLines(final UnsafeBuffer buffer, final int offset)
    {
        this.buffer = buffer;
        this.offset = offset;
    }

    /** Writes a line of the stream with a payload of up to 56 bytes, a multiple of 8. */
    boolean write(final DirectBuffer source, final int sourceOffset, final int length)
    {
        if (isFull())
        {
            return false;
        }
        put(lineOffset(number), number + 1, source, sourceOffset, length);
        number++;
        return true;
    }

    /** Delivers lines of the stream with their payload. */
    int read(final Inlet inlet, final int length, final int limit)
    {
        int count = 0;
        while (count < limit)
        {
            final int line = lineOffset(number);
            if (buffer.getLongAcquire(line) != number + 1)
            {
                break;
            }
            inlet.onMessage(buffer, line + 8, length);
            advance();
            count++;
        }
        return count;
    }

    /** Writes the one line of a party; its message before was answered. */
    void writeLine(final int party, final long lineNumber, final DirectBuffer source, final int sourceOffset, final int length)
    {
        put(lineOf(party), lineNumber, source, sourceOffset, length);
    }

    /** Delivers the one line of a party if it is the one awaited. */
    boolean readLine(final int party, final long lineNumber, final Inlet inlet, final int length)
    {
        final int line = lineOf(party);
        if (buffer.getLongAcquire(line) != lineNumber)
        {
            return false;
        }
        inlet.onMessage(buffer, line + 8, length);
        return true;
    }

    private void put(
        final int line, final long lineNumber, final DirectBuffer source, final int sourceOffset, final int length)
    {
        for (int i = 0; i < length; i += 8)
        {
            buffer.putLong(line + 8 + i, source.getLong(sourceOffset + i));
        }
        buffer.putLongRelease(line, lineNumber);
    }

    private boolean isFull()
    {
        if (number - cachedHead >= LINE_COUNT)
        {
            cachedHead = buffer.getLongAcquire(offset + HEAD_OFFSET);
            return number - cachedHead >= LINE_COUNT;
        }
        return false;
    }

    private void advance()
    {
        number++;
        if ((number & (HEAD_INTERVAL - 1)) == 0)
        {
            buffer.putLongRelease(offset + HEAD_OFFSET, number);
        }
    }

    private int lineOffset(final long position)
    {
        return offset + LINES_OFFSET + ((int)position & (LINE_COUNT - 1)) * 64;
    }

    private int lineOf(final int party)
    {
        return offset + (party == 0 ? FIRST_LINE_OFFSET : SECOND_LINE_OFFSET);
    }
}
