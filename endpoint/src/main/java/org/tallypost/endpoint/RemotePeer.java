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
    /** Most credits that the thread that carries packets takes at once for what it sends past the ring, unless one needs more. */
    static final int MAX_IN_HAND = 64;

    private final TransportHost host;
    private final int source;
    private final int line;
    /** Credits in hand. Of the thread that carries packets, as are the next four; handed over with its {@link ThreadHold}. */
    private int inHand;
    private boolean isNoted;
    /** Who has seen the ring empty, and sent nothing by it since. */
    private CarrierThread ringSeenEmptyBy;
    /** Beyond all that was in the ring then. */
    private long ringEnd;
    /** Where to count, of this thread if it is the one that has words of its own; else 0. */
    private long countsAddress;

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
    boolean isIntroduced(final long ownerWord)
    {
        // nobody asks: no claim is left open for a rank of another node
        return true;
    }

    @Override
    long offerDirect(
        final Outbox outbox, final int tag, final DirectBuffer from, final int offset, final int length)
    {
        final CarrierThread carrier = host.invokedBy(Thread.currentThread());
        if (carrier == null || !carrier.tryEnter())
        {
            return LaneSender.BY_RING;
        }
        try
        {
            final int slots = PacketDescriptor.slots(length);
            if (!prepareDirect(carrier, outbox, slots) || !send(carrier, tag, from, offset, length, false))
            {
                giveBack();
                return LaneSender.BY_RING;
            }
            outbox.countDirect(countsAddress, 1, length);
            return position(ringEnd, 0);
        }
        finally
        {
            carrier.out();
        }
    }

    @Override
    long offerDirect(final Outbox outbox, final MessageBatch batch)
    {
        final CarrierThread carrier = host.invokedBy(Thread.currentThread());
        if (carrier == null || batch.size() == 0 || batch.slots() > BatchSender.MAX_SLOTS || !carrier.tryEnter())
        {
            return LaneSender.BY_RING;
        }
        try
        {
            boolean isBegun = prepareDirect(carrier, outbox, batch.slots());
            for (int i = 0; isBegun && i < batch.size(); i++)
            {
                // once more: the program may have wrapped the buffer anew since it was added
                Outbox.checkRange(batch.buffer(i), batch.offset(i), batch.length(i));
                // all of them or none: only the first may be refused
                isBegun = send(carrier, batch.tag(i), batch.buffer(i), batch.offset(i), batch.length(i), i > 0);
            }
            if (!isBegun)
            {
                giveBack();
                return LaneSender.BY_RING;
            }
            outbox.countDirect(countsAddress, batch.size(), (int)batch.bytes());
            return position(ringEnd, 0);
        }
        finally
        {
            carrier.out();
        }
    }

    /** False if this thread, which is in, cannot have so many credits in hand, or may have something in the ring. */
    private boolean prepareDirect(final CarrierThread carrier, final Outbox outbox, final int slots)
    {
        // no claim mark: pairs are closed in duty cycles, by this thread or one that has shut it out
        return !isSendActive() && !outbox.isClosed() && (ringSeenEmptyBy == carrier || !findInRing(carrier)) &&
            (inHand >= slots || takeInHand(carrier, outbox, slots));
    }

    private boolean send(
        final CarrierThread carrier,
        final int tag,
        final DirectBuffer from,
        final int offset,
        final int length,
        final boolean isBound)
    {
        if (!carrier.send(source, destWord | tag & 0xFFFF_FFFFL, from, offset, length, isBound))
        {
            return false;
        }
        final int slots = PacketDescriptor.slots(length);
        inHand -= slots;
        directSlots += slots;
        return true;
    }

    /** Looks whether something that this thread sent by the ring may lie there, and notes it if nothing does. */
    private boolean findInRing(final CarrierThread carrier)
    {
        final long read = mailbox.readPosition();
        if (read < mailbox.writePosition())
        {
            return true;
        }
        ringSeenEmptyBy = carrier;
        ringEnd = Math.max(ringEnd, read);
        return false;
    }

    /** Takes credits for a message and, if there are more, for some after it: up to half of what there are. */
    private boolean takeInHand(final CarrierThread by, final Outbox outbox, final int slots)
    {
        // may fail: before anything has happened
        countsAddress = outbox.directCounts();
        final long word = creditWord();
        final int credits = credits(word);
        // at least as many are left for the endpoint's other threads
        final int more = Math.max(slots - inHand, Math.min(MAX_IN_HAND - inHand, credits >> 1));
        if (!isOurs(word) || more > credits || !withdraw(word, more))
        {
            return false;
        }
        inHand += more;
        if (!isNoted)
        {
            isNoted = true;
            by.hasInHand(this);
        }
        return true;
    }

    /** Puts the credits in hand back for others, unless the pair was closed. For the carrier's thread, or who took over. */
    void giveBack()
    {
        if (inHand > 0)
        {
            add(inHand);
            inHand = 0;
            host.granted(words, wordOffset(), source);
        }
    }

    /** The carrier's list of those that may have some was emptied. */
    void forget()
    {
        isNoted = false;
        giveBack();
    }

    /** Before a run goes by the ring: credits that this thread has in hand go where it takes them from. */
    @Override
    void beforeRing()
    {
        final CarrierThread carrier = host.invokedBy(Thread.currentThread());
        if (carrier != null)
        {
            ringSeenEmptyBy = null;
            if (inHand > 0 && carrier.tryEnter())
            {
                try
                {
                    giveBack();
                }
                finally
                {
                    carrier.out();
                }
            }
        }
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
        beforeRing();
        final long code = withdraw(outbox, sender.mark, slots);
        if (code < 0)
        {
            return code;
        }
        sender.mark.clear();
        claim.openAside(outbox, this, tag, length);
        outbox.stalls().settle(this);
        // it has no place yet, but a position of its own
        laneSlots += slots;
        return position(Math.max(lastPosition, ringEnd), 0);
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
            if (!host.makeRoom(mailbox.ringSlots()))
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

    private boolean isCommittedDirect(
        final Outbox outbox, final long word, final DirectBuffer message, final int length)
    {
        final CarrierThread carrier = host.invokedBy(Thread.currentThread());
        if (carrier == null || !carrier.tryEnter())
        {
            return false;
        }
        try
        {
            // may fail: before anything has happened
            outbox.sender();
            return !outbox.isClosed() && isOurs(creditWord()) && !findInRing(carrier) &&
                carrier.send(source, word, message, 0, length, false);
        }
        finally
        {
            carrier.out();
        }
    }

    /** Sends a message for which {@link #tryClaim} has taken the credits. */
    void commit(final Outbox outbox, final int tag, final DirectBuffer message, final int length)
    {
        if (isCommittedDirect(outbox, destWord | tag & 0xFFFF_FFFFL, message, length))
        {
            return;
        }
        beforeRing();
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
