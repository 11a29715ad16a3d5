// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.flow;

import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.OneToOneConcurrentArrayQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.LongSend;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.RefusedMessage;

/**
 * Sends the items of a stream to a rank, where a {@link MessagePublisher} publishes them. It requests as many items from its
 * publisher as have found room at the receiver, so that a slow subscriber there holds up the publisher here, and nothing else.
 *
 * <p>An agent: its {@link #doWork()} sends, and is called by one thread, such as that of an AgentRunner with
 * {@link Endpoint#newIdleStrategy}. The endpoint serves this stream alone: the agent polls it. The methods of a subscriber are
 * for the publisher, by whatever thread; they do not block.
 *
 * @param <T> of the items.
 */
public final class MessageSubscriber<T> implements Flow.Subscriber<T>, Agent
{
    /** Most items that are requested and not sent, by default. */
    public static final int DEFAULT_WINDOW = 256;

    private static final int POLL_LIMIT = 16;
    private static final DirectBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    private final Endpoint endpoint;
    private final int dest;
    private final ItemCodec<T> codec;
    private final int window;
    private final OneToOneConcurrentArrayQueue<T> queue;
    private final LongSend longSend;
    private final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer();
    private final MessageListener listener = this::onMessage;
    private final CompletableFuture<Void> sent = new CompletableFuture<>();

    /** Written once, by the publisher's thread. */
    private volatile Flow.Subscription subscription;
    /** Set after the last item is in the queue; {@link #failure} before it. */
    private volatile boolean isEnded;
    private Throwable failure;

    /** For the thread that works: bytes of the encoded item, -1 if there is none; items sent and not requested again. */
    private int encoded = -1;
    private int unrequested;
    private final RefusedMessage refused = new RefusedMessage();
    private boolean isStarted;
    private boolean isCancelled;

    /**
     * A subscriber that sends to a rank.
     *
     * @param endpoint that sends; it is not closed by this.
     * @param dest     rank of the receiver, from 0 to the rank count, exclusive.
     * @param codec    of the items.
     */
    public MessageSubscriber(final Endpoint endpoint, final int dest, final ItemCodec<T> codec)
    {
        this(endpoint, dest, codec, DEFAULT_WINDOW);
    }

    /**
     * The same with a window of its own.
     *
     * @param endpoint that sends; it is not closed by this.
     * @param dest     rank of the receiver, from 0 to the rank count, exclusive.
     * @param codec    of the items.
     * @param window   most items that are requested and not sent, at least 1.
     * @throws IllegalArgumentException if there is no such rank, or the window is less than 1.
     */
    public MessageSubscriber(final Endpoint endpoint, final int dest, final ItemCodec<T> codec, final int window)
    {
        if (window < 1)
        {
            throw new IllegalArgumentException("a stream without a window: found window=" + window + ", expected at least 1");
        }
        this.endpoint = endpoint;
        this.dest = dest;
        this.codec = codec;
        this.window = window;
        // refuses a rank that there is not
        endpoint.rankState(dest);
        queue = new OneToOneConcurrentArrayQueue<>(Math.max(2, window));
        longSend = endpoint.newSend();
    }

    /**
     * Tells when everything is sent, the end of the stream included: completes then, or fails with what ended the stream before.
     * A cancellation by the other side completes it too.
     *
     * @return the stage.
     */
    public CompletionStage<Void> whenSent()
    {
        return sent.minimalCompletionStage();
    }

    @Override
    public void onSubscribe(final Flow.Subscription its)
    {
        Objects.requireNonNull(its, "subscription");
        if (subscription != null)
        {
            its.cancel();
            return;
        }
        subscription = its;
        endpoint.wakeup();
    }

    @Override
    public void onNext(final T item)
    {
        Objects.requireNonNull(item, "item");
        final boolean isFirst = queue.isEmpty();
        if (!isEnded && !queue.offer(item))
        {
            onError(new IllegalStateException("more items than requested: window=" + window));
        }
        if (isFirst)
        {
            endpoint.wakeup();
        }
    }

    @Override
    public void onError(final Throwable thrown)
    {
        Objects.requireNonNull(thrown, "failure");
        if (!isEnded)
        {
            failure = thrown;
            isEnded = true;
            endpoint.wakeup();
        }
    }

    @Override
    public void onComplete()
    {
        isEnded = true;
        endpoint.wakeup();
    }

    @Override
    public String roleName()
    {
        return "flow-to-" + dest;
    }

    /**
     * Sends what there is room for.
     *
     * @return work done; 0 if there is nothing to send or no room.
     */
    @Override
    public int doWork()
    {
        final int polled = endpoint.poll(listener, POLL_LIMIT);
        if (polled < 0)
        {
            end(Endpoint.errorString(polled));
            return 0;
        }
        if (sent.isDone())
        {
            queue.clear();
            return polled;
        }
        int work = polled;
        if (isCancelled)
        {
            cancel();
            sent.complete(null);
            return work + 1;
        }
        if (!isStarted && subscription != null)
        {
            isStarted = true;
            subscription.request(window);
            work++;
        }
        return work + send();
    }

    private int send()
    {
        int work = 0;
        // an end that is seen before the queue is empty has nothing behind it
        final boolean isLast = isEnded;
        while (work < window && next())
        {
            if (!isOut(encoded, StreamTags.ITEM))
            {
                return work;
            }
            encoded = -1;
            work++;
            sentOne(isLast);
        }
        if (isLast && encoded < 0 && queue.isEmpty() && !sent.isDone())
        {
            work += sendEnd();
        }
        return work;
    }

    /** Whether there is an encoded item. */
    private boolean next()
    {
        if (encoded >= 0)
        {
            return true;
        }
        final T item = queue.poll();
        if (item == null || sent.isDone())
        {
            return false;
        }
        try
        {
            encoded = codec.encode(item, buffer);
        }
        catch (final RuntimeException ex)
        {
            cancel();
            queue.clear();
            onError(ex);
            return false;
        }
        return true;
    }

    /** By halves of the window, so that the publisher gets on while this sends. */
    private void sentOne(final boolean isLast)
    {
        unrequested++;
        if (!isLast && unrequested * 2 >= window)
        {
            final int count = unrequested;
            unrequested = 0;
            subscription.request(count);
        }
    }

    private int sendEnd()
    {
        if (failure == null)
        {
            if (isOut(0, StreamTags.COMPLETE))
            {
                sent.complete(null);
                return 1;
            }
            return 0;
        }
        final byte[] text = StreamTags.bytesOf(failure);
        buffer.putBytes(0, text);
        if (isOut(text.length, StreamTags.ERROR))
        {
            sent.completeExceptionally(failure);
            return 1;
        }
        return 0;
    }

    /** Whether the message in the buffer is out; the buffer stays as it is until then. */
    private boolean isOut(final int length, final int tag)
    {
        final long result;
        if (longSend.isActive())
        {
            result = longSend.progress();
        }
        else if (length <= Endpoint.MAX_RUN_LENGTH)
        {
            final long offered = endpoint.offer(dest, tag, length == 0 ? NOTHING : buffer, 0, length);
            result = offered == Endpoint.TOO_LONG ||
                offered == Endpoint.NO_CREDIT && refused.isToGoInParts(length, System.nanoTime()) ?
                longSend.start(dest, tag, buffer, 0, length) : offered;
        }
        else
        {
            result = longSend.start(dest, tag, buffer, 0, length);
        }
        if (result >= 0)
        {
            refused.end();
            return true;
        }
        if (result != Endpoint.NO_CREDIT && result != Endpoint.NOT_CONNECTED)
        {
            end(Endpoint.errorString(result, length));
        }
        return false;
    }

    private void onMessage(final int source, final int tag, final DirectBuffer from, final int offset, final int length)
    {
        if (source == dest && tag == StreamTags.CANCEL)
        {
            isCancelled = true;
        }
    }

    private void end(final String why)
    {
        if (sent.completeExceptionally(new StreamFailedException("the stream to rank " + dest + " has ended: " + why)))
        {
            cancel();
        }
    }

    /** A stream that has ended by itself is not cancelled any more. */
    private void cancel()
    {
        final Flow.Subscription its = subscription;
        if (its != null && !isEnded)
        {
            its.cancel();
        }
    }

    /** Gives the stream up if it is under way: the publisher is cancelled, and the other side learns that it has failed. */
    @Override
    public void onClose()
    {
        if (longSend.isActive())
        {
            longSend.abort();
        }
        if (!sent.isDone())
        {
            if (!endpoint.isClosed())
            {
                final byte[] text = StreamTags.bytesOf(new StreamFailedException("closed by its sender"));
                buffer.putBytes(0, text);
                endpoint.offer(dest, StreamTags.ERROR, buffer, 0, text.length);
            }
            end("closed");
        }
    }
}
