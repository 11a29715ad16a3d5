// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.lane;

import org.agrona.UnsafeApi;
import org.tallypost.mailbox.layout.LaneDescriptor;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * What is there in a lane, as its consumer sees it before it delivers. For one thread.
 */
final class LaneLookAhead
{
    /** Runs that have their lines under way together. */
    static final int RUNS = 16;
    /** Of {@link #count}: the slot at the position is closed, and has to be passed before. */
    static final int CLOSED_FIRST = -1;

    /** Slots of a run from which on the length of the next one is guessed. */
    private static final int LEAST_GUESSED = 3;

    private final long slotsAddress;
    private final int slots;
    private final int shift;
    private final RunForm form = new RunForm();

    /**
     * @param slotsAddress of the lane's first slot.
     * @param slots        of the lane.
     */
    LaneLookAhead(final long slotsAddress, final int slots)
    {
        this.slotsAddress = slotsAddress;
        this.slots = slots;
        shift = Integer.numberOfTrailingZeros(slots);
    }

    /**
     * Counts what is there, up to the end of the lap, also if fewer are delivered now. So short a loop that the processor has the
     * next lines under way from the other core's cache while it waits for one; with the handler's work in between it would fetch
     * them one by one. Branches, and not a sum of what the header says, tell where the next header is, behind a run of one slot
     * as behind one that is as long as the one before: the processor guesses it before the line is there.
     *
     * @param position of the consumer, in slots.
     * @param within   bytes of that slot that were read.
     * @param most     runs to look at, {@link #RUNS} or fewer.
     * @return number of runs, or {@link #CLOSED_FIRST} if the slot at the position has to be passed before.
     */
    int count(final long position, final int within, final int most)
    {
        final long base = slotsAddress;
        final long lap = lapBits(position);
        final long kind = LaneDescriptor.shortKind(lap);
        final long end = (long)slots << MailboxDescriptor.SLOT_SHIFT;
        long line = (position & slots - 1) << MailboxDescriptor.SLOT_SHIFT;
        long at = line + within;
        int count = 0;
        while (count < most && line < end)
        {
            // SYNC POINT publish: only behind it is the stamp seen where the next header will be, and the payload
            final long header = UnsafeApi.getLongAcquire(null, base + at);
            if ((header & LaneDescriptor.SHORT_MASK) == kind)
            {
                at += LaneDescriptor.shortRunLength(LaneDescriptor.shortLength(header));
                if ((header & LaneDescriptor.GOES_ON) == 0 || at >= line + MailboxDescriptor.SLOT_LENGTH)
                {
                    line += MailboxDescriptor.SLOT_LENGTH;
                    at = line;
                }
                count++;
            }
            else if (MailboxDescriptor.lapBits(MailboxDescriptor.lap(header)) == lap)
            {
                // nobody honest closes a slot in which nothing is: that counts as a run, and is refused
                final boolean isClosed = at > line && header == LaneDescriptor.closed(lap);
                if (isClosed && count == 0)
                {
                    return CLOSED_FIRST;
                }
                line += (long)slotsOf(header) << MailboxDescriptor.SLOT_SHIFT;
                at = line;
                count += isClosed ? 0 : 1;
            }
            else
            {
                break;
            }
        }
        return count;
    }

    /** Whether a run, or what closes a slot, is there. */
    boolean isUnread(final long position, final int within)
    {
        return MailboxDescriptor.lapBits(MailboxDescriptor.lap(header(position, within))) == lapBits(position);
    }

    /** Whether a short run is there. */
    boolean isShort(final long position, final int within)
    {
        return (header(position, within) & LaneDescriptor.SHORT_MASK) == LaneDescriptor.shortKind(lapBits(position));
    }

    /** Whether the holder says that no more short runs follow there. */
    boolean isClosed(final long position, final int within)
    {
        return header(position, within) == LaneDescriptor.closed(lapBits(position));
    }

    /** Whether a claim that is open is there. */
    boolean isOpen(final long position, final int within)
    {
        return within == 0 && LaneDescriptor.isOpen(header(position, 0), lapBefore(position));
    }

    /** Whether nothing is there: no run, no word that closes a slot, and no claim that is open. One look tells all three. */
    boolean isVacant(final long position, final int within)
    {
        final long header = header(position, within);
        return MailboxDescriptor.lapBits(MailboxDescriptor.lap(header)) != lapBits(position) &&
            (within > 0 || !LaneDescriptor.isOpen(header, lapBefore(position)));
    }

    private int lapBefore(final long position)
    {
        return MailboxDescriptor.lap(position - slots, shift);
    }

    private long header(final long position, final int within)
    {
        // SYNC POINT publish: what is found there may be delivered without a further look
        return UnsafeApi.getLongAcquire(null, slotsAddress + ((position & slots - 1) << MailboxDescriptor.SLOT_SHIFT) + within);
    }

    private long lapBits(final long position)
    {
        return MailboxDescriptor.lapBits(MailboxDescriptor.lap(position, shift));
    }

    /**
     * Not guessed for runs of two slots: a consumer that is faster still comes just behind the holder, and both have less of it
     * (docs/lab/071-long-runs.md).
     */
    private int slotsOf(final long header)
    {
        if (form.isOf(header))
        {
            return form.slots();
        }
        final int n = LaneDescriptor.slots(header);
        if (n >= LEAST_GUESSED)
        {
            form.keep(header);
        }
        return n;
    }
}
