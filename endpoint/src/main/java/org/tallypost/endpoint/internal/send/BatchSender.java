// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.send;

import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageBatch;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;

/**
 * Sends several messages with one withdrawal and one claim. The credits of all of them come first: a sender that waited for
 * credits with slots claimed and unpublished would hang everybody.
 */
public final class BatchSender
{
    private final Outbox outbox;

    public BatchSender(final Outbox outbox)
    {
        this.outbox = outbox;
    }

    public long offer(final int dest, final MessageBatch batch)
    {
        final Peer known = outbox.connected(dest);
        final LaneSender lane = known == null ? null : known.lane;
        if (lane != null)
        {
            final long result = lane.offer(known.rankWord, batch);
            if (result != LaneSender.BY_RING)
            {
                return outbox.settled(known, batch.slots(), result);
            }
        }
        if (known != null && known.isRemote)
        {
            final long result = known.offerDirect(outbox, batch);
            if (result >= 0)
            {
                outbox.stalls().settle(known);
                return result;
            }
        }
        final SendingThread sender = outbox.sender();
        final Peer peer = outbox.resolve(sender, dest);
        return peer == null ? sender.blocked : offerByRing(sender, peer, dest, batch);
    }

    private long offerByRing(final SendingThread sender, final Peer peer, final int dest, final MessageBatch batch)
    {
        final int slots = batch.slots();
        if (slots > PacketDescriptor.MAX_BATCH_SLOTS)
        {
            return Endpoint.TOO_LONG;
        }
        final long position = outbox.ringTo(sender, peer).send(sender, peer, slots, dest, batch);
        if (position < 0)
        {
            return outbox.refused(sender, peer, slots, position);
        }
        final long result = outbox.sentByRing(sender, peer, position, slots);
        outbox.accept(sender, peer, batch.size(), batch.bytes());
        return result;
    }
}
