// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.mailbox;

import java.io.File;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.jcstress.Mapped;
import org.tallypost.mailbox.lane.LanePoller;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * A small mailbox with one sender and one consumer, used for race after race, so that its slots are written lap after lap.
 * Every word of a message carries the message's number: the consumer sees what is torn, missing, or out of order.
 */
final class RacedMailbox implements PacketHandler
{
    static final int TYPE = MailboxDescriptor.TYPE_FIRST_USER;
    static final int RUN_SLOTS = 4;
    /** Of a short run: its payload is behind its word. */
    static final int FLAG_SHORT = 1;

    private static final int RING_SLOTS = 8;
    private static final int LANE_SLOTS = 8;
    private static final int NUMBER_SHIFT = 8;
    private static final ConcurrentLinkedQueue<RacedMailbox> FREE = new ConcurrentLinkedQueue<>();

    final Mailbox box = Mapped.inNewDirectory(
        (directory) -> Mailbox.create(new File(directory, "mailbox"), 1, 1, 1, RING_SLOTS, RUN_SLOTS, 1, LANE_SLOTS));
    final MailboxPoller poller = new MailboxPoller(box);
    final LanePoller lanePoller = new LanePoller(box, 0);
    /** What the consumer does first when it is given a message, if a race wants that. */
    Runnable whenDelivered = () -> {};
    private long sent;
    private long received;
    private long refused;
    private int delivered;
    private int damaged;
    private boolean isSound = true;

    static RacedMailbox take()
    {
        final RacedMailbox free = FREE.poll();
        return free == null ? new RacedMailbox() : free;
    }

    /** Writes the payload of the next message. */
    void fill(final int offset, final int slots)
    {
        fill(offset, slots, ++sent);
    }

    /** Writes the payload of a message that must not be delivered. */
    void fillForNobody(final int offset, final int slots)
    {
        fill(offset, slots, 0);
    }

    /** Writes the payload of the next message, of so many bytes. */
    void fillBytes(final int offset, final int length)
    {
        fillBytes(offset, length, ++sent);
    }

    private void fill(final int offset, final int slots, final long number)
    {
        fillBytes(offset, MailboxDescriptor.payloadLength(slots), number);
    }

    private void fillBytes(final int offset, final int length, final long number)
    {
        final UnsafeBuffer buffer = box.buffer();
        for (int i = 0; i < length; i += Long.BYTES)
        {
            buffer.putLong(offset + i, number << NUMBER_SHIFT | i / Long.BYTES);
        }
    }

    @Override
    public void onPacket(
        final int type, final int flags, final int source, final UnsafeBuffer buffer, final int offset, final int length)
    {
        whenDelivered.run();
        received++;
        delivered++;
        boolean isWhole = length > 0;
        final int begin = (flags & FLAG_SHORT) == 0 ? offset : offset + MailboxDescriptor.HEADER_LENGTH;
        for (int i = 0; i < length - (begin - offset); i += Long.BYTES)
        {
            isWhole &= buffer.getLong(begin + i) == (received << NUMBER_SHIFT | i / Long.BYTES);
        }
        damaged += isWhole ? 0 : 1;
    }

    @Override
    public void onFreed(final int type, final int source, final int slots)
    {
        // there are no counts
    }

    /** Reads some of the lane, and shows how far; the number of messages. */
    int pollLane(final int limit)
    {
        int count = lanePoller.poll(this, limit);
        while (lanePoller.isDue())
        {
            lanePoller.takeFreed();
            lanePoller.publish(0);
            count += lanePoller.goOn(this, limit - count);
        }
        return count;
    }

    /** Messages delivered in this race. */
    int delivered()
    {
        return delivered;
    }

    /** Messages that were torn or not those that were due. */
    int damaged()
    {
        return damaged;
    }

    /**
     * Reads what is left, and makes the mailbox ready for the next race.
     *
     * @return whether something was lost, torn or delivered twice: 0 or 1.
     */
    int settle()
    {
        while (poller.poll(this, RING_SLOTS) + pollLane(LANE_SLOTS) > 0)
        {
            // on to the next
        }
        final long corrupt = poller.corruptCount() + lanePoller.corruptCount();
        final int result = damaged > 0 || received != sent || corrupt != refused ? 1 : 0;
        refused = corrupt;
        received = sent;
        delivered = 0;
        damaged = 0;
        isSound = result == 0;
        return result;
    }

    /** For the next race, unless a wrong one has left a mess. */
    void giveBack()
    {
        if (isSound)
        {
            FREE.add(this);
        }
    }
}
