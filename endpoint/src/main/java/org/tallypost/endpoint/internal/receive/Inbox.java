// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.receive;

import static org.tallypost.endpoint.internal.layout.PacketDescriptor.FIRST_LENGTH;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.FLAGS_WHOLE;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.FLAG_AFTER_LANE;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.FLAG_FIRST;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.FLAG_LAST;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.MAX_PIGGYBACK;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.PIGGYBACK_OFFSET;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.TAG_OFFSET;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.TOTAL_OFFSET;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.WORD_LENGTH;

import java.util.function.IntPredicate;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.creditprotocol.Ledger;
import org.tallypost.endpoint.ControlledMessageListener;
import org.tallypost.endpoint.FragmentListener;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.internal.credit.Piggyback;
import org.tallypost.endpoint.internal.layout.CounterWords;
import org.tallypost.endpoint.internal.layout.CountersDescriptor;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.node.Group;
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
import org.tallypost.mailbox.PacketHandler;
import org.tallypost.mailbox.lane.LanePoller;
import org.tallypost.mailbox.lane.tactic.Lookout;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.Registry;

/**
 * The receiving side of an endpoint: poll and deliver, by the ring and by lanes. For one thread.
 */
public final class Inbox implements PacketHandler, Piggyback
{
    private static final int IDLE_CHECK_MASK = 0xFF;
    private static final int BUSY_CHECK_MASK = 0x3F;
    private static final int OCCUPANCY_SAMPLE_MASK = 0xF;

    private final NodeRuntime node;
    private final PollingThread polling;
    private final LinesAhead ahead;
    private final Peer[] peers;
    private final Registry registry;
    private final Mailbox mailbox;
    private final MailboxPoller poller;
    private final StuckClaim stuck;
    private final CreditDesk desk;
    private final Membership membership;
    private final LaneGrants grants;
    private final LaneScheduler lanes;
    private final CreditAudit audit;
    private final Lookout lookout;
    private final Reassembly reassembly;
    private final CounterWords counters;
    private final IntPredicate maySettle;
    private final UnsafeBuffer message = new UnsafeBuffer(0, 0);
    /** Both null until a program asks for a channel or fragments. */
    private Channels channels;
    private Fragments fragments;
    /** Null until there is such a poll. */
    private ControlledPoll controlled;

    private MessageListener handler;
    private int controlValue;
    /** Bytes of a message in several runs that come behind the one at hand. */
    private int missing;
    private boolean isControlSound;
    private int emptyPolls;
    private int pollTick;
    private long fullPolls;
    private long received;
    private long bytesReceived;
    private long refused;
    private long highWater;
    private long polls;

    public Inbox(
        final NodeRuntime node,
        final Wakeups wakeups,
        final int rank,
        final int epoch,
        final Mailbox mailbox,
        final Outbox outbox,
        final CounterWords counters,
        final PollingThread polling,
        final LinesAhead ahead)
    {
        this.node = node;
        this.polling = polling;
        this.ahead = ahead;
        peers = outbox.peers();
        this.mailbox = mailbox;
        this.counters = counters;
        final NodeContext context = node.context();
        final Group group = node.group();
        registry = node.registry();
        poller = new MailboxPoller(mailbox);
        stuck = new StuckClaim(poller, context.livenessIntervalNs());
        desk = new CreditDesk(node, wakeups, mailbox, new ControlSender(outbox, this::countedEpoch));
        reassembly = new Reassembly(context.rankCount());
        grants = new LaneGrants(mailbox, registry, desk, node.remote(), SenderLanes.mostGiven(context, mailbox));
        lanes = new LaneScheduler(mailbox, grants, this);
        membership = new Membership(node, rank, epoch, mailbox, poller, desk.ledger(), grants, this::onGone);
        desk.begin(membership, grants::recallFrom);
        maySettle = this::maySettle;
        lookout = new Lookout(context.idle().maxLooks(), () -> poller.isReady() || lanes.isDelivering(),
            () -> ahead.sentTo(lanes.lastHeard(), peers));
        audit = desk.isDirect() ? new CreditAudit(node, mailbox, poller, desk.ledger(), membership, grants) : null;
    }

    /** Makes the pairs ready before the mailbox is shown to anyone. */
    public void openPairs()
    {
        membership.openPairs();
    }

    public int poll(final MessageListener to, final int limit)
    {
        polling.enter();
        handler = to;
        try
        {
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
            handler = null;
        }
    }

    /** As {@link #poll}, once there are channels. */
    public int pollChannels(final MessageListener to, final int limit)
    {
        polling.requireNoOther();
        final MessageListener before = channels.swapRest(to);
        try
        {
            return poll(channels, limit);
        }
        finally
        {
            channels.swapRest(before);
        }
    }

    /** As {@link #poll}, but the listener decides about each message. */
    public int controlledPoll(final ControlledMessageListener to, final int limit)
    {
        polling.enter();
        if (controlled == null)
        {
            controlled = new ControlledPoll(this, poller, grants, lanes, mailbox.ringSlots());
        }
        controlled.listener(to);
        final MessageListener rest = channels == null ? null : channels.swapRest(controlled);
        handler = channels == null ? controlled : channels;
        try
        {
            final int tick = ++pollTick & BUSY_CHECK_MASK;
            int work = membership.isDue(tick) ? membership.update() : 0;
            if (tick == 0)
            {
                sometimes();
            }
            final int count = controlled.poll(limit);
            if (count > 0)
            {
                fullPolls++;
                publishCounters();
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
            handler = null;
            controlled.listener(null);
            if (channels != null)
            {
                channels.swapRest(rest);
            }
        }
    }

    /**
     * A listener for the messages of a channel, from the next message on. The polling thread, or any if nobody polls.
     *
     * @param runs for its messages of several runs; null if they are put together.
     */
    public void openChannel(final int id, final MessageListener listener, final FragmentListener runs)
    {
        prepareChannels();
        channels.add(id, listener, runs);
        if (handler != null && handler != channels)
        {
            // a listener of a poll without channels has asked for the first one
            channels.swapRest(handler);
            handler = channels;
        }
    }

    /**
     * Ends a channel.
     *
     * @return whether it was the last one.
     */
    public boolean closeChannel(final int id)
    {
        polling.requireNoOther();
        channels.remove(id);
        return channels.isEmpty();
    }

    /** Where messages of several runs go that are for the listener of the poll; null if they are put together. */
    public void onFragments(final FragmentListener runs)
    {
        prepareChannels();
        channels.fragments(runs);
    }

    private void prepareChannels()
    {
        polling.requireNoOther();
        if (channels == null)
        {
            fragments = new Fragments(peers.length, node.errors());
            channels = new Channels();
        }
    }

    /** The endpoint is closed: if a message handler has closed it, no further message is delivered by this poll. */
    public void stop()
    {
        if (polling.isCurrent() && handler != null)
        {
            handler = this::drop;
            if (fragments != null)
            {
                fragments.stop();
            }
        }
    }

    /** What is passed after the endpoint was closed counts as unread. */
    private void drop(final int source, final int tag, final DirectBuffer from, final int offset, final int length)
    {
        received--;
        bytesReceived -= length;
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
            publishCounters();
        }
        return count;
    }

    private int pollAwaited(final int limit)
    {
        final int source = lookout.isLong() ? lanes.shortSource() : LanePoller.NOBODY;
        if (source != LanePoller.NOBODY)
        {
            // where lines take long, the line of the answer is asked for at once
            askForAnswer(source);
        }
        return pollOnce(limit);
    }

    private void sometimes()
    {
        desk.payOwed();
        if (grants.isAnyGranted())
        {
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
        return poller.poll(this, limit, FLAG_AFTER_LANE);
    }

    @Override
    public int onHeld(final int source, final int most)
    {
        return lanes.pollBefore(source, poller.position(), most);
    }

    /** Who polls. */
    public PollingThread polling()
    {
        return polling;
    }

    /** Whether one of the next polls delivers something. */
    public boolean isReady()
    {
        return poller.isReady() || lanes.isReady();
    }

    /** Whether somebody has claimed what was not read yet (volatile load of the senders' line). */
    public boolean isBehind()
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
        return !grants.isAnyGranted() && !desk.isOwing() && !membership.isPending();
    }

    /** The thread was away for a while: what is done every so many polls is due. */
    public void checkAtNextPoll()
    {
        polls -= IDLE_CHECK_MASK - (emptyPolls & IDLE_CHECK_MASK);
        emptyPolls |= IDLE_CHECK_MASK;
        pollTick |= BUSY_CHECK_MASK;
    }

    /** Now and then when there is nothing to deliver: is there somebody who claimed and died? Were the books damaged? */
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
        final long nowNs = System.nanoTime();
        if (!isBehind())
        {
            stuck.none();
            membership.forgetDeadClaims();
            grants.repair();
            return audit == null ? 0 : audit.check(refusedCount(), nowNs);
        }
        if (!stuck.isDue(nowNs))
        {
            return 0;
        }
        final int skipped = node.watch().isWhole(mailbox) ? poller.recover(registry, maySettle) : 0;
        publishSlowCounters();
        return skipped > 0 ? 1 : 0;
    }

    private long refusedCount()
    {
        return refused + desk.refusedCount() + poller.corruptCount() + grants.corruptCount();
    }

    @Override
    public void onPacket(
        final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
    {
        if (type == PacketDescriptor.TYPE_DATA)
        {
            if (length < WORD_LENGTH || desk.isGone(source))
            {
                refused++;
                return;
            }
            onData(flags, source, from, offset, length);
        }
        else
        {
            isControlSound = length >= PacketDescriptor.CONTROL_LENGTH;
            controlValue = isControlSound ? from.getInt(offset) : 0;
        }
    }

    /** Whether a claim that a source has left open is waited for. */
    public boolean maySettle(final int source)
    {
        return membership.maySettle(source);
    }

    /** A packet cannot be what it says. */
    void refuse()
    {
        refused++;
    }

    private void onData(
        final int ringFlags, final int source, final UnsafeBuffer from, final int offset, final int length)
    {
        final int flags = ringFlags & ~FLAG_AFTER_LANE;
        final int value = from.getInt(offset + TAG_OFFSET);
        desk.onPiggyback(source, from.getShort(offset + PIGGYBACK_OFFSET) & MAX_PIGGYBACK);
        if (flags == FLAGS_WHOLE)
        {
            deliver(source, value, from, offset + WORD_LENGTH, length - WORD_LENGTH);
        }
        else if (flags == FLAG_FIRST && length >= FIRST_LENGTH)
        {
            final int total = from.getInt(offset + TOTAL_OFFSET);
            if (fragments != null)
            {
                beginFragments(source, value, total, from, offset + FIRST_LENGTH, length - FIRST_LENGTH);
                return;
            }
            if (!reassembly.begin(source, value, total, from, offset + FIRST_LENGTH, length - FIRST_LENGTH))
            {
                refused++;
            }
            missing = reassembly.missing(source);
        }
        else if ((flags & FLAG_FIRST) == 0 && fragments != null && fragments.isUnderWay(source))
        {
            appendFragment(flags, source, value, from, offset + WORD_LENGTH, length - WORD_LENGTH);
        }
        else if ((flags & FLAG_FIRST) == 0 &&
            reassembly.append(source, value, from, offset + WORD_LENGTH, length - WORD_LENGTH))
        {
            finish(flags, source);
            missing = reassembly.missing(source);
        }
        else
        {
            refused++;
        }
    }

    /** The first run of a message, since a program has asked for a channel or fragments. */
    private void beginFragments(
        final int source, final int tag, final int total, final UnsafeBuffer from, final int offset, final int count)
    {
        fragments.drop(source);
        reassembly.drop(source);
        final FragmentListener listener = channels.fragmentsOf(tag);
        final boolean isSound = listener == null ?
            reassembly.begin(source, tag, total, from, offset, count) :
            fragments.begin(listener, source, channels.shownTag(tag), total, from, offset, count);
        refused += isSound ? 0 : 1;
        missing = fragments.missing(source) + reassembly.missing(source);
    }

    private void appendFragment(
        final int flags, final int source, final int at, final UnsafeBuffer from, final int offset, final int count)
    {
        final boolean isLast = (flags & FLAG_LAST) != 0;
        if (!fragments.append(source, at, from, offset, count, isLast))
        {
            refused++;
        }
        else if (isLast)
        {
            received++;
            bytesReceived += fragments.total(source);
        }
        missing = fragments.missing(source);
    }

    /** Whether a run completes a message that is being put together; it is appended if so. */
    boolean isEndOfMessage(final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
    {
        final int at = from.getInt(offset + TAG_OFFSET);
        return flags == FLAG_LAST && reassembly.isEnd(source, at, length - WORD_LENGTH) &&
            reassembly.append(source, at, from, offset + WORD_LENGTH, length - WORD_LENGTH);
    }

    /** Delivers a message that was put together, and keeps it. */
    void deliverWhole(final int source)
    {
        message.wrap(reassembly.bytes(source), 0, reassembly.length(source));
        deliver(source, reassembly.tag(source), message, 0, reassembly.length(source));
    }

    /** A message that was delivered is left where it is. */
    void takeBack(final int length)
    {
        received--;
        bytesReceived -= length;
    }

    /** So is the last run of a message that was put together. */
    void takeBackEnd(final int source, final int count)
    {
        reassembly.takeBack(source, count);
    }

    /** A run is taken; its message was delivered before. */
    void onTaken(final int flags, final int source, final UnsafeBuffer from, final int offset)
    {
        desk.onPiggyback(source, from.getShort(offset + PIGGYBACK_OFFSET) & MAX_PIGGYBACK);
        if ((flags & ~FLAG_AFTER_LANE) != FLAGS_WHOLE)
        {
            reassembly.drop(source);
        }
    }

    private void finish(final int flags, final int source)
    {
        if ((flags & FLAG_LAST) != 0 && reassembly.isComplete(source))
        {
            message.wrap(reassembly.bytes(source), 0, reassembly.length(source));
            deliver(source, reassembly.tag(source), message, 0, reassembly.length(source));
            reassembly.drop(source);
        }
        else if ((flags & FLAG_LAST) != 0 || reassembly.isComplete(source))
        {
            reassembly.drop(source);
            refused++;
        }
    }

    void deliver(final int source, final int tag, final DirectBuffer from, final int offset, final int length)
    {
        received++;
        bytesReceived += length;
        try
        {
            handler.onMessage(source, tag, from, offset, length);
        }
        catch (final Throwable t)
        {
            node.errors().onThrown(t);
        }
    }

    /** A short message came by a lane, after a while without any, and is delivered next: asks for the line of the answer. */
    void askForAnswer(final int source)
    {
        ahead.arrived(peers[source]);
    }

    @Override
    public void onFreed(final int type, final int source, final int slots)
    {
        grants.onRing(source, membership);
        switch (type)
        {
            case PacketDescriptor.TYPE_DATA:
                desk.onRetrieved(source, slots, missing == 0 ? 0 : MailboxDescriptor.slots(missing + WORD_LENGTH));
                missing = 0;
                break;
            case PacketDescriptor.TYPE_NUDGE:
            case MailboxDescriptor.TYPE_ABORTED:
                desk.onRetrieved(source, slots, 0);
                break;
            default:
                desk.onControl(type, source, isControlSound, controlValue);
                break;
        }
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

    /** What a sender that is gone left behind, other than credits. */
    private void onGone(final int source)
    {
        reassembly.drop(source);
        if (fragments != null)
        {
            fragments.drop(source);
        }
        desk.forget(source);
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

    private void publishCounters()
    {
        counters.set(CountersDescriptor.RECEIVED_OFFSET, received);
        counters.set(CountersDescriptor.BYTES_RECEIVED_OFFSET, bytesReceived);
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
        counters.set(CountersDescriptor.REPAIRED_OFFSET, audit == null ? 0 : audit.repaired());
        desk.publish(counters);
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
