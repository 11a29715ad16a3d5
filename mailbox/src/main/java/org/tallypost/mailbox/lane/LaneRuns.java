// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.lane;

import static org.tallypost.mailbox.layout.MailboxDescriptor.HEADER_LENGTH;
import static org.tallypost.mailbox.layout.MailboxDescriptor.TYPE_ABORTED;
import static org.tallypost.mailbox.layout.MailboxDescriptor.TYPE_FIRST_USER;
import static org.tallypost.mailbox.layout.MailboxDescriptor.TYPE_STAMP;

import org.agrona.UnsafeApi;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.LaneHandler;
import org.tallypost.mailbox.lane.tactic.LineOwnership;
import org.tallypost.mailbox.layout.LaneDescriptor;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * The slots of a lane as its consumer reads them: where it stands, what it has seen ahead, and how a run of each kind is checked
 * and delivered. When it reads, and when it gives back what it has read, is {@link LanePoller}'s. For the thread that polls; what
 * is in the slots is untrusted.
 *
 * <p>A superclass and no part of its consumer: a part would be loaded anew for most looks at the position, for each message.
 */
abstract class LaneRuns
{
    /** Slots of a run behind which nothing is looked for ahead. */
    private static final int LONG_SLOTS = 5;

    private final UnsafeBuffer buffer;
    private final int slotsOffset;
    /** An access by address takes half the instructions of one through a buffer, which may also be an array. */
    private final long slotsAddress;
    private final int mask;
    private final int shift;
    final LaneReturns returns;
    final LaneLookAhead ahead;
    final LineOwnership ownership;
    private final RunForm form = new RunForm();
    long position;
    /** Bytes of the slot there that were read: of short runs, with more to come. */
    int within;
    int source = LanePoller.NOBODY;
    /** Runs from the position on that {@link #ahead} has seen. */
    int seen;
    /** Whether the last poll found nothing. */
    boolean isEmpty;
    /** Whether the last run was a long one: its form is kept. */
    boolean isLong;

    /**
     * Nothing is seen yet.
     *
     * @param buffer     of the mailbox.
     * @param laneOffset of the lane in it.
     * @param slots      of the lane.
     * @param ownership  what is done with lines that were read.
     */
    LaneRuns(final UnsafeBuffer buffer, final int laneOffset, final int slots, final LineOwnership ownership)
    {
        this.buffer = buffer;
        this.ownership = ownership;
        returns = new LaneReturns(buffer, laneOffset, slots);
        slotsOffset = laneOffset + LaneDescriptor.SLOTS_OFFSET;
        slotsAddress = buffer.addressOffset() + slotsOffset;
        mask = slots - 1;
        shift = Integer.numberOfTrailingZeros(slots);
        ahead = new LaneLookAhead(slotsAddress, slots);
        position = returns.shown();
    }

    /** The lane has another holder, or none: what was seen of the one before is forgotten. */
    final void begin(final int to)
    {
        source = to;
        // a holder that died may have left payload there that looks like the header of a run, and anybody may have written
        // into a lane that nobody looked at
        stampAll();
        within = 0;
        seen = 0;
        isLong = false;
        ownership.forget();
    }

    /** Says of every slot that it is of the lap before, and empty. */
    final void stampAll()
    {
        for (long slot = position; slot <= position + mask; slot++)
        {
            stamp(slot, MailboxDescriptor.lap(slot - mask - 1, shift));
        }
    }

    /** Lap of the position. */
    final long lap()
    {
        return position >>> shift;
    }

    /**
     * Looks for what is there.
     *
     * @return whether there may be more than what was seen.
     */
    final boolean look()
    {
        // the answer to what comes first after a pause would wait for the look behind it (docs/design/lanes.md)
        final int most = isEmpty ? 1 : LaneLookAhead.RUNS;
        seen = count(most);
        return seen == most;
    }

    /** Passes the slot at the position if it is closed, and counts what is there. */
    final int count(final int most)
    {
        final int count = ahead.count(position, within, most);
        return Math.max(0, count == LaneLookAhead.CLOSED_FIRST && passClosed() ? ahead.count(position, within, most) : count);
    }

    /**
     * Goes on to the next slot if the holder says that no more short runs follow here.
     *
     * @return false if it does not.
     */
    final boolean passClosed()
    {
        if (within == 0 || !ahead.isClosed(position, within))
        {
            return false;
        }
        ownership.own();
        noteRead(position, 1);
        position++;
        within = 0;
        return true;
    }

    /** Passes the claim at the position if it is open, as if it had been aborted. */
    final boolean passOpen()
    {
        if (!ahead.isOpen(position, within))
        {
            return false;
        }
        final long at = position;
        final int n = MailboxDescriptor.slots(MailboxDescriptor.length(buffer.getLong(slotsOffset + slotDistance(at))));
        seen = 0;
        if (n > runSlots())
        {
            refuse(at);
            return true;
        }
        ownership.own();
        position = at + n;
        noteRead(at, n);
        isLong = false;
        return true;
    }

    /** Shows the run at the position, which was seen, and leaves it there; not one that was aborted, or cannot be. */
    final void show(final LaneHandler handler)
    {
        final int offset = slotsOffset + slotDistance(position) + within;
        final boolean isShort = ahead.isShort(position, within);
        // that it is published was seen ahead, and nobody honest changes it
        final long header = buffer.getLong(offset);
        final int length = isShort ? HEADER_LENGTH + LaneDescriptor.shortLength(header) : MailboxDescriptor.length(header);
        final boolean isSound = isShort ? within + length <= MailboxDescriptor.SLOT_LENGTH : within == 0 &&
            MailboxDescriptor.type(header) == TYPE_FIRST_USER && MailboxDescriptor.slots(length) <= runSlots();
        if (isSound)
        {
            handler.onPacket(TYPE_FIRST_USER, MailboxDescriptor.flags(header), source, buffer,
                isShort ? offset : offset + HEADER_LENGTH, length);
        }
    }

    /**
     * Long runs, one after the other, until another kind comes or nothing is there. Behind them nothing is looked for ahead: the
     * processor itself fetches ahead what follows, as long as it is read from one end to the other, and looks in between at
     * headers far ahead cost up to three quarters of the rate (docs/lab/071-long-runs.md).
     *
     * @return number of runs delivered.
     */
    final int deliverLong(final LaneHandler handler, final int limit, final long due)
    {
        int count = 0;
        while (count < limit)
        {
            final long at = position;
            final int distance = slotDistance(at);
            // SYNC POINT publish
            final long header = UnsafeApi.getLongAcquire(null, slotsAddress + distance);
            if (MailboxDescriptor.lap(header) != MailboxDescriptor.lap(at, shift))
            {
                break;
            }
            isLong = form.isOf(header) || form.keepIfData(header, LONG_SLOTS, runSlots());
            if (!isLong)
            {
                break;
            }
            ownership.own();
            count++;
            final int n = form.slots();
            // before the handler may throw
            position = at + n;
            handler.onPacket(
                TYPE_FIRST_USER, MailboxDescriptor.flags(header), source, buffer, slotsOffset + distance + HEADER_LENGTH,
                form.length());
            noteRead(at, n);
            if (position >= due)
            {
                break;
            }
        }
        return count;
    }

    /**
     * What most packets are, short runs, until another kind comes, or it is time to give back what was freed. All that is the
     * same for all of them is worked out before, once, and little is kept at hand: the handler's work is part of this loop, and
     * needs the registers.
     */
    final int deliverShort(final LaneHandler handler, final int ready, final long due)
    {
        final long start = position;
        final long begin = slotsAddress + slotDistance(start);
        long line = begin;
        long address = begin + within;
        // that they are published was seen ahead, and nobody honest changes them; what they say is looked at only here
        final long kind = UnsafeApi.getLong(address) & LaneDescriptor.SHORT_KIND_MASK;
        final int flags = MailboxDescriptor.flags(kind);
        if (kind - ((long)flags << LaneDescriptor.FLAGS_SHIFT) !=
            LaneDescriptor.shortKind(MailboxDescriptor.lapBits(MailboxDescriptor.lap(start, shift))))
        {
            return 0;
        }
        // never beyond the lap, also if the headers are not what they were a moment ago
        final long most = Math.max(1, due - start);
        final long end = begin + (Math.min(mask + 1 - (start & mask), most) << MailboxDescriptor.SLOT_SHIFT);
        final UnsafeBuffer from = buffer;
        final int by = source;
        final long origin = slotsAddress - slotsOffset;
        int left = ready;
        try
        {
            while (left > 0 && line < end)
            {
                final long header = UnsafeApi.getLong(address);
                final int length = LaneDescriptor.shortLength(header);
                final long at = address;
                if ((header & LaneDescriptor.SHORT_KIND_MASK) != kind ||
                    at + length > line + LaneDescriptor.MAX_SHORT_LENGTH)
                {
                    break;
                }
                // before the handler may throw
                left--;
                address += LaneDescriptor.shortRunLength(length);
                if ((header & LaneDescriptor.GOES_ON) == 0 || address >= line + MailboxDescriptor.SLOT_LENGTH)
                {
                    line += MailboxDescriptor.SLOT_LENGTH;
                    address = line;
                }
                handler.onPacket(TYPE_FIRST_USER, flags, by, from, (int)(at - origin), HEADER_LENGTH + length);
            }
        }
        finally
        {
            position = start + (line - begin >> MailboxDescriptor.SLOT_SHIFT);
            within = (int)(address - line);
            seen -= ready - left;
            isLong = false;
        }
        ownership.noteRead(begin, line);
        return ready - left;
    }

    /**
     * A short run behind a poll that found nothing. It has a method of its own so that what a handler does for it is asked once
     * here, and not once for each run of a flow.
     *
     * @return 1, or 0 if another kind of run is there.
     */
    final int deliverArrival(final LaneHandler handler)
    {
        final long at = position;
        final long line = slotsAddress + slotDistance(at);
        final long address = line + within;
        final long header = UnsafeApi.getLong(address);
        final int flags = MailboxDescriptor.flags(header);
        final int length = LaneDescriptor.shortLength(header);
        if ((header & LaneDescriptor.SHORT_KIND_MASK) - ((long)flags << LaneDescriptor.FLAGS_SHIFT) !=
            LaneDescriptor.shortKind(MailboxDescriptor.lapBits(MailboxDescriptor.lap(at, shift))) ||
            address + length > line + LaneDescriptor.MAX_SHORT_LENGTH)
        {
            return 0;
        }
        isEmpty = false;
        isLong = false;
        // before the handler may throw
        seen--;
        final int next = within + LaneDescriptor.shortRunLength(length);
        final boolean isLast = (header & LaneDescriptor.GOES_ON) == 0 || next >= MailboxDescriptor.SLOT_LENGTH;
        within = isLast ? 0 : next;
        position = isLast ? at + 1 : at;
        handler.onArrival(
            TYPE_FIRST_USER, flags, source, buffer, (int)(address - slotsAddress) + slotsOffset, HEADER_LENGTH + length);
        if (isLast)
        {
            noteRead(at, 1);
        }
        return 1;
    }

    /**
     * A run of several slots, an aborted one, or one that cannot be: its slot was nobody's, and is not freed.
     *
     * @return false if it is not there: somebody has written over its header since it was.
     */
    final boolean deliverOther(final LaneHandler handler)
    {
        final long at = position;
        final int offset = slotsOffset + slotDistance(at) + within;
        final long header = buffer.getLong(offset);
        final int length = MailboxDescriptor.length(header);
        final int n = MailboxDescriptor.slots(length);
        final int type = MailboxDescriptor.type(header);
        if (MailboxDescriptor.lap(header) != MailboxDescriptor.lap(at, shift))
        {
            seen = 0;
            return false;
        }
        seen--;
        isEmpty = false;
        if (within > 0 || type != TYPE_FIRST_USER && type != TYPE_ABORTED || n > runSlots())
        {
            refuse(at);
            return true;
        }
        position = at + n;
        if (type != TYPE_ABORTED)
        {
            handler.onPacket(type, MailboxDescriptor.flags(header), source, buffer, offset + HEADER_LENGTH, length);
        }
        isLong = n >= LONG_SLOTS;
        noteRead(at, n);
        return true;
    }

    private void noteRead(final long at, final int n)
    {
        final long begin = slotsAddress + slotDistance(at);
        ownership.noteRead(begin, begin + ((long)n << MailboxDescriptor.SLOT_SHIFT));
    }

    private void refuse(final long at)
    {
        if (within == 0)
        {
            stamp(at, MailboxDescriptor.lap(at, shift));
        }
        returns.refuse(within == 0 ? 1 : 0);
        within = 0;
        position = at + 1;
    }

    /** Most slots of a run. */
    private int runSlots()
    {
        return LaneDescriptor.runSlots(mask + 1);
    }

    private void stamp(final long slot, final int lap)
    {
        buffer.putLong(slotsOffset + slotDistance(slot), MailboxDescriptor.header(lap, TYPE_STAMP, 0, 0, 0));
    }

    private int slotDistance(final long at)
    {
        return ((int)at & mask) << MailboxDescriptor.SLOT_SHIFT;
    }
}
