// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.tallypost.transportaeron.internal.wire.BatchAssembler;

/**
 * Frames that were taken from a ring when their batch could not leave: they go first, in order, when it can. As Aeron's window
 * holds all that credits allow, this is for the time between a link's end and its discovery. For one thread.
 */
final class FrameStash
{
    private static final int HEADER = 0;
    private static final int WORD = 8;
    private static final int LENGTH = 16;
    private static final int BYTES = 20;

    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(4096);
    private int start;
    private int end;

    void add(final long header, final long word, final DirectBuffer from, final int offset, final int length)
    {
        buffer.putLong(end + HEADER, header);
        buffer.putLong(end + WORD, word);
        buffer.putInt(end + LENGTH, length);
        buffer.putBytes(end + BYTES, from, offset, length);
        end += BYTES + length;
    }

    /** Hands on what there is, as far as there is room for it. */
    int drainTo(final BatchAssembler assembler)
    {
        int count = 0;
        while (start < end)
        {
            final int length = buffer.getInt(start + LENGTH);
            if (!assembler.append(
                buffer.getLong(start + HEADER), buffer.getLong(start + WORD), buffer, start + BYTES, length))
            {
                return count;
            }
            start += BYTES + length;
            count++;
        }
        clear();
        return count;
    }

    boolean isEmpty()
    {
        return start == end;
    }

    void clear()
    {
        start = 0;
        end = 0;
    }
}
