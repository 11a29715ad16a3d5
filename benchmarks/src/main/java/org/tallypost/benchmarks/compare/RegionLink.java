// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionMemory;
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

    RegionLink(final Node node, final Endpoint endpoint, final LinkSpec spec, final int party)
    {
        super(spec.length());
        length = spec.length();
        // a party that only sends needs no more than the word of what was consumed
        final int needed = spec.mode().isRoundTrip() || party == 0 ? memoryLength(length) : 2 * CONSUMED_OFFSET;
        final RegionMemory memory = RegionMemory.open(node, endpoint,
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
        return meeting.isMet();
    }

    @Override
    void write(final int at, final DirectBuffer buffer, final int offset, final int count, final long published)
    {
        RegionMeeting.check(meeting.other().putNotify(at, buffer, offset, count, PUBLISHED_OFFSET));
    }

    @Override
    void consumed(final long count)
    {
        RegionMeeting.check(meeting.other().putOrdered(CONSUMED_OFFSET, count));
    }

    @Override
    int messageLength()
    {
        return length;
    }
}
