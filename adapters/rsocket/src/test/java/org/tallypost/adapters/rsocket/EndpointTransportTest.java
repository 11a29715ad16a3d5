// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.rsocket;

import io.rsocket.Closeable;
import io.rsocket.Payload;
import io.rsocket.test.TransportTest;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * The suite of RSocket's owners for transports. Its largest channel runs with {@code -Dtallypost.rsocket.large=true}, and with
 * fewer payloads always.
 */
@Tag("once")
class EndpointTransportTest implements TransportTest
{
    private static final String LARGE = "tallypost.rsocket.large";
    private static final Duration TIMEOUT = Duration.ofMinutes(3);

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
        assertEquals(256L, getClient().requestChannel(payloads).doOnNext(Payload::release).limitRate(8).count().block(TIMEOUT));
    }

    @Test
    void shouldCarryALongChannelByFewRequests()
    {
        getClient().requestChannel(Flux.range(0, 4_000).map(this::createTestPayload))
            .doOnNext(Payload::release)
            .limitRate(8)
            .as(StepVerifier::create)
            .expectNextCount(4_000)
            .expectComplete()
            .verify(TIMEOUT);
    }
}
