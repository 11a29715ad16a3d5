// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.tallypost.endpoint.PacketDescriptor.FLAGS_WHOLE;
import static org.tallypost.endpoint.PacketDescriptor.TYPE_DATA;
import static org.tallypost.endpoint.PacketDescriptor.WORD_LENGTH;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.Mailbox;

/**
 * Sends several messages with one withdrawal and one claim. The credits of all of them come first: a sender that waited for
 * credits with slots claimed and unpublished would hang everybody.
 */
final class BatchSender
{
    /** Most slots of a batch: a claim mark can tell of 4,095. */
    static final int MAX_SLOTS = 2048;

    private final Outbox outbox;

    BatchSender(final Outbox outbox)
    {
        this.outbox = outbox;
    }

    long offer(final int dest, final MessageBatch batch)
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
        if (known != null && !known.isOrdinary)
        {
            final long result = known.offerDirect(outbox, batch);
            if (result >= 0)
            {
                outbox.stalls().settle(known);
                return result;
            }
        }
        final long code = outbox.ready(dest);
        if (code != Endpoint.NO_CREDIT)
        {
            return code;
        }
        final Peer peer = outbox.peer(dest);
        return peer == null ? outbox.blocked(dest, code) : offerByRing(outbox.sender(), peer, dest, batch);
    }

    private long offerByRing(final SendingThread sender, final Peer peer, final int dest, final MessageBatch batch)
    {
        final int slots = batch.slots();
        if (slots > MAX_SLOTS)
        {
            return Endpoint.TOO_LONG;
        }
        final long position = outbox.claim(sender, peer, slots);
        if (position < 0)
        {
            return outbox.refused(sender, peer, slots, position);
        }
        try
        {
            publish(sender, peer, dest, position, batch);
        }
        catch (final Throwable t)
        {
            // whatever happened, to the caller's buffers or else: a claim is never left open
            sender.leftPeer = peer;
            sender.isLeft = true;
            sender.finishLeft();
            throw t;
        }
        final long result = outbox.sentByRing(sender, peer, position, slots);
        outbox.accept(sender, peer, batch.size(), batch.bytes());
        return result;
    }

    private void publish(
        final SendingThread sender, final Peer peer, final int dest, final long position, final MessageBatch batch)
    {
        final Mailbox mailbox = peer.mailbox;
        final int flags = FLAGS_WHOLE | Outbox.afterLane(sender, peer);
        long at = position;
        for (int i = 0; i < batch.size(); i++)
        {
            write(peer, dest, at, batch, i);
            mailbox.settle(sender.mark, at, TYPE_DATA, flags, batch.length(i) + WORD_LENGTH, outbox.rank());
            at += PacketDescriptor.slots(batch.length(i));
        }
        mailbox.finish(sender.mark);
    }

    private void write(final Peer peer, final int dest, final long position, final MessageBatch batch, final int index)
    {
        final UnsafeBuffer to = peer.buffer;
        final int at = peer.mailbox.payloadOffset(position);
        to.putBytes(at + WORD_LENGTH, batch.buffer(index), batch.offset(index), batch.length(index));
        to.putLong(at, outbox.word(peer, dest, batch.tag(index)));
    }
}
