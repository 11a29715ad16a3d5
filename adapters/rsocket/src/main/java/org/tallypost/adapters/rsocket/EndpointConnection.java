// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.rsocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ReferenceCountUtil;
import io.rsocket.DuplexConnection;
import io.rsocket.RSocketErrorException;
import io.rsocket.frame.ErrorFrameCodec;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.LongSend;
import org.tallypost.endpoint.RefusedMessage;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;

/**
 * A connection between two ranks. Frames of any thread are queued, and sent by the thread of the agent: those of stream 0 first,
 * as in RSocket's own transports, so that a long queue does not hold up signs of life.
 */
final class EndpointConnection implements DuplexConnection
{
    /** What a connection that is closed may take to send what is queued. */
    private static final long LINGER_SECONDS = 10;
    /** Frames sent before another connection has its turn. */
    private static final int TURN_LIMIT = 256;
    /** While frames wait for credits, that thread tries again at each so many that it adds. */
    private static final int RETRY_MASK = 0xF;
    private static final DirectBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    final int rank;
    final int id;
    final boolean isClient;
    /** For the agent: whether it is in the list of those that have something to do. */
    boolean isActive;

    private final ConnectionServer server;
    private final RsocketEndpoint owner;
    private final ByteBufAllocator allocator;
    private final RankAddress address;
    private final ReceivedFrames received = new ReceivedFrames(this);
    private final Sinks.Empty<Void> closed = Sinks.empty();
    private final ManyToOneConcurrentLinkedQueue<ByteBuf> urgent = new ManyToOneConcurrentLinkedQueue<>();
    private final ManyToOneConcurrentLinkedQueue<ByteBuf> frames = new ManyToOneConcurrentLinkedQueue<>();
    private final AtomicBoolean isScheduled = new AtomicBoolean();
    private final AtomicBoolean isLingering = new AtomicBoolean();
    private final Runnable turn = this::activate;
    private volatile boolean isDisposed;
    private volatile boolean isLingerOver;
    private volatile Disposable linger;

    /** For the thread of the agent. */
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private final Runnable onOpen;
    private ByteBuf next;
    private LongSend longSend;
    private final RefusedMessage refused = new RefusedMessage();
    private boolean isSendingFrames;
    private int queued;
    private boolean isHelloDue = true;
    private boolean isOpen;
    private boolean isCloseDue = true;
    private boolean isCloseReceived;
    private boolean isOver;

    /**
     * A connection that is not open yet.
     *
     * @param owner    has the endpoint.
     * @param rank     of the other end.
     * @param id       number, of the client's choice.
     * @param server   that accepts it; null for a client.
     * @param onOpen   for a client: called when the server has accepted; null for a server.
     */
    EndpointConnection(
        final RsocketEndpoint owner, final int rank, final int id, final ConnectionServer server, final Runnable onOpen)
    {
        this.owner = owner;
        this.rank = rank;
        this.id = id;
        this.server = server;
        isClient = server == null;
        this.onOpen = onOpen;
        allocator = owner.allocator();
        address = new RankAddress(rank);
        isOpen = !isClient;
    }

    @Override
    public void sendFrame(final int streamId, final ByteBuf frame)
    {
        if (isDisposed)
        {
            frame.release();
            return;
        }
        if (owner.isThreadOfAgent() && isReadyToSend())
        {
            sendHere(streamId, frame);
            return;
        }
        (streamId == 0 ? urgent : frames).add(frame);
        schedule();
    }

    private boolean isReadyToSend()
    {
        return isOpen && !isHelloDue && !isOver && !isSendingFrames;
    }

    /** By the thread of the agent. A stream that emits at length, within one call, does not fill the queue before it is sent. */
    private void sendHere(final int streamId, final ByteBuf frame)
    {
        if (isUnsentEmpty())
        {
            next = frame;
        }
        else
        {
            (streamId == 0 ? urgent : frames).add(frame);
            if ((++queued & RETRY_MASK) != 0)
            {
                schedule();
                return;
            }
        }
        sendFrames();
        if (!isUnsentEmpty())
        {
            schedule();
        }
    }

    @Override
    public void sendErrorAndClose(final RSocketErrorException thrown)
    {
        if (isDisposed)
        {
            return;
        }
        // behind all other frames, although it is of stream 0
        frames.add(ErrorFrameCodec.encode(allocator, 0, thrown));
        dispose();
    }

    @Override
    public Flux<ByteBuf> receive()
    {
        return received;
    }

    @Override
    public ByteBufAllocator alloc()
    {
        return allocator;
    }

    @Override
    public SocketAddress remoteAddress()
    {
        return address;
    }

    @Override
    public double availability()
    {
        return isDisposed ? 0.0 : 1.0;
    }

    @Override
    public Mono<Void> onClose()
    {
        return closed.asMono();
    }

    @Override
    public boolean isDisposed()
    {
        return isDisposed;
    }

    @Override
    public void dispose()
    {
        if (!isDisposed && isLingering.compareAndSet(false, true))
        {
            linger = Schedulers.parallel().schedule(
                () ->
                {
                    isLingerOver = true;
                    schedule();
                },
                LINGER_SECONDS, TimeUnit.SECONDS);
            isDisposed = true;
            schedule();
        }
    }

    /** Makes the agent call {@link #progress()}. Any thread. */
    void schedule()
    {
        if (!isScheduled.get() && isScheduled.compareAndSet(false, true))
        {
            owner.submit(turn);
        }
        if (owner.isOver())
        {
            discardUnsent();
        }
    }

    private void activate()
    {
        // before the queues are looked at
        isScheduled.set(false);
        owner.activate(this);
    }

    /** Sends what there is room for, and signals what was requested. Returns the work done. */
    int progress()
    {
        int work = received.drain();
        if (isOver)
        {
            discardUnsent();
            if (isCloseDue && send(ConnectionTags.CLOSE))
            {
                isCloseDue = false;
            }
            return work;
        }
        if (isLingerOver)
        {
            discardUnsent();
        }
        if (isClient && isHelloDue && isDisposed)
        {
            isCloseDue = false;
            isCloseReceived = true;
            end(null);
            return work + 1;
        }
        if (isHelloDue)
        {
            if (!send(isClient ? ConnectionTags.OPEN : ConnectionTags.ACCEPT))
            {
                return work;
            }
            isHelloDue = false;
            work++;
        }
        if (isOpen)
        {
            work += sendFrames();
        }
        if (isDisposed && !isOver && isUnsentEmpty() && send(ConnectionTags.CLOSE))
        {
            isCloseDue = false;
            end(null);
            work++;
        }
        return work;
    }

    /** Whether {@link #progress()} has to be called again although nothing is scheduled. */
    boolean isPending()
    {
        return isOver ? isCloseDue : isHelloDue || isDisposed || isOpen && !isUnsentEmpty();
    }

    /** Whether the number is free. */
    boolean isForgotten()
    {
        return isOver && !isCloseDue && isCloseReceived;
    }

    void full(final boolean isFull)
    {
        owner.full(isFull);
    }

    /** Whether the other rank has heard of this. */
    boolean isKnown()
    {
        return !isHelloDue || !isClient;
    }

    private boolean isUnsentEmpty()
    {
        return next == null && urgent.isEmpty() && frames.isEmpty();
    }

    private int sendFrames()
    {
        isSendingFrames = true;
        try
        {
            return sendUnsent();
        }
        finally
        {
            isSendingFrames = false;
        }
    }

    private int sendUnsent()
    {
        int count = 0;
        while (count < TURN_LIMIT && !isOver)
        {
            if (next == null)
            {
                final ByteBuf first = urgent.poll();
                next = first != null ? first : frames.poll();
                if (next == null)
                {
                    return count;
                }
            }
            if (!isSent(offerNext()))
            {
                return count;
            }
            next.release();
            next = null;
            count++;
        }
        return count;
    }

    /** The frame stays where it is until it is out. */
    private long offerNext()
    {
        if (longSend != null && longSend.isActive())
        {
            return longSend.progress();
        }
        final int tag = ConnectionTags.of(ConnectionTags.FRAME, id, isClient);
        final int length = next.readableBytes();
        final Endpoint endpoint = owner.endpoint();
        if (length <= Endpoint.MAX_RUN_LENGTH)
        {
            final long result = endpoint.offer(rank, tag, owner.view(next), 0, length);
            if (result >= 0)
            {
                refused.end();
                return result;
            }
            if (result != Endpoint.TOO_LONG &&
                !(result == Endpoint.NO_CREDIT && refused.isToGoInParts(length, System.nanoTime())))
            {
                return result;
            }
        }
        if (!next.hasMemoryAddress())
        {
            final ByteBuf flat = allocator.directBuffer(length).writeBytes(next, next.readerIndex(), length);
            next.release();
            next = flat;
        }
        if (longSend == null)
        {
            longSend = endpoint.newSend();
        }
        if (next.hasMemoryAddress())
        {
            view.wrap(next.memoryAddress() + next.readerIndex(), length);
        }
        else
        {
            view.wrap(next.nioBuffer());
        }
        refused.end();
        return longSend.start(rank, tag, view, 0, length);
    }

    private boolean send(final int kind)
    {
        return isSent(owner.endpoint().offer(rank, ConnectionTags.of(kind, id, isClient), NOTHING, 0, 0));
    }

    private boolean isSent(final long result)
    {
        if (result >= 0)
        {
            return true;
        }
        if (result != Endpoint.NO_CREDIT && result != Endpoint.NOT_CONNECTED)
        {
            lost(Endpoint.errorString(result));
        }
        return false;
    }

    /** The server has accepted. */
    void onAccept()
    {
        if (!isOpen && !isOver)
        {
            isOpen = true;
            if (!isDisposed)
            {
                onOpen.run();
            }
            schedule();
        }
    }

    void onRefuse()
    {
        isCloseReceived = true;
        lost("it accepts no connections");
    }

    void onFrame(final DirectBuffer buffer, final int offset, final int length)
    {
        if (isOver)
        {
            return;
        }
        if (!isOpen || length < RsocketEndpoint.MIN_FRAME_LENGTH)
        {
            fail(!isOpen ? "a frame came before it was accepted" :
                "a frame is too short: found length=" + length + ", expected at least " + RsocketEndpoint.MIN_FRAME_LENGTH);
            return;
        }
        final ByteBuf frame = allocator.buffer(length);
        buffer.getBytes(offset, frame.internalNioBuffer(0, length), length);
        frame.writerIndex(length);
        received.onFrame(frame);
    }

    /** The other side sends nothing more, and gets the same word. */
    void onCloseReceived()
    {
        isCloseReceived = true;
        if (!isOver)
        {
            isDisposed = true;
            end(null);
        }
        schedule();
    }

    /** The other rank is not there any more, so it is told nothing. */
    void lost(final String why)
    {
        isCloseDue = false;
        isCloseReceived = true;
        isDisposed = true;
        end(new ConnectionLostException("the connection with rank " + rank + " has ended: " + why));
    }

    /** Ends because of a fault; the other side is told. */
    void fail(final String why)
    {
        isDisposed = true;
        end(new ConnectionLostException("the connection with rank " + rank + " has ended: " + why));
        schedule();
    }

    private void end(final Throwable why)
    {
        if (isOver)
        {
            return;
        }
        isOver = true;
        final Disposable timer = linger;
        if (timer != null)
        {
            timer.dispose();
        }
        discardUnsent();
        received.over(why);
        if (why == null)
        {
            closed.tryEmitEmpty();
        }
        else
        {
            closed.tryEmitError(why);
        }
        if (server != null)
        {
            server.onEnd(this);
        }
    }

    /** The agent has ended, and with it what is held. */
    void discardReceived()
    {
        received.discard();
    }

    /** By the thread of the agent, or by any when that has ended. */
    private synchronized void discardUnsent()
    {
        if (longSend != null && longSend.isActive())
        {
            longSend.abort();
        }
        if (next != null)
        {
            next.release();
            next = null;
        }
        release(urgent);
        release(frames);
    }

    private static void release(final ManyToOneConcurrentLinkedQueue<ByteBuf> queue)
    {
        for (ByteBuf frame = queue.poll(); frame != null; frame = queue.poll())
        {
            ReferenceCountUtil.safeRelease(frame);
        }
    }

    @Override
    public String toString()
    {
        return "connection " + id + (isClient ? " to rank " : " from rank ") + rank;
    }
}
