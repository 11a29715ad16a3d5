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
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.MailboxPoller;
import org.tallypost.mailbox.lane.tactic.LaneTactics;
import org.tallypost.mailbox.lane.tactic.LineOwnership;
import org.tallypost.mailbox.lane.tactic.Trail;
import org.tallypost.mailbox.layout.LaneDescriptor;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * The consumer of one express lane. <b>For the thread that polls the mailbox.</b> What it reads is untrusted, as in
 * {@link MailboxPoller}; the source of what is in a lane is the one to which it was granted, whatever a header says.
 * {@link #poll} delivers what is there, {@link #pollBehind} may let the holder get ahead first. Either stops when it is time to
 * give the holder back what was freed:
 *
 * <pre>
 *   int count = lane.poll(handler, limit);           or pollBehind
 *   while (lane.isDue())                             a quarter of the lane was read, or all that is there
 *       freed = lane.takeFreed();                    the layer above books it, and decides on credits
 *       lane.publish(credits);                       SYNC POINT lane-given, lane-read: two release stores
 *       count += lane.goOn(handler, limit - count);  with the same poll
 * </pre>
 */
public final class LanePoller
{
    /** Source of a lane that nobody holds. */
    public static final int NOBODY = -1;
    /** Slots of a run behind which nothing is looked for ahead. */
    private static final int LONG_SLOTS = 5;

    private final UnsafeBuffer buffer;
    private final int slotsOffset;
    /** An access by address takes half the instructions of one through a buffer, which may also be an array. */
    private final long slotsAddress;
    private final int mask;
    private final int shift;
    private final int slots;
    private final int runSlots;
    private final LaneReturns returns;
    private final LaneLookAhead ahead;
    private final LaneTactics tactics;
    private final LineOwnership ownership;
    private final Trail trail;
    private final RunForm form = new RunForm();
    private long position;
    /** Bytes of the slot there that were read: of short runs, with more to come. */
    private int within;
    private int source = NOBODY;
    /** Runs from the position on that {@link #ahead} has seen. */
    private int seen;
    /** Whether the last poll found nothing. */
    private boolean isEmpty;
    /** Position from which on what was freed is to be published: a quarter of the lane, or none at all when nothing is there. */
    private long due;
    /** Whether a poll has stopped until that is done; runs that it had delivered, how it goes on, and whether it stays behind. */
    private boolean isStopped;
    private int stoppedCount;
    private boolean isStoppedBeforeMore;
    private boolean isStoppedBehind;
    /** Whether the last run was a long one, whose form is kept. */
    private boolean isLong;
    private final QuietHolder quiet = new QuietHolder();
    private long corruptCount;

    /**
     * The consumer of a lane in a mailbox that was created just now.
     *
     * @param mailbox it belongs to.
     * @param index   of the lane.
     */
    public LanePoller(final Mailbox mailbox, final int index)
    {
        final int offset = mailbox.laneOffset(index);
        buffer = mailbox.buffer();
        slots = mailbox.laneSlots();
        runSlots = LaneDescriptor.runSlots(slots);
        mask = slots - 1;
        shift = Integer.numberOfTrailingZeros(slots);
        tactics = new LaneTactics(slots);
        ownership = tactics.ownership();
        trail = tactics.trail();
        slotsOffset = offset + LaneDescriptor.SLOTS_OFFSET;
        slotsAddress = buffer.addressOffset() + slotsOffset;
        ahead = new LaneLookAhead(slotsAddress, slots);
        returns = new LaneReturns(buffer, offset, slots);
        position = returns.shown();
        due = returns.due();
    }

    /**
     * Grants the lane, in which nothing is unread.
     *
     * @param to source that may use it; it is to be told by the layer above, with release semantics.
     */
    public void grant(final int to)
    {
        source = to;
        // a holder that died may have left payload there that looks like the header of a run, and anybody may have written
        // into a lane that nobody looked at
        stampAll();
        within = 0;
        returns.begin(position);
        due = returns.due();
        seen = 0;
        isLong = false;
        isStopped = false;
        quiet.reset();
        ownership.forget();
        trail.reset();
    }

    /**
     * Takes the lane back from a holder that has stopped using it for good. What is unread is dropped: the caller has
     * polled before, and published what was freed.
     */
    public void free()
    {
        source = NOBODY;
        seen = 0;
        isStopped = false;
        within = 0;
        returns.showWithin(within);
        ownership.forget();
        stampAll();
    }

    private void stampAll()
    {
        for (long slot = position; slot < position + slots; slot++)
        {
            stamp(slot, MailboxDescriptor.lap(slot - slots, shift));
        }
    }

    /**
     * Delivers what is published, in place: runs of type {@link MailboxDescriptor#TYPE_FIRST_USER}. It stops when a quarter of
     * the lane was read, and what was freed is to be given back ({@link #isDue}). That is due as well when nothing is there to be
     * delivered, and not before: an answer does not wait for the books of the message that it answers.
     *
     * @param handler for the runs.
     * @param limit   most runs to deliver.
     * @return number of runs delivered, aborted and refused ones included.
     */
    public int poll(final LaneHandler handler, final int limit)
    {
        isStopped = false;
        return deliver(handler, limit, 0, true, false);
    }

    /**
     * As {@link #poll}, but what the holder has sent may stay where it is for some microseconds if more comes of it that way.
     *
     * @param handler for the runs.
     * @param limit   most runs to deliver.
     * @return number of runs delivered; 0 says nothing about what is there.
     */
    public int pollBehind(final LaneHandler handler, final int limit)
    {
        isStopped = false;
        return trail.isWaiting() ? 0 : deliver(handler, limit, 0, true, true);
    }

    /**
     * Shows the handler the run that comes next and leaves it where it is, for a consumer that decides about each run: a
     * {@link #poll} of one run takes it. If nothing is there, what was freed is due. What was due is published before.
     *
     * @param handler for the run: not called for one that was aborted, or cannot be.
     * @return true if a run is there.
     */
    public boolean peek(final LaneHandler handler)
    {
        if (count(1) == 0)
        {
            isEmpty = true;
            settle();
            return false;
        }
        final int offset = slotsOffset + slotDistance(position) + within;
        final boolean isShort = ahead.isShort(position, within);
        // that it is published was seen ahead, and nobody honest changes it
        final long header = buffer.getLong(offset);
        final int length = isShort ? HEADER_LENGTH + LaneDescriptor.shortLength(header) : MailboxDescriptor.length(header);
        final boolean isSound = isShort ? within + length <= MailboxDescriptor.SLOT_LENGTH : within == 0 &&
            MailboxDescriptor.type(header) == TYPE_FIRST_USER && MailboxDescriptor.slots(length) <= runSlots;
        if (isSound)
        {
            handler.onPacket(TYPE_FIRST_USER, MailboxDescriptor.flags(header), source, buffer,
                isShort ? offset : offset + HEADER_LENGTH, length);
        }
        return true;
    }

    /**
     * Goes on with a poll that has stopped because what was freed had to be published before.
     *
     * @param handler for the runs.
     * @param limit   most further runs to deliver.
     * @return number of further runs delivered; 0 if the poll had come to its end.
     */
    public int goOn(final LaneHandler handler, final int limit)
    {
        if (!isStopped)
        {
            return 0;
        }
        isStopped = false;
        return deliver(handler, limit, stoppedCount, isStoppedBeforeMore, isStoppedBehind);
    }

    /**
     * A poll, or the rest of one that was stopped.
     *
     * @param before       runs that it has delivered already.
     * @param isMoreLikely whether more than what was seen ahead may be there.
     * @param isBehind     whether it may stay behind the holder.
     */
    private int deliver(
        final LaneHandler handler, final int limit, final int before, final boolean isMoreLikely, final boolean isBehind)
    {
        boolean isMore = isMoreLikely;
        int count = 0;
        while (position < due)
        {
            if (isLong && !isEmpty)
            {
                count += deliverLong(handler, limit - count);
            }
            if (seen == 0 && isMore && count < limit && position < due)
            {
                isMore = lookAhead(count + before);
            }
            if (seen == 0 || count >= limit)
            {
                break;
            }
            final long lap = position >>> shift;
            final int ready = seen;
            ownership.own();
            final int some = isEmpty ? deliverArrival(handler) : deliverShort(handler, Math.min(ready, limit - count));
            if (some == 0 && !passClosed() && !deliverOther(handler))
            {
                break;
            }
            count += ready - seen;
            if (isLong)
            {
                // what was seen ahead may be as long
                seen = 0;
            }
            else if (seen == 0)
            {
                passClosed();
            }
            // what is ahead was looked for up to the end of the lap, and there may be more in the next one
            isMore |= isLong || position >>> shift != lap;
        }
        finish(count + before, limit + before, isMore, isBehind);
        return count;
    }

    /** A poll has come to its end, or to a stop. */
    private void finish(final int count, final int limit, final boolean isMore, final boolean isBehind)
    {
        if (position < due || isNothing(count))
        {
            end(count, limit, isBehind);
            return;
        }
        isStopped = true;
        stoppedCount = count;
        isStoppedBeforeMore = isMore;
        isStoppedBehind = isBehind;
    }

    private boolean isNothing(final int count)
    {
        return count == 0 && isEmpty;
    }

    private void end(final int count, final int limit, final boolean isBehind)
    {
        if (!isNothing(count))
        {
            quiet.note(count, limit, seen);
        }
        if (isBehind && trail.note(count, seen == 0 && count < limit))
        {
            // the holder gets ahead as far as it knows that there is room
            settle();
        }
    }

    /** What was read is to be published, although it is less than a quarter of the lane. */
    private void settle()
    {
        if (isSettled())
        {
            returns.showWithin(within);
        }
        else
        {
            due = position;
        }
    }

    /**
     * Long runs, one after the other, until another kind comes or nothing is there. Behind them nothing is looked for ahead: the
     * processor itself fetches ahead what follows, as long as it is read from one end to the other, and looks in between at
     * headers far ahead cost up to three quarters of the rate (docs/lab/071-long-runs.md).
     *
     * @return number of runs delivered.
     */
    private int deliverLong(final LaneHandler handler, final int limit)
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
            isLong = form.isOf(header) || form.keepIfData(header, LONG_SLOTS, runSlots);
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
     * Whether the holder sends now and then: the last poll that found something found few runs, and nothing behind them. One who
     * has much to send, and does not get to it for a while, is not quiet.
     *
     * @return true if so.
     */
    public boolean isQuiet()
    {
        return quiet.isQuiet();
    }

    /**
     * Whether it is time to give back what was freed: {@link #takeFreed}, then {@link #publish}.
     *
     * @return true if so.
     */
    public boolean isDue()
    {
        return position >= due;
    }

    /**
     * Whether all that was read was published.
     *
     * @return true if so.
     */
    public boolean isSettled()
    {
        return returns.shown() == position;
    }

    /**
     * Takes what was freed since the last time. It is the caller's to book it, and to {@link #publish} before the next poll.
     *
     * @return its number of slots.
     */
    public int takeFreed()
    {
        ownership.own();
        return returns.takeFreed(position);
    }

    /**
     * Shows the holder how far was read, and gives it credits in the same line, which it has to look at anyway. Stores nothing if
     * neither has changed.
     *
     * @param credits slots that it may fill beyond those that it has paid for; 0 for none.
     */
    public void publish(final int credits)
    {
        final int read = returns.publish(position, within, credits);
        due = returns.due();
        tactics.noteFreed(read);
    }

    /**
     * Looks for what is there.
     *
     * @param delivered runs that the poll has delivered.
     * @return whether there may be more than what was seen.
     */
    private boolean lookAhead(final int delivered)
    {
        // the answer to what comes first after a pause would wait for the look behind it (docs/design/lanes.md)
        final int most = isEmpty ? 1 : LaneLookAhead.RUNS;
        seen = count(most);
        if (seen == 0 && delivered == 0)
        {
            isEmpty = true;
            settle();
        }
        return seen == most;
    }

    /** Passes the slot at the position if it is closed, and counts what is there. */
    private int count(final int most)
    {
        final int count = ahead.count(position, within, most);
        return Math.max(0, count == LaneLookAhead.CLOSED_FIRST && passClosed() ? ahead.count(position, within, most) : count);
    }

    /**
     * Goes on to the next slot if the holder says that no more short runs follow here.
     *
     * @return false if it does not.
     */
    private boolean passClosed()
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

    /**
     * What most packets are, short runs, until another kind comes, or it is time to give back what was freed. All that is the
     * same for all of them is worked out before, once, and little is kept at hand: the handler's work is part of this loop, and
     * needs the registers.
     */
    private int deliverShort(final LaneHandler handler, final int ready)
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
        final long end = begin + (Math.min(slots - (start & mask), most) << MailboxDescriptor.SLOT_SHIFT);
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
    private int deliverArrival(final LaneHandler handler)
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
    private boolean deliverOther(final LaneHandler handler)
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
        if (within > 0 || type != TYPE_FIRST_USER && type != TYPE_ABORTED || n > runSlots)
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
        corruptCount++;
        if (within == 0)
        {
            stamp(at, MailboxDescriptor.lap(at, shift));
            returns.lose(1);
        }
        within = 0;
        position = at + 1;
    }

    /**
     * What the holder may use without asking for more, and what it has used and is not read: all that was paid for, or given by
     * the lane, beyond the consumer's position.
     *
     * @return slots (acquire); what the mapping says if it is damaged.
     */
    public long outstanding()
    {
        return returns.outstanding(position);
    }

    private void stamp(final long slot, final int lap)
    {
        buffer.putLong(slotsOffset + slotDistance(slot), MailboxDescriptor.header(lap, TYPE_STAMP, 0, 0, 0));
    }

    private int slotDistance(final long at)
    {
        return ((int)at & mask) << MailboxDescriptor.SLOT_SHIFT;
    }

    /**
     * Whether something is unread.
     *
     * @return true if so.
     */
    public boolean isUnread()
    {
        return ahead.isUnread(position, within);
    }

    /**
     * Whether {@link #pollBehind} delivers what is unread: not if the holder is to get ahead first.
     *
     * @return true if something is unread, and it does.
     */
    public boolean isReady()
    {
        return !trail.isWaiting() && isUnread();
    }

    /**
     * Whether a short run is what is delivered next.
     *
     * @return true if so.
     */
    public boolean isShortUnread()
    {
        return ahead.isShort(position, within);
    }

    /**
     * Slots that the holder has paid for and not used up, if nothing is unread: one with short runs is not used up while more
     * may go into it. To be read before that is asked.
     *
     * @return their number (acquire), at most those of two lanes; whatever the mapping says.
     */
    public int inHand()
    {
        return (int)Math.max(0, Math.min((long)slots << 1, outstanding()));
    }

    /**
     * Puts the published read position and the credits given right if something else wrote them, and a lane that nobody holds if
     * it looks unread.
     *
     * @return true if it was wrong.
     */
    public boolean repairReadPosition()
    {
        if (source == NOBODY && isUnread())
        {
            // somebody wrote into a lane that nobody holds: it would count as unread for ever
            corruptCount++;
            stampAll();
        }
        final boolean isWrong = returns.repair();
        corruptCount += isWrong ? 1 : 0;
        return isWrong;
    }

    /**
     * Source to which the lane was granted.
     *
     * @return the source, or {@link #NOBODY}.
     */
    public int source()
    {
        return source;
    }

    /**
     * Whether the consumer writes into what it has read, because that is faster here than leaving lines as they are.
     *
     * @return true if so.
     */
    public boolean isOwning()
    {
        return tactics.isOwning();
    }

    /**
     * Whether the consumer stays behind a flow for a moment, because that is faster here.
     *
     * @return true if so.
     */
    public boolean isTrailing()
    {
        return tactics.isTrailing();
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
     * Headers refused.
     *
     * @return their number.
     */
    public long corruptCount()
    {
        return corruptCount;
    }
}
