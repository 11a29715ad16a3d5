// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.rsocket;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.rsocket.Closeable;
import io.rsocket.DuplexConnection;
import io.rsocket.transport.ClientTransport;
import io.rsocket.transport.ServerTransport;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.agrona.collections.Long2ObjectHashMap;
import org.agrona.collections.LongArrayList;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MembershipListener;
import org.tallypost.endpoint.MessageListener;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoSink;

/**
 * Carries connections of RSocket from rank to rank: any number of them in both directions, by one endpoint. Each frame of
 * RSocket is a message. One that is longer than a run goes in parts, and is put together at the other end.
 *
 * <p>An agent: its {@link #doWork()} sends, receives and calls RSocket, and is called by one thread, such as that of an
 * AgentRunner with {@link Endpoint#newIdleStrategy}. What RSocket calls from there must not block. The endpoint serves this
 * alone. All other methods, and those of the transports and connections, are for any thread, and do not block.
 */
public final class RsocketEndpoint implements Agent
{
    /** How long a client waits for a server, by default. */
    public static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(10);
    /** Bytes of the header that all frames of RSocket have: stream, type and flags. */
    static final int MIN_FRAME_LENGTH = 6;

    private static final int POLL_LIMIT = 256;
    /** Most answers that wait for credits, to ranks that ask for connections that there are not. */
    private static final int MAX_ANSWERS = 1024;
    private static final DirectBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    private final Endpoint endpoint;
    private final ByteBufAllocator allocator;
    private final ManyToOneConcurrentLinkedQueue<Runnable> tasks = new ManyToOneConcurrentLinkedQueue<>();
    private final AtomicReference<ConnectionServer> server = new AtomicReference<>();
    private final MessageListener listener = this::onMessage;
    private volatile Thread thread;
    private volatile boolean isOver;
    private volatile long refused;

    /** For the thread that works. */
    private final Long2ObjectHashMap<EndpointConnection> connections = new Long2ObjectHashMap<>();
    private final ArrayList<EndpointConnection> active = new ArrayList<>();
    private final LongArrayList answers = new LongArrayList();
    private final ByteBuffer flat = ByteBuffer.allocateDirect(Endpoint.MAX_RUN_LENGTH);
    private final UnsafeBuffer flatView = new UnsafeBuffer(flat);
    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private int fullCount;
    private int lastId;

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
            for (final EndpointConnection each : List.copyOf(connections.values()))
            {
                if (each.rank == rank && each.isKnown())
                {
                    each.lost("the rank is gone");
                    forget(each);
                }
            }
        }
    };

    /**
     * Connections by an endpoint, with the default allocator of Netty.
     *
     * @param endpoint for connections alone; it is not closed by this.
     */
    public RsocketEndpoint(final Endpoint endpoint)
    {
        this(endpoint, ByteBufAllocator.DEFAULT);
    }

    /**
     * Connections by an endpoint.
     *
     * @param endpoint  for connections alone; it is not closed by this.
     * @param allocator of received frames.
     */
    public RsocketEndpoint(final Endpoint endpoint, final ByteBufAllocator allocator)
    {
        this.endpoint = endpoint;
        this.allocator = Objects.requireNonNull(allocator, "allocator");
        endpoint.addMembershipListener(members);
    }

    /**
     * A transport to the server of a rank, with {@link #DEFAULT_CONNECT_TIMEOUT}.
     *
     * @param serverRank from 0 to the rank count, exclusive; the own rank is allowed.
     * @return the transport, for any number of connections.
     * @throws IllegalArgumentException if there is no such rank.
     */
    public ClientTransport clientTransport(final int serverRank)
    {
        return clientTransport(serverRank, DEFAULT_CONNECT_TIMEOUT);
    }

    /**
     * A transport to the server of a rank. A rank that is not open yet is waited for; one that accepts no connections, or goes,
     * ends the attempt with a {@link ConnectionLostException}, and the time with a {@code TimeoutException}.
     *
     * @param serverRank from 0 to the rank count, exclusive; the own rank is allowed.
     * @param timeout    how long an attempt may take.
     * @return the transport, for any number of connections.
     * @throws IllegalArgumentException if there is no such rank.
     */
    public ClientTransport clientTransport(final int serverRank, final Duration timeout)
    {
        // refuses a rank that there is not
        endpoint.rankState(serverRank);
        return () -> Mono.<DuplexConnection>create((sink) -> submit(() -> open(serverRank, sink)))
            .timeout(timeout, Mono.error(() -> new TimeoutException(
                "rank " + serverRank + " has not accepted a connection: found none within timeout=" + timeout)));
    }

    /**
     * A transport for the server of this rank. There is one at a time: a further start fails with an IllegalStateException until
     * the former one is disposed.
     *
     * @return the transport.
     */
    public ServerTransport<Closeable> serverTransport()
    {
        return (acceptor) -> Mono.fromCallable(() ->
        {
            final ConnectionServer started = new ConnectionServer(this, acceptor);
            if (isOver)
            {
                throw new ConnectionLostException("rank " + endpoint.rank() + " accepts no connections: its agent has ended");
            }
            if (!server.compareAndSet(null, started))
            {
                throw new IllegalStateException("rank " + endpoint.rank() + " has a server already: dispose it first");
            }
            if (isOver)
            {
                // the agent may have looked before
                started.end();
            }
            return started;
        });
    }

    /**
     * Messages that were refused because no connection expects them, since the start.
     *
     * @return the number; other than 0 if another program sends to this rank.
     */
    public long refusedCount()
    {
        return refused;
    }

    @Override
    public String roleName()
    {
        return "rsocket-" + endpoint.rank();
    }

    /**
     * Sends what there is room for, receives, and calls RSocket.
     *
     * @return work done; 0 if there is nothing to do or no room.
     */
    @Override
    public int doWork()
    {
        if (thread == null)
        {
            thread = Thread.currentThread();
        }
        int work = runTasks();
        // a connection that holds too much stops all that is received here, so that its sender runs out of credits
        final int polled = fullCount > 0 ? 0 : endpoint.poll(listener, POLL_LIMIT);
        if (polled < 0 || endpoint.isClosed())
        {
            loseAll(Endpoint.errorString(Endpoint.CLOSED));
            return work;
        }
        work += polled + sendAnswers() + runTasks();
        for (int i = active.size() - 1; i >= 0; i--)
        {
            final EndpointConnection each = active.get(i);
            work += each.progress();
            if (!each.isPending())
            {
                each.isActive = false;
                active.remove(i);
            }
            forget(each);
        }
        return work;
    }

    private int runTasks()
    {
        int work = 0;
        for (Runnable task = tasks.poll(); task != null && work < POLL_LIMIT; task = work < POLL_LIMIT ? tasks.poll() : null)
        {
            task.run();
            work++;
        }
        return work;
    }

    private void open(final int rank, final MonoSink<DuplexConnection> sink)
    {
        if (isOver || endpoint.isClosed())
        {
            sink.error(new ConnectionLostException(
                "no connection to rank " + rank + ": " + Endpoint.errorString(Endpoint.CLOSED)));
            return;
        }
        final int first = lastId;
        do
        {
            lastId = (lastId + 1) & ConnectionTags.ID_COUNT - 1;
            if (lastId == first)
            {
                sink.error(new IllegalStateException("too many connections: found " + ConnectionTags.ID_COUNT));
                return;
            }
        }
        while (connections.containsKey(ConnectionTags.key(rank, lastId, true)));
        final EndpointConnection[] made = new EndpointConnection[1];
        made[0] = new EndpointConnection(this, rank, lastId, null, () -> sink.success(made[0]));
        connections.put(ConnectionTags.key(rank, lastId, true), made[0]);
        made[0].onClose().subscribe(null, sink::error, () ->
            sink.error(new ConnectionLostException("the connection to rank " + rank + " was closed before it was accepted")));
        sink.onCancel(made[0]);
        activate(made[0]);
    }

    private void onMessage(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        final int id = ConnectionTags.id(tag);
        final boolean isFromClient = ConnectionTags.isFromClient(tag);
        final int kind = ConnectionTags.kind(tag);
        if (id < 0 || id >= ConnectionTags.ID_COUNT)
        {
            refuse();
            return;
        }
        final EndpointConnection connection = connections.get(ConnectionTags.key(source, id, !isFromClient));
        if (connection == null)
        {
            onUnknown(source, id, kind, isFromClient);
            return;
        }
        if (kind == ConnectionTags.FRAME)
        {
            connection.onFrame(buffer, offset, length);
        }
        else if (kind == ConnectionTags.CLOSE)
        {
            connection.onCloseReceived();
        }
        else if (kind == ConnectionTags.ACCEPT && !isFromClient)
        {
            connection.onAccept();
        }
        else if (kind == ConnectionTags.REFUSE && !isFromClient)
        {
            connection.onRefuse();
        }
        else
        {
            refuse();
        }
        forget(connection);
    }

    private void onUnknown(final int source, final int id, final int kind, final boolean isFromClient)
    {
        if (kind == ConnectionTags.OPEN && isFromClient)
        {
            final ConnectionServer current = server.get();
            if (current != null && !isOver)
            {
                final EndpointConnection connection = new EndpointConnection(this, source, id, current, null);
                connections.put(ConnectionTags.key(source, id, false), connection);
                activate(connection);
                current.accept(connection);
            }
            else if (answers.size() < 2 * MAX_ANSWERS)
            {
                answers.addLong(source);
                answers.addLong(ConnectionTags.of(ConnectionTags.REFUSE, id, false));
            }
        }
        else if (kind != ConnectionTags.CLOSE)
        {
            // a close may cross a refusal
            refuse();
        }
    }

    private void refuse()
    {
        // by one thread
        final long before = refused;
        refused = before + 1;
    }

    private int sendAnswers()
    {
        int work = 0;
        for (int i = answers.size() - 2; i >= 0; i -= 2)
        {
            final long result = endpoint.offer((int)answers.getLong(i), (int)answers.getLong(i + 1), NOTHING, 0, 0);
            if (result != Endpoint.NO_CREDIT && result != Endpoint.NOT_CONNECTED)
            {
                answers.fastUnorderedRemove(i + 1);
                answers.fastUnorderedRemove(i);
                work++;
            }
        }
        return work;
    }

    private void forget(final EndpointConnection connection)
    {
        if (connection.isForgotten())
        {
            connections.remove(ConnectionTags.key(connection.rank, connection.id, connection.isClient), connection);
        }
    }

    private void loseAll(final String why)
    {
        for (final EndpointConnection each : List.copyOf(connections.values()))
        {
            each.lost(why);
            forget(each);
        }
    }

    /** Queues what the thread that works has to do. Any thread. */
    void submit(final Runnable task)
    {
        tasks.add(task);
        if (!isThreadOfAgent())
        {
            endpoint.wakeup();
        }
    }

    /** Whether the calling thread is the one that works. */
    boolean isThreadOfAgent()
    {
        return Thread.currentThread() == thread;
    }

    /** By the thread that works. */
    void activate(final EndpointConnection connection)
    {
        if (!connection.isActive)
        {
            connection.isActive = true;
            active.add(connection);
        }
    }

    void release(final ConnectionServer disposed)
    {
        server.compareAndSet(disposed, null);
    }

    /** By the thread that works: a connection holds too much, or not any more. */
    void full(final boolean isFull)
    {
        fullCount += isFull ? 1 : -1;
    }

    Endpoint endpoint()
    {
        return endpoint;
    }

    ByteBufAllocator allocator()
    {
        return allocator;
    }

    boolean isOver()
    {
        return isOver;
    }

    /** The bytes of a frame of at most a run, until the next call. */
    DirectBuffer view(final ByteBuf frame)
    {
        final int length = frame.readableBytes();
        if (frame.hasMemoryAddress())
        {
            view.wrap(frame.memoryAddress() + frame.readerIndex(), length);
            return view;
        }
        flat.clear().limit(length);
        frame.getBytes(frame.readerIndex(), flat);
        return flatView;
    }

    /** Connections that are open end with a {@link ConnectionLostException}; the other ranks hear of it when this one closes. */
    @Override
    public void onClose()
    {
        endpoint.removeMembershipListener(members);
        runTasks();
        for (final EndpointConnection each : List.copyOf(connections.values()))
        {
            each.fail("its agent has ended");
            // without waiting: a rank that has no room hears of it when this rank closes
            if (!endpoint.isClosed())
            {
                each.progress();
            }
            each.discardReceived();
        }
        isOver = true;
        connections.clear();
        active.clear();
        final ConnectionServer last = server.get();
        if (last != null)
        {
            last.end();
        }
        while (!tasks.isEmpty())
        {
            runTasks();
        }
    }
}
