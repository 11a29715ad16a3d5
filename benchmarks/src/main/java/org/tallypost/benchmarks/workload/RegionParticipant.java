// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.workload;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.benchmarks.plan.MessagePath;
import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.Step;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.LongSend;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionResult;
import org.tallypost.messaging.rma.RemoteRegion;

/**
 * A rank of an alltoall on {@link MessagePath#REGIONS}: its messages stay in its region until their receivers copy them, each
 * of which then writes a receipt there. A message is out when its receipt has come. Ranks of other nodes get runs.
 */
final class RegionParticipant extends AlltoallParticipant
{
    private final SendRegions regions;
    private final Region region;
    private final boolean[] isNear;
    /** Distance from this rank to the destination of the next receipt: the receipts of all before it have come. */
    private int nextReceipt;

    RegionParticipant(
        final Endpoint endpoint, final RunPlan plan, final Pattern pattern, final MessageCheck check, final SendRegions regions)
    {
        super(endpoint, plan, pattern, check);
        this.regions = regions;
        region = regions.register(rank);
        isNear = new boolean[plan.active()];
        for (int other = 0; other < isNear.length; other++)
        {
            isNear[other] = endpoint.isSameNode(other);
        }
    }

    @Override
    protected LongSend newSend()
    {
        return new RegionSend(endpoint, regions, region, pattern);
    }

    @Override
    protected void onBegin(final Step step)
    {
        nextReceipt = 1;
        super.onBegin(step);
    }

    @Override
    protected void onOut(final int dest)
    {
        if (!isNear[dest])
        {
            super.onOut(dest);
        }
    }

    @Override
    public int turn()
    {
        return super.turn() + lookForReceipts();
    }

    private int lookForReceipts()
    {
        final UnsafeBuffer words = region.buffer();
        int found = 0;
        while (nextReceipt < isNear.length)
        {
            final int dest = destination(nextReceipt);
            if (isNear[dest])
            {
                // pairs with the release in onMessage: the receiver has its copy
                if (words.getLongAcquire(regions.layout().receiptOffset(dest)) != baseRound + 1)
                {
                    break;
                }
                super.onOut(dest);
                found++;
            }
            nextReceipt++;
        }
        return found;
    }

    @Override
    public void onMessage(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        if (!isExpected(source))
        {
            return;
        }
        if (!isNear[source])
        {
            onArrived(source, tag, buffer, offset, length);
            return;
        }
        if (length != AnnouncementDescriptor.LENGTH ||
            buffer.getInt(offset + AnnouncementDescriptor.LENGTH_OFFSET) != plan.messageLength())
        {
            check.mismatch(source, rank, baseRound, "an announcement of " + length + " bytes, or of another length");
            return;
        }
        final int place = buffer.getInt(offset + AnnouncementDescriptor.PLACE_OFFSET);
        long result = regions.attach(source, buffer, offset + AnnouncementDescriptor.KEY_OFFSET);
        if (result == 0)
        {
            result = copy(source, tag, regions.of(source), place);
        }
        if (result < 0)
        {
            check.mismatch(source, rank, baseRound, "region of the sender: " + RegionResult.text(result));
        }
    }

    private long copy(final int source, final int tag, final RemoteRegion from, final int place)
    {
        final long result = from.get(place, regions.inbox(), 0, plan.messageLength());
        if (result < 0)
        {
            return result;
        }
        onArrived(source, tag, regions.inbox(), 0, plan.messageLength());
        return from.putOrdered(regions.layout().receiptOffset(rank), baseRound + 1);
    }
}
