// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** Memory of this rank that others may store to, by its number. One thread. */
final class Segments
{
    private final MutableDirectBuffer[] memories = new MutableDirectBuffer[MessageDescriptor.HANDLERS];

    void set(final int number, final MutableDirectBuffer memory)
    {
        if (number < 0 || number >= memories.length)
        {
            throw new IllegalArgumentException("segment is out of range: found=" + number + ", expected=0 to " +
                (memories.length - 1));
        }
        memories[number] = memory;
    }

    /** Writes bytes that came; false if there is no such segment, or they do not lie in it. */
    boolean store(final int number, final long place, final DirectBuffer from, final int offset, final int length)
    {
        final MutableDirectBuffer memory = number < 0 || number >= memories.length ? null : memories[number];
        if (memory == null || place < 0 || place > memory.capacity() - length)
        {
            return false;
        }
        memory.putBytes((int)place, from, offset, length);
        return true;
    }
}
