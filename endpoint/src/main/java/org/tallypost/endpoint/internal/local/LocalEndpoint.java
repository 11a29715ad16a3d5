// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.local;

import java.util.Objects;
import org.agrona.DirectBuffer;
import org.tallypost.endpoint.Channel;
import org.tallypost.endpoint.ControlledMessageListener;
import org.tallypost.endpoint.CreditReturn;
import org.tallypost.endpoint.DeadlineIdleStrategy;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.EndpointCounters;
import org.tallypost.endpoint.FragmentListener;
import org.tallypost.endpoint.IdleSettings;
import org.tallypost.endpoint.LongSend;
import org.tallypost.endpoint.MembershipListener;
import org.tallypost.endpoint.MessageBatch;
import org.tallypost.endpoint.MessageClaim;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.MessageProfile;
import org.tallypost.endpoint.Priority;
import org.tallypost.endpoint.SendListener;
import org.tallypost.endpoint.internal.layout.Checks;
import org.tallypost.endpoint.internal.layout.CounterWords;
import org.tallypost.endpoint.internal.node.NodeRuntime;
import org.tallypost.endpoint.internal.receive.HighFirst;
import org.tallypost.endpoint.internal.receive.Inbox;
import org.tallypost.endpoint.internal.send.BatchSender;
import org.tallypost.endpoint.internal.send.LinesAhead;
import org.tallypost.endpoint.internal.send.OpenClaims;
import org.tallypost.endpoint.internal.send.Outbox;
import org.tallypost.endpoint.internal.send.PartsSender;
import org.tallypost.endpoint.internal.send.PolledSends;
import org.tallypost.endpoint.internal.send.PollingThread;
import org.tallypost.endpoint.internal.send.RunSend;
import org.tallypost.endpoint.internal.wake.Alarm;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.process.ProcessIdentity;

/**
 * An endpoint of this process: a sending side, a receiving side, and the threads that wait. {@link Endpoint} says what its
 * methods mean.
 */
public final class LocalEndpoint extends Endpoint
{
    private final LocalNode node;
    private final NodeRuntime runtime;
    private final int rank;
    private final int epoch;
    private final Mailbox mailbox;
    private final EndpointCounters counters;
    private final Outbox outbox;
    private final OpenClaims claims;
    private final BatchSender batches;
    private final PartsSender parts;
    private final Inbox inbox;
    private final PolledSends sends;
    private final Alarm alarm;
    /** Both null if there are no priorities. */
    final HighSide high;
    private final HighFirst highFirst;
    private volatile boolean closed;
    /**
     * Open, without priorities and channels, and without messages for a poll to carry on: one look before each poll is enough.
     * Written under the lock of this.
     */
    private volatile boolean isPlain = true;

    /**
     * An endpoint that nobody knows yet.
     *
     * @param highMailbox its high ring, null if there are no priorities.
     */
    LocalEndpoint(
        final LocalNode node, final int rank, final int epoch, final Mailbox mailbox, final Mailbox highMailbox)
    {
        this.node = node;
        runtime = node.runtime();
        this.rank = rank;
        this.epoch = epoch;
        this.mailbox = mailbox;
        final CounterWords words = runtime.group().counters(rank);
        high = highMailbox == null ? null : new HighSide(node, rank, epoch, highMailbox);
        counters = high == null ? new EndpointCounters(words, mailbox.buffer().capacity()) :
            new EndpointCounters(words, high.counters, mailbox.buffer().capacity() + highMailbox.buffer().capacity());
        alarm = new Alarm(mailbox, highMailbox);
        final PollingThread polling = new PollingThread(rank);
        final LinesAhead ahead = new LinesAhead(polling);
        outbox = new Outbox(runtime, node.sendingThreads(), node.wakeups(), rank, epoch, words, ahead,
            new Connections(node, runtime, rank, epoch));
        claims = node.endpoints().claims();
        batches = new BatchSender(outbox);
        parts = new PartsSender(outbox);
        inbox = new Inbox(runtime, node.wakeups(), rank, epoch, mailbox, outbox, words, polling, ahead,
            high == null ? null : high.inbox);
        highFirst = high == null ? null : new HighFirst(inbox, high.inbox);
        isPlain = high == null;
        sends = new PolledSends(outbox, polling, runtime.errors(), this::updatePlain);
        if (runtime.context().creditReturn() == CreditReturn.PACKET && runtime.context().piggyback())
        {
            outbox.ring().piggyback(inbox, polling);
        }
    }

    /** Makes the pairs ready before the mailbox is shown to anyone. The caller holds the node's file lock. */
    void openPairs()
    {
        inbox.openPairs();
        if (high != null)
        {
            high.inbox.openPairs();
        }
    }

    @Override
    public long offer(final int dest, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        try
        {
            return outbox.offer(dest, tag, buffer, offset, length);
        }
        catch (final ArrayIndexOutOfBoundsException ex)
        {
            throw noSuchRank(dest, ex);
        }
        catch (final InternalError error)
        {
            throw runtime.watch().reason(error);
        }
    }

    @Override
    public long offer(
        final int dest, final int tag, final DirectBuffer head, final int headOffset, final int headLength,
        final DirectBuffer body, final int bodyOffset, final int bodyLength)
    {
        try
        {
            return parts.offer(dest, tag, head, headOffset, headLength, body, bodyOffset, bodyLength);
        }
        catch (final ArrayIndexOutOfBoundsException ex)
        {
            throw noSuchRank(dest, ex);
        }
        catch (final InternalError error)
        {
            throw runtime.watch().reason(error);
        }
    }

    @Override
    public long offer(final int dest, final MessageBatch batch)
    {
        if (batch.size() == 0)
        {
            throw new IllegalArgumentException("batch is empty: add a message first");
        }
        try
        {
            return batches.offer(dest, batch);
        }
        catch (final ArrayIndexOutOfBoundsException ex)
        {
            throw noSuchRank(dest, ex);
        }
        catch (final InternalError error)
        {
            throw runtime.watch().reason(error);
        }
    }

    @Override
    public long offer(
        final int dest, final int tag, final Priority priority, final DirectBuffer buffer, final int offset, final int length)
    {
        return priority == Priority.LOW ? offer(dest, tag, buffer, offset, length) :
            HighSide.require(high).offer(dest, tag, buffer, offset, length);
    }

    @Override
    public long offer(final int dest, final Priority priority, final MessageBatch batch)
    {
        return priority == Priority.LOW ? offer(dest, batch) : HighSide.require(high).offer(dest, batch);
    }

    @Override
    public int sendTokens(final int dest, final Priority priority)
    {
        checkRank(dest);
        try
        {
            return (priority == Priority.LOW ? outbox : HighSide.require(high).outbox).creditsAtHand(dest);
        }
        catch (final InternalError error)
        {
            throw runtime.watch().reason(error);
        }
    }

    @Override
    public boolean takesHigh(final int dest)
    {
        checkRank(dest);
        return high != null;
    }

    @Override
    public boolean isHighTaken(final int dest, final long position)
    {
        return HighSide.require(high).isTaken(dest, position);
    }

    @Override
    public long tryClaim(final int dest, final int tag, final int length, final MessageClaim claim)
    {
        try
        {
            claims.use(claim.state());
            return outbox.tryClaim(dest, tag, length, claim.state());
        }
        catch (final ArrayIndexOutOfBoundsException ex)
        {
            throw noSuchRank(dest, ex);
        }
        catch (final InternalError error)
        {
            throw runtime.watch().reason(error);
        }
    }

    @Override
    public LongSend newSend()
    {
        return new RunSend(outbox);
    }

    @Override
    public LongSend newSend(final SendListener listener)
    {
        return sends.handle(Objects.requireNonNull(listener, "listener"));
    }

    @Override
    public int poll(final MessageListener handler, final int limit)
    {
        try
        {
            return isPlain ? inbox.poll(handler, limit) : pollNotPlain(handler, limit);
        }
        catch (final InternalError error)
        {
            throw runtime.watch().reason(error);
        }
    }

    private int pollNotPlain(final MessageListener handler, final int limit)
    {
        return carryOn(closed ? (int)CLOSED : highFirst != null ? highFirst.poll(handler, limit) :
            inbox.hasChannels() ? inbox.pollChannels(handler, limit) : inbox.poll(handler, limit));
    }

    /** Behind a poll that has returned this: what it returns with the long messages that have ended. */
    private int carryOn(final int count)
    {
        final int ended = sends.work();
        if (!closed && high == null && sends.isEmpty() && !inbox.hasChannels())
        {
            updatePlain();
        }
        return count < 0 ? count : count + ended;
    }

    @Override
    public int controlledPoll(final ControlledMessageListener listener, final int limit)
    {
        try
        {
            final int count = closed ? (int)CLOSED : highFirst == null ? inbox.controlledPoll(listener, limit) :
                highFirst.controlledPoll(listener, limit);
            return isPlain ? count : carryOn(count);
        }
        catch (final InternalError error)
        {
            throw runtime.watch().reason(error);
        }
    }

    @Override
    public Channel channel(final int id, final MessageListener listener, final FragmentListener fragments)
    {
        requireOpen();
        inbox.openChannel(id, listener, fragments);
        updatePlain();
        return new OpenChannel(this, id);
    }

    /** A channel has ended. */
    void closed(final OpenChannel channel)
    {
        if (inbox.closeChannel(channel.id()))
        {
            updatePlain();
        }
    }

    /** A channel may be opened by another layer. */
    void left(final OpenChannel channel)
    {
        inbox.leaveChannel(channel.id());
    }

    /** For the polling thread, or any if nobody polls. Another thread may close the endpoint meanwhile. */
    private synchronized void updatePlain()
    {
        isPlain = !closed && high == null && !inbox.hasChannels() && sends.isEmpty();
    }

    private synchronized void showClosed()
    {
        closed = true;
        isPlain = false;
    }

    @Override
    public void onFragments(final FragmentListener listener)
    {
        requireOpen();
        inbox.onFragments(listener);
    }

    private void requireOpen()
    {
        if (closed)
        {
            throw new IllegalStateException("endpoint is closed: rank=" + rank);
        }
    }

    @Override
    public void releasePoller()
    {
        inbox.polling().release();
        if (high != null)
        {
            high.inbox.polling().release();
        }
    }

    @Override
    public void takePoller()
    {
        if (high != null)
        {
            // both or neither
            high.inbox.polling().requireNoOtherPoll();
        }
        inbox.polling().take();
        if (high != null)
        {
            high.inbox.polling().take();
        }
    }

    @Override
    public DeadlineIdleStrategy newIdleStrategy(final Endpoint... others)
    {
        return newIdleStrategy(runtime.context().idle().plainParkNs(), others);
    }

    @Override
    public DeadlineIdleStrategy newIdleStrategy(final long maxParkNs, final Endpoint... others)
    {
        Checks.atLeast("maxParkNs", maxParkNs, IdleSettings.MIN_PARK_NS);
        final LocalEndpoint[] all = new LocalEndpoint[others.length + 1];
        all[others.length] = this;
        for (int i = 0; i < others.length; i++)
        {
            all[i] = ofSameNode(others[i]);
        }
        return new EndpointIdle(node, maxParkNs, all);
    }

    /** For what an array said about an index: the rank of a receiver, or an index of other code. */
    private RuntimeException noSuchRank(final int dest, final ArrayIndexOutOfBoundsException thrown)
    {
        Checks.rank(dest, outbox.peers().length);
        return thrown;
    }

    public boolean isOf(final LocalNode other)
    {
        return node == other;
    }

    private LocalEndpoint ofSameNode(final Endpoint other)
    {
        if (other.undecorated() instanceof LocalEndpoint local && local.isOf(node))
        {
            return local;
        }
        throw new IllegalArgumentException("endpoint of another node: rank=" + other.rank() + ", found=" + other +
            ", expected=" + runtime.context().directory());
    }

    @Override
    public void wakeup()
    {
        alarm.wakeAll();
    }

    @Override
    public int rank()
    {
        return rank;
    }

    @Override
    public int epoch()
    {
        return epoch;
    }

    @Override
    public long rankState(final int of)
    {
        checkRank(of);
        return runtime.group().rankWordAcquire(of);
    }

    @Override
    public boolean isSameNode(final int of)
    {
        checkRank(of);
        return runtime.remote() == null || !runtime.remote().isRemote(of);
    }

    @Override
    public boolean isSameProcess(final int of)
    {
        // ranks of other nodes are owned by the process that carries the packets
        return isSameNode(of) && runtime.group().isOpenIn(of, runtime.process(), runtime.incarnation());
    }

    @Override
    public ProcessIdentity processOf(final int of)
    {
        return isSameNode(of) ? runtime.group().processOf(of, runtime.registry()) : null;
    }

    private void checkRank(final int of)
    {
        Checks.range("rank", of, 0, runtime.context().rankCount() - 1);
    }

    @Override
    public void addMembershipListener(final MembershipListener listener)
    {
        inbox.membership().events().add(listener);
        // the next poll looks, and a thread that is parked polls
        node.wakeups().membershipChanged();
    }

    @Override
    public boolean removeMembershipListener(final MembershipListener listener)
    {
        return inbox.membership().events().remove(listener);
    }

    @Override
    public EndpointCounters counters()
    {
        if (inbox.polling().isCurrent())
        {
            inbox.publishSlowCounters();
        }
        return counters;
    }

    @Override
    public long backlogSlots()
    {
        return mailbox.backlogSlots() + (high == null ? 0 : high.mailbox.backlogSlots());
    }

    @Override
    public MessageProfile messageProfile()
    {
        return runtime.context().messageProfile();
    }

    @Override
    public boolean isClosed()
    {
        return closed;
    }

    @Override
    public void close()
    {
        if (!closed)
        {
            showClosed();
            stopPolls();
            try
            {
                closeOutboxes(true);
                node.closed(this);
            }
            finally
            {
                alarm.close();
            }
        }
    }

    /**
     * Closes, and touches no mailbox.
     *
     * @param isTold whether the other ranks are told.
     */
    void abandon(final boolean isTold)
    {
        showClosed();
        stopPolls();
        closeOutboxes(false);
        if (isTold)
        {
            node.closed(this);
        }
        alarm.close();
    }

    private void stopPolls()
    {
        inbox.stop();
        if (high != null)
        {
            high.inbox.stop();
            highFirst.stop();
        }
    }

    private void closeOutboxes(final boolean isGivenBack)
    {
        outbox.close(isGivenBack);
        if (high != null)
        {
            high.outbox.close(isGivenBack);
        }
    }

    /** What sends with high priority; null if there are no priorities. */
    public Outbox highOutbox()
    {
        return high == null ? null : high.outbox;
    }

    public Alarm alarm()
    {
        return alarm;
    }

    public Outbox outbox()
    {
        return outbox;
    }

    public Inbox inbox()
    {
        return inbox;
    }

    public Mailbox mailbox()
    {
        return mailbox;
    }

    /** Rank, how many times it was opened, directory, and whether this endpoint is closed. Any thread. */
    @Override
    public String toString()
    {
        return "Endpoint{rank=" + rank + ", epoch=" + epoch + ", directory=" + runtime.context().directory() +
            (isClosed() ? ", closed" : ", open") + "}";
    }
}
