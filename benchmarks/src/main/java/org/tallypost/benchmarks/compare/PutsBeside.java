// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.BufferUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.messaging.rma.RegionResult;
import org.tallypost.messaging.rma.RemoteRegion;
import org.tallypost.node.Node;

/**
 * Puts of 1 MiB from the first party into a region of the second on another node, without a pause, while short messages go there
 * and back. A call puts a piece, so that the thread is soon back.
 */
final class PutsBeside
{
    private static final int LENGTH = 1 << 20;

    private final RegionMemory memory;
    private final RegionMeeting meeting;
    private final UnsafeBuffer data;
    private int done;
    private long bytes;

    PutsBeside(final Node node, final Endpoint endpoint, final int destination)
    {
        memory = RegionMemory.open(node, endpoint, LENGTH, 1, 1);
        meeting = new RegionMeeting(endpoint, destination, memory, memory.register(LENGTH, Region.WRITE));
        data = destination == 0 ? null : new UnsafeBuffer(BufferUtil.allocateDirectAligned(LENGTH, 64));
    }

    boolean isMet()
    {
        return meeting.isMet();
    }

    void work()
    {
        memory.poll();
        if (data == null)
        {
            return;
        }
        final long taken =
            meeting.other().put(done, data, done, Math.min(RemoteRegion.MAX_FAR_LENGTH, LENGTH - done));
        if (taken != RegionResult.BUSY)
        {
            RegionMeeting.check(taken);
            bytes += taken;
            done = (int)(done + taken) % LENGTH;
        }
    }

    /** Bytes that were taken. */
    long bytes()
    {
        return bytes;
    }
}
