// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.tallypost.endpoint.Endpoint.CLOSED;
import static org.tallypost.endpoint.Endpoint.NOT_CONNECTED;
import static org.tallypost.endpoint.Endpoint.NO_CREDIT;

import org.agrona.DirectBuffer;
import org.tallypost.mailbox.ClaimMark;
import org.tallypost.mailbox.MailboxDescriptor;

/**
 * A receiver on another node: its credits lie in the 'remote' file, its packets go into the ring to its node, in which all
 * ranks of this node share the room. There are fewer slots than credits, so a thread claims only what is free.
 */
final class RemotePeer extends Peer
{
    private final TransportHost host;
    private final int source;
    private final int line;

    RemotePeer(
        final TransportHost host,
        final RemoteNodes nodes,
        final int dest,
        final long rankWord,
        final int source,
        final int epoch,
        final int maxCredits)
    {
        super(nodes.ring(nodes.map().nodeOf(dest)), rankWord, nodes.buffer(), nodes.lineOffset(source, dest),
            RemoteDescriptor.pairEpoch(epoch, GroupDescriptor.epoch(rankWord)), maxCredits,
            RemoteDescriptor.destWord(dest, GroupDescriptor.epoch(rankWord), epoch), false);
        this.host = host;
        this.source = source;
        line = nodes.lineOffset(source, dest);
        // there are no lanes between nodes: nobody has to look for one
        neededStreak = Integer.MAX_VALUE;
    }

    @Override
    long offerDirect(
        final Outbox outbox, final int tag, final DirectBuffer from, final int offset, final int length)
    {
        final CarrierThread carrier = host.carrier();
        if (carrier == null || !carrier.isHolder() || isSendActive() || outbox.isClosed())
        {
            return LaneSender.BY_RING;
        }
        // no mark: the pair is closed by this very thread, in a duty cycle
        final int slots = PacketDescriptor.slots(length);
        final long word = creditWord();
        if (!isOurs(word) || credits(word) < slots || !withdraw(word, slots))
        {
            return LaneSender.BY_RING;
        }
        boolean isSent = false;
        try
        {
            isSent = carrier.send(source, destWord | tag & 0xFFFF_FFFFL, from, offset, length);
        }
        finally
        {
            if (!isSent)
            {
                add(slots);
            }
        }
        return isSent ? directPosition(slots) : LaneSender.BY_RING;
    }

    /** It has no place in the ring, but a position of its own. */
    private long directPosition(final int slots)
    {
        laneSlots += slots;
        return position(lastPosition, 0);
    }

    /** As {@link Outbox#claim}. */
    long claim(final Outbox outbox, final ClaimMark mark, final int slots)
    {
        final long code = withdraw(outbox, mark, slots);
        if (code < 0)
        {
            return code;
        }
        final long position = claimInRing(mark, slots);
        if (position < 0)
        {
            add(slots);
            mark.clear();
            return NO_CREDIT;
        }
        return position;
    }

    /** Withdraws credits under a mark. */
    private long withdraw(final Outbox outbox, final ClaimMark mark, final int slots)
    {
        mark.intend(claimKey, slots);
        while (true)
        {
            final long word = creditWord();
            if (!isOurs(word) || credits(word) < slots)
            {
                mark.clear();
                return isOurs(word) ? NO_CREDIT : NOT_CONNECTED;
            }
            if (withdraw(word, slots))
            {
                break;
            }
        }
        // SYNC POINT endpoint-closed
        if (outbox.isClosed())
        {
            add(slots);
            mark.clear();
            return CLOSED;
        }
        return 0;
    }

    /**
     * Takes credits for a message that is written beside the ring, and claims when it is complete: an open claim would hold up
     * the whole node.
     */
    long tryClaim(
        final Outbox outbox, final SendingThread sender, final int tag, final int length, final MessageClaim claim)
    {
        final int slots = PacketDescriptor.slots(length);
        final long code = withdraw(outbox, sender.mark, slots);
        if (code < 0)
        {
            return code;
        }
        sender.mark.clear();
        claim.openAside(outbox, this, tag, length);
        outbox.stalls().settle(this);
        return directPosition(slots);
    }

    /**
     * Claims for a message whose credits were withdrawn before. Waits for room in the ring, which the transport makes whether
     * or not the other node is there.
     *
     * @return a position; negative if the receiver is gone meanwhile, or this endpoint closed.
     */
    private long claimWithdrawn(final Outbox outbox, final ClaimMark mark, final int slots)
    {
        mark.intend(claimKey, slots);
        while (!outbox.isClosed() && isOurs(creditWord()))
        {
            final long position = claimInRing(mark, slots);
            if (position >= 0)
            {
                return position;
            }
            mark.clear();
            if (!host.workOfThisThread("a message to another node is committed within the transport's duty cycle, as by an " +
                "event handler, and the ring to that node is full: egressSlots=" + mailbox.ringSlots() +
                "; commit it elsewhere, or raise egressSlots"))
            {
                Thread.yield();
            }
            mark.intend(claimKey, slots);
        }
        mark.clear();
        return NOT_CONNECTED;
    }

    /** All ranks of this node together have more credits than the ring has slots. */
    private long claimInRing(final ClaimMark mark, final int slots)
    {
        final long position = mailbox.claimWithin(mark, slots, cachedReadPosition);
        if (position >= 0)
        {
            return position;
        }
        cachedReadPosition = mailbox.readPosition();
        return mailbox.claimWithin(mark, slots, cachedReadPosition);
    }

    /** What the receiver has read is not known here; what has come into its mailbox is. */
    @Override
    boolean isUnread()
    {
        return mailbox.readPosition() < lastPosition ||
            RemoteDescriptor.sentCount(words.getLongVolatile(line + RemoteDescriptor.SENT_OFFSET)) !=
            (int)words.getLongVolatile(line + RemoteDescriptor.RECEIVED_OFFSET);
    }

    /** All that there are: then all of them come back together with what the receiver has kept, in one round trip. */
    @Override
    int nudgeSlots(final int credits)
    {
        return Math.min(credits, PacketDescriptor.RUN_SLOTS);
    }

    @Override
    int writeNudge(final long position, final int slots)
    {
        buffer.putLong(mailbox.payloadOffset(position), destWord);
        return MailboxDescriptor.payloadLength(slots);
    }

    /** Sends a message for which {@link #tryClaim} has taken the credits. */
    void commit(final Outbox outbox, final int tag, final DirectBuffer message, final int length)
    {
        final CarrierThread carrier = host.carrier();
        if (carrier != null && !outbox.isClosed() && isOurs(creditWord()) &&
            carrier.send(source, destWord | tag & 0xFFFF_FFFFL, message, 0, length))
        {
            return;
        }
        final ClaimMark mark = outbox.sender().mark;
        final long position = claimWithdrawn(outbox, mark, PacketDescriptor.slots(length));
        if (position >= 0)
        {
            final int at = mailbox.payloadOffset(position);
            buffer.putBytes(at + PacketDescriptor.WORD_LENGTH, message, 0, length);
            buffer.putLong(at, destWord | tag & 0xFFFF_FFFFL);
            mailbox.publish(mark, position, PacketDescriptor.TYPE_DATA, PacketDescriptor.FLAGS_WHOLE,
                length + PacketDescriptor.WORD_LENGTH, outbox.rank());
            lastPosition = position + PacketDescriptor.slots(length);
        }
    }
}
