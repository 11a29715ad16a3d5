// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.tallypost.transportaeron.internal.wire.BatchAssembler;
import org.tallypost.transportaeron.internal.wire.FrameDescriptor;

/**
 * Frames that were taken from a ring when their batch could not leave: they go first, in order, when it can. As Aeron's window
 * holds all that credits allow, this is for the time between a link's end and its discovery. For one thread.
 */
final class FrameStash
{
    private static final int TYPE = 0;
    private static final int FLAGS = 4;
    private static final int SOURCE = 8;
    private static final int DEST = 12;
    private static final int VALUE = 16;
    private static final int EPOCHS = 20;
    private static final int LENGTH = 24;
    private static final int BYTES = 28;

    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(4096);
    private int start;
    private int end;

    void add(
        final int type, final int flags, final int source, final int dest, final int value, final int sourceEpoch,
        final int destEpoch, final DirectBuffer from, final int offset, final int length)
    {
        buffer.putInt(end + TYPE, type);
        buffer.putInt(end + FLAGS, flags);
        buffer.putInt(end + SOURCE, source);
        buffer.putInt(end + DEST, dest);
        buffer.putInt(end + VALUE, value);
        buffer.putInt(end + EPOCHS, destEpoch << Short.SIZE | sourceEpoch & FrameDescriptor.EPOCH_MASK);
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
            final int epochs = buffer.getInt(start + EPOCHS);
            final int length = buffer.getInt(start + LENGTH);
            if (!assembler.append(buffer.getInt(start + TYPE), buffer.getInt(start + FLAGS), buffer.getInt(start + SOURCE),
                buffer.getInt(start + DEST), buffer.getInt(start + VALUE), epochs & FrameDescriptor.EPOCH_MASK,
                epochs >>> Short.SIZE, buffer, start + BYTES, length))
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
