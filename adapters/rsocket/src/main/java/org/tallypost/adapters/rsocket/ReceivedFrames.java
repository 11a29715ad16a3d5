// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.rsocket;

import io.netty.buffer.ByteBuf;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;

/**
 * What a connection receives, for one subscriber. Frames that it has not requested are held. If they are too many the endpoint
 * polls nothing more, until some are taken or the connection is over. A frame is released after {@code onNext}, so that a
 * subscriber that keeps it retains it.
 *
 * <p>The thread of the agent signals; {@code subscribe}, {@code request} and {@code cancel} are for any thread.
 */
final class ReceivedFrames extends Flux<ByteBuf> implements Subscription
{
    /** Bytes that are held before the endpoint polls nothing more. */
    static final long MAX_HELD_LENGTH = 1024 * 1024;
    /** What a held frame costs beside its bytes. */
    private static final long FRAME_OVERHEAD = 128;

    private final EndpointConnection connection;
    private final AtomicReference<CoreSubscriber<? super ByteBuf>> taken = new AtomicReference<>();
    private final AtomicLong requested = new AtomicLong();
    /** Set when the subscriber has its subscription. */
    private volatile CoreSubscriber<? super ByteBuf> subscriber;
    private volatile boolean isCancelled;

    /** For the thread of the agent. */
    private final ArrayDeque<ByteBuf> held = new ArrayDeque<>();
    private long heldLength;
    private boolean isOver;
    private boolean isSignalled;
    private Throwable failure;

    ReceivedFrames(final EndpointConnection connection)
    {
        this.connection = connection;
    }

    @Override
    public void subscribe(final CoreSubscriber<? super ByteBuf> to)
    {
        if (!taken.compareAndSet(null, to))
        {
            Operators.error(to, new IllegalStateException("frames are for one subscriber, and " + connection + " had one"));
            return;
        }
        to.onSubscribe(this);
        subscriber = to;
        connection.schedule();
    }

    @Override
    public void request(final long n)
    {
        if (Operators.validate(n))
        {
            requested.getAndUpdate((before) -> Operators.addCap(before, n));
            connection.schedule();
        }
    }

    @Override
    public void cancel()
    {
        isCancelled = true;
        connection.schedule();
    }

    /** Takes the frame over. */
    void onFrame(final ByteBuf frame)
    {
        if (isOver || isCancelled)
        {
            frame.release();
        }
        else if (held.isEmpty() && subscriber != null && isRequested())
        {
            signal(frame);
        }
        else
        {
            held.add(frame);
            hold(heldLength + frame.readableBytes() + FRAME_OVERHEAD);
        }
    }

    private void hold(final long length)
    {
        if (isOver)
        {
            return;
        }
        final boolean wasFull = heldLength > MAX_HELD_LENGTH;
        heldLength = length;
        if (wasFull != length > MAX_HELD_LENGTH)
        {
            connection.full(!wasFull);
        }
    }

    /** Signals what has been requested meanwhile. Returns the number of signals. */
    int drain()
    {
        int work = 0;
        if (isCancelled)
        {
            discard();
        }
        while (!held.isEmpty() && subscriber != null && !isCancelled && isRequested())
        {
            final ByteBuf frame = held.poll();
            hold(heldLength - frame.readableBytes() - FRAME_OVERHEAD);
            signal(frame);
            work++;
        }
        if (isOver && held.isEmpty() && !isSignalled && subscriber != null)
        {
            isSignalled = true;
            work++;
            end();
        }
        return work;
    }

    /** No frame comes any more; what is held is for the subscriber still. */
    void over(final Throwable why)
    {
        if (!isOver)
        {
            // as nothing more comes, other connections need not wait until the subscriber has what is held
            hold(0);
            isOver = true;
            failure = why;
        }
        drain();
    }

    /** Releases what is held. */
    void discard()
    {
        held.forEach(ReferenceCountUtil::safeRelease);
        held.clear();
        hold(0);
    }

    private void end()
    {
        if (isCancelled)
        {
            return;
        }
        if (failure == null)
        {
            subscriber.onComplete();
        }
        else
        {
            subscriber.onError(failure);
        }
    }

    private boolean isRequested()
    {
        final long before = requested.get();
        if (before != Long.MAX_VALUE && before > 0)
        {
            requested.getAndUpdate((value) -> value == Long.MAX_VALUE ? value : value - 1);
        }
        return before > 0;
    }

    private void signal(final ByteBuf frame)
    {
        try
        {
            subscriber.onNext(frame);
        }
        catch (final RuntimeException ex)
        {
            isCancelled = true;
            connection.fail("its subscriber has thrown " + ex);
        }
        finally
        {
            frame.release();
        }
    }
}
