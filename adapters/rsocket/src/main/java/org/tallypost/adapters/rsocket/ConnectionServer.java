// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.rsocket;

import io.rsocket.Closeable;
import io.rsocket.DuplexConnection;
import io.rsocket.transport.ServerTransport;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** A server that accepts connections, until it is disposed; then its connections are closed, and it is when they are. */
final class ConnectionServer implements Closeable
{
    private final RsocketEndpoint owner;
    private final ServerTransport.ConnectionAcceptor acceptor;
    private final Sinks.Empty<Void> closed = Sinks.empty();
    private volatile boolean isDisposed;
    /** For the thread of the agent. */
    private final Set<EndpointConnection> connections = new LinkedHashSet<>();

    ConnectionServer(final RsocketEndpoint owner, final ServerTransport.ConnectionAcceptor acceptor)
    {
        this.owner = owner;
        this.acceptor = acceptor;
    }

    /** Hands a connection to RSocket. By the thread of the agent. */
    void accept(final EndpointConnection connection)
    {
        connections.add(connection);
        acceptor.apply((DuplexConnection)connection).subscribe(null, (thrown) -> connection.dispose());
    }

    void onEnd(final EndpointConnection connection)
    {
        connections.remove(connection);
        endIfIdle();
    }

    /** By the thread of the agent. */
    private void disposeConnections()
    {
        List.copyOf(connections).forEach(EndpointConnection::dispose);
        endIfIdle();
    }

    private void endIfIdle()
    {
        if (isDisposed && connections.isEmpty())
        {
            closed.tryEmitEmpty();
        }
    }

    /** The agent has ended: so have all connections. */
    void end()
    {
        isDisposed = true;
        endIfIdle();
    }

    @Override
    public void dispose()
    {
        isDisposed = true;
        owner.release(this);
        owner.submit(this::disposeConnections);
        if (owner.isOver())
        {
            closed.tryEmitEmpty();
        }
    }

    @Override
    public boolean isDisposed()
    {
        return isDisposed;
    }

    @Override
    public Mono<Void> onClose()
    {
        return closed.asMono();
    }
}
