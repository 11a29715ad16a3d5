// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.rsocket;

import io.netty.buffer.ByteBufAllocator;
import java.io.File;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.CloseHelper;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.CompositeAgent;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.node.Node;

/** Two ranks of a node of their own, with a thread for both. */
final class ConnectionFixture implements AutoCloseable
{
    final Node node;
    final Endpoint from;
    final Endpoint to;
    final RsocketEndpoint server;
    final AtomicReference<Throwable> failure = new AtomicReference<>();
    RsocketEndpoint client;
    private AgentRunner runner;

    ConnectionFixture(final Path directory, final ByteBufAllocator forServer)
    {
        this(directory, forServer, 64);
    }

    ConnectionFixture(final Path directory, final ByteBufAllocator forServer, final int slotsPerSender)
    {
        node = Node.launch(new NodeContext().directory(new File(directory.toFile(), "node")).groupName("rsocket").rankCount(3)
            .slotsPerSender(slotsPerSender).maxSendingThreads(16).livenessThread(false).deleteOnClose(true));
        from = node.open(0);
        to = node.open(1);
        server = new RsocketEndpoint(to, forServer);
    }

    /** The test calls both ends. */
    ConnectionFixture withoutThread()
    {
        client = new RsocketEndpoint(from);
        return this;
    }

    /** With one thread for both ends. */
    ConnectionFixture start(final ByteBufAllocator forClient)
    {
        client = new RsocketEndpoint(from, forClient);
        runner = new AgentRunner(from.newIdleStrategy(to), (thrown) -> failure.compareAndSet(null, thrown), null,
            new CompositeAgent(client, server));
        AgentRunner.startOnThread(runner);
        return this;
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(runner, node);
        if (failure.get() != null)
        {
            throw new AssertionError(failure.get());
        }
    }
}
