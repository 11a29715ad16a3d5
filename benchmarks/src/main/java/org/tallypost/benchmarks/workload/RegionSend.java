// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.workload;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.LongSend;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionKey;

/**
 * Tells a receiver of the same node of a message in the sender's region. A message that is elsewhere is copied there first. When
 * {@link #start} or {@link #progress} returns a position, the receiver was told; it has the message when it writes its receipt.
 * A message to another node goes in runs.
 */
final class RegionSend extends LongSend
{
    private final Endpoint endpoint;
    private final SendRegions regions;
    private final Region region;
    private final DirectBuffer windows;
    private final UnsafeBuffer announcement = new UnsafeBuffer(new byte[AnnouncementDescriptor.LENGTH]);
    /** Null until there is a message to another node. */
    private LongSend far;
    private boolean isFar;
    private boolean isActive;
    private int dest;
    private int tag;

    RegionSend(final Endpoint endpoint, final SendRegions regions, final Region region, final Pattern pattern)
    {
        this.endpoint = endpoint;
        this.regions = regions;
        this.region = region;
        windows = pattern.buffer();
        region.key(new RegionKey()).encode(announcement, AnnouncementDescriptor.KEY_OFFSET);
    }

    @Override
    public long start(final int to, final int messageTag, final DirectBuffer from, final int at, final int count)
    {
        if (isActive())
        {
            throw new IllegalStateException("a message to rank " + dest + " is under way with this handle");
        }
        dest = to;
        tag = messageTag;
        isFar = !endpoint.isSameNode(to);
        if (isFar)
        {
            far = far == null ? endpoint.newSend() : far;
            return far.start(to, messageTag, from, at, count);
        }
        int place = regions.layout().spareOffset();
        if (from == windows)
        {
            place = regions.place(endpoint.rank(), at);
        }
        else
        {
            region.buffer().putBytes(place, from, at, count);
        }
        announcement.putInt(AnnouncementDescriptor.PLACE_OFFSET, place);
        announcement.putInt(AnnouncementDescriptor.LENGTH_OFFSET, count);
        return progress();
    }

    @Override
    public long start(
        final int to, final int messageTag, final DirectBuffer first, final int firstAt, final int firstCount,
        final DirectBuffer second, final int secondAt, final int secondCount)
    {
        throw new UnsupportedOperationException("a message of two parts");
    }

    @Override
    public long progress()
    {
        if (isFar)
        {
            return far.progress();
        }
        final long result = endpoint.offer(dest, tag, announcement, 0, AnnouncementDescriptor.LENGTH);
        isActive = result == Endpoint.NO_CREDIT;
        return result;
    }

    @Override
    public boolean isActive()
    {
        return isFar ? far.isActive() : isActive;
    }

    @Override
    public void abort()
    {
        isActive = false;
        if (isFar)
        {
            far.abort();
        }
    }
}
