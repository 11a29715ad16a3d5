// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.tallypost.endpoint.EndpointCounters.Kind;
import org.tallypost.endpoint.EndpointCounters.Unit;

/** The meters that were bound to registries, and how they are called. Not synchronized. */
final class BoundMetrics
{
    static final String PREFIX = "tallypost";
    private static final double NS_PER_S = 1e9;

    private record Bound(MeterRegistry registry, Meter meter)
    {
    }

    private final List<Bound> bound = new ArrayList<>();

    /** Binds a counter by its name, its unit and its kind. The value is read of the object, which the registry holds weakly. */
    <T> void counter(
        final MeterRegistry registry, final T object, final Tags tags, final String counter, final String help, final Unit unit,
        final Kind kind, final ToDoubleFunction<T> value)
    {
        final String name = name(counter, unit);
        if (kind == Kind.GAUGE)
        {
            gauge(registry, object, tags, name, help, base(unit), value);
        }
        else
        {
            bound.add(new Bound(registry, FunctionCounter.builder(name, object, value).tags(tags).description(help)
                .baseUnit(base(unit)).register(registry)));
        }
    }

    <T> void gauge(
        final MeterRegistry registry, final T object, final Tags tags, final String name, final String help, final String base,
        final ToDoubleFunction<T> value)
    {
        bound.add(new Bound(registry, Gauge.builder(name, object, value).tags(tags).description(help).baseUnit(base)
            .register(registry)));
    }

    /** A value in the unit of its meter: times are in seconds. */
    static double scaled(final long value, final Unit unit)
    {
        return unit == Unit.NANOSECONDS ? value / NS_PER_S : value;
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

    /** Takes all meters out of their registries. */
    void removeAll()
    {
        bound.forEach((each) -> each.registry().remove(each.meter()));
        bound.clear();
    }
}
