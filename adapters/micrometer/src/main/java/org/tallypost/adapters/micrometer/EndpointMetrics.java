// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.Arrays;
import java.util.List;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.EndpointCounters.Unit;

/**
 * Binds the counters of endpoints to registries: all that {@link org.tallypost.endpoint.EndpointCounters#forEach} shows, unread
 * slots, and what became of the rank. Each meter has the tag {@code rank} and the tags that the program gives.
 *
 * <p>The name of a meter is {@code tallypost}, the words of the counter's name, and its unit, which is also the base unit:
 * {@code bytesSent} is {@code tallypost.sent.bytes}. So a registry for Prometheus shows the names that
 * {@code stat --prometheus} shows. Times are in seconds.
 *
 * <p>Endpoints pay nothing: values are read from shared memory when the registry asks, by its thread. The meters of a closed
 * endpoint keep their last values until {@link #close()}. Bind the next incarnation of a rank after closing the metrics of the
 * previous one. A registry keeps no endpoint alive, but these metrics do. All methods are for any thread.
 */
public final class EndpointMetrics implements MeterBinder, AutoCloseable
{
    private final Iterable<Tag> tags;
    private final List<Endpoint> endpoints;
    private final BoundMetrics bound = new BoundMetrics();

    /**
     * Metrics of endpoints. Endpoints of different groups need a tag that tells them apart.
     *
     * @param tags      of all meters, beside {@code rank}; for instance {@code Tags.of("group", "prices")}.
     * @param endpoints to bind the counters of, at least one.
     * @throws IllegalArgumentException if there is no endpoint.
     */
    public EndpointMetrics(final Iterable<Tag> tags, final Endpoint... endpoints)
    {
        if (endpoints.length == 0)
        {
            throw new IllegalArgumentException("no metrics without an endpoint: found=0 endpoints, expected at least 1");
        }
        this.tags = Tags.of(tags);
        this.endpoints = Arrays.stream(endpoints).map(Endpoint::undecorated).toList();
    }

    /**
     * Metrics of endpoints, with no further tags.
     *
     * @param endpoints to bind the counters of, at least one.
     * @throws IllegalArgumentException if there is no endpoint.
     */
    public EndpointMetrics(final Endpoint... endpoints)
    {
        this(Tags.empty(), endpoints);
    }

    @Override
    public synchronized void bindTo(final MeterRegistry registry)
    {
        for (final Endpoint endpoint : endpoints)
        {
            final Tags of = Tags.of(tags).and("rank", Integer.toString(endpoint.rank()));
            endpoint.counters().forEach((name, unit, kind, value) -> bound.counter(registry, endpoint, of, name,
                "The counter " + name + " of an endpoint.", unit, kind, (each) -> read(each, name, unit)));
            bound.gauge(registry, endpoint, of, BoundMetrics.PREFIX + ".unread.slots", "Unread slots now.", "slots",
                Endpoint::backlogSlots);
            bound.gauge(registry, endpoint, of, BoundMetrics.PREFIX + ".rank.open", "Whether the endpoint is open: 0 or 1.", null,
                (each) -> each.isClosed() ? 0 : 1);
            bound.gauge(registry, endpoint, of, BoundMetrics.PREFIX + ".rank.epoch", "How many times the rank was opened.", null,
                Endpoint::epoch);
        }
    }

    /** By name: counters have no numbers outside of their module. There are few, and a registry asks seldom. */
    private static double read(final Endpoint endpoint, final String counter, final Unit unit)
    {
        final long[] found = new long[1];
        endpoint.counters().forEach((name, itsUnit, kind, value) ->
        {
            if (name.equals(counter))
            {
                found[0] = value;
            }
        });
        return BoundMetrics.scaled(found[0], unit);
    }

    /** Takes all meters out of their registries. Idempotent. */
    @Override
    public synchronized void close()
    {
        bound.removeAll();
    }
}
