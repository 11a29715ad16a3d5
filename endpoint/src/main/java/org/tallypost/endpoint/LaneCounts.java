// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import java.nio.ByteBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * What a thread has sent by lanes since it last took credits: one word with messages and bytes, so that a message costs one
 * addition and one store. Added to the counters proper when credits are taken. For the holder of the lanes, or, unless it is
 * the first thread's, whoever ended the one lane that they are of.
 */
final class LaneCounts
{
    private static final int MESSAGES_SHIFT = 32;

    private final EndpointCounters counters;
    private final boolean isFirstThread;
    private final UnsafeBuffer word;

    /**
     * Counts of a thread.
     *
     * @param isFirstThread whether it is the one for which the counters have words of its own.
     */
    LaneCounts(final EndpointCounters counters, final boolean isFirstThread)
    {
        this.counters = counters;
        this.isFirstThread = isFirstThread;
        word = isFirstThread ?
            counters.word(CountersDescriptor.SENT_BY_LANES_OFFSET) : new UnsafeBuffer(ByteBuffer.allocateDirect(Long.BYTES));
    }

    boolean isFirstThread()
    {
        return isFirstThread;
    }

    /** Where a message is to be counted; valid as long as these counts are reachable. */
    long address()
    {
        return word.addressOffset();
    }

    static void sent(final long address, final int messages, final int bytes)
    {
        UnsafeApi.putLong(address, UnsafeApi.getLong(address) + ((long)messages << MESSAGES_SHIFT) + bytes);
    }

    /** Adds to the counters proper; whoever reads them meanwhile sees a few messages less or more. */
    void settle()
    {
        final long fresh = word.getLong(0);
        if (isFirstThread)
        {
            counters.addPlain(CountersDescriptor.SENT_OFFSET, messages(fresh));
            counters.addPlain(CountersDescriptor.BYTES_SENT_OFFSET, bytes(fresh));
        }
        else
        {
            counters.add(CountersDescriptor.SENT_SHARED_OFFSET, messages(fresh));
            counters.add(CountersDescriptor.BYTES_SENT_SHARED_OFFSET, bytes(fresh));
        }
        word.putLongRelease(0, 0);
    }

    static long messages(final long word)
    {
        return word >>> MESSAGES_SHIFT;
    }

    static long bytes(final long word)
    {
        return word & 0xFFFF_FFFFL;
    }
}
