// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.benchmarks.workload.Polled;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionKey;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.messaging.rma.RegionResult;
import org.tallypost.messaging.rma.RemoteRegion;

/**
 * Two parties that tell each other the keys of their regions by messages, before the first one that counts.
 */
final class RegionMeeting
{
    private final Endpoint endpoint;
    private final int destination;
    private final RegionMemory memory;
    private final RemoteRegion other = new RemoteRegion();
    private final UnsafeBuffer key = new UnsafeBuffer(new byte[RegionKey.LENGTH]);
    private boolean isTold;
    private boolean isAttached;
    private boolean isMet;

    RegionMeeting(final Endpoint endpoint, final int destination, final RegionMemory memory, final Region own)
    {
        this.endpoint = endpoint;
        this.destination = destination;
        this.memory = memory;
        own.key(new RegionKey()).encode(key, 0);
    }

    /** The other party's region. */
    RemoteRegion other()
    {
        return other;
    }

    /** Goes on; whether the other's region can be used. */
    boolean isMet()
    {
        return isMet || meet();
    }

    private boolean meet()
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
        memory.poll();
        isMet = isTold && isAttached && check(other.flush()) == 0;
        return isMet;
    }

    private void onKey(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        check(other.attach(memory, new RegionKey().decode(buffer, offset)));
        isAttached = true;
    }

    /** What was not refused. */
    static long check(final long result)
    {
        if (result < 0)
        {
            throw new IllegalStateException("an operation on a region was refused: " + RegionResult.text(result));
        }
        return result;
    }
}
