// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.send;

import java.nio.ByteBuffer;
import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.internal.layout.CounterWords;
import org.tallypost.endpoint.internal.layout.CountersDescriptor;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;

/**
 * What a thread has sent by lanes and not added to the counters proper yet: one word, so that a message costs one addition and
 * one store. For the holder of the lanes, or, unless it is the first thread's, the thread that ended their one lane.
 *
 * <pre>
 *   63                 44 43                                 0
 *  +---------------------+------------------------------------+
 *  |  bytes + messages   |             messages               |
 *  +---------------------+------------------------------------+
 * </pre>
 *
 * <b>Range.</b> The word is negative as soon as bytes and messages together reach 2^19. The sender that sees a negative word
 * settles at once ({@link #sent}), so an addition always begins below 2^19. One addition is at most a batch of
 * {@link PacketDescriptor#MAX_BATCH_SLOTS} slots, with at most one message and 56 bytes in each, which is less than 2^17. So the
 * upper field stays below 2^20, its size. The lower field is never more than the upper one, so nothing is carried from it.
 */
public final class LaneCounts
{
    /** Bytes and messages that were sent by lanes and are not in the counters proper are never more than this and one batch. */
    public static final int MOST_UNSETTLED = 1 << 19;

    private final CounterWords counters;
    private final boolean isFirstThread;
    private final UnsafeBuffer word;

    /**
     * Counts of a thread.
     *
     * @param isFirstThread whether it is the one for which the counters have words of its own.
     */
    public LaneCounts(final CounterWords counters, final boolean isFirstThread)
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
    public long address()
    {
        return word.addressOffset();
    }

    /**
     * Counts messages.
     *
     * @return negative if {@link #settle} has to be called before anything more is counted.
     */
    public static long sent(final long address, final int messages, final int bytes)
    {
        final long word = UnsafeApi.getLong(address) + ((long)(bytes + messages) << CountersDescriptor.LANE_BYTES_SHIFT) +
            messages;
        UnsafeApi.putLong(address, word);
        return word;
    }

    /** Adds to the counters proper. A reader may see twice what is added meanwhile: {@link #MOST_UNSETTLED} and a batch. */
    public void settle()
    {
        final long fresh = word.getLong(0);
        if (isFirstThread)
        {
            counters.addPlain(CountersDescriptor.SENT_OFFSET, CountersDescriptor.laneMessages(fresh));
            counters.addPlain(CountersDescriptor.BYTES_SENT_OFFSET, CountersDescriptor.laneBytes(fresh));
        }
        else
        {
            counters.add(CountersDescriptor.SENT_SHARED_OFFSET, CountersDescriptor.laneMessages(fresh));
            counters.add(CountersDescriptor.BYTES_SENT_SHARED_OFFSET, CountersDescriptor.laneBytes(fresh));
        }
        word.putLongRelease(0, 0);
    }
}
