// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.rsocket;

import io.rsocket.Closeable;
import io.rsocket.Payload;
import io.rsocket.test.TransportTest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * The suite of RSocket's owners for transports. Its largest channel and all of its 1,024 short ones run with
 * {@code -Dtallypost.rsocket.large=true}; with fewer payloads, and some of the short ones, they run always.
 */
@Tag("once")
class EndpointTransportTest implements TransportTest
{
    private static final String LARGE = "tallypost.rsocket.large";
    private static final Duration TIMEOUT = Duration.ofMinutes(3);
    /** Of the short ones, which 12 threads begin. */
    private static final int CHANNELS = Boolean.getBoolean(LARGE) ? Integer.MAX_VALUE : 96;
    /** Of the one that asks for few at a time. */
    private static final int PAYLOADS = Boolean.getBoolean(LARGE) ? 4_000 : 1_000;

    private final AtomicInteger begun = new AtomicInteger();
    @TempDir
    Path directory;
    private ConnectionFixture fixture;
    private TransportPair<String, Closeable> pair;

    @BeforeEach
    void start()
    {
        pair = new TransportPair<>(
            () -> "rank 1",
            (address, server, allocator) -> fixture.start(allocator).client.clientTransport(1),
            (address, allocator) ->
            {
                fixture = new ConnectionFixture(directory, allocator);
                return fixture.server.serverTransport();
            });
    }

    @AfterEach
    @Override
    public void close()
    {
        try
        {
            TransportTest.super.close();
        }
        finally
        {
            fixture.close();
        }
    }

    @Override
    public Duration getTimeout()
    {
        return TIMEOUT;
    }

    @Override
    public TransportPair<String, Closeable> getTransportPair()
    {
        return pair;
    }

    @Test
    @EnabledIfSystemProperty(named = LARGE, matches = "true")
    @Override
    public void requestChannel200_000()
    {
        TransportTest.super.requestChannel200_000();
    }

    /**
     * The same as in the suite, for threads that sleep while they wait. A StepVerifier looks without a pause: the 12 threads of
     * {@link #requestChannel256()} took 99 % of the processor time of two cores, and left the agent 1 %.
     */
    @Override
    public void check(final Flux<Payload> payloads)
    {
        if (begun.incrementAndGet() > CHANNELS)
        {
            return;
        }
        assertEquals(256L, getClient().requestChannel(payloads).doOnNext(Payload::release).limitRate(8).count().block(TIMEOUT));
    }

    @Test
    void shouldCarryALongChannelByFewRequests()
    {
        assertEquals((long)PAYLOADS, getClient().requestChannel(Flux.range(0, PAYLOADS).map(this::createTestPayload))
            .doOnNext(Payload::release).limitRate(8).count().block(TIMEOUT));
    }
}
