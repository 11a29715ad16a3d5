// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import io.rsocket.Closeable;
import io.rsocket.RSocket;
import io.rsocket.SocketAcceptor;
import io.rsocket.core.RSocketConnector;
import io.rsocket.core.RSocketServer;
import io.rsocket.frame.decoder.PayloadDecoder;
import io.rsocket.transport.ClientTransport;
import io.rsocket.transport.ServerTransport;
import io.rsocket.transport.local.LocalClientTransport;
import io.rsocket.transport.local.LocalServerTransport;
import io.rsocket.util.ByteBufPayload;
import java.io.File;
import java.time.Duration;
import java.util.concurrent.TimeoutException;
import org.agrona.concurrent.AgentRunner;
import org.tallypost.adapters.rsocket.RsocketEndpoint;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.node.Node;
import reactor.core.publisher.Flux;

/** A stream of RSocket from a server to a client: by endpoints, and by RSocket's local transport. */
final class RsocketRuns
{
    private static final byte[] DATA = new byte[64];
    private static final String LOCAL = "tallypost-adapters";

    private RsocketRuns()
    {
    }

    /** The agents run as long as they are open. */
    @SuppressWarnings("try")
    static double endpoints(final Arrivals arrivals, final File directory, final int timeoutS)
        throws InterruptedException, TimeoutException
    {
        try (Node node = AdapterRuns.node(directory))
        {
            final Endpoint from = node.open(0);
            final Endpoint to = node.open(1);
            final RsocketEndpoint client = new RsocketEndpoint(from);
            final RsocketEndpoint server = new RsocketEndpoint(to);
            try (AgentRunner serving = AdapterRuns.start(server, to, arrivals);
                AgentRunner asking = AdapterRuns.start(client, from, arrivals))
            {
                return stream(client.clientTransport(1), server.serverTransport(), arrivals, timeoutS);
            }
        }
    }

    static double local(final Arrivals arrivals, final File directory, final int timeoutS)
        throws InterruptedException, TimeoutException
    {
        return stream(LocalClientTransport.create(LOCAL), LocalServerTransport.create(LOCAL), arrivals, timeoutS);
    }

    private static <T extends Closeable> double stream(
        final ClientTransport client, final ServerTransport<T> server, final Arrivals arrivals, final int timeoutS)
        throws InterruptedException, TimeoutException
    {
        final Duration timeout = Duration.ofSeconds(timeoutS);
        final T served = RSocketServer.create(SocketAcceptor.forRequestStream((request) ->
            {
                request.release();
                return Flux.range(0, arrivals.total).map((i) -> ByteBufPayload.create(DATA));
            }))
            .payloadDecoder(PayloadDecoder.ZERO_COPY).bind(server).block(timeout);
        try
        {
            return stream(RSocketConnector.create().payloadDecoder(PayloadDecoder.ZERO_COPY).connect(client).block(timeout),
                arrivals, timeoutS);
        }
        finally
        {
            end(served, timeout);
        }
    }

    private static double stream(final RSocket connected, final Arrivals arrivals, final int timeoutS)
        throws InterruptedException, TimeoutException
    {
        try (AdapterThreads threads = new AdapterThreads(arrivals))
        {
            // the local transport does all the work in the thread that subscribes
            threads.start("subscriber", () -> connected.requestStream(ByteBufPayload.create(DATA)).subscribe(
                (payload) ->
                {
                    payload.release();
                    arrivals.one();
                },
                arrivals::fail));
            try
            {
                return arrivals.await(timeoutS);
            }
            finally
            {
                // cancels a stream that the thread is still in
                connected.dispose();
            }
        }
        finally
        {
            end(connected, Duration.ofSeconds(timeoutS));
        }
    }

    private static void end(final Closeable closeable, final Duration timeout)
    {
        closeable.dispose();
        closeable.onClose().onErrorComplete().block(timeout);
    }
}
