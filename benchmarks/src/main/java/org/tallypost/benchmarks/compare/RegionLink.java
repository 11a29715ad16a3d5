// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.messaging.rma.RegionResult;
import org.tallypost.messaging.rma.RemoteRegion;
import org.tallypost.node.Node;

/**
 * Long messages by {@link RemoteRegion#putNotify} into a region of the receiver, which looks at the counter.
 */
final class RegionLink extends SlotLink
{
    private static final int ENTRIES = 1;
    private static final int LOANS = 1;

    private final int length;
    private final Region own;
    private final RegionMeeting meeting;
    private final RegionMemory memory;
    private final NetworkTurns turns;
    /** Bytes of a message that are on their way, while there is no room for the rest. */
    private int written;
    private long received;
    private long told;

    RegionLink(final Node node, final Endpoint endpoint, final LinkSpec spec, final int party, final NetworkTurns turns)
    {
        super(spec.length());
        length = spec.length();
        // a party that only sends needs no more than the word of what was consumed
        final int needed = spec.mode().isRoundTrip() || party == 0 ? memoryLength(length) : 2 * CONSUMED_OFFSET;
        this.turns = turns;
        memory = RegionMemory.open(node, endpoint,
            BitUtil.findNextPositivePowerOfTwo(Math.max(needed, RegionMemory.MIN_LENGTH)), ENTRIES, LOANS);
        own = memory.register(needed, Region.WRITE | Region.ATOMIC);
        meeting = new RegionMeeting(endpoint, 1 - party, memory, own);
    }

    @Override
    UnsafeBuffer memory()
    {
        return own.buffer();
    }

    @Override
    boolean isMet()
    {
        if (!meeting.isMet())
        {
            return false;
        }
        if (meeting.other().isFar())
        {
            memory.poll();
            tell();
        }
        return true;
    }

    @Override
    boolean write(final int at, final DirectBuffer buffer, final int offset, final int count, final long published)
    {
        final long taken = meeting.other().putNotify(
            at + written, buffer, offset + written, count - written, PUBLISHED_OFFSET);
        if (taken != RegionResult.BUSY)
        {
            written += (int)RegionMeeting.check(taken);
        }
        if (written < count)
        {
            return false;
        }
        written = 0;
        return true;
    }

    @Override
    void consumed(final long count)
    {
        received = count;
        tell();
    }

    private void tell()
    {
        if (told < received)
        {
            final long result = meeting.other().putOrdered(CONSUMED_OFFSET, received);
            if (result != RegionResult.BUSY)
            {
                RegionMeeting.check(result);
                told = received;
            }
        }
    }

    /** What is written or told may still wait in this process. */
    @Override
    public boolean flush()
    {
        return !isMet() || told == received && meeting.other().flush() == 0;
    }

    @Override
    public void work()
    {
        turns.work();
    }

    @Override
    int messageLength()
    {
        return length;
    }
}
