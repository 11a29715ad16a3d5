// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.receive;

import static org.tallypost.endpoint.internal.layout.PacketDescriptor.FLAG_AFTER_LANE;

import org.tallypost.creditprotocol.Ledger;
import org.tallypost.endpoint.ControlledMessageListener;
import org.tallypost.endpoint.FragmentListener;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.internal.credit.Piggyback;
import org.tallypost.endpoint.internal.layout.CounterWords;
import org.tallypost.endpoint.internal.layout.CountersDescriptor;
import org.tallypost.endpoint.internal.node.NodeRuntime;
import org.tallypost.endpoint.internal.send.ControlSender;
import org.tallypost.endpoint.internal.send.LinesAhead;
import org.tallypost.endpoint.internal.send.Outbox;
import org.tallypost.endpoint.internal.send.Peer;
import org.tallypost.endpoint.internal.send.PollingThread;
import org.tallypost.endpoint.internal.send.SenderLanes;
import org.tallypost.endpoint.internal.wake.Wakeups;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.MailboxPoller;
import org.tallypost.mailbox.lane.LanePoller;
import org.tallypost.mailbox.lane.tactic.Lookout;

/**
 * The receiving side of an endpoint: in which order a poll does what is due, asks the lanes and the ring, and waits. How packets
 * become messages is in {@link RingPackets} and {@link LaneScheduler}, where these go in {@link Listeners}. For one thread.
 */
public final class Inbox implements Piggyback
{
    private static final int IDLE_CHECK_MASK = 0xFF;
    private static final int BUSY_CHECK_MASK = 0x3F;
    private static final int OCCUPANCY_SAMPLE_MASK = 0xF;
    private static final int TURN_MASK = 0x7;

    private final PollingThread polling;
    private final LinesAhead ahead;
    private final Mailbox mailbox;
    private final MailboxPoller poller;
    private final CreditDesk desk;
    private final Membership membership;
    private final LaneGrants grants;
    private final LaneScheduler lanes;
    private final RingPackets ring;
    private final Deliverer deliverer;
    private final Listeners listeners;
    private final InboxChecks checks;
    private final Lookout lookout;
    private final CounterWords counters;
    /** What comes with high priority; null if there are no priorities, or this is for that. */
    private final Inbox high;
    /** Null until there is such a poll. */
    private ControlledPoll controlled;
    private int turns;
    private int emptyPolls;
    private int pollTick;
    private long fullPolls;
    private long polls;
    private long highWater;

    public Inbox(
        final NodeRuntime node,
        final Wakeups wakeups,
        final int rank,
        final int epoch,
        final Mailbox mailbox,
        final Outbox outbox,
        final CounterWords counters,
        final PollingThread polling,
        final LinesAhead ahead,
        final Inbox high)
    {
        this.high = high;
        this.polling = polling;
        this.ahead = ahead;
        this.mailbox = mailbox;
        this.counters = counters;
        final NodeContext context = node.context();
        final Peer[] peers = outbox.peers();
        poller = new MailboxPoller(mailbox);
        deliverer = new Deliverer(node.errors(), counters, ahead, peers);
        final LongMessages messages = new LongMessages(context.rankCount(), deliverer);
        listeners = new Listeners(polling, deliverer, messages, node.errors(), high == null ? null : high.listeners);
        desk = new CreditDesk(node, wakeups, mailbox, new ControlSender(outbox, this::countedEpoch));
        grants = new LaneGrants(mailbox, node.registry(), desk, node.remote(), SenderLanes.mostGiven(context, mailbox));
        lanes = new LaneScheduler(mailbox, grants, deliverer);
        membership = new Membership(node, rank, epoch, mailbox, poller, desk.ledger(), grants, (source) ->
        {
            messages.drop(source);
            desk.forget(source);
        });
        desk.begin(membership, grants::recallFrom);
        if (high != null)
        {
            membership.join(high.membership);
        }
        ring = new RingPackets(deliverer, messages, desk, grants, membership, lanes, poller);
        lookout = new Lookout(context.idle().maxLooks(),
            high == null ? () -> poller.isReady() || lanes.isDelivering() :
            () -> poller.isReady() || lanes.isDelivering() || high.poller.isReady(),
            () -> ahead.sentTo(lanes.lastHeard(), peers));
        checks = new InboxChecks(node, mailbox, poller, desk, membership, grants);
    }

    /** Makes the pairs ready before the mailbox is shown to anyone. */
    public void openPairs()
    {
        membership.openPairs();
    }

    public int poll(final MessageListener to, final int limit)
    {
        polling.enter();
        deliverer.listener(to);
        try
        {
            // as in followMembers, which HotSpot compiles apart: a call less for each message
            int work = 0;
            final int tick = ++pollTick & BUSY_CHECK_MASK;
            if (membership.isDue(tick))
            {
                work = membership.update();
            }
            if (tick == 0)
            {
                sometimes();
            }
            final int count = pollOnce(limit);
            if (count > 0)
            {
                return work + count;
            }
            work += idle();
            return work == 0 && limit > 0 && lookout.await(fullPolls) ? pollAwaited(limit) : work;
        }
        finally
        {
            polling.leave();
            deliverer.listener(null);
        }
    }

    /** What comes before a controlled poll: ranks that came or went, and at some polls what is done now and then. */
    private int followMembers()
    {
        final int tick = ++pollTick & BUSY_CHECK_MASK;
        final int work = membership.isDue(tick) ? membership.update() : 0;
        if (tick == 0)
        {
            sometimes();
        }
        return work;
    }

    /** Whether there are channels now. For the polling thread, or any if nobody polls. */
    public boolean hasChannels()
    {
        return listeners.hasChannels();
    }

    /** As {@link #poll}, once there are channels. */
    public int pollChannels(final MessageListener to, final int limit)
    {
        polling.requireNoOther();
        final MessageListener before = listeners.swapRest(to);
        try
        {
            return poll(listeners.channels(), limit);
        }
        finally
        {
            listeners.swapRest(before);
        }
    }

    /**
     * Before a poll that another one delivers for: where messages go, by the channels if there are any.
     *
     * @param to listener of the poll.
     */
    MessageListener way(final MessageListener to)
    {
        listeners.swapRest(to);
        return hasChannels() ? listeners.channels() : to;
    }

    /** A message that this poll has found is not delivered: the endpoint is closed. */
    void takeBack(final int length)
    {
        deliverer.takeBack(length);
    }

    /**
     * Whether there is something to deliver, or it is time to look after those that come and go: for a poll beside another one.
     */
    boolean isTurn()
    {
        if (membership.isDue(++turns & BUSY_CHECK_MASK))
        {
            // the poll that follows counts for itself: it is to look after members, too
            pollTick |= BUSY_CHECK_MASK;
            return true;
        }
        return poller.isReady() || (turns & TURN_MASK) == 0;
    }

    /** Whether a poll tells listeners that somebody came or went. */
    boolean hasNews()
    {
        return membership.isChanged();
    }

    /** Whether something lies in the ring. */
    boolean isRingReady()
    {
        return poller.isReady();
    }

    /** As {@link #poll}, but the listener decides about each message. */
    public int controlledPoll(final ControlledMessageListener to, final int limit)
    {
        polling.enter();
        if (controlled == null)
        {
            controlled = new ControlledPoll(ring, deliverer, poller, lanes, mailbox.ringSlots());
        }
        controlled.listener(to);
        final MessageListener rest = listeners.swapRest(controlled);
        listeners.deliverTo(controlled);
        try
        {
            int work = followMembers();
            final int count = controlled.poll(limit);
            if (count > 0)
            {
                fullPolls++;
                deliverer.publish();
            }
            else
            {
                work += idle();
            }
            return work + count;
        }
        finally
        {
            polling.leave();
            deliverer.listener(null);
            controlled.listener(null);
            listeners.swapRest(rest);
        }
    }

    /** Whether the last controlled poll is over because its listener said so. */
    boolean isEndedByListener()
    {
        return controlled != null && controlled.isEndedByListener();
    }

    /**
     * A listener for the messages of a channel, from the next message on. The polling thread, or any if nobody polls.
     *
     * @param runs for its messages of several runs; null if they are put together.
     */
    public void openChannel(final int id, final MessageListener listener, final FragmentListener runs)
    {
        listeners.open(id, listener, runs);
    }

    /**
     * Ends a channel.
     *
     * @return whether it was the last one.
     */
    public boolean closeChannel(final int id)
    {
        return listeners.close(id);
    }

    /** Lets others open a channel with the number of one, which goes on until then. */
    public void leaveChannel(final int id)
    {
        listeners.leave(id);
    }

    /** Where messages of several runs go that are for the listener of the poll; null if they are put together. */
    public void onFragments(final FragmentListener runs)
    {
        listeners.fragments(runs);
    }

    /** The endpoint is closed: if a message handler has closed it, no further message is delivered by this poll. */
    public void stop()
    {
        listeners.stop();
    }

    private int pollOnce(final int limit)
    {
        final long start = poller.position();
        final int count = grants.isAnyGranted() ? pollAll(limit) : pollRing(limit);
        if (count > 0)
        {
            if ((++fullPolls & OCCUPANCY_SAMPLE_MASK) == 0)
            {
                sampleOccupancy(start, count == limit);
            }
            deliverer.publish();
        }
        return count;
    }

    private int pollAwaited(final int limit)
    {
        final int source = lookout.isLong() ? lanes.shortSource() : LanePoller.NOBODY;
        if (source != LanePoller.NOBODY)
        {
            // where lines take long, the line of the answer is asked for at once
            deliverer.askForAnswer(source);
        }
        return pollOnce(limit);
    }

    private void sometimes()
    {
        desk.payOwed();
        if (grants.isAnyGranted())
        {
            grants.passClaims(membership);
            grants.tend();
        }
    }

    /**
     * The lanes first, a part of the limit, then the ring, and so on while the lanes have more: neither keeps the other waiting
     * for long, and what a call costs is shared by many messages.
     */
    private int pollAll(final int limit)
    {
        if (limit <= 1)
        {
            return pollOne(limit);
        }
        int count = 0;
        do
        {
            count += lanes.poll(Math.max(1, limit - count - 1));
            if (count < limit)
            {
                count += pollRing(limit - count);
            }
        }
        while (lanes.isMoreLikely() && count < limit);
        return count;
    }

    /** The lanes and the ring take turns at being asked first. */
    private int pollOne(final int limit)
    {
        final boolean isLanesTurn = (pollTick & 1) == 0;
        final int count = isLanesTurn ? lanes.poll(limit) : pollRing(limit);
        return count > 0 ? count : isLanesTurn ? pollRing(limit) : lanes.poll(limit);
    }

    private int pollRing(final int limit)
    {
        return poller.poll(ring, limit, FLAG_AFTER_LANE);
    }

    /** The one that polls. */
    public PollingThread polling()
    {
        return polling;
    }

    /** Whether one of the next polls delivers something. */
    public boolean isReady()
    {
        return isOwnReady() || high != null && high.isOwnReady();
    }

    /** As {@link #isReady}, without what comes with high priority. */
    boolean isOwnReady()
    {
        return poller.isReady() && !lanes.isHeld(poller.position()) || lanes.isReady();
    }

    /** Whether somebody has claimed what was not read yet (volatile load of the senders' line). */
    public boolean isBehind()
    {
        return isRingBehind() || high != null && high.isRingBehind();
    }

    private boolean isRingBehind()
    {
        return mailbox.writePosition() != poller.position();
    }

    /**
     * Whether all that this side waits for wakes the thread that polls. A sender has no fence between a message of its lane
     * and its look at the armed word: before a long sleep lanes are called back, and until they are a park is bounded.
     */
    public boolean mayParkUnbounded()
    {
        grants.recallAll();
        return !grants.isAnyGranted() && !desk.isOwing() && !membership.isPending() &&
            (high == null || high.mayParkUnbounded());
    }

    /** The thread was away for a while: what is done every so many polls is due. */
    public void checkAtNextPoll()
    {
        polls -= IDLE_CHECK_MASK - (emptyPolls & IDLE_CHECK_MASK);
        emptyPolls |= IDLE_CHECK_MASK;
        pollTick |= BUSY_CHECK_MASK;
        turns |= BUSY_CHECK_MASK;
        if (high != null)
        {
            high.checkAtNextPoll();
        }
    }

    /** Now and then when there is nothing to deliver: has a sender claimed and died? Were the books damaged? */
    private int idle()
    {
        ahead.idle();
        if ((++emptyPolls & IDLE_CHECK_MASK) != 0)
        {
            return 0;
        }
        polls += IDLE_CHECK_MASK + 1;
        publishSlowCounters();
        poller.repairReadPosition();
        final int work = checks.check(isRingBehind(), refusedCount(), System.nanoTime());
        if (work > 0)
        {
            publishSlowCounters();
        }
        return work;
    }

    private long refusedCount()
    {
        return deliverer.refusedCount() + desk.refusedCount() + poller.corruptCount() + grants.corruptCount();
    }

    /** Whether a claim that a source has left open is waited for. */
    public boolean maySettle(final int source)
    {
        return membership.maySettle(source);
    }

    /** Credits that a data packet to a sender takes along: of this endpoint's polling thread. */
    @Override
    public int piggyback(final int dest, final int epoch)
    {
        return desk.piggyback(dest, epoch);
    }

    /** Incarnation of a sender that the ledger counts, 0 while there is none. */
    public int countedEpoch(final int source)
    {
        return desk.countedEpoch(source);
    }

    /**
     * What one poll found unread. The write position costs the senders a cache miss, so it is read only now and then, and only
     * if the poll came to its limit and there may be more.
     */
    private void sampleOccupancy(final long start, final boolean isBacklogged)
    {
        final long end = isBacklogged ? mailbox.writePosition() : poller.position();
        highWater = Math.max(highWater, Math.min(end - start, mailbox.ringSlots()));
        publishSlowCounters();
    }

    /** Brings all counters up to date. */
    public void publishSlowCounters()
    {
        counters.set(CountersDescriptor.HIGH_WATER_OFFSET, highWater);
        counters.set(CountersDescriptor.REFUSED_OFFSET, refusedCount());
        counters.set(CountersDescriptor.SKIPPED_OFFSET, poller.skippedSlots());
        counters.set(CountersDescriptor.POLLS_OFFSET, polls + fullPolls);
        counters.set(CountersDescriptor.WAITING_POLLS_OFFSET, lookout.isPaying() ? 1 : 0);
        grants.publish(counters);
        counters.set(CountersDescriptor.REPAIRED_OFFSET, checks.repaired());
        desk.publish(counters);
        if (high != null)
        {
            high.deliverer.publish();
            high.publishSlowCounters();
        }
    }

    public Membership membership()
    {
        return membership;
    }

    public CreditDesk desk()
    {
        return desk;
    }

    public LaneGrants grants()
    {
        return grants;
    }

    public LaneScheduler lanes()
    {
        return lanes;
    }

    public Ledger ledger()
    {
        return desk.ledger();
    }
}
