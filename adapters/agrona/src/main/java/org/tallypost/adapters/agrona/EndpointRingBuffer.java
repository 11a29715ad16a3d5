// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.agrona;

import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.LangUtil;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.RecordDescriptor;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.tallypost.endpoint.ControlledMessageListener;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageListener;

/**
 * A ring buffer of Agrona: writes go to a rank, and reads take what comes for an endpoint. The type of a message is its tag.
 * A producer has an endpoint and names the consumer's rank, on any node; the consumer reads by an object of its own. If both
 * are one program, the rank may be that of the endpoint itself.
 *
 * <p><b>Threads.</b> As with ManyToOneRingBuffer: any thread writes, claims, commits and aborts; one reads. Nothing blocks, and
 * nothing is allocated for a message, but to keep those that a read had taken when its handler threw.
 *
 * <p><b>What differs</b> from a ring buffer in one piece of memory:
 * <ul>
 * <li>Each sender has credits of its own, so {@link #write} may return false for one while others go on. A producer that does not
 *     poll its endpoint otherwise calls {@link #read(MessageHandler, int)} now and then, by which credits and news of ranks
 *     reach it.</li>
 * <li>It also returns false until the consumer's rank is open and has let the producer in, which a read does.</li>
 * <li>If the consumer is gone, writes and claims throw an IllegalStateException, once for each of its incarnations. If the
 *     endpoint is closed, all but settling claims do.</li>
 * <li>Messages of one thread come in their order. Those of different threads have none, also if one wrote after the other.</li>
 * <li>A message has at most {@value #MAX_LENGTH} bytes. Types of 2 to the power of 24 and above are those of channels
 *     ({@link org.tallypost.endpoint.Channel}), if the consumer has any.</li>
 * <li>{@link #buffer()} is the place of claims, not of the ring. What is written there is copied by {@link #commit(int)}. At most
 *     {@value #MAX_OPEN_CLAIMS} claims are open at a time; a further one finds {@link #INSUFFICIENT_CAPACITY}.</li>
 * <li>Positions, {@link #size()} and {@link #capacity()} are those of the mailbox of this side's endpoint.</li>
 * <li>{@link #consumerHeartbeatTime()} is known to the object that was told. Whether a consumer lives says
 *     {@link Endpoint#rankState(int)}.</li>
 * <li>The receiver skips what dead processes have claimed without being asked. {@link #unblock()} aborts claims by threads of
 *     this process that have ended.</li>
 * </ul>
 */
public final class EndpointRingBuffer implements RingBuffer
{
    /** Longest message, in bytes. */
    public static final int MAX_LENGTH = Endpoint.MAX_RUN_LENGTH;
    /** Most claims that are open at a time. */
    public static final int MAX_OPEN_CLAIMS = ClaimedPlaces.COUNT;

    private static final int SLOT_LENGTH = 64;
    /** Of a correlation: 16 bits of the rank, 8 of its incarnation, 40 that count in this process. */
    private static final int RANK_SHIFT = 48;
    private static final int EPOCH_SHIFT = 40;
    private static final AtomicLong CORRELATIONS = new AtomicLong();

    private final Endpoint endpoint;
    private final int dest;
    private final ClaimedPlaces places = new ClaimedPlaces();
    private final KeptMessages kept = new KeptMessages();
    private final UnsafeBuffer view = new UnsafeBuffer();
    private final MessageListener listener = this::onMessage;
    private final ControlledMessageListener controlledListener = this::onControlledMessage;
    private final BooleanSupplier hasFailed = this::hasFailed;
    private final long correlationBase;
    /** What the mailbox may hold. */
    private final int mostMessages;

    /** Set while a read is under way; for the reading thread. */
    private MessageHandler handler;
    private ControlledMessageHandler controlledHandler;
    private int delivered;
    private Throwable failure;
    /** What was read, for the reading thread: {@link #consumerPosition} is that of the last read that has ended. */
    private long readPosition;
    private final AtomicLong consumerPosition = new AtomicLong();
    private volatile long heartbeatMs;

    /**
     * A ring buffer over an endpoint.
     *
     * @param endpoint that sends and receives; it is not closed by this.
     * @param dest     rank that writes go to; that of the endpoint itself if this side only reads, or reads what it writes.
     */
    public EndpointRingBuffer(final Endpoint endpoint, final int dest)
    {
        this.endpoint = endpoint;
        this.dest = dest;
        // refuses a rank that there is not
        endpoint.rankState(dest);
        mostMessages = (int)Math.min(Integer.MAX_VALUE, endpoint.counters().mailboxBytes() / SLOT_LENGTH);
        correlationBase = (endpoint.rank() & 0x7FFFL) << RANK_SHIFT | (endpoint.epoch() & 0xFFL) << EPOCH_SHIFT;
    }

    @Override
    public int capacity()
    {
        return (int)Math.min(Integer.MAX_VALUE, endpoint.counters().mailboxBytes());
    }

    @Override
    public boolean write(final int msgTypeId, final DirectBuffer srcBuffer, final int offset, final int length)
    {
        RecordDescriptor.checkTypeId(msgTypeId);
        checkLength(length);
        final long result = endpoint.offer(dest, msgTypeId, srcBuffer, offset, length);
        return result >= 0 || refused(result, length);
    }

    @Override
    public int tryClaim(final int msgTypeId, final int length)
    {
        RecordDescriptor.checkTypeId(msgTypeId);
        checkLength(length);
        final int place = places.take();
        if (place == ClaimedPlaces.NONE)
        {
            return INSUFFICIENT_CAPACITY;
        }
        long result = Endpoint.CLOSED;
        try
        {
            result = endpoint.tryClaim(dest, msgTypeId, length, places.claim(place));
        }
        finally
        {
            if (result < 0)
            {
                places.free(place);
            }
        }
        if (result < 0)
        {
            refused(result, length);
            return INSUFFICIENT_CAPACITY;
        }
        return places.claimed(place);
    }

    private static void checkLength(final int length)
    {
        if (length < 0 || length > MAX_LENGTH)
        {
            throw new IllegalArgumentException("no message is as long: found=" + length + " bytes, expected 0 to " + MAX_LENGTH);
        }
    }

    private static boolean refused(final long result, final int length)
    {
        if (result == Endpoint.TOO_LONG)
        {
            throw new IllegalArgumentException(Endpoint.errorString(result, length));
        }
        if (result != Endpoint.NO_CREDIT && result != Endpoint.NOT_CONNECTED)
        {
            throw new IllegalStateException(Endpoint.errorString(result));
        }
        return false;
    }

    @Override
    public void commit(final int index)
    {
        places.commit(places.settling(index));
    }

    @Override
    public void abort(final int index)
    {
        places.abort(places.settling(index));
    }

    /** Reads what the mailbox may hold, at most. */
    @Override
    public int read(final MessageHandler toHandler)
    {
        return read(toHandler, mostMessages);
    }

    @Override
    public int read(final MessageHandler toHandler, final int messageCountLimit)
    {
        if (messageCountLimit <= 0)
        {
            return 0;
        }
        begin(toHandler, null);
        if (kept.length() > 0)
        {
            kept.deliver(listener, messageCountLimit, hasFailed);
        }
        final int limit = messageCountLimit - delivered;
        return end(limit == 0 || failure != null ? 0 : endpoint.poll(listener, limit));
    }

    /** Reads what the mailbox may hold, at most. */
    @Override
    public int controlledRead(final ControlledMessageHandler toHandler)
    {
        return controlledRead(toHandler, mostMessages);
    }

    @Override
    public int controlledRead(final ControlledMessageHandler toHandler, final int messageCountLimit)
    {
        if (messageCountLimit <= 0)
        {
            return 0;
        }
        begin(null, toHandler);
        final boolean isGoingOn = kept.deliverControlled(controlledListener, messageCountLimit);
        final int limit = messageCountLimit - delivered;
        return end(limit == 0 || !isGoingOn ? 0 : endpoint.controlledPoll(controlledListener, limit));
    }

    private void begin(final MessageHandler toHandler, final ControlledMessageHandler toControlledHandler)
    {
        handler = toHandler;
        controlledHandler = toControlledHandler;
        delivered = 0;
        failure = null;
    }

    private boolean hasFailed()
    {
        return failure != null;
    }

    /** What a handler throws comes out of the read, as with a ring buffer, and not to the node's error handler. */
    private int end(final int polled)
    {
        handler = null;
        controlledHandler = null;
        if (delivered > 0)
        {
            // once for a read, as a ring buffer does it
            consumerPosition.setRelease(readPosition);
        }
        if (failure != null)
        {
            LangUtil.rethrowUnchecked(failure);
        }
        if (polled == Endpoint.CLOSED && delivered == 0)
        {
            throw new IllegalStateException(Endpoint.errorString(polled));
        }
        return delivered;
    }

    private void onMessage(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        if (failure != null)
        {
            // the poll goes on, but this read has ended
            kept.keep(tag, buffer, offset, length);
            return;
        }
        delivered++;
        took(length);
        try
        {
            handler.onMessage(tag, mutable(buffer), offset, length);
        }
        catch (final Throwable thrown)
        {
            failure = thrown;
        }
    }

    private ControlledMessageListener.Action onControlledMessage(
        final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        ControlledMessageHandler.Action action = ControlledMessageHandler.Action.BREAK;
        try
        {
            action = controlledHandler.onMessage(tag, mutable(buffer), offset, length);
        }
        catch (final Throwable thrown)
        {
            failure = thrown;
        }
        if (action == ControlledMessageHandler.Action.ABORT)
        {
            return ControlledMessageListener.Action.ABORT;
        }
        delivered++;
        took(length);
        if (action == ControlledMessageHandler.Action.COMMIT)
        {
            consumerPosition.setRelease(readPosition);
        }
        return action == ControlledMessageHandler.Action.BREAK ? ControlledMessageListener.Action.BREAK :
            ControlledMessageListener.Action.CONTINUE;
    }

    private void took(final int length)
    {
        readPosition += BitUtil.align(length + RecordDescriptor.HEADER_LENGTH, RecordDescriptor.ALIGNMENT);
    }

    private MutableDirectBuffer mutable(final DirectBuffer buffer)
    {
        if (buffer instanceof MutableDirectBuffer)
        {
            return (MutableDirectBuffer)buffer;
        }
        view.wrap(buffer);
        return view;
    }

    @Override
    public int maxMsgLength()
    {
        return MAX_LENGTH;
    }

    /** Unique among all endpoints of a group for 2 to the power of 40 calls in a process, and 256 incarnations of a rank. */
    @Override
    public long nextCorrelationId()
    {
        return correlationBase | CORRELATIONS.getAndIncrement() & (1L << EPOCH_SHIFT) - 1;
    }

    @Override
    public AtomicBuffer buffer()
    {
        return places.buffer();
    }

    @Override
    public void consumerHeartbeatTime(final long timeMs)
    {
        heartbeatMs = timeMs;
    }

    @Override
    public long consumerHeartbeatTime()
    {
        return heartbeatMs;
    }

    @Override
    public long producerPosition()
    {
        return consumerPosition.getAcquire() + size();
    }

    @Override
    public long consumerPosition()
    {
        return consumerPosition.getAcquire();
    }

    @Override
    public int size()
    {
        return (int)Math.min(Integer.MAX_VALUE, endpoint.backlogSlots() * SLOT_LENGTH + kept.length());
    }

    @Override
    public boolean unblock()
    {
        return places.abortThoseOfEndedThreads();
    }
}
