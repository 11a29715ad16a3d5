// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.messaging.rma.RemoteRegion;
import org.tallypost.node.Node;

/**
 * Messages of one word that one party writes into memory, and the other sees there. A word is stored with all bits turned round,
 * so that none is 0, as memory is at first.
 */
abstract class WordLink implements Link
{
    /** Distance of words that different parties write: no two in a line, or in a pair of lines. */
    static final int STRIDE = 256;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[Long.BYTES]);
    private long last;

    /** Whether the other party's memory can be used. */
    boolean isMet()
    {
        return true;
    }

    abstract void write(long word);

    abstract long read();

    @Override
    public final boolean send(final DirectBuffer buffer, final int offset, final int length)
    {
        if (!isMet())
        {
            return false;
        }
        write(~buffer.getLong(offset));
        return true;
    }

    @Override
    public final int poll(final Inlet inlet, final int limit)
    {
        if (!isMet())
        {
            return 0;
        }
        final long found = read();
        if (found == last)
        {
            return 0;
        }
        last = found;
        message.putLong(0, ~found);
        inlet.onMessage(message, 0, Long.BYTES);
        return 1;
    }

    /** Plain mapped memory: a volatile store, and a volatile load. */
    static final class Plain extends WordLink
    {
        private final UnsafeBuffer memory;
        private final int ownAt;
        private final int otherAt;

        Plain(final UnsafeBuffer memory, final int party)
        {
            this.memory = memory;
            ownAt = party * STRIDE;
            otherAt = (1 - party) * STRIDE;
        }

        @Override
        void write(final long word)
        {
            // SYNC POINT raw-word
            memory.putLongVolatile(otherAt, word);
        }

        @Override
        long read()
        {
            return memory.getLongVolatile(ownAt);
        }
    }

    /** A word is put into the other's region, or got from there where its owner has stored it. */
    static final class InRegion extends WordLink
    {
        private final Region own;
        private final RegionMeeting meeting;
        private final boolean isGetting;
        private final UnsafeBuffer word = new UnsafeBuffer(new byte[Long.BYTES]);

        InRegion(final Node node, final Endpoint endpoint, final int party, final boolean isGetting)
        {
            this.isGetting = isGetting;
            final RegionMemory memory = RegionMemory.open(node, endpoint, RegionMemory.MIN_LENGTH, 1, 1);
            own = memory.register(STRIDE, Region.READ | Region.WRITE);
            meeting = new RegionMeeting(endpoint, 1 - party, memory, own);
        }

        @Override
        boolean isMet()
        {
            return meeting.isMet();
        }

        @Override
        void write(final long found)
        {
            if (isGetting)
            {
                own.buffer().putLongRelease(0, found);
                return;
            }
            word.putLong(0, found);
            RegionMeeting.check(meeting.other().put(0, word, 0, Long.BYTES));
        }

        @Override
        long read()
        {
            if (!isGetting)
            {
                return own.buffer().getLongAcquire(0);
            }
            final RemoteRegion other = meeting.other();
            RegionMeeting.check(other.get(0, word, 0, Long.BYTES));
            return word.getLong(0);
        }
    }
}
