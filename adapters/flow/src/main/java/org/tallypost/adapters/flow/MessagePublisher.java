// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.flow;

import java.util.Objects;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.ControlledMessageListener;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MembershipListener;
import org.tallypost.endpoint.MessageListener;

/**
 * Publishes the items that a {@link MessageSubscriber} at another rank sends. What its subscriber has not requested stays in the
 * mailbox, where it keeps the sender's credits: nothing is stored beside, and nothing is lost. For one subscriber; a further one
 * gets an error.
 *
 * <p>An agent: its {@link #doWork()} receives and calls the subscriber, and is called by one thread, such as that of an
 * AgentRunner with {@link Endpoint#newIdleStrategy}. The endpoint serves this stream alone: the agent polls it, and ignores
 * messages of other ranks than the source. {@link #subscribe} and the methods of the subscription are for any thread.
 *
 * @param <T> of the items.
 */
public final class MessagePublisher<T> implements Flow.Publisher<T>, Agent
{
    private static final int POLL_LIMIT = 256;
    private static final DirectBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    private final Endpoint endpoint;
    private final int source;
    private final ItemCodec<T> codec;
    private final AtomicReference<Demand> current = new AtomicReference<>();
    private final MessageListener listener = this::onMessage;
    private final ControlledMessageListener endListener = this::onUnrequested;
    private final MembershipListener members = new MembershipListener()
    {
        @Override
        public void onOpen(final int rank, final int incarnation)
        {
        }

        @Override
        public void onGone(final int rank, final int incarnation)
        {
            // behind its last message
            isSourceGone |= rank == source;
        }
    };

    /** For the thread that works. */
    private Flow.Subscriber<? super T> subscriber;
    private boolean isBegun;
    private boolean isOver;
    private boolean isSourceGone;
    private boolean isCancelDue;
    private long delivered;

    /** What the subscriber has requested; other threads write here. */
    private final class Demand implements Flow.Subscription
    {
        private static final long CANCELLED = Long.MIN_VALUE;

        private final AtomicReference<Flow.Subscriber<? super T>> of;
        private final AtomicLong count = new AtomicLong();
        private volatile IllegalArgumentException fault;

        private Demand(final Flow.Subscriber<? super T> of)
        {
            this.of = new AtomicReference<>(of);
        }

        @Override
        public void request(final long n)
        {
            if (n <= 0)
            {
                fault = new IllegalArgumentException("rule 3.9: found request=" + n + ", expected more than 0");
                endpoint.wakeup();
                return;
            }
            final long before = count.getAndUpdate((value) ->
                value == CANCELLED ? CANCELLED : value > Long.MAX_VALUE - n ? Long.MAX_VALUE : value + n);
            if (before == 0)
            {
                endpoint.wakeup();
            }
        }

        @Override
        public void cancel()
        {
            count.set(CANCELLED);
            endpoint.wakeup();
        }

        private boolean isCancelled()
        {
            return count.get() == CANCELLED;
        }

        /** A demand without a bound stays so. */
        private void took(final long items)
        {
            count.getAndUpdate((value) -> value == CANCELLED || value == Long.MAX_VALUE ? value : value - items);
        }
    }

    /**
     * A publisher of what a rank sends.
     *
     * @param endpoint that receives; it is not closed by this.
     * @param source   rank of the sender, from 0 to the rank count, exclusive.
     * @param codec    of the items.
     * @throws IllegalArgumentException if there is no such rank.
     */
    public MessagePublisher(final Endpoint endpoint, final int source, final ItemCodec<T> codec)
    {
        this.endpoint = endpoint;
        this.source = source;
        this.codec = codec;
        // refuses a rank that there is not
        endpoint.rankState(source);
        endpoint.addMembershipListener(members);
    }

    @Override
    public void subscribe(final Flow.Subscriber<? super T> to)
    {
        Objects.requireNonNull(to, "subscriber");
        if (current.compareAndSet(null, new Demand(to)))
        {
            endpoint.wakeup();
            return;
        }
        to.onSubscribe(new Flow.Subscription()
        {
            @Override
            public void request(final long n)
            {
            }

            @Override
            public void cancel()
            {
            }
        });
        to.onError(new IllegalStateException("the items of a message publisher are for one subscriber, and it had one"));
    }

    @Override
    public String roleName()
    {
        return "flow-from-" + source;
    }

    /**
     * Receives what is requested, and calls the subscriber.
     *
     * @return work done; 0 if nothing came, or nothing is requested.
     */
    @Override
    public int doWork()
    {
        final Demand demand = current.get();
        int work = demand == null || isBegun ? 0 : begin(demand);
        if (demand != null && !isOver)
        {
            if (demand.isCancelled())
            {
                giveUp(null);
            }
            else if (demand.fault != null)
            {
                giveUp(demand.fault);
            }
        }
        if (isCancelDue && isCancelSent())
        {
            isCancelDue = false;
            work++;
        }
        final int polled = poll(demand);
        if (polled < 0 && !isOver)
        {
            over(new StreamFailedException("the stream from rank " + source + " has ended: " + Endpoint.errorString(polled)));
        }
        if (isSourceGone && isBegun && !isOver)
        {
            over(new StreamFailedException("the stream from rank " + source + " has ended: the rank is gone"));
        }
        return work + Math.max(0, polled);
    }

    private int begin(final Demand demand)
    {
        isBegun = true;
        subscriber = demand.of.getAndSet(null);
        try
        {
            subscriber.onSubscribe(demand);
        }
        catch (final RuntimeException ex)
        {
            // rule 2.13: such a subscriber has cancelled
            demand.cancel();
        }
        return 1;
    }

    private int poll(final Demand demand)
    {
        if (isOver)
        {
            // of no use to anybody, but the sender goes on until it hears of it
            return demand == null ? 0 : endpoint.poll(listener, POLL_LIMIT);
        }
        final long requested = demand == null ? 0 : demand.count.get();
        if (requested <= 0)
        {
            return endpoint.controlledPoll(endListener, 1);
        }
        delivered = 0;
        final int polled = endpoint.poll(listener, (int)Math.min(POLL_LIMIT, requested));
        if (delivered > 0)
        {
            demand.took(delivered);
        }
        return polled;
    }

    /** Nothing is requested: an item stays, but an end does not wait for a request. */
    private ControlledMessageListener.Action onUnrequested(
        final int from, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        if (from == source && (tag == StreamTags.ITEM || !isBegun))
        {
            return ControlledMessageListener.Action.ABORT;
        }
        onMessage(from, tag, buffer, offset, length);
        return ControlledMessageListener.Action.CONTINUE;
    }

    private void onMessage(final int from, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        if (from != source || isOver)
        {
            return;
        }
        if (tag == StreamTags.ITEM)
        {
            onItem(buffer, offset, length);
        }
        else if (tag == StreamTags.COMPLETE)
        {
            over(null);
        }
        else if (tag == StreamTags.ERROR)
        {
            over(new StreamFailedException(
                "the stream from rank " + source + " has failed: " + StreamTags.text(buffer, offset, length)));
        }
    }

    private void onItem(final DirectBuffer buffer, final int offset, final int length)
    {
        final Demand demand = current.get();
        if (demand.isCancelled())
        {
            return;
        }
        final T item;
        try
        {
            item = Objects.requireNonNull(codec.decode(buffer, offset, length), "item of a codec");
        }
        catch (final RuntimeException ex)
        {
            giveUp(ex);
            return;
        }
        delivered++;
        try
        {
            subscriber.onNext(item);
        }
        catch (final RuntimeException ex)
        {
            demand.cancel();
        }
    }

    /** The sender is told, and the subscriber hears of it if it was not the one that cancelled. */
    private void giveUp(final Throwable failure)
    {
        isCancelDue = true;
        if (failure == null)
        {
            isOver = true;
            subscriber = null;
        }
        else
        {
            over(failure);
        }
    }

    private void over(final Throwable failure)
    {
        isOver = true;
        final Flow.Subscriber<? super T> to = subscriber;
        subscriber = null;
        if (to == null || current.get().isCancelled())
        {
            return;
        }
        if (failure == null)
        {
            to.onComplete();
        }
        else
        {
            to.onError(failure);
        }
    }

    private boolean isCancelSent()
    {
        final long result = endpoint.offer(source, StreamTags.CANCEL, NOTHING, 0, 0);
        return result != Endpoint.NO_CREDIT && result != Endpoint.NOT_CONNECTED;
    }

    /** A subscriber gets an error while its stream is under way. */
    @Override
    public void onClose()
    {
        endpoint.removeMembershipListener(members);
        if (!isOver)
        {
            isBegun |= current.get() == null;
            if (!isBegun)
            {
                begin(current.get());
            }
            over(new StreamFailedException("the stream from rank " + source + " has ended: closed"));
        }
    }
}
