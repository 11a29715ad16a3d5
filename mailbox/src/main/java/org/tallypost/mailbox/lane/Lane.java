// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.lane;

import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.lane.tactic.Lookout;
import org.tallypost.mailbox.layout.LaneDescriptor;
import org.tallypost.mailbox.layout.MailboxDescriptor;

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
 * A short run may share a slot with those before it ({@link LaneDescriptor}):
 *
 * <pre>
 *   at = lane.shortPlace(length);                    NO_PLACE: at = lane.claim(1) &lt; 0 ? as above : lane.shortPlaceClaimed()
 *   payload to the address at + HEADER_LENGTH
 *   lane.publishShort(at, length, LaneDescriptor.shortHeader(flags, word))     SYNC POINT publish
 *   lane.wakeIfArmed()
 * </pre>
 *
 * A run may stay open until a program settles it, in any order with other open ones, while the holder goes on behind it:
 *
 * <pre>
 *   position = lane.claim(n);
 *   lane.defer(position, n, length, source)                    what is sent from now on lies behind it, and waits for it
 *   lane.settle(position, type, flags, length, source)         any thread. SYNC POINT publish
 * </pre>
 *
 * A thread that waits for an answer, or is about to give one, may ask for lines before it needs them: {@link #prefetchNext},
 * {@link #prefetchRest}.
 *
 * Unlike the ring a lane has a look at its consumer's position: once a lap at most, in the normal case.
 */
public final class Lane
{
    /** The run is longer than what is paid for. Not a value that the layer above returns to its callers: those are near 0. */
    public static final long UNPAID = -101;
    /** The run is paid for, but there is no room in the lane now: it can go by the ring. */
    public static final long FULL = -102;
    /** Of {@link #shortPlace}: something has to be looked at before. */
    public static final long NO_PLACE = 0;

    /** How often the consumer's position is looked at before a lane counts as full: a fraction of a microsecond. */
    private static final int LOOKS = 128;
    /** So many runs unread, and nobody waits for the next one. */
    private static final int BACKLOG_RUNS = 2;
    private static final long LINE_MASK = MailboxDescriptor.SLOT_LENGTH - 1;
    /** Slots of a run for which that matters; what a batch claims is several of these. */
    private static final int LONG_RUN = 32;

    private final Mailbox mailbox;
    private final int index;
    private final UnsafeBuffer buffer;
    private final int readPositionOffset;
    private final int slotsOffset;
    /** Addresses: an access by them takes half the instructions of one through a buffer, which may also be an array. */
    private final long slotsAddress;
    private final long armedAddress;
    private final int mask;
    private final int shift;
    private final int slots;
    private final int runSlots;
    private final long start;
    private final LanePayment payment;
    private long position;
    /** End of what is both paid for and known to be free. */
    private long limit;
    /** End of what is known to be free. */
    private long freeEnd;
    private boolean isBacklogged;
    /** Slots of the last long run, and its end if the lines behind that were asked for. */
    private int longSlots;
    private long prefetched;
    /** Below it there may be payload, of the lap before, where the next header will be looked for. */
    private long payloadEnd;
    /** {@link #limit} for slots of short runs that need no stamp behind them, or less: the one thing that they look at. */
    private long shortLimit;
    /** Where the next short run may go in the slot that was begun last; the address of a slot if nothing goes there any more. */
    private long open;
    /** Whether the last slot was left open for good: what is read up to it is all that ever will be. */
    private boolean isLeft;

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
        this.index = index;
        buffer = mailbox.buffer();
        slots = mailbox.laneSlots();
        runSlots = LaneDescriptor.runSlots(slots);
        mask = slots - 1;
        shift = Integer.numberOfTrailingZeros(slots);
        readPositionOffset = offset + LaneDescriptor.READ_POSITION_OFFSET;
        slotsOffset = offset + LaneDescriptor.SLOTS_OFFSET;
        slotsAddress = buffer.addressOffset() + slotsOffset;
        armedAddress = buffer.addressOffset() + MailboxDescriptor.ARMED_OFFSET;
        position = buffer.getLongAcquire(readPositionOffset);
        start = position;
        limit = position;
        // all slots were stamped when the lane was granted
        freeEnd = position;
        payloadEnd = position;
        payment = new LanePayment(buffer, offset, slots, position);
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
     * Finds room for a short run: in the line that was begun last, or in the next one if that takes no more than a comparison,
     * which fails whenever there is anything else to be looked at. Then {@link #claim} may do, and {@link #shortPlaceClaimed}.
     *
     * @param length of the payload behind the word in bytes, at most {@link LaneDescriptor#MAX_SHORT_LENGTH}.
     * @return address of its header for {@link #publishShort}, or {@link #NO_PLACE}.
     */
    public long shortPlace(final int length)
    {
        final long at = open;
        final long within = at & LINE_MASK;
        if (within != 0 && within + length <= LaneDescriptor.MAX_SHORT_LENGTH)
        {
            return at;
        }
        return position < shortLimit ? nextSlot() : NO_PLACE;
    }

    /**
     * Whether {@link #shortPlace} will find room for several short runs, one after the other.
     *
     * @param n their number.
     * @return true if so.
     */
    public boolean isShortReady(final int n)
    {
        return position + n <= shortLimit;
    }

    /**
     * A place for a short run in the slot that was claimed last, or in the next one of those that were claimed together.
     *
     * @return address of its header for {@link #publishShort}.
     */
    public long shortPlaceClaimed()
    {
        stampBehind(position + 1);
        shortLimit = position + 1 >= payloadEnd ? limit : position + 1;
        return nextSlot();
    }

    private long nextSlot()
    {
        closeSlot();
        return slotsAddress + slotDistance(position);
    }

    /**
     * Nothing more goes into the slot that was begun last: the consumer, which looks there for a further short run, goes on, and
     * frees it. To be called before anything is sent elsewhere that the consumer has to see behind it. A consumer that sleeps is
     * woken: somebody may wait for that slot.
     */
    public void close()
    {
        if (closeSlot())
        {
            wakeForSlot();
        }
    }

    private boolean closeSlot()
    {
        final long at = open;
        if ((at & LINE_MASK) == 0)
        {
            return false;
        }
        UnsafeApi.putLongRelease(null, at, LaneDescriptor.closed(lapBitsOfLast()));
        open = at & ~LINE_MASK;
        return true;
    }

    private void wakeForSlot()
    {
        // SYNC POINT armed: nothing will be published behind it that would be seen instead
        UnsafeApi.fullFence();
        wakeIfArmed();
    }

    /** The slot that was begun last stays as it is: the lane is not the holder's any more. */
    public void leave()
    {
        isLeft = (open & LINE_MASK) != 0;
        open &= ~LINE_MASK;
    }

    private long lapBitsOfLast()
    {
        return MailboxDescriptor.lapBits(MailboxDescriptor.lap(position - 1, shift));
    }

    private long claimSlow(final int n)
    {
        // its slot comes back when it is read
        final boolean isClosed = closeSlot();
        final long at = claimFree(n);
        if (isClosed && at < 0)
        {
            wakeForSlot();
        }
        return at;
    }

    private long claimFree(final int n)
    {
        final long end = position + n;
        if (end > payment.end() && (!payment.takeGiven() || end > payment.end()))
        {
            return UNPAID;
        }
        // a consumer that is at work frees the next slots before this is over, and a refusal would cost more
        for (int look = 0; look < LOOKS; look++)
        {
            // SYNC POINT lane-read: what is written over was read before
            final long read = buffer.getLongAcquire(readPositionOffset);
            // nobody honest writes another value: then there is no room but in the ring
            freeEnd = read <= position && read >= position - slots ? read + slots : position;
            isBacklogged = freeEnd + BACKLOG_RUNS * Math.min(n, LONG_RUN) <= position + slots;
            limit = Math.min(payment.end(), freeEnd);
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
            payment.takeGiven();
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
        payment.show(payment.end() + n);
    }

    /**
     * Takes back what was paid for and not used. What the consumer gives by the lane from now on is in hand again.
     *
     * @return its number of slots.
     */
    public long refund()
    {
        payment.takeGiven();
        final long rest = inHand();
        pause();
        payment.show(position);
        return rest;
    }

    /**
     * Makes {@link #shortPlace} and {@link #isShortReady} say no until {@link #claim} was called: something has to be looked at
     * before. Closes the slot that was begun last.
     */
    public void pause()
    {
        close();
        limit = position;
        shortLimit = position;
    }

    /**
     * What is paid for and not used, as far as this thread has looked.
     *
     * @return its number of slots.
     */
    public long inHand()
    {
        return payment.end() - position;
    }

    /**
     * Whether there is anything to be refunded now.
     *
     * @return true if so (acquire).
     */
    public boolean mayHaveInHand()
    {
        payment.takeGiven();
        return inHand() > 0;
    }

    /**
     * Whether the consumer has read all of it, and nothing more goes into its last slot.
     *
     * @return true if so (acquire).
     */
    public boolean isRead()
    {
        return buffer.getLongAcquire(readPositionOffset) >= (isLeft ? position - 1 : position);
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
     * @param type   of the run, {@link MailboxDescriptor#TYPE_ABORTED} or {@link MailboxDescriptor#TYPE_FIRST_USER}.
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
            longSlots = n;
        }
        stampBehind(end);
        closeSlot();
        // SYNC POINT publish
        UnsafeApi.putLongRelease(
            null, slotsAddress + slotDistance(at),
            MailboxDescriptor.header(MailboxDescriptor.lap(at, shift), type, flags, length, source));
        position = end;
        shortLimit = end >= payloadEnd ? limit : end;
        wakeIfArmed();
    }

    /**
     * Leaves the run that was claimed last open: its header is written later ({@link #settle}), and what is published behind it
     * waits for that. The slot behind it is stamped now, because any thread may settle it. A consumer that sleeps is not woken,
     * although a slot of short runs may be closed: it is woken when the claim is settled.
     *
     * @param at     its position.
     * @param n      its slots.
     * @param length of the payload in bytes, of n slots.
     * @param source of the run.
     */
    public void defer(final long at, final int n, final int length, final int source)
    {
        final long end = at + n;
        if (n > 1)
        {
            payloadEnd = end + slots;
            longSlots = n;
        }
        stampBehind(end);
        closeSlot();
        final long header = openHeader(at, length, source);
        final long ready = end >= payloadEnd ? limit : end;
        // SYNC POINT claim-held: only behind it is a place known where nothing is published
        UnsafeApi.putLongRelease(null, slotsAddress + slotDistance(at), header);
        // behind it, with no call in between: after an Error, as for want of stack, it is open and counted, or neither
        position = end;
        shortLimit = ready;
    }

    /**
     * Publishes a run that was left open, with release semantics. Any thread; also one that comes after the lane was taken back,
     * as from a holder that was declared gone: then another header is there, and nothing is written.
     *
     * @param at     its position.
     * @param type   of the run: {@link MailboxDescriptor#TYPE_ABORTED} makes the consumer skip it.
     * @param flags  0 to 15.
     * @param length of the payload in bytes, as it was claimed.
     * @param source of the run.
     */
    public void settle(final long at, final int type, final int flags, final int length, final int source)
    {
        final long address = slotsAddress + slotDistance(at);
        if (UnsafeApi.getLong(address) != openHeader(at, length, source))
        {
            return;
        }
        // SYNC POINT publish
        UnsafeApi.putLongRelease(
            null, address, MailboxDescriptor.header(MailboxDescriptor.lap(at, shift), type, flags, length, source));
        wakeIfArmed();
    }

    private long openHeader(final long at, final int length, final int source)
    {
        return LaneDescriptor.open(MailboxDescriptor.lap(at - slots, shift), length, source);
    }

    private void stampBehind(final long end)
    {
        // at the end of what is free there is a header, of a run that was unread when the read position was looked at
        if (end < payloadEnd && end < freeEnd)
        {
            UnsafeApi.putLong(slotsAddress + slotDistance(end),
                MailboxDescriptor.header(MailboxDescriptor.lap(end - slots, shift), MailboxDescriptor.TYPE_STAMP, 0, 0, 0));
        }
    }

    /**
     * Publishes a short run, with release semantics. If the line has room for another one of this length, the place behind it is
     * stamped, and the consumer told to look there next. Behind the last of those that go together {@link #wakeIfArmed} is to be
     * called.
     *
     * @param at     address that {@link #shortPlace} or {@link #shortPlaceClaimed} returned, the payload
     *               {@link MailboxDescriptor#HEADER_LENGTH} bytes behind it.
     * @param length of the payload in bytes.
     * @param header of flags and word, as {@link LaneDescriptor#shortHeader} makes it.
     */
    public void publishShort(final long at, final int length, final long header)
    {
        final int taken = LaneDescriptor.shortRunLength(length);
        final long next = at + taken;
        final boolean isFirst = (at & LINE_MASK) == 0;
        final long behind = isFirst ? position + 1 : position;
        final long lap = MailboxDescriptor.lapBits(MailboxDescriptor.lap(behind - 1, shift));
        long bits = header + LaneDescriptor.lengthBits(length) | lap;
        long more = at & ~LINE_MASK;
        if (next + taken <= (at | LINE_MASK) + 1)
        {
            UnsafeApi.putLong(next, LaneDescriptor.notYet(lap));
            more = next;
            bits |= LaneDescriptor.GOES_ON;
        }
        // SYNC POINT publish
        UnsafeApi.putLongRelease(null, at, bits);
        // behind it, with no call in between: after an Error, as for want of stack, it is out and counted, or neither
        position = behind;
        open = more;
    }

    /**
     * Asks for the line of the next short run, by a store that nobody reads: for a thread that is about to send it and does
     * something else before, for some ten nanoseconds at most. A consumer that waits looks there again and again and takes it
     * back, so earlier is no help, unless lines take long ({@link Lookout#isLong}). Nothing happens behind a long run, or if no
     * room is known of. Not between a claim, or a place, and what is published there: it would be written into.
     */
    public void prefetchNext()
    {
        final long at = open;
        if ((at & LINE_MASK) != 0)
        {
            prefetch(at);
        }
        else if (position < freeEnd && !isBehindLong())
        {
            prefetch(slotsAddress + slotDistance(position));
        }
    }

    /**
     * Asks for the lines of the next run but the first, at which the consumer may be looking: for a thread that has just sent a
     * long run, will send another one as long, and has nothing to do until then. Nothing happens if the last run was a short
     * one, if the consumer is behind ({@link #isBacklogged}), or the second time. Not between a claim and its publication.
     */
    public void prefetchRest()
    {
        final long at = position;
        if (!isBehindLong() || prefetched == at || isBacklogged)
        {
            return;
        }
        prefetched = at;
        final long first = slotsAddress + slotDistance(at);
        final long end = first + (Math.min(longSlots, freeEnd - at) << MailboxDescriptor.SLOT_SHIFT);
        for (long line = first + MailboxDescriptor.SLOT_LENGTH; line < end; line += MailboxDescriptor.SLOT_LENGTH)
        {
            prefetch(line);
        }
    }

    private boolean isBehindLong()
    {
        return payloadEnd - slots == position;
    }

    /** In slots that are free, and never where a header is looked for. */
    private static void prefetch(final long header)
    {
        UnsafeApi.putLong(header + MailboxDescriptor.HEADER_LENGTH, 0L);
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
     * The same in quarters of a slot: it grows with each run, also if several share a slot.
     *
     * @return four times the position, less the quarters that are left in a slot of short runs.
     */
    public long positionQuarters()
    {
        return (position << 2) - ((int)(-open & LINE_MASK) >> LaneDescriptor.QUARTER_SHIFT);
    }

    /**
     * Which lane of its mailbox this is.
     *
     * @return below {@link Mailbox#lanes()}.
     */
    public int index()
    {
        return index;
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
