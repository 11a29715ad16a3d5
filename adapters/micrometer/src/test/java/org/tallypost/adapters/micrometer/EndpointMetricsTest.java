// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.micrometer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.EndpointCounters.Kind;
import org.tallypost.endpoint.EndpointCounters.Unit;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

/** Every counter has a meter, under the name that the command line gives it, and with its value. */
class EndpointMetricsTest
{
    private static final int MESSAGES = 7;
    private static final int LENGTH = 48;

    @TempDir
    private Path directory;
    private Node node;
    private Endpoint from;
    private Endpoint to;
    private final MeterRegistry registry = new SimpleMeterRegistry();

    @BeforeEach
    void open()
    {
        node = Node.launch(new NodeContext().directory(directory.resolve("node").toFile()).groupName("metrics").rankCount(2)
            .deleteOnClose(true));
        from = node.open(0);
        to = node.open(1);
    }

    @AfterEach
    void close()
    {
        node.close();
    }

    private void exchange()
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
        final int[] received = new int[1];
        for (int sent = 0; sent < MESSAGES;)
        {
            sent += from.offer(1, 0, message, 0, LENGTH) >= 0 ? 1 : 0;
            final int before = sent;
            Watchdog.await("message " + sent, () ->
            {
                from.poll((source, tag, buffer, offset, length) -> {}, 1);
                to.poll((source, tag, buffer, offset, length) -> received[0]++, 1);
                return received[0] == before;
            });
        }
    }

    private double value(final String name, final int rank)
    {
        final Meter meter = registry.get(name).tags("rank", Integer.toString(rank)).meter();
        return meter.measure().iterator().next().getValue();
    }

    private static Set<String> names(final MeterRegistry registry)
    {
        return registry.getMeters().stream().map((meter) -> meter.getId().getName())
            .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void shouldShowWhatTheCountersSay()
    {
        try (EndpointMetrics metrics = new EndpointMetrics(from, to))
        {
            metrics.bindTo(registry);
            assertEquals(0, value("tallypost.sent.messages", 0));
            exchange();
            assertEquals(MESSAGES, value("tallypost.sent.messages", 0));
            assertEquals(MESSAGES * LENGTH, value("tallypost.sent.bytes", 0));
            Watchdog.await("counters of the receiver", () ->
            {
                to.poll((source, tag, buffer, offset, length) -> {}, 1);
                return value("tallypost.received.messages", 1) == MESSAGES;
            });
            assertEquals(0, value("tallypost.sent.messages", 1));
            assertEquals(MESSAGES * LENGTH, value("tallypost.received.bytes", 1));
            assertEquals(to.counters().mailboxBytes(), value("tallypost.mailbox.bytes", 1));
            assertEquals(1, value("tallypost.rank.open", 1));
            assertEquals(1, value("tallypost.rank.epoch", 1));
        }
    }

    @Test
    void shouldBindEveryCounterOnceAndWithItsUnit()
    {
        final List<String> expected = new ArrayList<>(List.of("unread.slots", "rank.open", "rank.epoch"));
        final int[] counters = new int[2];
        to.counters().forEach((name, unit, kind, value) -> counters[kind == Kind.COUNTER ? 0 : 1]++);
        try (EndpointMetrics metrics = new EndpointMetrics(Tags.of("group", "metrics"), to))
        {
            metrics.bindTo(registry);
            assertEquals(counters[0] + counters[1] + expected.size(), registry.getMeters().size(), "no two have one name");
            assertEquals(counters[0], registry.getMeters().stream()
                .filter((meter) -> meter.getId().getType() == Meter.Type.COUNTER).count());
            registry.getMeters().forEach((meter) ->
            {
                final String base = meter.getId().getBaseUnit();
                final String name = meter.getId().getName();
                assertTrue(base == null || name.endsWith("." + base), name);
                assertEquals("metrics", meter.getId().getTag("group"), name);
            });
        }
    }

    /** The rest is what PrometheusText makes of the same names: words, unit, and "total" behind counters. */
    @Test
    void shouldNameMetersAsTheCommandLineDoes()
    {
        try (EndpointMetrics metrics = new EndpointMetrics(to))
        {
            metrics.bindTo(registry);
            final Set<String> names = names(registry);
            assertTrue(names.containsAll(Set.of("tallypost.sent.messages", "tallypost.sent.bytes", "tallypost.received.messages",
                "tallypost.stalls.messages", "tallypost.stall.time.seconds", "tallypost.credit.packets", "tallypost.polls",
                "tallypost.lanes", "tallypost.owning.lanes", "tallypost.polls.waiting", "tallypost.high.water.slots",
                "tallypost.unread.slots", "tallypost.bulk.operations", "tallypost.bulk.bytes")), names::toString);
        }
    }

    @Test
    void shouldGiveTimesInSeconds()
    {
        try (EndpointMetrics metrics = new EndpointMetrics(from, to))
        {
            metrics.bindTo(registry);
            final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
            // a stall is timed from its eighth refusal to the departure of the message
            Watchdog.await("refusals", () -> from.offer(1, 0, message, 0, LENGTH) == Endpoint.NO_CREDIT);
            for (int refusal = 0; refusal < 100; refusal++)
            {
                assertEquals(Endpoint.NO_CREDIT, from.offer(1, 0, message, 0, LENGTH));
            }
            Watchdog.await("the end of the stall", () ->
            {
                to.poll((source, tag, buffer, offset, length) -> {}, 10);
                from.poll((source, tag, buffer, offset, length) -> {}, 10);
                return from.offer(1, 0, message, 0, LENGTH) >= 0;
            });
            final long ns = from.counters().stallTimeNs();
            assertTrue(ns > 0, () -> "stalled ns: " + ns);
            assertEquals(ns / 1e9, value("tallypost.stall.time.seconds", 0), 1e-12);
            to.counters().forEach((name, unit, kind, value) ->
                assertTrue(unit != Unit.NANOSECONDS || kind == Kind.COUNTER, name));
        }
    }

    @Test
    void shouldTakeItsMetersAwayAndOutliveTheEndpoint()
    {
        final EndpointMetrics metrics = new EndpointMetrics(from, to);
        metrics.bindTo(registry);
        exchange();
        node.close();
        assertEquals(MESSAGES, value("tallypost.sent.messages", 0), "the last value");
        assertEquals(0, value("tallypost.rank.open", 0));
        metrics.close();
        metrics.close();
        assertEquals(Set.of(), names(registry));
    }

    @Test
    void shouldRefuseToBindNothing()
    {
        assertThrows(IllegalArgumentException.class, () -> new EndpointMetrics());
    }
}
