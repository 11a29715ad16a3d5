// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.benchmarks.workload.Polled;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionKey;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.messaging.rma.RegionResult;
import org.tallypost.messaging.rma.RemoteRegion;
import org.tallypost.node.Node;

/**
 * Long messages by {@link RemoteRegion#putNotify} into a region of the receiver, which looks at the counter. The parties exchange
 * the keys of their regions by messages, before the first one.
 */
final class RegionLink extends SlotLink
{
    private static final int ENTRIES = 1;
    private static final int LOANS = 1;

    private final Endpoint endpoint;
    private final int destination;
    private final int length;
    private final RegionMemory memory;
    private final Region own;
    private final RemoteRegion other = new RemoteRegion();
    private final UnsafeBuffer key = new UnsafeBuffer(new byte[RegionKey.LENGTH]);
    private boolean isTold;
    private boolean isAttached;

    RegionLink(final Node node, final Endpoint endpoint, final LinkSpec spec, final int party)
    {
        super(spec.length());
        this.endpoint = endpoint;
        length = spec.length();
        destination = 1 - party;
        // a party that only sends needs no more than the word of what was consumed
        final int needed = spec.mode().isRoundTrip() || party == 0 ? memoryLength(length) : 2 * CONSUMED_OFFSET;
        memory = RegionMemory.open(node, endpoint,
            BitUtil.findNextPositivePowerOfTwo(Math.max(needed, RegionMemory.MIN_LENGTH)), ENTRIES, LOANS);
        own = memory.register(needed, Region.WRITE | Region.ATOMIC);
        own.key(new RegionKey()).encode(key, 0);
    }

    @Override
    UnsafeBuffer memory()
    {
        return own.buffer();
    }

    @Override
    boolean isMet()
    {
        if (!isTold)
        {
            final long result = endpoint.offer(destination, 0, key, 0, RegionKey.LENGTH);
            isTold = result >= 0;
            if (!isTold && result != Endpoint.NOT_CONNECTED && result != Endpoint.NO_CREDIT)
            {
                throw new IllegalStateException("a key could not be sent: " + Endpoint.errorString(result));
            }
        }
        if (!isAttached)
        {
            Polled.work(endpoint.poll(this::onKey, 1));
        }
        return isTold && isAttached;
    }

    private void onKey(final int source, final int tag, final DirectBuffer buffer, final int offset, final int keyLength)
    {
        check(other.attach(memory, new RegionKey().decode(buffer, offset)));
        isAttached = true;
    }

    private static void check(final long result)
    {
        if (result < 0)
        {
            throw new IllegalStateException("an operation on a region was refused: " + RegionResult.text(result));
        }
    }

    @Override
    void write(final int at, final DirectBuffer buffer, final int offset, final int count, final long published)
    {
        check(other.putNotify(at, buffer, offset, count, PUBLISHED_OFFSET));
    }

    @Override
    void consumed(final long count)
    {
        check(other.putOrdered(CONSUMED_OFFSET, count));
    }

    @Override
    int messageLength()
    {
        return length;
    }
}
