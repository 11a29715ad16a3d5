// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Arrays;

/** Ranges of a window that items of a type take, none longer than a message. */
final class WindowSegments
{
    private long[] begins = new long[4];
    private int[] lengths = new int[4];
    private int count;

    /** Of so many items from a byte on. */
    WindowSegments(final long at, final int items, final Datatype type)
    {
        final TypeMap map = type.map();
        if (type.isContiguous())
        {
            add(at, (long)items * type.size());
            return;
        }
        for (int item = 0; item < items; item++)
        {
            for (int run = 0; run < map.runs(); run++)
            {
                add(at + item * type.extent() + map.begin(run), map.length(run));
            }
        }
    }

    private void add(final long begin, final long byteCount)
    {
        for (long done = 0; done < byteCount; done += WindowMessage.MAX_DATA)
        {
            if (count == lengths.length)
            {
                begins = Arrays.copyOf(begins, 2 * count);
                lengths = Arrays.copyOf(lengths, 2 * count);
            }
            begins[count] = begin + done;
            lengths[count] = (int)Math.min(WindowMessage.MAX_DATA, byteCount - done);
            count++;
        }
    }

    long[] begins()
    {
        return Arrays.copyOf(begins, count);
    }

    int[] lengths()
    {
        return Arrays.copyOf(lengths, count);
    }
}
