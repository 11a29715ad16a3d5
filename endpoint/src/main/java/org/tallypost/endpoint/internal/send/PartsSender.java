// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.send;

import org.agrona.DirectBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.layout.PayloadCopy;

/**
 * Sends messages of two parts, each copied to its place in the mailbox at once. The ways are those of a message of one part, in
 * the same order; beside them, so that the way of a short message stays small enough to become a part of its caller.
 */
public final class PartsSender
{
    private final Outbox outbox;

    public PartsSender(final Outbox outbox)
    {
        this.outbox = outbox;
    }

    public long offer(
        final int dest, final int tag, final DirectBuffer head, final int headOffset, final int headLength,
        final DirectBuffer body, final int bodyOffset, final int bodyLength)
    {
        PayloadCopy.checkRange(head, headOffset, headLength);
        PayloadCopy.checkRange(body, bodyOffset, bodyLength);
        final Peer known = outbox.peers()[dest];
        if ((long)headLength + bodyLength > Endpoint.MAX_RUN_LENGTH)
        {
            return Endpoint.TOO_LONG;
        }
        final LaneSender lane = known == null ? null : known.lane;
        if (lane != null)
        {
            final long result =
                lane.offer(outbox.rankWord(dest), tag, head, headOffset, headLength, body, bodyOffset, bodyLength);
            if (result != LaneSender.BY_RING)
            {
                return outbox.settled(known, PacketDescriptor.slots(headLength + bodyLength), result);
            }
        }
        if (known != null && known.isRemote && known.rankWord == outbox.rankWord(dest) && !known.isLossUntold)
        {
            final long result =
                known.offerDirect(outbox, tag, head, headOffset, headLength, body, bodyOffset, bodyLength);
            if (result >= 0)
            {
                outbox.stalls().settle(known);
                return result;
            }
        }
        return offerByRing(dest, tag, head, headOffset, headLength, body, bodyOffset, bodyLength);
    }

    private long offerByRing(
        final int dest, final int tag, final DirectBuffer head, final int headOffset, final int headLength,
        final DirectBuffer body, final int bodyOffset, final int bodyLength)
    {
        final SendingThread sender = outbox.sender();
        final Peer peer = outbox.resolve(sender, dest);
        if (peer == null)
        {
            return sender.blocked;
        }
        final int slots = PacketDescriptor.slots(headLength + bodyLength);
        final long position = outbox.ringTo(sender, peer).send(
            sender, peer, slots, dest, tag, head, headOffset, headLength, body, bodyOffset, bodyLength);
        if (position < 0)
        {
            return outbox.refused(sender, peer, slots, position);
        }
        final long result = outbox.sentByRing(sender, peer, position, slots);
        outbox.accept(sender, peer, 1, headLength + bodyLength);
        return result;
    }
}
