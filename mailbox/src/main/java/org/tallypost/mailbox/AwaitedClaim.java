// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.mailbox;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.lane.Lane;
import org.tallypost.mailbox.layout.LaneDescriptor;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * The claim that a consumer waits for: one that was left open and not settled ({@link Mailbox#defer}, {@link Lane#defer}), at the
 * read position of the ring or of a lane. For the process that made it, which alone knows whether the program holds it. For one
 * thread.
 */
public final class AwaitedClaim
{
    /** Instead of the index of a lane. */
    public static final int RING = -1;

    private final Mailbox mailbox;
    private final UnsafeBuffer buffer;
    private final int lane;
    private final int readPositionOffset;
    private final int slotsOffset;
    private final int slots;
    private final int shift;
    private long position;
    private long header;

    /**
     * Nothing is looked for yet.
     *
     * @param mailbox of the consumer.
     * @param lane    index of the lane, or {@link #RING}.
     */
    public AwaitedClaim(final Mailbox mailbox, final int lane)
    {
        this.mailbox = mailbox;
        this.lane = lane;
        buffer = mailbox.buffer();
        final boolean isRing = lane == RING;
        final int begin = isRing ? 0 : mailbox.laneOffset(lane);
        readPositionOffset = isRing ? MailboxDescriptor.READ_POSITION_OFFSET : begin + LaneDescriptor.READ_POSITION_OFFSET;
        slotsOffset = isRing ? mailbox.slotOffset(0) : begin + LaneDescriptor.SLOTS_OFFSET;
        slots = isRing ? mailbox.ringSlots() : mailbox.laneSlots();
        shift = Integer.numberOfTrailingZeros(slots);
    }

    /**
     * Looks for it. Acquire: what was done before it was left open is seen.
     *
     * @return whether there is one, of a source that the mailbox has.
     */
    public boolean find()
    {
        return isOpenAt(buffer.getLongVolatile(readPositionOffset));
    }

    /**
     * Looks whether another one comes behind it, for which the consumer waits next.
     *
     * @return whether there is one.
     */
    public boolean findNext()
    {
        return isOpenAt(position + MailboxDescriptor.slots(MailboxDescriptor.length(header)));
    }

    private boolean isOpenAt(final long at)
    {
        position = at;
        header = buffer.getLongAcquire(headerOffset());
        if (MailboxDescriptor.source(header) >= mailbox.sources())
        {
            return false;
        }
        if (lane != RING)
        {
            return LaneDescriptor.isOpen(header, MailboxDescriptor.lap(at - slots, shift));
        }
        // where nothing is claimed there is no wait: the next claim writes over it
        return MailboxDescriptor.type(header) == MailboxDescriptor.TYPE_CLAIMED &&
            MailboxDescriptor.lap(header) == MailboxDescriptor.lap(at, shift) && mailbox.writePosition() != at;
    }

    private int headerOffset()
    {
        return slotsOffset + (((int)position & slots - 1) << MailboxDescriptor.SLOT_SHIFT);
    }

    /**
     * Where it is looked for.
     *
     * @return index of the lane, or {@link #RING}.
     */
    public int lane()
    {
        return lane;
    }

    /**
     * Where it is.
     *
     * @return position in slots; of either sign if the read position is damaged.
     */
    public long position()
    {
        return position;
    }

    /**
     * The rank that the claim is of.
     *
     * @return the source.
     */
    public int source()
    {
        return MailboxDescriptor.source(header);
    }

    /**
     * Most claims that can be open one behind the other.
     *
     * @return slots of the ring or of the lane.
     */
    public int slots()
    {
        return slots;
    }

    /**
     * Gives it up, as the program does not hold it: the consumer skips it. A full fence.
     *
     * @return false if it was settled since it was found; nothing was written.
     */
    public boolean giveUp()
    {
        final long aborted = MailboxDescriptor.header(MailboxDescriptor.lap(position, shift), MailboxDescriptor.TYPE_ABORTED, 0,
            MailboxDescriptor.length(header), source());
        if (!buffer.compareAndSetLong(headerOffset(), header, aborted))
        {
            return false;
        }
        // SYNC POINT armed
        mailbox.wakeIfArmed();
        return true;
    }
}
