// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.tallypost.mailbox.layout.MailboxDescriptor.HEADER_LENGTH;
import static org.tallypost.mailbox.layout.MailboxDescriptor.READ_POSITION_OFFSET;
import static org.tallypost.mailbox.layout.MailboxDescriptor.TYPE_ABORTED;
import static org.tallypost.mailbox.layout.MailboxDescriptor.TYPE_CLAIMED;
import static org.tallypost.mailbox.layout.MailboxDescriptor.TYPE_LAST;
import static org.tallypost.mailbox.layout.MailboxDescriptor.WRITE_POSITION_OFFSET;

import java.util.function.IntPredicate;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.Registry;

/**
 * The consumer of a mailbox. <b>For one thread.</b> What it reads is untrusted: a header that cannot be is counted and
 * skipped, and nothing outside the mapping is ever touched.
 *
 * <p>A poll looks at one word, whatever the number of senders. After a run was delivered the consumer stamps the first
 * word of each further slot that the run covered with that slot's lap, so that payload is never taken for a header in
 * the next lap. A run that went on into the spare slots covers, as numbers, the first slots of the ring, in which it
 * wrote nothing: those are stamped just the same, so that every header word of the ring is always one lap old, or new.
 *
 * <pre>
 *   ring of 8, run of 4 at position 6 (lap 1):          what the consumer stamps
 *    0     1     2     3     4     5     6     7   | spare 8  9
 *   [s2 ] [s2 ] [   ] [   ] [   ] [   ] [HDR] [s1 ]|  [...payload]       s1 = stamp of lap 1, s2 = stamp of lap 2
 * </pre>
 */
public final class MailboxPoller
{
    private static final long MAX_POSITION = 1L << 62;

    private final Mailbox mailbox;
    private final UnsafeBuffer buffer;
    private final int sources;
    private final int runSlots;
    private long position;
    private long corruptCount;
    private long skippedSlots;
    private long holePosition = -1;
    private long holeLimit;
    private long[] attempts = new long[0];

    /**
     * The consumer of a mailbox, which goes on where the last one stopped.
     *
     * @param mailbox to consume.
     */
    public MailboxPoller(final Mailbox mailbox)
    {
        this.mailbox = mailbox;
        buffer = mailbox.buffer();
        sources = mailbox.sources();
        runSlots = mailbox.runSlots();
        position = sound(mailbox.readPosition());
    }

    /** A read position that cannot be was written by another process: what is unread then is found by {@link #recover}. */
    private long sound(final long found)
    {
        if (found >= 0 && found <= MAX_POSITION)
        {
            return found;
        }
        corruptCount++;
        final long written = mailbox.writePosition();
        return written >= 0 && written <= MAX_POSITION ? written : 0;
    }

    /**
     * Delivers what is published, in place, and asks the handler what comes before runs with certain flags
     * ({@link PacketHandler#onHeld}).
     *
     * @param handler   for the runs.
     * @param limit     most packets to deliver: runs, and what the handler delivers before them.
     * @param heldFlags one or several bits, 0 to 15.
     * @return number of packets delivered, aborted and refused ones included; 0 if there is nothing.
     */
    public int poll(final PacketHandler handler, final int limit, final int heldFlags)
    {
        final long held = MailboxDescriptor.flagsBits(heldFlags);
        final long start = position;
        int count = 0;
        try
        {
            while (count < limit)
            {
                final int offset = mailbox.slotOffset(position);
                // SYNC POINT publish
                final long header = buffer.getLongAcquire(offset);
                if (MailboxDescriptor.lap(header) != mailbox.lap(position))
                {
                    break;
                }
                if (!isSound(header))
                {
                    count++;
                    skipCorrupt();
                    continue;
                }
                final int type = MailboxDescriptor.type(header);
                if (type == TYPE_CLAIMED)
                {
                    break;
                }
                if ((header & held) != 0)
                {
                    final int before = handler.onHeld(MailboxDescriptor.source(header), limit - count);
                    count += Math.max(before, ~before);
                    if (before < 0 || count >= limit)
                    {
                        break;
                    }
                }
                count++;
                consume(handler, offset, header, type);
            }
        }
        finally
        {
            if (position != start)
            {
                buffer.putLongRelease(READ_POSITION_OFFSET, position);
            }
        }
        return count;
    }

    /**
     * Delivers what is published, in place.
     *
     * @param handler for the runs.
     * @param limit   most runs to deliver.
     * @return number of runs delivered, aborted and refused ones included; 0 if there is nothing.
     */
    public int poll(final PacketHandler handler, final int limit)
    {
        return poll(handler, limit, 0);
    }

    /**
     * Shows the handler the run that comes next and leaves it where it is, for a consumer that decides about each run: a
     * {@link #poll(PacketHandler, int)} of one run takes it. Asks before what comes before a run with certain flags.
     *
     * @param handler   for the run: not called for one that was aborted, or cannot be.
     * @param heldFlags one or several bits, 0 to 15.
     * @return true if a run is there, and nothing comes before it.
     */
    public boolean peek(final PacketHandler handler, final int heldFlags)
    {
        final int offset = mailbox.slotOffset(position);
        // SYNC POINT publish
        final long header = buffer.getLongAcquire(offset);
        if (MailboxDescriptor.lap(header) != mailbox.lap(position))
        {
            return false;
        }
        if (!isSound(header))
        {
            return true;
        }
        final int type = MailboxDescriptor.type(header);
        final int source = MailboxDescriptor.source(header);
        if (type == TYPE_CLAIMED || (header & MailboxDescriptor.flagsBits(heldFlags)) != 0 && handler.onHeld(source, 1) != 0)
        {
            return false;
        }
        if (type != TYPE_ABORTED)
        {
            handler.onPacket(type, MailboxDescriptor.flags(header), source, buffer, offset + HEADER_LENGTH,
                MailboxDescriptor.length(header));
        }
        return true;
    }

    /**
     * Whether the next poll finds something, looked at without delivering it. For the consumer.
     *
     * @return true if a run is published at the read position.
     */
    public boolean isReady()
    {
        final long header = buffer.getLongAcquire(mailbox.slotOffset(position));
        return MailboxDescriptor.lap(header) == mailbox.lap(position) && MailboxDescriptor.type(header) != TYPE_CLAIMED;
    }

    private void consume(final PacketHandler handler, final int offset, final long header, final int type)
    {
        final int length = MailboxDescriptor.length(header);
        final int source = MailboxDescriptor.source(header);
        final int slots = MailboxDescriptor.slots(length);
        try
        {
            if (type != TYPE_ABORTED)
            {
                handler.onPacket(type, MailboxDescriptor.flags(header), source, buffer, offset + HEADER_LENGTH, length);
            }
        }
        finally
        {
            if (slots > 1)
            {
                mailbox.stamp(position + 1, position + slots);
            }
            position += slots;
            // the credits go back after the stamps: the sender that may use these slots next sees them
            handler.onFreed(type, source, slots);
        }
    }

    /**
     * Puts the published read position right if something else wrote it: to be called now and then when polls return 0,
     * since senders look at it and it is otherwise written only when something was read.
     *
     * @return true if it was wrong.
     */
    public boolean repairReadPosition()
    {
        if (mailbox.readPosition() == position)
        {
            return false;
        }
        corruptCount++;
        buffer.putLongRelease(READ_POSITION_OFFSET, position);
        return true;
    }

    /**
     * Looks for a reason why the consumer waits although slots are claimed: to be called now and then when polls
     * return 0. A claim that a dead process left unpublished is skipped; a live one, slow or stopped, is waited for.
     *
     * <p>The argument: a claim below the write position that is read first at a hole was made by a thread that had
     * stored its mark before (SYNC POINT claim-mark). If that thread lives, its mark is seen, or it was cleared after the
     * header was published, and then the header is seen (SYNC POINT claim-cleared). So a slot that is unpublished after
     * no live mark was found to cover it will never be published. A mark without a position may cover any slot, until
     * the attempt that was seen at the first look is over: what that thread claims later lies above the write position
     * read at the first look, and nothing is skipped beyond that.
     *
     * @param registry    with the marks of all sending threads.
     * @param sourceAlive tells whether the process that held a source when its claim was deferred is still there.
     * @return number of slots skipped; 0 if there is nothing to do or a live sender is waited for.
     */
    public int recover(final Registry registry, final IntPredicate sourceAlive)
    {
        final long limit = mailbox.writePosition();
        if (limit == position)
        {
            return 0;
        }
        if (limit < position || limit - position > mailbox.ringSlots())
        {
            return repairWritePosition(limit);
        }
        final boolean first = position != holePosition;
        if (first)
        {
            holePosition = position;
            holeLimit = limit;
            if (attempts.length != registry.marks())
            {
                attempts = new long[registry.marks()];
            }
        }
        final long end = holeEnd(registry, sourceAlive, Math.min(limit, holeLimit), first);
        if (end <= position)
        {
            return 0;
        }
        return skipTo(end);
    }

    /** End of the dead hole at the read position, or the read position itself if it is none. */
    private long holeEnd(
        final Registry registry, final IntPredicate sourceAlive, final long limit, final boolean first)
    {
        final int offset = mailbox.slotOffset(position);
        final int claim = registry.findClaim(mailbox.claimKey(), mailbox.ringSlots(), position, attempts, first);
        if (claim == Registry.LIVE_CLAIM)
        {
            return position;
        }
        // read after the marks: a header published before its mark was cleared is seen now
        final long header = buffer.getLongAcquire(offset);
        if (MailboxDescriptor.lap(header) == mailbox.lap(position))
        {
            // read again after the source was found to be gone: only now its stores are final
            if (MailboxDescriptor.type(header) == TYPE_CLAIMED && isSound(header) &&
                !sourceAlive.test(MailboxDescriptor.source(header)) && buffer.getLongAcquire(offset) == header)
            {
                return Math.min(limit, position + MailboxDescriptor.slots(MailboxDescriptor.length(header)));
            }
            return position;
        }
        if (claim > 0)
        {
            // also the rest of several runs that were claimed together and not all published
            return Math.min(limit, position + claim);
        }
        // died between the addition and its mark's position: nothing was written, the hole ends where the next run begins.
        // The marks come before the headers: a claim that is not seen in a mark any more is seen as a header.
        final long bound = registry.nextClaim(mailbox.claimKey(), mailbox.ringSlots(), position, limit);
        long end = position + 1;
        while (end < bound && !isPublished(end))
        {
            end++;
        }
        return end;
    }

    private boolean isPublished(final long candidate)
    {
        final long header = buffer.getLongAcquire(mailbox.slotOffset(candidate));
        return MailboxDescriptor.lap(header) == mailbox.lap(candidate) && isSound(header);
    }

    private int skipTo(final long end)
    {
        final int slots = (int)(end - position);
        mailbox.stamp(position, end);
        position = end;
        skippedSlots += slots;
        buffer.putLongRelease(READ_POSITION_OFFSET, end);
        return slots;
    }

    /** No honest sender can bring the write position here: something else wrote it. */
    private int repairWritePosition(final long found)
    {
        corruptCount++;
        holePosition = -1;
        if (isInAnotherCycle(found))
        {
            // all that was published meanwhile is in its place. An addition, so that what is being claimed goes along
            buffer.getAndAddLong(WRITE_POSITION_OFFSET, position + withinCycle(found) - found);
            return 0;
        }
        if (found < position || found > MAX_POSITION)
        {
            // claims below the read position would never be seen, and positions may not overflow
            buffer.compareAndSetLong(WRITE_POSITION_OFFSET, found, position);
            return 0;
        }
        // claims go on from there: follow, and keep what may have been claimed since
        position = found - mailbox.ringSlots();
        skippedSlots++;
        buffer.putLongRelease(READ_POSITION_OFFSET, position);
        return 1;
    }

    /**
     * Whether something else wrote the write position, so that headers have the laps that they should have all the same: they
     * know a lap by its last bits. Traffic goes on beside it; {@link #recover} puts it right.
     *
     * @return true if so (volatile load of the senders' line).
     */
    public boolean isWrittenInAnotherCycle()
    {
        return isInAnotherCycle(mailbox.writePosition());
    }

    private boolean isInAnotherCycle(final long written)
    {
        final long ahead = written - position;
        return (ahead < 0 || ahead > mailbox.ringSlots()) && withinCycle(written) <= mailbox.ringSlots();
    }

    private long withinCycle(final long written)
    {
        return MailboxDescriptor.withinCycle(written - position, mailbox.ringSlots());
    }

    private boolean isSound(final long header)
    {
        final int type = MailboxDescriptor.type(header);
        return (type >= TYPE_ABORTED && type <= TYPE_LAST || type == TYPE_CLAIMED) &&
            MailboxDescriptor.source(header) < sources &&
            MailboxDescriptor.slots(MailboxDescriptor.length(header)) <= runSlots;
    }

    private void skipCorrupt()
    {
        corruptCount++;
        mailbox.stamp(position, position + 1);
        position++;
    }

    /**
     * Where the consumer stands.
     *
     * @return slots freed since the start.
     */
    public long position()
    {
        return position;
    }

    /**
     * Headers and positions refused.
     *
     * @return their number.
     */
    public long corruptCount()
    {
        return corruptCount;
    }

    /**
     * Slots skipped because their claimant died or because they were damaged.
     *
     * @return their number.
     */
    public long skippedSlots()
    {
        return skippedSlots;
    }
}
