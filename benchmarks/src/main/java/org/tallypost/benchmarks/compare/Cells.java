// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Buffers that a queue of references carries. There are twice as many as the queue holds, so that the one that the consumer
 * reads is never written.
 */
final class Cells
{
    private final UnsafeBuffer[] cells;
    private int next;

    Cells(final int capacity, final int length)
    {
        cells = new UnsafeBuffer[2 * capacity];
        for (int i = 0; i < cells.length; i++)
        {
            cells[i] = cell(length);
        }
    }

    static UnsafeBuffer cell(final int length)
    {
        return new UnsafeBuffer(new byte[length]);
    }

    /** Messages that a queue holds if their bytes are to fill about as much memory as the others have: a power of two. */
    static int capacity(final LinkSpec spec)
    {
        final int perMessage = (spec.length() + Long.BYTES + 63) / 64;
        final int messages = Math.max(4, spec.slots() / perMessage);
        return Math.max(4, BitUtil.findNextPositivePowerOfTwo(messages + 1) / 2);
    }

    UnsafeBuffer peek()
    {
        return cells[next];
    }

    void advance()
    {
        next = next + 1 == cells.length ? 0 : next + 1;
    }
}
