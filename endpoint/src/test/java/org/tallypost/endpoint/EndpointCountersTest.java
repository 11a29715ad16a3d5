// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.internal.layout.CounterWords;
import org.tallypost.endpoint.internal.layout.CountersDescriptor;
import org.tallypost.node.Node;

/** The counters that are shown one after the other are those that have a getter, and those of shared memory. */
class EndpointCountersTest
{
    private static final long MAILBOX_BYTES = 1_234_567;

    @TempDir
    private Path directory;

    private final CounterWords words = new CounterWords(
        new UnsafeBuffer(ByteBuffer.allocateDirect(CountersDescriptor.LENGTH)), 0);
    private final EndpointCounters counters = new EndpointCounters(words, MAILBOX_BYTES);

    private static Map<String, Long> shown(final EndpointCounters counters)
    {
        final Map<String, Long> shown = new LinkedHashMap<>();
        counters.forEach((name, unit, kind, value) ->
        {
            assertNotNull(unit, name);
            assertNotNull(kind, name);
            assertEquals(null, shown.put(name, value), () -> "shown twice: " + name);
        });
        return shown;
    }

    /** By the names of the getters, as they are shown. */
    private static Map<String, Long> got(final EndpointCounters counters) throws ReflectiveOperationException
    {
        final Map<String, Long> got = new TreeMap<>();
        for (final Method method : EndpointCounters.class.getDeclaredMethods())
        {
            if (Modifier.isPublic(method.getModifiers()) && method.getParameterCount() == 0)
            {
                final Object value = method.invoke(counters);
                if (value instanceof Boolean isSo)
                {
                    final String name = method.getName().substring("are".length());
                    got.put(Character.toLowerCase(name.charAt(0)) + name.substring(1), isSo ? 1L : 0L);
                }
                else if (!(value instanceof String))
                {
                    got.put(method.getName(), (Long)value);
                }
            }
        }
        return got;
    }

    private static Map<String, Integer> offsets() throws ReflectiveOperationException
    {
        final Map<String, Integer> offsets = new TreeMap<>();
        for (final Field field : CountersDescriptor.class.getDeclaredFields())
        {
            if (field.getName().endsWith("_OFFSET"))
            {
                offsets.put(field.getName(), field.getInt(null));
            }
        }
        return offsets;
    }

    @Test
    void shouldShowWhatTheGettersReturn() throws ReflectiveOperationException
    {
        int value = 1;
        for (final int offset : offsets().values())
        {
            words.set(offset, offset == CountersDescriptor.WAITING_POLLS_OFFSET ? 1 : 1000L + value++);
        }
        words.set(CountersDescriptor.SENT_BY_LANES_OFFSET, (57L << CountersDescriptor.LANE_BYTES_SHIFT) + 7);
        assertEquals(got(counters), new TreeMap<>(shown(counters)));
        assertEquals(1, shown(counters).get("pollsWaiting"));
        assertEquals(MAILBOX_BYTES, shown(counters).get("mailboxBytes"));
        words.set(CountersDescriptor.WAITING_POLLS_OFFSET, 0);
        assertEquals(got(counters), new TreeMap<>(shown(counters)));
    }

    /** The word of lanes has two counts, and every other word belongs to one counter. */
    @Test
    void shouldHaveEveryWordOfSharedMemoryInOneCounter() throws ReflectiveOperationException
    {
        final Set<Integer> expected = new TreeSet<>(offsets().values());
        assertTrue(expected.remove(CountersDescriptor.SENT_BY_LANES_OFFSET));
        final List<Integer> found = new ArrayList<>();
        for (final EndpointCounter counter : EndpointCounter.values())
        {
            for (final int offset : counter.isHigh ? new int[0] : counter.offsets)
            {
                found.add(offset);
            }
        }
        Collections.sort(found);
        assertEquals(new ArrayList<>(expected), found);
        for (final Map.Entry<String, Integer> word : offsets().entrySet())
        {
            final Map<String, Long> before = shown(counters);
            words.set(word.getValue(), 1);
            assertTrue(!before.equals(shown(counters)), word::getKey);
            words.set(word.getValue(), 0);
        }
    }

    @Test
    void shouldCountHighPriorityInWordsOfItsOwn() throws ReflectiveOperationException
    {
        final CounterWords high = new CounterWords(
            new UnsafeBuffer(ByteBuffer.allocateDirect(CountersDescriptor.LENGTH)), 0);
        final EndpointCounters both = new EndpointCounters(words, high, MAILBOX_BYTES);
        final Map<String, Long> before = shown(both);
        for (final EndpointCounter counter : EndpointCounter.values())
        {
            if (counter.isHigh)
            {
                high.set(counter.offsets[0], 3);
                assertEquals(3L, shown(both).get(counter.label));
                assertEquals(0L, shown(counters).get(counter.label));
                high.set(counter.offsets[0], 0);
            }
        }
        assertEquals(before, shown(both));
        high.set(CountersDescriptor.SENT_SHARED_OFFSET, 4);
        assertEquals(4, both.highSent());
        assertEquals(got(both), new TreeMap<>(shown(both)));
    }

    @Test
    void shouldNameTheUnitOfANameThatEndsWithOne()
    {
        for (final EndpointCounter counter : EndpointCounter.values())
        {
            final String name = counter.label;
            assertEquals(name.endsWith("Ns"), counter.unit == EndpointCounters.Unit.NANOSECONDS, name);
            assertEquals(name.endsWith("Slots"), counter.unit == EndpointCounters.Unit.SLOTS, name);
            assertEquals(name.startsWith("bytes") || name.endsWith("Bytes"), counter.unit == EndpointCounters.Unit.BYTES, name);
        }
    }

    @Test
    void shouldShowWhatAnEndpointHasSent()
    {
        final UnsafeBuffer message = new UnsafeBuffer(new byte[100]);
        try (Node node = Node.launch(Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, 2, 16));
            Endpoint from = node.open(0); Endpoint to = node.open(1))
        {
            Fixtures.awaitOffer(from, 1, message, message.capacity(), Fixtures.NOTHING, from, to);
            Fixtures.pollUntil("received", Fixtures.NOTHING, () -> to.counters().received() == 1, to);
            assertEquals(1, shown(from.counters()).get("sent"));
            assertEquals("EndpointCounters" + shown(from.counters()), from.counters().toString());
            assertEquals(100, shown(from.counters()).get("bytesSent"));
            assertEquals(100, shown(to.counters()).get("bytesReceived"));
        }
    }
}
