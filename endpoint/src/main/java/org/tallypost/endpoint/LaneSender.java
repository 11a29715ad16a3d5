// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.tallypost.endpoint.PacketDescriptor.FLAGS_WHOLE;
import static org.tallypost.endpoint.PacketDescriptor.TYPE_DATA;
import static org.tallypost.endpoint.PacketDescriptor.WORD_LENGTH;
import static org.tallypost.mailbox.LaneDescriptor.AFTER_RING_LENGTH;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.ClaimMark;
import org.tallypost.mailbox.Lane;
import org.tallypost.mailbox.LaneDescriptor;
import org.tallypost.mailbox.MailboxDescriptor;

/**
 * The express lane that one thread holds in one receiver's mailbox. In it a message costs no locked instruction: the place
 * is the thread's own, and credits are withdrawn for several messages at once. What is in hand that way cannot be taken
 * back by the receiver, so it is little ({@link #MAX_CHUNK}, and a small part of the mailbox).
 *
 * <p><b>Threads.</b> The holder alone sends. Any thread of the process may end the lane for it: it says so, makes the holder
 * pass a fence ({@link ThreadFence}), waits until the holder is not in the midst of a message, and gives back what the holder
 * had.
 */
final class LaneSender
{
    /** The message has to go by the ring. */
    static final long BY_RING = -1;
    /** Credits withdrawn at once, at most. */
    static final int MAX_CHUNK = 32;

    private static final int LONG_COPY_LENGTH = 64;
    private static final VarHandle BUSY;

    static
    {
        try
        {
            BUSY = MethodHandles.lookup().findVarHandle(LaneSender.class, "busy", boolean.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    final SendingThread holder;
    private final Peer peer;
    private final int rank;
    private final Lane lane;
    private final UnsafeBuffer buffer;
    private final long heldWord;
    private final int chunk;
    private final boolean creditless;
    /** End of the holder's last run in the ring, until a message of the lane has told that it comes after it. */
    private long afterRing;
    private boolean isAfterRing;
    @SuppressWarnings("unused")
    private boolean busy;
    private volatile boolean shut;

    LaneSender(
        final SendingThread holder,
        final Peer peer,
        final int rank,
        final long heldWord,
        final int chunk,
        final boolean creditless)
    {
        this.holder = holder;
        this.peer = peer;
        this.rank = rank;
        this.heldWord = heldWord;
        this.chunk = chunk;
        this.creditless = creditless;
        lane = new Lane(peer.mailbox, LaneWord.lane(heldWord));
        buffer = peer.buffer;
        sentByRing(peer.lastPosition);
    }

    /**
     * Sends a message by the lane.
     *
     * @return slots sent by the lane so far, or {@link #BY_RING}: then nothing happened.
     */
    long offer(
        final SendingThread sender, final int tag, final DirectBuffer from, final int offset, final int length)
    {
        if (sender != holder)
        {
            return BY_RING;
        }
        BUSY.setOpaque(this, true);
        // SYNC POINT lane-shut: no fence for the processor, which ThreadFence provides; the compiler keeps the order
        VarHandle.acquireFence();
        try
        {
            return shut ? BY_RING : send(tag, from, offset, length);
        }
        finally
        {
            BUSY.setRelease(this, false);
        }
    }

    private long send(final int tag, final DirectBuffer from, final int offset, final int length)
    {
        final int head = isAfterRing && isRingUnread() ? AFTER_RING_LENGTH : 0;
        final int payloadLength = head + WORD_LENGTH + length;
        final int slots = MailboxDescriptor.slots(payloadLength);
        final long position = slots <= lane.runSlots() ? claim(slots) : BY_RING;
        if (position < 0)
        {
            return BY_RING;
        }
        final int at = lane.payloadOffset(position) + head;
        copy(at + WORD_LENGTH, from, offset, length);
        buffer.putLong(at, tag & 0xFFFF_FFFFL);
        int flags = FLAGS_WHOLE;
        if (head > 0)
        {
            buffer.putLong(at - head, afterRing);
            flags |= LaneDescriptor.FLAG_AFTER_RING;
            isAfterRing = false;
        }
        lane.publish(position, slots, TYPE_DATA, flags, payloadLength, rank);
        return lane.sentSlots();
    }

    /** Whether the holder's last run in the ring may be unread; if it is read, nothing has to wait for it any more. */
    private boolean isRingUnread()
    {
        isAfterRing = peer.mailbox.readPosition() < afterRing;
        return isAfterRing;
    }

    private long claim(final int slots)
    {
        final long position = lane.claim(slots);
        return position == Lane.UNPAID && withdraw(slots) ? lane.claim(slots) : position;
    }

    /** A call of the copying routine costs more than the few stores of a short message. */
    private void copy(final int at, final DirectBuffer from, final int offset, final int length)
    {
        if (length <= LONG_COPY_LENGTH && (length & 7) == 0)
        {
            for (int i = 0; i < length; i += Long.BYTES)
            {
                buffer.putLong(at + i, from.getLong(offset + i));
            }
        }
        else
        {
            buffer.putBytes(at, from, offset, length);
        }
    }

    /** Takes the next credits in hand, unless the receiver wants the lane back. */
    private boolean withdraw(final int slots)
    {
        if (peer.laneWord() != heldWord)
        {
            return false;
        }
        if (creditless)
        {
            lane.pay(Math.max(chunk, slots));
            return true;
        }
        long word = peer.creditWord();
        while (peer.isOurs(word))
        {
            final int take = Math.min(peer.credits(word), Math.max(chunk, slots));
            if (take + lane.inHand() < slots)
            {
                return false;
            }
            holder.mark.intend(peer.claimKey, take);
            final boolean isTaken = peer.withdraw(word, take);
            if (isTaken)
            {
                // before the mark is cleared: who finds no mark finds these credits here
                lane.pay(take);
            }
            holder.mark.clear();
            if (isTaken)
            {
                return true;
            }
            word = peer.creditWord();
        }
        return false;
    }

    /** The holder is about to send by the ring: what it has in hand goes where it is taken from there. */
    void beforeRing()
    {
        refund(holder.mark);
    }

    /** The holder has sent by the ring: what it sends by the lane from now on comes after that. */
    void sentByRing(final long end)
    {
        afterRing = end;
        isAfterRing = true;
    }

    private void refund(final ClaimMark mark)
    {
        if (lane.inHand() > 0)
        {
            mark.intend(peer.claimKey, 1);
            final int rest = (int)lane.refund();
            if (!creditless)
            {
                peer.add(rest);
            }
            mark.clear();
        }
    }

    /** Whether all that was sent by the lane is read. */
    boolean isRead()
    {
        return lane.isRead();
    }

    /** Whether the receiver wants the lane back. */
    boolean isRecalled()
    {
        return peer.laneWord() != heldWord;
    }

    /** Slots sent by this lane. */
    long sentSlots()
    {
        return lane.sentSlots();
    }

    /**
     * Ends the lane. By the holder; or by another thread, for which the holder passes a fence and is waited for while it is
     * in the midst of a message.
     *
     * @param mark of the calling thread.
     */
    void end(final ClaimMark mark)
    {
        // SYNC POINT lane-shut
        shut = true;
        if (holder.thread != Thread.currentThread())
        {
            ThreadFence.await(holder.thread);
            while ((boolean)BUSY.getAcquire(this) && holder.thread.isAlive())
            {
                Thread.yield();
            }
        }
        refund(mark);
        // SYNC POINT lane-returned: who sees this sees every header of ours
        peer.returnLane(heldWord);
    }
}
