// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.send;

import static org.tallypost.endpoint.Endpoint.CLOSED;
import static org.tallypost.endpoint.Endpoint.NOT_CONNECTED;
import static org.tallypost.endpoint.Endpoint.NO_CREDIT;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.FIRST_LENGTH;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.FLAGS_WHOLE;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.PIGGYBACK_OFFSET;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.TAG_OFFSET;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.TYPE_DATA;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.TYPE_NUDGE;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.WORD_LENGTH;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.MessageBatch;
import org.tallypost.endpoint.internal.credit.Piggyback;
import org.tallypost.endpoint.internal.layout.ClaimState;
import org.tallypost.endpoint.internal.layout.CreditWord;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.layout.PayloadCopy;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.process.ClaimMark;

/**
 * Sends an endpoint's runs by the rings of mailboxes. Any number of threads, without locks.
 *
 * <pre>
 *   claim     mark.intend -> credits -> slots        from here on the mark tells which slots these are
 *   publish   payload -> first word -> header -> mark.clear
 * </pre>
 *
 * Each method does both, and returns the position of what it sent, or a negative code; then nothing happened. What is thrown
 * within it, as by the program's memory or for want of stack, leaves a claim for {@link SendingThread#finishLeft}. Each method
 * notes this in a handler of its own: there may be no stack for a call, neither from the claim into a method that publishes, nor
 * out of the handler.
 */
public final class RingWriter
{
    private final int rank;
    private final boolean creditless;
    /** Null if data packets carry no credits. */
    private Piggyback piggyback;
    private PollingThread polling;
    private volatile boolean closed;

    RingWriter(final int rank, final boolean creditless)
    {
        this.rank = rank;
        this.creditless = creditless;
    }

    /** Data packets of the thread that polls carry credits too. */
    public void piggyback(final Piggyback credits, final PollingThread by)
    {
        piggyback = credits;
        polling = by;
    }

    /** Nothing is claimed any more. */
    void close()
    {
        closed = true;
    }

    boolean isClosed()
    {
        return closed;
    }

    /**
     * Withdraws credits for a run and claims it. The order is: mark, credits, claim. A thread
     * that looks at the marks and finds none knows that no credits are on their way to the ring either.
     *
     * @return position of the run, or a negative code; then nothing happened.
     */
    public long claim(final SendingThread sender, final Peer peer, final int slots)
    {
        sender.finishLeft();
        return creditless ? claimCreditless(sender, peer, slots) : claimCredited(sender, peer, slots, false);
    }

    private long claimCredited(final SendingThread sender, final Peer peer, final int slots, final boolean isAside)
    {
        final ClaimMark mark = sender.mark;
        final long word = peer.creditWord();
        final int refusal = peer.refusal(word, slots);
        if (refusal < 0)
        {
            return code(refusal);
        }
        int taken = 0;
        try
        {
            mark.intend(peer.claimKey, slots);
            final int found = peer.withdraw(word, slots);
            // no call between the withdrawal and this
            taken = found > 0 ? found : 0;
            if (found < 0)
            {
                mark.clear();
                return code(found);
            }
            // SYNC POINT endpoint-closed: the withdrawal is a full fence; either this is seen, or close() sees the mark
            final long position = closed ? CLOSED : isAside ? 0 : peer.claimSlots(mark, slots);
            if (position < 0)
            {
                peer.add(slots);
                taken = 0;
            }
            if (position < 0 || isAside)
            {
                mark.clear();
            }
            return position;
        }
        catch (final Throwable t)
        {
            sender.leftPeer = peer;
            sender.leftTaken = taken;
            sender.isLeft = true;
            sender.finishLeft();
            throw t;
        }
    }

    private static long code(final int refusal)
    {
        return refusal == CreditWord.TOO_FEW ? NO_CREDIT : NOT_CONNECTED;
    }

    private static long claimCreditless(final SendingThread sender, final Peer peer, final int slots)
    {
        try
        {
            return peer.claimCreditless(sender.mark, slots);
        }
        catch (final Throwable t)
        {
            sender.leftPeer = peer;
            sender.isLeft = true;
            sender.finishLeft();
            throw t;
        }
    }

    /** Sends a message in one run. Its range was checked. */
    long send(
        final SendingThread sender, final Peer peer, final int slots, final int dest, final int tag, final DirectBuffer buffer,
        final int offset, final int length)
    {
        final long position = claim(sender, peer, slots);
        if (position < 0)
        {
            return position;
        }
        try
        {
            final int flags = FLAGS_WHOLE | afterLane(sender, peer);
            final UnsafeBuffer to = peer.buffer;
            final int at = peer.mailbox.payloadOffset(position);
            PayloadCopy.copy(to, at + WORD_LENGTH, buffer, offset, length);
            to.putLong(at, word(peer, dest, tag));
            peer.mailbox.publish(sender.mark, position, TYPE_DATA, flags, length + WORD_LENGTH, rank);
            return position;
        }
        catch (final Throwable t)
        {
            // whatever happened, to the caller's buffer or else: a claim is never left open
            sender.leftPeer = peer;
            sender.isLeft = true;
            sender.finishLeft();
            throw t;
        }
    }

    /** Sends a message of two parts in one run. Their ranges were checked. */
    long send(
        final SendingThread sender, final Peer peer, final int slots, final int dest, final int tag,
        final DirectBuffer head, final int headOffset, final int headLength,
        final DirectBuffer body, final int bodyOffset, final int bodyLength)
    {
        final long position = claim(sender, peer, slots);
        if (position < 0)
        {
            return position;
        }
        try
        {
            final int flags = FLAGS_WHOLE | afterLane(sender, peer);
            final UnsafeBuffer to = peer.buffer;
            final int at = peer.mailbox.payloadOffset(position);
            PayloadCopy.copy(
                to.addressOffset() + at + WORD_LENGTH, head, headOffset, headLength, body, bodyOffset, bodyLength);
            to.putLong(at, word(peer, dest, tag));
            peer.mailbox.publish(sender.mark, position, TYPE_DATA, flags, headLength + bodyLength + WORD_LENGTH, rank);
            return position;
        }
        catch (final Throwable t)
        {
            // whatever happened, to the caller's buffers or else: a claim is never left open
            sender.leftPeer = peer;
            sender.isLeft = true;
            sender.finishLeft();
            throw t;
        }
    }

    /**
     * Sends a part of a long message.
     *
     * @param send  that holds the message, and is given up if something is thrown: whether the run is out is not known then.
     * @param flags that say which part it is.
     * @param value tag of the message, or which part of which message it is.
     * @param total length of the message and above that its number if it is the first part of several, else negative.
     */
    long sendPart(
        final SendingThread sender, final Peer peer, final int slots, final int dest, final RunSend send, final int flags,
        final int value, final long total, final int length)
    {
        final long position = claim(sender, peer, slots);
        if (position < 0)
        {
            return position;
        }
        try
        {
            final int head = total >= 0 ? FIRST_LENGTH : WORD_LENGTH;
            final int moreFlags = flags | afterLane(sender, peer);
            final int at = peer.mailbox.payloadOffset(position);
            send.copyPart(peer.buffer, at + head, length);
            if (head == FIRST_LENGTH)
            {
                peer.buffer.putLong(at + PacketDescriptor.TOTAL_OFFSET, total);
            }
            peer.buffer.putLong(at, word(peer, dest, value));
            peer.mailbox.publish(sender.mark, position, TYPE_DATA, moreFlags, head + length, rank);
            return position;
        }
        catch (final Throwable t)
        {
            send.buffer = null;
            sender.leftPeer = peer;
            sender.leftMessage = send.number;
            sender.isLeft = true;
            sender.finishLeft();
            throw t;
        }
    }

    /** Sends the messages of a batch, one behind the other, with one claim for all of their slots. */
    long send(final SendingThread sender, final Peer peer, final int slots, final int dest, final MessageBatch batch)
    {
        final long position = claim(sender, peer, slots);
        if (position < 0)
        {
            return position;
        }
        try
        {
            final Mailbox mailbox = peer.mailbox;
            final int flags = FLAGS_WHOLE | afterLane(sender, peer);
            long at = position;
            for (int i = 0; i < batch.size(); i++)
            {
                write(peer, dest, at, batch, i);
                mailbox.settle(sender.mark, at, TYPE_DATA, flags, batch.length(i) + WORD_LENGTH, rank);
                at += PacketDescriptor.slots(batch.length(i));
            }
            mailbox.finish(sender.mark);
            return position;
        }
        catch (final Throwable t)
        {
            // whatever happened, to the caller's buffers or else: a claim is never left open
            sender.leftPeer = peer;
            sender.isLeft = true;
            sender.finishLeft();
            throw t;
        }
    }

    private void write(final Peer peer, final int dest, final long position, final MessageBatch batch, final int index)
    {
        final UnsafeBuffer to = peer.buffer;
        final int at = peer.mailbox.payloadOffset(position);
        to.putBytes(at + WORD_LENGTH, batch.buffer(index), batch.offset(index), batch.length(index));
        to.putLong(at, word(peer, dest, batch.tag(index)));
    }

    /** Sends an empty packet, for the credits that wait at its receiver. */
    public long nudge(final SendingThread sender, final Peer peer, final int slots)
    {
        final long position = claim(sender, peer, slots);
        if (position < 0)
        {
            return position;
        }
        try
        {
            final int length = peer.writeNudge(position, slots);
            peer.mailbox.publish(sender.mark, position, TYPE_NUDGE, 0, length, rank);
            return position;
        }
        catch (final Throwable t)
        {
            sender.leftPeer = peer;
            sender.isLeft = true;
            sender.finishLeft();
            throw t;
        }
    }

    /** Claims a run that stays open until a program settles it. */
    long open(
        final Outbox outbox, final SendingThread sender, final Peer peer, final int slots, final int tag, final int length,
        final ClaimState claim)
    {
        final long position = claim(sender, peer, slots);
        if (position < 0)
        {
            return position;
        }
        try
        {
            // no credits travel with it: they would be lost with an aborted claim
            peer.buffer.putLong(peer.mailbox.payloadOffset(position), tag & 0xFFFF_FFFFL);
            // SYNC POINT claim-held: its place is known before the header says that it is open
            claim.open(outbox, peer.mailbox, position, length, rank, afterLane(sender, peer));
            // before the mark is cleared: a dead claimant's run is skipped by its header then
            peer.mailbox.defer(sender.mark, position, length + WORD_LENGTH, rank);
            return position;
        }
        catch (final Throwable t)
        {
            // nobody holds it: what the header says already is taken back when the node is looked after next
            claim.isVoid = true;
            sender.leftPeer = peer;
            sender.isLeft = true;
            sender.finishLeft();
            throw t;
        }
    }

    /** Withdraws the credits of a message that is written beside the ring, and claimed when it is complete. Returns 0 then. */
    public <P extends Peer & ClaimState.Aside> long openAside(
        final Outbox outbox, final SendingThread sender, final P peer, final int slots, final int tag, final int length,
        final ClaimState claim)
    {
        sender.finishLeft();
        final long code = claimCredited(sender, peer, slots, true);
        if (code < 0)
        {
            return code;
        }
        try
        {
            claim.openAside(outbox, peer, tag, length);
            return code;
        }
        catch (final Throwable t)
        {
            claim.isVoid = true;
            sender.leftPeer = peer;
            sender.leftTaken = slots;
            sender.isLeft = true;
            sender.finishLeft();
            throw t;
        }
    }

    /** Flag for a run in the ring: whether some of what this thread sent by a lane may be unread. */
    public static int afterLane(final SendingThread sender, final Peer peer)
    {
        return SenderLanes.isUnread(sender, peer) ? PacketDescriptor.FLAG_AFTER_LANE : 0;
    }

    /** First word of a data run's payload; a thread that polls takes the receiver's credits along. */
    private long word(final Peer peer, final int dest, final int value)
    {
        final int back = piggyback != null && polling.isCurrent() ?
            piggyback.piggyback(dest, GroupDescriptor.epoch(peer.rankWord)) : 0;
        return ((long)back << (PIGGYBACK_OFFSET * Byte.SIZE)) | ((value & 0xFFFF_FFFFL) << (TAG_OFFSET * Byte.SIZE)) |
            peer.destWord;
    }
}
