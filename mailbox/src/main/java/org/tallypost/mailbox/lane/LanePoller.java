// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.lane;

import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;
import org.tallypost.mailbox.LaneHandler;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.MailboxPoller;
import org.tallypost.mailbox.lane.tactic.LaneTactics;
import org.tallypost.mailbox.lane.tactic.Trail;
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
public final class LanePoller extends LaneRuns
{
    /** Source of a lane that nobody holds. */
    public static final int NOBODY = -1;

    private final LaneTactics tactics;
    private final Trail trail;
    private final QuietHolder quiet = new QuietHolder();
    private final int slots;
    /** Position from which on what was freed is to be published: a quarter of the lane, or none at all when nothing is there. */
    private long due;
    /** Whether a poll has stopped until that is done; runs that it had delivered, how it goes on, and whether it stays behind. */
    private boolean isStopped;
    private int stoppedCount;
    private boolean isStoppedBeforeMore;
    private boolean isStoppedBehind;
    /** Times that something was found in a lane that nobody holds. */
    private long strayCount;

    /**
     * The consumer of a lane in a mailbox that was created just now.
     *
     * @param mailbox it belongs to.
     * @param index   of the lane.
     */
    public LanePoller(final Mailbox mailbox, final int index)
    {
        this(mailbox, index, SystemNanoClock.INSTANCE);
    }

    /**
     * The same with another clock.
     *
     * @param mailbox it belongs to.
     * @param index   of the lane.
     * @param clock   that its tactics are timed with.
     */
    public LanePoller(final Mailbox mailbox, final int index, final NanoClock clock)
    {
        this(mailbox, mailbox.laneOffset(index), new LaneTactics(mailbox.laneSlots(), clock));
    }

    private LanePoller(final Mailbox mailbox, final int offset, final LaneTactics tactics)
    {
        super(mailbox.buffer(), offset, mailbox.laneSlots(), tactics.ownership());
        this.tactics = tactics;
        slots = mailbox.laneSlots();
        trail = tactics.trail();
        due = returns.due();
    }

    /**
     * Grants the lane, in which nothing is unread.
     *
     * @param to source that may use it; it is to be told by the layer above, with release semantics.
     */
    public void grant(final int to)
    {
        begin(to);
        returns.begin(position);
        due = returns.due();
        isStopped = false;
        quiet.reset();
        trail.reset();
    }

    /**
     * Takes the lane back from a holder that has stopped using it for good. What is unread is dropped: the caller has
     * polled before, and published what was freed.
     */
    public void free()
    {
        returns.showWithin(0);
        begin(NOBODY);
        isStopped = false;
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
        if (isEmpty && limit > 0 && returns.isShown(position, within))
        {
            return pollArrival(handler, limit);
        }
        return trail.isWaiting() ? 0 : deliver(handler, limit, 0, true, true);
    }

    /**
     * A poll behind one that found nothing, when nothing is due: a look at one header as long as nothing comes. A short run that
     * comes is delivered alone, so that its answer does not wait for a look behind it.
     */
    private int pollArrival(final LaneHandler handler, final int limit)
    {
        if (!isUnread())
        {
            return 0;
        }
        ownership.own();
        seen = 1;
        if (deliverArrival(handler) == 0)
        {
            // another kind: looked for anew, as it may lie behind a slot that is closed
            seen = 0;
            return deliver(handler, limit, 0, true, true);
        }
        quiet.noteAlone();
        trail.note(1, false);
        return 1;
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
            foundNothing();
            return false;
        }
        show(handler);
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
                count += deliverLong(handler, limit - count, due);
            }
            if (seen == 0 && isMore && count < limit && position < due)
            {
                isMore = lookAhead(count + before);
            }
            final int ready = seen;
            if (ready == 0 || count >= limit)
            {
                break;
            }
            final long lap = lap();
            ownership.own();
            final int some = isEmpty ? deliverArrival(handler) :
                deliverShort(handler, Math.min(ready, limit - count), due);
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
            isMore |= isLong || lap() != lap;
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
     * Whether the holder sends now and then: the last poll that found something found few runs, and nothing behind them. One that
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
        final boolean isMoreLikely = look();
        if (delivered == 0 && seen == 0)
        {
            foundNothing();
        }
        return isMoreLikely;
    }

    private void foundNothing()
    {
        isEmpty = true;
        quiet.noteNothing();
        settle();
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
     * Whether nothing is unread, and no claim is open ({@link Lane#defer}): so it stays if the holder does nothing more. One look
     * at one header tells both: a claim that is settled meanwhile is not missed.
     *
     * @return true if so (acquire).
     */
    public boolean isVacant()
    {
        return ahead.isVacant(position, within);
    }

    /**
     * Whether what comes next is claimed, and not settled: what lies behind it waits.
     *
     * @return true if so (acquire).
     */
    public boolean isClaimOpen()
    {
        return ahead.isOpen(position, within);
    }

    /**
     * Passes what comes next if it is claimed and not settled, for a holder that is gone: what lies behind it is unread then. Its
     * slots are freed.
     *
     * @return false if no claim is open there.
     */
    public boolean passClaim()
    {
        final boolean isPassed = passOpen();
        if (isPassed)
        {
            settle();
        }
        return isPassed;
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
        if (source() == NOBODY && !isVacant())
        {
            // somebody wrote into a lane that nobody holds: it would count as unread for ever
            strayCount++;
            stampAll();
        }
        return returns.repair();
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
     * Headers refused, and words that were put right.
     *
     * @return their number.
     */
    public long corruptCount()
    {
        return strayCount + returns.corruptCount();
    }
}
