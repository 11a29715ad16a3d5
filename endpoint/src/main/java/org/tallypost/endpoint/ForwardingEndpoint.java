// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import org.agrona.DirectBuffer;
import org.tallypost.endpoint.internal.layout.Checks;
import org.tallypost.mailbox.process.ProcessIdentity;

/**
 * An endpoint that hands every call on to another one. What decorates an endpoint, to count, delay or refuse what is sent or
 * received, extends this and overrides what it changes; overloads do not call one another. It works wherever an endpoint does:
 * in {@link Endpoint#newIdleStrategy} and in {@link org.tallypost.node.Node#agent}.
 *
 * <p>Programs that load no decorator pay nothing for this class: the JVM knows of one kind of endpoint then, and inlines its
 * methods.
 */
public abstract class ForwardingEndpoint extends Endpoint
{
    private final Endpoint delegate;

    /**
     * Decorates an endpoint.
     *
     * @param delegate that gets every call.
     * @throws IllegalArgumentException if it is null.
     */
    protected ForwardingEndpoint(final Endpoint delegate)
    {
        Checks.isSet("delegate", delegate);
        this.delegate = delegate;
    }

    /**
     * The endpoint that gets every call.
     *
     * @return the endpoint, which may be a decorated one itself.
     */
    protected final Endpoint delegate()
    {
        return delegate;
    }

    @Override
    public Endpoint undecorated()
    {
        return delegate.undecorated();
    }

    @Override
    public long offer(final int dest, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        return delegate.offer(dest, tag, buffer, offset, length);
    }

    @Override
    public long offer(
        final int dest, final int tag, final DirectBuffer head, final int headOffset, final int headLength,
        final DirectBuffer body, final int bodyOffset, final int bodyLength)
    {
        return delegate.offer(dest, tag, head, headOffset, headLength, body, bodyOffset, bodyLength);
    }

    @Override
    public long offer(final int dest, final MessageBatch batch)
    {
        return delegate.offer(dest, batch);
    }

    @Override
    public long offer(
        final int dest, final int tag, final Priority priority, final DirectBuffer buffer, final int offset, final int length)
    {
        return delegate.offer(dest, tag, priority, buffer, offset, length);
    }

    @Override
    public long offer(final int dest, final Priority priority, final MessageBatch batch)
    {
        return delegate.offer(dest, priority, batch);
    }

    @Override
    public int sendTokens(final int dest, final Priority priority)
    {
        return delegate.sendTokens(dest, priority);
    }

    @Override
    public boolean takesHigh(final int dest)
    {
        return delegate.takesHigh(dest);
    }

    @Override
    public boolean isHighTaken(final int dest, final long position)
    {
        return delegate.isHighTaken(dest, position);
    }

    @Override
    public long tryClaim(final int dest, final int tag, final int length, final MessageClaim claim)
    {
        return delegate.tryClaim(dest, tag, length, claim);
    }

    @Override
    public LongSend newSend()
    {
        return delegate.newSend();
    }

    @Override
    public LongSend newSend(final SendListener listener)
    {
        return delegate.newSend(listener);
    }

    @Override
    public int poll(final MessageListener handler, final int limit)
    {
        return delegate.poll(handler, limit);
    }

    @Override
    public int controlledPoll(final ControlledMessageListener listener, final int limit)
    {
        return delegate.controlledPoll(listener, limit);
    }

    @Override
    public Channel channel(final int id, final MessageListener listener, final FragmentListener fragments)
    {
        return delegate.channel(id, listener, fragments);
    }

    @Override
    public void onFragments(final FragmentListener listener)
    {
        delegate.onFragments(listener);
    }

    @Override
    public void releasePoller()
    {
        delegate.releasePoller();
    }

    @Override
    public void takePoller()
    {
        delegate.takePoller();
    }

    @Override
    public DeadlineIdleStrategy newIdleStrategy(final Endpoint... others)
    {
        return delegate.newIdleStrategy(others);
    }

    @Override
    public DeadlineIdleStrategy newIdleStrategy(final long maxParkNs, final Endpoint... others)
    {
        return delegate.newIdleStrategy(maxParkNs, others);
    }

    @Override
    public void wakeup()
    {
        delegate.wakeup();
    }

    @Override
    public int rank()
    {
        return delegate.rank();
    }

    @Override
    public int epoch()
    {
        return delegate.epoch();
    }

    @Override
    public long rankState(final int rank)
    {
        return delegate.rankState(rank);
    }

    @Override
    public boolean isSameNode(final int rank)
    {
        return delegate.isSameNode(rank);
    }

    @Override
    public boolean isSameProcess(final int rank)
    {
        return delegate.isSameProcess(rank);
    }

    @Override
    public ProcessIdentity processOf(final int rank)
    {
        return delegate.processOf(rank);
    }

    @Override
    public void addMembershipListener(final MembershipListener listener)
    {
        delegate.addMembershipListener(listener);
    }

    @Override
    public boolean removeMembershipListener(final MembershipListener listener)
    {
        return delegate.removeMembershipListener(listener);
    }

    @Override
    public EndpointCounters counters()
    {
        return delegate.counters();
    }

    @Override
    public long backlogSlots()
    {
        return delegate.backlogSlots();
    }

    @Override
    public MessageProfile messageProfile()
    {
        return delegate.messageProfile();
    }

    @Override
    public boolean isClosed()
    {
        return delegate.isClosed();
    }

    @Override
    public void close()
    {
        delegate.close();
    }

    /** What the decorated endpoint says, behind the name of the decorator's class. */
    @Override
    public String toString()
    {
        return getClass().getSimpleName() + "{" + delegate + "}";
    }
}
