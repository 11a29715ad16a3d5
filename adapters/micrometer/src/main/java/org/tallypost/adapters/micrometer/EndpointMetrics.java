// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.EndpointCounters.Kind;
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
    private static final String PREFIX = "tallypost";
    private static final double NS_PER_S = 1e9;

    private record Bound(MeterRegistry registry, Meter meter)
    {
    }

    private final Iterable<Tag> tags;
    private final List<Endpoint> endpoints;
    private final List<Bound> bound = new ArrayList<>();

    /**
     * Metrics of endpoints. Endpoints of different groups need a tag that tells them apart.
     *
     * @param tags      of all meters, beside {@code rank}; for instance {@code Tags.of("group", "prices")}.
     * @param endpoints whose counters are bound, at least one.
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
     * @param endpoints whose counters are bound, at least one.
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
            endpoint.counters().forEach((name, unit, kind, value) -> bind(registry, endpoint, of, name, unit, kind));
            gauge(registry, endpoint, of, PREFIX + ".unread.slots", "Unread slots now.", "slots", Endpoint::backlogSlots);
            gauge(registry, endpoint, of, PREFIX + ".rank.open", "Whether the endpoint is open: 0 or 1.", null,
                (each) -> each.isClosed() ? 0 : 1);
            gauge(registry, endpoint, of, PREFIX + ".rank.epoch", "How many times the rank was opened.", null, Endpoint::epoch);
        }
    }

    private void bind(
        final MeterRegistry registry, final Endpoint endpoint, final Tags of, final String counter, final Unit unit,
        final Kind kind)
    {
        final String name = name(counter, unit);
        final String help = "The counter " + counter + " of an endpoint.";
        final ToDoubleFunction<Endpoint> value = (each) -> read(each, counter, unit);
        if (kind == Kind.GAUGE)
        {
            gauge(registry, endpoint, of, name, help, base(unit), value);
        }
        else
        {
            bound.add(new Bound(registry, FunctionCounter.builder(name, endpoint, value).tags(of).description(help)
                .baseUnit(base(unit)).register(registry)));
        }
    }

    private void gauge(
        final MeterRegistry registry, final Endpoint endpoint, final Tags of, final String name, final String help,
        final String base, final ToDoubleFunction<Endpoint> value)
    {
        bound.add(new Bound(registry, Gauge.builder(name, endpoint, value).tags(of).description(help).baseUnit(base)
            .register(registry)));
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
        return unit == Unit.NANOSECONDS ? found[0] / NS_PER_S : found[0];
    }

    /** With its unit: some counters have the same words but for that. */
    private static String name(final String counter, final Unit unit)
    {
        final List<String> words = new ArrayList<>(List.of(PREFIX));
        words.addAll(Arrays.asList(counter.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT).split("_")));
        words.remove(base(unit));
        words.remove("ns");
        if (base(unit) != null)
        {
            words.add(base(unit));
        }
        return String.join(".", words);
    }

    private static String base(final Unit unit)
    {
        return switch (unit)
        {
            case NANOSECONDS -> "seconds";
            case EVENTS, FLAG -> null;
            default -> unit.name().toLowerCase(Locale.ROOT);
        };
    }

    /** Takes all meters out of their registries. Idempotent. */
    @Override
    public synchronized void close()
    {
        bound.forEach((each) -> each.registry().remove(each.meter()));
        bound.clear();
    }
}
