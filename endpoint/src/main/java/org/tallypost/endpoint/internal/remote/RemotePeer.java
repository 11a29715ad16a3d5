// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.remote;

import static org.tallypost.endpoint.Endpoint.NOT_CONNECTED;
import static org.tallypost.endpoint.Endpoint.NO_CREDIT;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.MessageBatch;
import org.tallypost.endpoint.internal.layout.ClaimState;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.layout.PayloadCopy;
import org.tallypost.endpoint.internal.layout.RemoteDescriptor;
import org.tallypost.endpoint.internal.node.RemoteNodes;
import org.tallypost.endpoint.internal.send.LaneSender;
import org.tallypost.endpoint.internal.send.Outbox;
import org.tallypost.endpoint.internal.send.Peer;
import org.tallypost.endpoint.internal.send.SendingThread;
import org.tallypost.endpoint.internal.send.ThreadHold;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ClaimMark;

/**
 * A receiver on another node: its credits lie in the 'remote' file, its packets go into the ring to its node, in which all
 * ranks of this node share the room. There are fewer slots than credits, so a thread claims only what is free.
 */
public final class RemotePeer extends Peer implements ClaimState.Aside
{
    /** Most credits that the thread that carries packets takes at once for what it sends past the ring, unless one needs more. */
    static final int MAX_IN_HAND = 64;

    /** Null with high priority: of that there is little, and the thread that carries packets sends it by the ring too. */
    private final TransportHost host;
    private final int line;
    private final int dest;
    /** Credits in hand. Of the thread that carries packets, as are the next four; handed over with its {@link ThreadHold}. */
    private int inHand;
    private boolean isNoted;
    /** The thread that has seen the ring empty, and sent nothing by it since. */
    private CarrierThread ringSeenEmptyBy;
    /** Beyond all that was in the ring then. */
    private long ringEnd;
    /** Where to count, of this thread if it is the one that has words of its own; else 0. */
    private long countsAddress;
    /** The sending side that sets claims aside for this receiver. */
    private Outbox asideOf;

    public RemotePeer(
        final TransportHost host,
        final RemoteNodes nodes,
        final int dest,
        final long rankWord,
        final int source,
        final int epoch,
        final int maxCredits)
    {
        super(nodes.ring(nodes.map().nodeOf(dest)), rankWord, nodes.buffer(), nodes.lineOffset(source, dest), source,
            RemoteDescriptor.pairEpoch(epoch, GroupDescriptor.epoch(rankWord)), maxCredits,
            RemoteDescriptor.destWord(dest, GroupDescriptor.epoch(rankWord), epoch), true);
        this.host = host;
        this.dest = dest;
        line = nodes.lineOffset(source, dest);
        // there are no lanes between nodes: nobody has to look for one
        neededStreak = Integer.MAX_VALUE;
    }

    /** The calling thread, if it is the one that may send past the ring; else null. */
    private CarrierThread carrier()
    {
        return host != null ? host.invokedBy(Thread.currentThread()) : null;
    }

    @Override
    public boolean isIntroduced(final long ownerWord)
    {
        // nobody asks: no claim is left open for a rank of another node
        return true;
    }

    @Override
    public long offerDirect(
        final Outbox outbox, final int tag, final DirectBuffer from, final int offset, final int length)
    {
        final CarrierThread carrier = carrier();
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
    public long offerDirect(
        final Outbox outbox, final int tag, final DirectBuffer head, final int headOffset, final int headLength,
        final DirectBuffer body, final int bodyOffset, final int bodyLength)
    {
        final CarrierThread carrier = carrier();
        if (carrier == null || !carrier.tryEnter())
        {
            return LaneSender.BY_RING;
        }
        try
        {
            final int slots = PacketDescriptor.slots(headLength + bodyLength);
            if (!prepareDirect(carrier, outbox, slots) ||
                !send(carrier, tag, head, headOffset, headLength, body, bodyOffset, bodyLength))
            {
                giveBack();
                return LaneSender.BY_RING;
            }
            outbox.countDirect(countsAddress, 1, headLength + bodyLength);
            return position(ringEnd, 0);
        }
        finally
        {
            carrier.out();
        }
    }

    private boolean send(
        final CarrierThread carrier, final int tag, final DirectBuffer head, final int headOffset, final int headLength,
        final DirectBuffer body, final int bodyOffset, final int bodyLength)
    {
        final int slots = PacketDescriptor.slots(headLength + bodyLength);
        try
        {
            if (!carrier.send(
                source, destWord | tag & 0xFFFF_FFFFL, head, headOffset, headLength, body, bodyOffset, bodyLength))
            {
                return false;
            }
        }
        catch (final Throwable t)
        {
            // as for a message of one part
            if (carrier.endHandedOn())
            {
                spend(slots);
            }
            throw t;
        }
        spend(slots);
        return true;
    }

    @Override
    public long offerDirect(final Outbox outbox, final MessageBatch batch)
    {
        final CarrierThread carrier = carrier();
        if (carrier == null || batch.size() == 0 || batch.slots() > PacketDescriptor.MAX_BATCH_SLOTS || !carrier.tryEnter())
        {
            return LaneSender.BY_RING;
        }
        try
        {
            boolean isBegun = prepareDirect(carrier, outbox, batch.slots());
            for (int i = 0; isBegun && i < batch.size(); i++)
            {
                // once more: the program may have wrapped the buffer anew since it was added
                PayloadCopy.checkRange(batch.buffer(i), batch.offset(i), batch.length(i));
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
        return !outbox.isClosed() && (ringSeenEmptyBy == carrier || !findInRing(carrier)) &&
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
        try
        {
            if (!carrier.send(source, destWord | tag & 0xFFFF_FFFFL, from, offset, length, isBound))
            {
                return false;
            }
        }
        catch (final Throwable t)
        {
            // the receiver gets it: to use its credits once more would be one too many there
            if (carrier.endHandedOn())
            {
                spend(PacketDescriptor.slots(length));
            }
            throw t;
        }
        spend(PacketDescriptor.slots(length));
        return true;
    }

    private void spend(final int slots)
    {
        inHand -= slots;
        directSlots += slots;
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
        if (!isOurs(word) || more > credits)
        {
            return false;
        }
        if (!isNoted)
        {
            // may fail: before they are in hand
            by.hasInHand(this);
            isNoted = true;
        }
        if (!tryWithdraw(word, more))
        {
            return false;
        }
        inHand += more;
        return true;
    }

    /**
     * Puts the credits in hand back for others, unless the pair was closed. For the carrier's thread, or the one that took over.
     */
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
        giveBack();
        isNoted = false;
    }

    /** Before a run goes by the ring: credits that this thread has in hand go where it takes them from. */
    @Override
    public void beforeRing()
    {
        final CarrierThread carrier = carrier();
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

    /** The ring to a node gives room back, and knows nothing of credits. */
    @Override
    public boolean isAbortedPaidBack()
    {
        return true;
    }

    /**
     * Takes credits for a message that is written beside the ring, and claims when it is complete: an open claim would hold up
     * the whole node.
     */
    @Override
    public long claimAside(
        final Outbox outbox, final SendingThread sender, final int tag, final int length, final ClaimState claim)
    {
        asideOf = outbox;
        final int slots = PacketDescriptor.slots(length);
        beforeRing();
        final long code = outbox.ring().openAside(outbox, sender, this, slots, tag, length, claim);
        if (code < 0)
        {
            return code;
        }
        outbox.stalls().settle(this);
        // it has no place yet, but a position of its own
        laneSlots += slots;
        return position(Math.max(lastPosition, ringEnd), 0);
    }

    /** All ranks of this node together have more credits than the ring has slots. */
    @Override
    public long claimSlots(final ClaimMark mark, final int slots)
    {
        long position = mailbox.claimWithin(mark, slots, cachedReadPosition);
        if (position < 0)
        {
            cachedReadPosition = mailbox.readPosition();
            position = mailbox.claimWithin(mark, slots, cachedReadPosition);
        }
        return position < 0 ? NO_CREDIT : position;
    }

    /**
     * What the receiver has read of messages is not known here; what has come into its mailbox is. Of nudges it is known: a
     * second one, of credits that come before those of the first, would follow it round and round: all are never in hand.
     */
    @Override
    public boolean isUnread()
    {
        return mailbox.readPosition() < lastPosition || isUnderWay() ||
            words.getLongVolatile(line + RemoteDescriptor.NUDGES_OFFSET) !=
            words.getLongVolatile(line + RemoteDescriptor.NUDGES_READ_OFFSET);
    }

    /** Whether a message of the pair that has left the ring is not known to have come into the receiver's. */
    private boolean isUnderWay()
    {
        return RemoteDescriptor.sentCount(words.getLongVolatile(line + RemoteDescriptor.SENT_OFFSET)) !=
            (int)words.getLongVolatile(line + RemoteDescriptor.RECEIVED_OFFSET);
    }

    /** What the receiver has read is not known here: whether all that was sent has come into its ring. */
    @Override
    public boolean isTaken(final long position)
    {
        return super.isTaken(position) && !isUnderWay();
    }

    /** All that there are: then all of them come back together with what the receiver has kept, in one round trip. */
    @Override
    public int nudgeSlots(final int credits)
    {
        return Math.min(credits, PacketDescriptor.RUN_SLOTS);
    }

    @Override
    public int writeNudge(final long position, final int slots)
    {
        buffer.putLong(mailbox.payloadOffset(position), destWord);
        return MailboxDescriptor.payloadLength(slots);
    }

    private boolean isCommittedDirect(
        final Outbox outbox, final ClaimState claim, final long word, final DirectBuffer message, final int length)
    {
        final CarrierThread carrier = carrier();
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
        catch (final Throwable t)
        {
            // the receiver gets it: neither to be committed once more, nor to be aborted
            claim.isVoid |= carrier.endHandedOn();
            throw t;
        }
        finally
        {
            carrier.out();
        }
    }

    @Override
    public void giveBack(final int slots)
    {
        add(slots);
    }

    /**
     * Sends a message for which {@link #claimAside} has taken the credits. Waits for room in the ring as long as something is
     * taken out of it.
     *
     * @throws MailboxException if nothing is, for a liveness interval: then nothing happened.
     */
    @Override
    public void commit(final ClaimState claim, final int tag, final UnsafeBuffer message, final int length)
    {
        final Outbox outbox = asideOf;
        if (isCommittedDirect(outbox, claim, destWord | tag & 0xFFFF_FFFFL, message, length))
        {
            return;
        }
        beforeRing();
        final SendingThread sender = outbox.sender();
        sender.finishLeft();
        final long intervalNs = host.livenessIntervalNs();
        long read = mailbox.readPosition();
        long sinceNs = System.nanoTime();
        while (tryCommit(outbox, sender, claim, tag, message, length) == NO_CREDIT)
        {
            if (!host.makeRoom(mailbox.ringSlots()))
            {
                Thread.yield();
            }
            final long nowNs = System.nanoTime();
            if (read != mailbox.readPosition())
            {
                read = mailbox.readPosition();
                sinceNs = nowNs;
            }
            else if (nowNs - sinceNs > intervalNs)
            {
                throw new MailboxException("a message to another node cannot be committed, its claim stays open: the ring to " +
                    "that node is full, and nothing was taken out of it for a liveness interval: rank=" + dest + ", file=" +
                    mailbox.file() + ", read position found=" + read + ", expected more, egressSlots=" + mailbox.ringSlots() +
                    ", livenessIntervalNs=" + intervalNs + "; the process that carries the packets stands still or is gone: " +
                    "commit again when one does, or abort; or raise egressSlots");
            }
        }
    }

    /**
     * Claims, writes and publishes a message, its credits taken before, if there is room in the ring, which the transport
     * makes whether or not the other node is there.
     *
     * @return a position; NO_CREDIT if there is no room; NOT_CONNECTED if the receiver is gone, or this endpoint closed.
     */
    private long tryCommit(
        final Outbox outbox, final SendingThread sender, final ClaimState claim, final int tag, final DirectBuffer message,
        final int length)
    {
        final ClaimMark mark = sender.mark;
        final int slots = PacketDescriptor.slots(length);
        int taken = slots;
        try
        {
            mark.intend(claimKey, slots);
            if (outbox.isClosed() || !isOurs(creditWord()) || !outbox.isSameRank(dest, rankWord))
            {
                add(slots);
                taken = 0;
                mark.clear();
                return NOT_CONNECTED;
            }
            final long position = claimSlots(mark, slots);
            if (position < 0)
            {
                mark.clear();
                return NO_CREDIT;
            }
            final int at = mailbox.payloadOffset(position);
            buffer.putBytes(at + PacketDescriptor.WORD_LENGTH, message, 0, length);
            buffer.putLong(at, destWord | tag & 0xFFFF_FFFFL);
            mailbox.publish(mark, position, PacketDescriptor.TYPE_DATA, PacketDescriptor.FLAGS_WHOLE,
                length + PacketDescriptor.WORD_LENGTH, outbox.rank());
            lastPosition = position + slots;
            return position;
        }
        catch (final Throwable t)
        {
            claim.isVoid = true;
            sender.leftPeer = this;
            sender.leftTaken = taken;
            sender.isLeft = true;
            sender.finishLeft();
            throw t;
        }
    }
}
