// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * An express lane of a mailbox, as the thread sees it that holds it: claim, write, publish, without any locked
 * instruction. <b>For one thread at a time.</b>
 *
 * <pre>
 *   position = lane.claim(n);                        negative: pay first, or go by the ring
 *   lane.buffer().putBytes(lane.payloadOffset(position), ...)
 *   lane.publish(position, n, type, flags, length, source)     SYNC POINT publish: one release store
 * </pre>
 *
 * Unlike the ring a lane has a look at its consumer's position: once a lap at most, in the normal case.
 */
public final class Lane
{
    /** The run is longer than what is paid for. */
    public static final long UNPAID = -1;
    /** The run is paid for, but there is no room in the lane now: it can go by the ring. */
    public static final long FULL = -2;

    /** How often the consumer's position is looked at before a lane counts as full: a fraction of a microsecond. */
    private static final int LOOKS = 128;
    /** So many runs unread, and nobody waits for the next one. */
    private static final int BACKLOG_RUNS = 2;
    /** Slots of a run for which that matters; what a batch claims is several of these. */
    private static final int LONG_RUN = 32;

    private final Mailbox mailbox;
    private final UnsafeBuffer buffer;
    private final int readPositionOffset;
    private final int givenOffset;
    private final int paidPositionOffset;
    private final int slotsOffset;
    /** Addresses: an access by them takes half the instructions of one through a buffer, which may also be an array. */
    private final long slotsAddress;
    private final long armedAddress;
    private final int mask;
    private final int shift;
    private final int slots;
    private final int runSlots;
    private final long start;
    private long position;
    /** End of what is paid for, with credits taken elsewhere or given by the lane. */
    private long paidPosition;
    /** Of these, given by the lane. */
    private long given;
    /** End of what is both paid for and known to be free. */
    private long limit;
    /** End of what is known to be free. */
    private long freeEnd;
    private boolean isBacklogged;
    /** Below it there may be payload, of the lap before, where the next header will be looked for. */
    private long payloadEnd;
    /** {@link #limit} for runs of one slot that need no stamp behind them, or less: the one thing that they have to look at. */
    private long shortLimit;

    /**
     * A lane that was granted to this thread just now; nothing is paid for yet.
     *
     * @param mailbox it belongs to.
     * @param index   of the lane, below {@link Mailbox#lanes()}.
     */
    public Lane(final Mailbox mailbox, final int index)
    {
        final int offset = mailbox.laneOffset(index);
        this.mailbox = mailbox;
        buffer = mailbox.buffer();
        slots = mailbox.laneSlots();
        runSlots = LaneDescriptor.runSlots(slots);
        mask = slots - 1;
        shift = Integer.numberOfTrailingZeros(slots);
        readPositionOffset = offset + LaneDescriptor.READ_POSITION_OFFSET;
        givenOffset = offset + LaneDescriptor.GIVEN_OFFSET;
        paidPositionOffset = offset + LaneDescriptor.PAID_POSITION_OFFSET;
        slotsOffset = offset + LaneDescriptor.SLOTS_OFFSET;
        slotsAddress = buffer.addressOffset() + slotsOffset;
        armedAddress = buffer.addressOffset() + MailboxDescriptor.ARMED_OFFSET;
        position = buffer.getLongAcquire(readPositionOffset);
        start = position;
        limit = position;
        // all slots were stamped when the lane was granted
        freeEnd = position;
        payloadEnd = position;
        showPaid(position);
    }

    /**
     * Claims a run.
     *
     * @param n slots of it, at most {@link #runSlots()}.
     * @return its position; {@link #UNPAID} or {@link #FULL}. Nothing is claimed until it is published.
     */
    public long claim(final int n)
    {
        final long at = position;
        return at + n <= limit ? at : claimSlow(n);
    }

    /**
     * Whether a run of one slot can go to {@link #position()} at once, by {@link #publishShort}: one comparison, which fails
     * whenever there is anything else to be looked at. Then {@link #claim} may do.
     *
     * @return true if so.
     */
    public boolean isShortReady()
    {
        return position < shortLimit;
    }

    /**
     * The same for several runs of one slot, to be published one after the other.
     *
     * @param n their number.
     * @return true if all of them can go at once.
     */
    public boolean isShortReady(final int n)
    {
        return position + n <= shortLimit;
    }

    private long claimSlow(final int n)
    {
        final long end = position + n;
        if (end > paidPosition && (!takeGiven() || end > paidPosition))
        {
            return UNPAID;
        }
        // a consumer that is at work frees the next slots before this is over, and a refusal would cost more
        for (int look = 0; look < LOOKS; look++)
        {
            // SYNC POINT lane-read: what is written over was read before
            final long read = buffer.getLongAcquire(readPositionOffset);
            // nobody honest writes another value: then there is no room but in the ring
            freeEnd = read <= position && position - read <= slots ? read + slots : position;
            isBacklogged = freeEnd + BACKLOG_RUNS * Math.min(n, LONG_RUN) <= position + slots;
            limit = Math.min(paidPosition, freeEnd);
            if (end <= limit)
            {
                shortLimit = position >= payloadEnd ? limit : position;
                return position;
            }
        }
        return FULL;
    }

    /**
     * Whether the consumer was some runs behind when the holder looked at its read position last, as it does when it has used
     * up what it knew to be free: then nobody waits for the next run.
     *
     * @return true if so.
     */
    public boolean isBacklogged()
    {
        return isBacklogged;
    }

    /** Takes what the consumer has given by the lane since the last look; false if there is nothing. */
    private boolean takeGiven()
    {
        // SYNC POINT lane-given: what is given was read, and booked, before
        final long now = buffer.getLongAcquire(givenOffset);
        final long more = now - given;
        // nobody honest gives more than two lanes hold, nor takes back what he gave
        if (more <= 0 || more > (long)slots << 1)
        {
            return false;
        }
        if (buffer.getLongAcquire(paidPositionOffset) != paidPosition - given)
        {
            // somebody else wrote there: as long as credits come by the lane it is not written otherwise
            showPaid(paidPosition);
        }
        given = now;
        paidPosition += more;
        return true;
    }

    /**
     * Waits for the consumer to give credits by the lane, a fraction of a microsecond: one that is at work does before that is
     * over, and a refusal would cost more.
     *
     * @param n slots that are to be paid for.
     * @return whether they are.
     */
    public boolean awaitPaid(final int n)
    {
        for (int look = 0; look < LOOKS && inHand() < n; look++)
        {
            takeGiven();
        }
        return inHand() >= n;
    }

    /**
     * Pays for slots to come.
     *
     * @param n their number.
     */
    public void pay(final long n)
    {
        showPaid(paidPosition + n);
    }

    /**
     * Takes back what was paid for and not used. What the consumer gives by the lane from now on is in hand again.
     *
     * @return its number of slots.
     */
    public long refund()
    {
        takeGiven();
        final long rest = inHand();
        pause();
        showPaid(position);
        return rest;
    }

    /** Makes {@link #isShortReady} say no until {@link #claim} was called: something has to be looked at before. */
    public void pause()
    {
        limit = position;
        shortLimit = position;
    }

    private void showPaid(final long paid)
    {
        paidPosition = paid;
        // the consumer knows what it has given, and this line seldom changes
        buffer.putLongRelease(paidPositionOffset, paid - given);
    }

    /**
     * What is paid for and not used, as far as this thread has looked.
     *
     * @return its number of slots.
     */
    public long inHand()
    {
        return paidPosition - position;
    }

    /**
     * Whether there is anything to be refunded now.
     *
     * @return true if so (acquire).
     */
    public boolean mayHaveInHand()
    {
        takeGiven();
        return inHand() > 0;
    }

    /**
     * Whether the consumer has read all of it.
     *
     * @return true if so (acquire).
     */
    public boolean isRead()
    {
        return buffer.getLongAcquire(readPositionOffset) >= position;
    }

    /**
     * Whether the consumer says that it has read what was not sent, or has forgotten what it had read: somebody else wrote
     * there.
     *
     * @return true if so; false also while all is as it should be, unread or not.
     */
    public boolean isOutOfStep()
    {
        final long unread = position - buffer.getLongAcquire(readPositionOffset);
        return unread < 0 || unread > slots;
    }

    /**
     * Publishes the run that was claimed last, with release semantics. Before it the slot behind the run is stamped, if there may
     * be payload of the lap before: the consumer looks for the next header there.
     *
     * @param at     its position.
     * @param n      its slots.
     * @param type   of the run, {@link MailboxDescriptor#TYPE_ABORTED} to 15.
     * @param flags  0 to 15.
     * @param length of the payload in bytes, of n slots.
     * @param source of the run.
     */
    public void publish(final long at, final int n, final int type, final int flags, final int length, final int source)
    {
        final long end = at + n;
        if (n > 1)
        {
            payloadEnd = end + slots;
        }
        // at the end of what is free there is a header, of a run that was unread when the read position was looked at
        if (end < payloadEnd && end < freeEnd)
        {
            UnsafeApi.putLong(slotsAddress + slotDistance(end),
                MailboxDescriptor.header(MailboxDescriptor.lap(end - slots, shift), MailboxDescriptor.TYPE_STAMP, 0, 0, 0));
        }
        // SYNC POINT publish
        UnsafeApi.putLongRelease(
            null, slotsAddress + slotDistance(at),
            MailboxDescriptor.header(MailboxDescriptor.lap(at, shift), type, flags, length, source));
        position = end;
        shortLimit = end >= payloadEnd ? limit : end;
        wakeIfArmed();
    }

    /**
     * Publishes a run of one slot when {@link #isShortReady} says that it can go, with release semantics. Behind the last of
     * those that go together {@link #wakeIfArmed} is to be called.
     *
     * @param at     its position, {@link #position()}.
     * @param header of it, of type, flags, length and source, as {@link #headerBits} makes it.
     */
    public void publishShort(final long at, final long header)
    {
        // SYNC POINT publish
        UnsafeApi.putLongRelease(
            null, slotsAddress + slotDistance(at), MailboxDescriptor.lapBits(MailboxDescriptor.lap(at, shift)) | header);
        position = at + 1;
    }

    /**
     * What a header says besides the lap.
     *
     * @param type   of the run.
     * @param flags  0 to 15.
     * @param length of the payload in bytes.
     * @param source of the run.
     * @return for {@link #publishShort}.
     */
    public static long headerBits(final int type, final int flags, final int length, final int source)
    {
        return MailboxDescriptor.header(0, type, flags, length, source);
    }

    /** Wakes the consumer if it sleeps, or is about to. */
    public void wakeIfArmed()
    {
        // no fence between: a consumer that sleeps while somebody holds a lane has to look again from time to time
        if (UnsafeApi.getInt(armedAddress) != 0)
        {
            mailbox.wakeIfArmed();
        }
    }

    /**
     * Where the payload of a run begins.
     *
     * @param at position of the run.
     * @return offset into {@link #buffer()}; the payload is contiguous, also beyond the end of the lane's ring.
     */
    public int payloadOffset(final long at)
    {
        return slotsOffset + slotDistance(at) + MailboxDescriptor.HEADER_LENGTH;
    }

    /**
     * The same as an address: for writers that copy word by word.
     *
     * @param at position of the run.
     * @return address of the payload, valid as long as {@link #buffer()} is reachable.
     */
    public long payloadAddress(final long at)
    {
        return slotsAddress + slotDistance(at) + MailboxDescriptor.HEADER_LENGTH;
    }

    private int slotDistance(final long at)
    {
        return ((int)at & mask) << MailboxDescriptor.SLOT_SHIFT;
    }

    /**
     * Where the next run will be.
     *
     * @return end of the last run that was published.
     */
    public long position()
    {
        return position;
    }

    /**
     * Longest run.
     *
     * @return in slots.
     */
    public int runSlots()
    {
        return runSlots;
    }

    /**
     * The mailbox's whole mapping.
     *
     * @return the buffer.
     */
    public UnsafeBuffer buffer()
    {
        return buffer;
    }

    /**
     * Slots sent by this lane since it was granted.
     *
     * @return their number.
     */
    public long sentSlots()
    {
        return position - start;
    }
}
