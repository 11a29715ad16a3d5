// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.send;

import static org.tallypost.endpoint.internal.layout.PacketDescriptor.FLAGS_WHOLE;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.TYPE_DATA;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.WORD_LENGTH;

import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageBatch;
import org.tallypost.endpoint.internal.layout.ClaimState;
import org.tallypost.endpoint.internal.layout.LaneWord;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.layout.PayloadCopy;
import org.tallypost.mailbox.lane.Lane;
import org.tallypost.mailbox.layout.LaneDescriptor;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * The express lane that one thread holds in one receiver's mailbox. In it a message costs no locked instruction: the place
 * is the thread's own, and credits are withdrawn for several messages at once. What is in hand that way cannot be taken
 * back by the receiver, so it is little ({@link #MAX_CHUNK}, and a small part of the mailbox), but for what the receiver gives
 * by the lane when nobody else could have it ({@link SenderLanes#mostGiven}).
 *
 * <p><b>Threads.</b> The holder alone sends. Any thread of the process may end the lane for it: it says so, makes the holder
 * pass a fence ({@link ThreadFence}), waits until the holder is not in the midst of a message, and gives back what the holder
 * had.
 */
public final class LaneSender extends ThreadHold
{
    /** The message has to go by the ring. */
    public static final long BY_RING = Long.MIN_VALUE;
    /** Credits withdrawn at once, at most. */
    static final int MAX_CHUNK = 256;

    /** Of {@link #offer} and {@link #claim}: there are too few credits, and the receiver may have to be told. */
    public static final long UNCREDITED = BY_RING + 1;

    public final SendingThread holder;
    /** What a message looks at of the peer and the counts: at hand here, without a further load. */
    private final long peerRankWord;
    private final long countsAddress;
    private final Peer peer;
    private final int rank;
    private final Lane lane;
    private final long heldWord;
    /** Slots of the longest batch and of the longest run that can ever go at once. */
    private final int batchSlots;
    private final int runSlots;
    private final LaneCounts counts;
    private final long start;
    private long positionBase;
    private final LaneRoom room;
    private final RingAhead ring;
    private final LinesAhead.OfLane hints;

    public LaneSender(
        final SendingThread holder,
        final Peer peer,
        final int rank,
        final long heldWord,
        final int chunk,
        final int maxOfferSlots,
        final boolean creditless,
        final LaneCounts counts,
        final LinesAhead ahead,
        final long ringEnd)
    {
        super(holder.thread);
        this.holder = holder;
        hints = new LinesAhead.OfLane(ahead);
        peerRankWord = peer.rankWord;
        countsAddress = counts.address();
        this.peer = peer;
        this.rank = rank;
        this.heldWord = heldWord;
        this.counts = counts;
        lane = new Lane(peer.mailbox, LaneWord.lane(heldWord));
        ring = new RingAhead(peer, lane);
        room = new LaneRoom(holder, peer, lane, heldWord, chunk, creditless, counts);
        batchSlots = Math.min(Math.min(peer.mailbox.laneSlots(), PacketDescriptor.MAX_BATCH_SLOTS), maxOfferSlots);
        runSlots = Math.min(lane.runSlots(), batchSlots);
        start = lane.position();
        sentByRing(ringEnd);
    }

    /**
     * Sends a short message if that takes no more than a look at what may have changed since the one before. So little that a
     * compiler makes it part of its caller, with few stores beside those of the message: the processor asks for the lines of
     * further messages while it waits for one, as long as their stores have room.
     *
     * @param rankWord of the receiver, as the group has it now.
     * @return a position; or negative: then nothing happened, and {@link #offer} may do.
     */
    long offerShort(final long rankWord, final int tag, final DirectBuffer from, final int offset, final int length)
    {
        if (!isHolder() || !PayloadCopy.isShort(length))
        {
            return BY_RING;
        }
        try
        {
            try
            {
                enter();
                final Lane to = lane;
                final long at = isUsable(rankWord) ? to.shortPlace(length) : Lane.NO_PLACE;
                if (at == Lane.NO_PLACE)
                {
                    return BY_RING;
                }
                PayloadCopy.copyShort(at + WORD_LENGTH, from.byteArray(), from.addressOffset() + offset, length);
                to.publishShort(at, length, LaneDescriptor.shortHeader(FLAGS_WHOLE, tag));
                to.wakeIfArmed();
                if (LaneCounts.sent(countsAddress, 1, length) < 0)
                {
                    counts.settle();
                }
                return positionOfLast();
            }
            finally
            {
                leave();
            }
        }
        catch (final Error error)
        {
            shut = true;
            failed = true;
            throw error;
        }
    }

    /** Counts what was sent by the lane. */
    private void count(final int messages, final int bytes)
    {
        if (LaneCounts.sent(countsAddress, messages, bytes) < 0)
        {
            counts.settle();
        }
    }

    /**
     * Sends a message by the lane.
     *
     * @param rankWord of the receiver, as the group has it now.
     * @return a position; {@link Endpoint#NO_CREDIT} if the receiver has to read first; {@link #UNCREDITED} if it may have to be
     *         told of that; or {@link #BY_RING}: then nothing happened, and the ring may do.
     */
    public long offer(final long rankWord, final int tag, final DirectBuffer from, final int offset, final int length)
    {
        if (!isHolder())
        {
            return BY_RING;
        }
        try
        {
            try
            {
                enter();
                return isUsable(rankWord) ? send(tag, from, offset, length) : BY_RING;
            }
            finally
            {
                leave();
            }
        }
        catch (final Error error)
        {
            shut = true;
            failed = true;
            throw error;
        }
    }

    /** As {@link #offer(long, int, DirectBuffer, int, int)}: a message of two parts, one behind the other. */
    long offer(
        final long rankWord, final int tag, final DirectBuffer head, final int headOffset, final int headLength,
        final DirectBuffer body, final int bodyOffset, final int bodyLength)
    {
        if (!isHolder())
        {
            return BY_RING;
        }
        try
        {
            try
            {
                enter();
                return isUsable(rankWord) ?
                    send(tag, head, headOffset, headLength, body, bodyOffset, bodyLength) : BY_RING;
            }
            finally
            {
                leave();
            }
        }
        catch (final Error error)
        {
            shut = true;
            failed = true;
            throw error;
        }
    }

    /**
     * Claims a message in the lane, which stays open until a program settles it. It has the slots that it would have in the ring:
     * the same lengths are too long.
     *
     * @return as {@link #offer(long, int, DirectBuffer, int, int)}.
     */
    long tryClaim(final long rankWord, final int tag, final int length, final ClaimState.Owner owner, final ClaimState claim)
    {
        if (!isHolder())
        {
            return BY_RING;
        }
        try
        {
            try
            {
                enter();
                return isUsable(rankWord) ? open(tag, length, owner, claim) : BY_RING;
            }
            finally
            {
                leave();
            }
        }
        catch (final Error error)
        {
            shut = true;
            failed = true;
            // no program holds it: what the header says already is taken back when the node is looked after next
            claim.isVoid = true;
            throw error;
        }
    }

    private long open(final int tag, final int length, final ClaimState.Owner owner, final ClaimState claim)
    {
        if (ring.isUnread())
        {
            return ring.refusal();
        }
        final int slots = PacketDescriptor.slots(length);
        final long position = slots <= runSlots ? room.claim(slots) : BY_RING;
        if (position < 0)
        {
            return position;
        }
        UnsafeApi.putLong(lane.payloadAddress(position), tag & 0xFFFF_FFFFL);
        // SYNC POINT claim-held: its place is known before the header says that it is open
        claim.openInLane(owner, peer.mailbox, lane, position, length, rank);
        lane.defer(position, slots, length + WORD_LENGTH, rank);
        return positionOfLast();
    }

    /** Sends a batch by the lane: all of it or nothing. */
    public long offer(final long rankWord, final MessageBatch batch)
    {
        if (!isHolder())
        {
            return BY_RING;
        }
        try
        {
            try
            {
                enter();
                // in the ring it may be too long, with a slot of its own or two for each message: then it is here as well
                return !isUsable(rankWord) || batch.slots() > batchSlots ? BY_RING :
                    batch.isShort() && lane.isShortReady(batch.size()) ? sendShort(batch) : send(batch);
            }
            finally
            {
                leave();
            }
        }
        catch (final Error error)
        {
            shut = true;
            failed = true;
            throw error;
        }
    }

    /** Nothing has to be looked at before, as in {@link #offerShort}; the receiver is woken, and all are counted, once. */
    private long sendShort(final MessageBatch batch)
    {
        final Lane to = lane;
        final int size = batch.size();
        int bytes = 0;
        int sent = 0;
        try
        {
            while (sent < size)
            {
                final DirectBuffer from = batch.buffer(sent);
                final int offset = batch.offset(sent);
                final int length = batch.length(sent);
                // it may have been wrapped around less since it was added
                PayloadCopy.checkRange(from, offset, length);
                final long at = to.shortPlace(length);
                // not in one place with offerShort: its rate between two cores was a tenth less with a further method
                PayloadCopy.copyShort(at + WORD_LENGTH, from.byteArray(), from.addressOffset() + offset, length);
                to.publishShort(at, length, LaneDescriptor.shortHeader(FLAGS_WHOLE, batch.tag(sent)));
                bytes += length;
                sent++;
            }
        }
        finally
        {
            to.wakeIfArmed();
            count(sent, bytes);
        }
        return positionOfLast();
    }

    private long send(final MessageBatch batch)
    {
        if (ring.isUnread())
        {
            return ring.refusal();
        }
        final long position = batch.longest() <= runSlots ? room.claim(batch.slots()) : BY_RING;
        if (position < 0)
        {
            return position;
        }
        for (int i = 0; i < batch.size(); i++)
        {
            final int length = batch.length(i);
            // as in sendShort; nothing of it is written yet, so nothing has to be stamped over
            PayloadCopy.checkRange(batch.buffer(i), batch.offset(i), length);
            write(batch.tag(i), batch.buffer(i), batch.offset(i), length);
            count(1, length);
        }
        return positionOfLast();
    }

    private boolean isUsable(final long rankWord)
    {
        return !isShut() && rankWord == peerRankWord;
    }

    private long send(final int tag, final DirectBuffer from, final int offset, final int length)
    {
        if (ring.isUnread())
        {
            return ring.refusal();
        }
        if (length <= LaneDescriptor.MAX_SHORT_LENGTH)
        {
            return sendShort(tag, from, offset, length);
        }
        final int slots = PacketDescriptor.slots(length);
        final long position = slots <= runSlots ? room.claim(slots) : BY_RING;
        if (position < 0)
        {
            return position;
        }
        writeRun(position, tag, from, offset, length);
        count(1, length);
        return positionOfLast();
    }

    private long sendShort(final int tag, final DirectBuffer from, final int offset, final int length)
    {
        long at = lane.shortPlace(length);
        if (at == Lane.NO_PLACE)
        {
            final long position = room.claim(1);
            if (position < 0)
            {
                return position;
            }
            at = lane.shortPlaceClaimed();
        }
        room.found();
        writeShort(at, tag, from, offset, length);
        count(1, length);
        return positionOfLast();
    }

    private long send(
        final int tag, final DirectBuffer head, final int headOffset, final int headLength,
        final DirectBuffer body, final int bodyOffset, final int bodyLength)
    {
        if (ring.isUnread())
        {
            return ring.refusal();
        }
        final int length = headLength + bodyLength;
        final int slots = PacketDescriptor.slots(length);
        final boolean isShort = length <= LaneDescriptor.MAX_SHORT_LENGTH;
        long at = isShort ? lane.shortPlace(length) : Lane.NO_PLACE;
        final long position =
            at != Lane.NO_PLACE ? 0 : isShort ? room.claim(1) : slots <= runSlots ? room.claim(slots) : BY_RING;
        if (position < 0)
        {
            return position;
        }
        room.found();
        if (isShort)
        {
            at = at == Lane.NO_PLACE ? lane.shortPlaceClaimed() : at;
            // nothing is seen of it if this fails: the next message comes to lie there
            PayloadCopy.copy(at + WORD_LENGTH, head, headOffset, headLength, body, bodyOffset, bodyLength);
            lane.publishShort(at, length, LaneDescriptor.shortHeader(FLAGS_WHOLE, tag));
            lane.wakeIfArmed();
        }
        else
        {
            writeRun(position, slots, tag, head, headOffset, headLength, body, bodyOffset, bodyLength);
        }
        count(1, length);
        return positionOfLast();
    }

    /** Writes a message for which there is room. */
    private void write(final int tag, final DirectBuffer from, final int offset, final int length)
    {
        if (length <= LaneDescriptor.MAX_SHORT_LENGTH)
        {
            final long ready = lane.shortPlace(length);
            writeShort(ready == Lane.NO_PLACE ? lane.shortPlaceClaimed() : ready, tag, from, offset, length);
        }
        else
        {
            writeRun(lane.position(), tag, from, offset, length);
        }
    }

    private void writeShort(final long at, final int tag, final DirectBuffer from, final int offset, final int length)
    {
        // nothing is seen of it if this fails: the next message comes to lie there
        PayloadCopy.copy(at + WORD_LENGTH, from.byteArray(), from.addressOffset() + offset, length);
        lane.publishShort(at, length, LaneDescriptor.shortHeader(FLAGS_WHOLE, tag));
        lane.wakeIfArmed();
    }

    private void writeRun(final long position, final int tag, final DirectBuffer from, final int offset, final int length)
    {
        final long at = lane.payloadAddress(position);
        try
        {
            if (lane.isBacklogged())
            {
                PayloadCopy.copy(at + WORD_LENGTH, from.byteArray(), from.addressOffset() + offset, length);
            }
            else
            {
                PayloadCopy.copyAwaited(at + WORD_LENGTH, from.byteArray(), from.addressOffset() + offset, length);
            }
        }
        catch (final Throwable t)
        {
            // half a message lies where further headers will be: it has to be stamped over
            lane.publish(
                position, PacketDescriptor.slots(length), MailboxDescriptor.TYPE_ABORTED, 0, length + WORD_LENGTH, rank);
            throw t;
        }
        UnsafeApi.putLong(at, tag & 0xFFFF_FFFFL);
        lane.publish(position, PacketDescriptor.slots(length), TYPE_DATA, FLAGS_WHOLE, length + WORD_LENGTH, rank);
        hints.sentLong(this);
    }

    private void writeRun(
        final long position, final int slots, final int tag, final DirectBuffer head, final int headOffset, final int headLength,
        final DirectBuffer body, final int bodyOffset, final int bodyLength)
    {
        final long at = lane.payloadAddress(position);
        final int length = headLength + bodyLength + WORD_LENGTH;
        try
        {
            PayloadCopy.copy(at + WORD_LENGTH, head, headOffset, headLength, body, bodyOffset, bodyLength);
        }
        catch (final Throwable t)
        {
            // as for a message of one part
            lane.publish(position, slots, MailboxDescriptor.TYPE_ABORTED, 0, length, rank);
            throw t;
        }
        UnsafeApi.putLong(at, tag & 0xFFFF_FFFFL);
        lane.publish(position, slots, TYPE_DATA, FLAGS_WHOLE, length, rank);
        hints.sentLong(this);
    }

    /**
     * Something has come of the receiver: asks for the line in which an answer would begin, but seldom if nothing went back since
     * the last time.
     */
    public void prefetchNext()
    {
        if (isHolder() && hints.isAnswerLikely(lane.positionQuarters()))
        {
            prefetch(true);
        }
    }

    /** End of the lane, for its holder. */
    long positionQuarters()
    {
        return lane.positionQuarters();
    }

    /** Nothing is to be done just now: asks for the other lines of the next message, if it is as long as the last one. */
    void prefetchRest()
    {
        if (isHolder())
        {
            prefetch(false);
        }
    }

    private void prefetch(final boolean isNext)
    {
        try
        {
            try
            {
                enter();
                if (isShut())
                {
                    // it may be somebody else's
                    return;
                }
                if (isNext)
                {
                    lane.prefetchNext();
                }
                else
                {
                    lane.prefetchRest();
                }
            }
            finally
            {
                leave();
            }
        }
        catch (final Error error)
        {
            shut = true;
            failed = true;
            throw error;
        }
    }

    /** The ring, where the holder's last messages went, has no credits left: short messages wait until these are read. */
    void refusedByRing()
    {
        ring.refused();
    }

    /**
     * The holder is about to send by the ring: what it has in hand goes where it is taken from there.
     *
     * @return false if the lane is at its end: the receiver wants it back, another thread is ending it, or it was damaged.
     */
    public boolean beforeRing()
    {
        // the thread that ends the lane gives back what is in hand, once
        try
        {
            try
            {
                enter();
                if (isShut() || isRecalled() || room.isTried() && ring.isOutOfStep())
                {
                    return false;
                }
                // what comes by the ring is behind it
                lane.close();
                room.refund(holder);
                return true;
            }
            finally
            {
                leave();
            }
        }
        catch (final Error error)
        {
            shut = true;
            failed = true;
            throw error;
        }
    }

    /** The holder has sent by the ring: the lane is not used before that is read. */
    void sentByRing(final long end)
    {
        lane.pause();
        ring.sent(end);
        positionBase = peer.position(end, 0) - (start << 2);
        room.found();
    }

    /** What a run of the holder in the ring is called, so that it comes after those of the lane. */
    long position(final long ringEnd)
    {
        return peer.position(ringEnd, lane.sentSlots());
    }

    private long positionOfLast()
    {
        return (positionBase + lane.positionQuarters()) & Long.MAX_VALUE;
    }

    /** Whether all that was sent by the lane is read. */
    public boolean isRead()
    {
        return lane.isRead();
    }

    /** Whether what was sent by the lane will never seem read: the receiver stands elsewhere, or has let go of the lane. */
    boolean isLost()
    {
        return lane.isOutOfStep() ||
            isShutForAll() && peer.laneWord() != LaneWord.with(heldWord, LaneWord.RETURNED);
    }

    /** Whether the receiver wants the lane back. */
    boolean isRecalled()
    {
        return room.isRecalled();
    }

    /** Its holder goes by the ring from now on; what it has in hand is lost. */
    void abandon()
    {
        shut();
    }

    /** Slots sent by this lane. */
    public long sentSlots()
    {
        return lane.sentSlots();
    }

    /**
     * Ends the lane. By the holder; or by another thread, for which the holder passes a fence and is waited for while it is
     * in the midst of a message.
     *
     * @param by      the calling thread; null if it has no mark: then what is in hand comes back when the receiver finds it
     *                missing.
     * @param limitNs longest time to wait for the holder.
     * @return false if the holder is still in the midst of a message: the lane and what is in hand are left to it, and it uses
     *         the lane no more afterwards.
     */
    public boolean end(final SendingThread by, final long limitNs)
    {
        if (!shutAndWait(limitNs))
        {
            return false;
        }
        if (peer.laneWord() == heldWord || peer.laneWord() == LaneWord.with(heldWord, LaneWord.RECALLED))
        {
            lane.close();
        }
        else
        {
            // it may be somebody else's by now, with a message of his where ours would be
            lane.leave();
        }
        if (by != null)
        {
            room.refund(by);
        }
        if (isHolder() || !counts.isFirstThread())
        {
            // else its holder, which may be at work in another lane, adds them
            counts.settle();
        }
        // SYNC POINT lane-returned: a thread that sees this sees every header of ours
        peer.returnLane(heldWord);
        return true;
    }
}
