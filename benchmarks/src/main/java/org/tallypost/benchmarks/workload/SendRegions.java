// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.workload;

import java.util.List;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.SendRegionDescriptor;
import org.tallypost.benchmarks.plan.Sizing;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionKey;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.messaging.rma.RemoteRegion;
import org.tallypost.node.Node;

/**
 * The regions that the ranks of one process send from, and those of all other ranks as far as they have told of them. The first
 * rank of the process owns the memory of all its ranks: what others map grows with the processes, not with the ranks. For one
 * thread.
 */
final class SendRegions implements AutoCloseable
{
    private final SendRegionDescriptor layout;
    private final Pattern pattern;
    private final RegionMemory memory;
    private final RegionKey found = new RegionKey();
    private final RegionKey[] keys;
    private final RemoteRegion[] remotes;
    private final UnsafeBuffer inbox;

    SendRegions(final RunPlan plan, final Pattern pattern, final Node node, final List<Endpoint> endpoints)
    {
        layout = new SendRegionDescriptor(plan);
        this.pattern = pattern;
        keys = new RegionKey[plan.ranks()];
        remotes = new RemoteRegion[plan.ranks()];
        inbox = new UnsafeBuffer(new byte[plan.messageLength()]);
        memory = RegionMemory.open(
            node, endpoints.get(0), Math.toIntExact(Sizing.regionBytes(plan)), endpoints.size(), 1);
    }

    /** Makes the region of a rank of this process, with the windows of all its messages. */
    Region register(final int rank)
    {
        final Region region = memory.register(Math.toIntExact(layout.length()), Region.READ | Region.WRITE);
        region.buffer().putBytes(layout.windowsOffset(), pattern.buffer(), pattern.offset(rank),
            layout.spareOffset() - layout.windowsOffset());
        return region;
    }

    SendRegionDescriptor layout()
    {
        return layout;
    }

    /** Where a message is in the region of its sender. */
    int place(final int source, final int offset)
    {
        return layout.windowsOffset() + offset - pattern.offset(source);
    }

    /**
     * Attaches to the region of a rank, unless it is attached to already.
     *
     * @param source that has told of it.
     * @param buffer that holds its key.
     * @param offset of the key.
     * @return 0, or why it is attached to nothing.
     */
    long attach(final int source, final DirectBuffer buffer, final int offset)
    {
        found.decode(buffer, offset);
        return found.equals(keys[source]) ? 0 : attachAnew(source, buffer, offset);
    }

    private long attachAnew(final int source, final DirectBuffer buffer, final int offset)
    {
        final RemoteRegion remote = new RemoteRegion();
        final long result = remote.attach(memory, found);
        remotes[source] = remote;
        keys[source] = result < 0 ? null : new RegionKey().decode(buffer, offset);
        return result;
    }

    /** The region that was attached to last. */
    RemoteRegion of(final int source)
    {
        return remotes[source];
    }

    /** Memory into which a receiver copies a message, to look at it before the next one. */
    UnsafeBuffer inbox()
    {
        return inbox;
    }

    @Override
    public void close()
    {
        memory.close();
    }
}
