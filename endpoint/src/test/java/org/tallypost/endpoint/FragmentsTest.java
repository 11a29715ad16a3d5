// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.node.Node;

/** Messages of several runs, handed on run by run: whole, in order, mixed with others, and told if the rest does not come. */
class FragmentsTest extends LanesFixture
{
    private static final int SLOTS = 128;
    private static final int LANE_SLOTS = 64;
    private static final int MESSAGES = 300;
    /** Bytes in the longest run. */
    private static final int MOST = 2_096;

    /** Puts the fragments of each source together, and tells what is whole. */
    private final class Collector implements FragmentListener
    {
        private final UnsafeBuffer[] parts = {null, new UnsafeBuffer(new byte[1 << 16]), new UnsafeBuffer(new byte[1 << 16])};
        private final int[] ends = new int[3];
        private final String name;

        Collector(final String name)
        {
            this.name = name;
        }

        @Override
        public void onFragment(
            final int source, final int number, final int tag, final int totalLength, final int position,
            final DirectBuffer buffer, final int offset, final int length)
        {
            assertEquals(position == 0 ? 0 : ends[source], position, () -> "seed=" + seed);
            assertTrue(length <= MOST && length < totalLength, () -> "length=" + length);
            buffer.getBytes(offset, parts[source], position, length);
            ends[source] = position + length;
            if (ends[source] == totalLength)
            {
                got.add(name + ":" + source + ":" + tag + ":" + totalLength + ":" +
                    Fixtures.isWhole(parts[source], 0, totalLength));
                ends[source] = 0;
            }
        }

        @Override
        public void onLost(final int source, final int number, final int tag, final int totalLength, final int position)
        {
            got.add("lost:" + source + ":" + tag + ":" + totalLength + ":" + (position == ends[source]));
        }
    }

    private final List<String> got = new ArrayList<>();
    private final MessageListener whole = (source, tag, buffer, offset, length) ->
        got.add("whole:" + source + ":" + tag + ":" + length + ":" + Fixtures.isWhole(buffer, offset, length));

    /** Sends a message of any length to the end. */
    private void send(final Endpoint from, final LongSend send, final int tag, final int length, final Endpoint receiver)
    {
        Fixtures.fill(message, 0, length, from.rank(), tag);
        Fixtures.pollUntil("message", whole, () ->
            (send.isActive() ? send.progress() : send.start(0, tag, message, 0, length)) >= 0, receiver, from);
    }

    private void rest(final Endpoint receiver)
    {
        Fixtures.pollUntil("the rest", whole, () -> receiver.backlogSlots() == 0, receiver);
    }

    /** Sends the beginning of a message: what goes without a poll. */
    private void begin(final LongSend send, final int tag, final int length, final Endpoint receiver)
    {
        final UnsafeBuffer large = new UnsafeBuffer(new byte[length]);
        Fixtures.pollUntil("beginning", whole, () -> send.start(0, tag, large, 0, length) == Endpoint.NO_CREDIT, receiver);
        rest(receiver);
    }

    @ParameterizedTest
    @CsvSource({"NONE,DIRECT", "STATIC,DIRECT", "DYNAMIC,DIRECT", "STATIC,PACKET", "DYNAMIC,PACKET"})
    void shouldDeliverLongMessagesRunByRun(final Flow flow, final CreditReturn creditReturn)
    {
        final Random random = new Random(seed);
        try (Node node = Node.launch(Fixtures.context(directory, flow, creditReturn, 3, SLOTS).checkInvariants(true));
            Endpoint receiver = node.open(0); Endpoint one = node.open(1); Endpoint two = node.open(2))
        {
            receiver.onFragments(new Collector("rest"));
            receiver.channel(4, whole);
            receiver.channel(5, whole, new Collector("five"));
            final LongSend[] sends = {one.newSend(), two.newSend()};
            final Endpoint[] from = {one, two};
            long bytes = 0;
            for (int i = 0; i < MESSAGES; i++)
            {
                final int by = random.nextInt(2);
                final int length = Fixtures.MIN_LENGTH + random.nextInt(message.capacity() - Fixtures.MIN_LENGTH);
                final int channel = new int[]{0, 4, 5}[i % 3];
                bytes += length;
                got.clear();
                send(from[by], sends[by], Channel.tag(channel, i), length, receiver);
                Fixtures.pollUntil("delivery", whole, () -> !got.isEmpty(), receiver, one, two);
                // credits may be too few for one run
                final boolean isWhole = channel == 4 || got.get(0).startsWith("whole");
                assertTrue(!isWhole || channel == 4 || length <= MOST, () -> "in one run: " + got);
                assertEquals(List.of((isWhole ? "whole:" : channel == 0 ? "rest:" : "five:") + (by + 1) + ":" + i + ":" +
                    length + ":true"), got, () -> "seed=" + seed);
            }
            assertEquals(MESSAGES, receiver.counters().received());
            assertEquals(bytes, receiver.counters().bytesReceived());
            assertEquals(0, receiver.counters().refused());
            if (creditReturn == CreditReturn.DIRECT && flow != Flow.NONE)
            {
                assertBalanced(receiver);
            }
        }
    }

    @Test
    void shouldTellThatTheRestDoesNotCome()
    {
        try (Node node = node(Flow.STATIC, 3, SLOTS, LANE_SLOTS); Endpoint receiver = node.open(0); Endpoint one = node.open(1))
        {
            receiver.onFragments(new Collector("rest"));
            final LongSend send = one.newSend();
            begin(send, 1, 30_000, receiver);
            assertEquals(List.of(), got);
            send.abort();
            send(one, send, 2, 3_000, receiver);
            rest(receiver);
            assertEquals(List.of("lost:1:1:30000:true", "rest:1:2:3000:true"), got);
            got.clear();
            try (Endpoint two = node.open(2))
            {
                begin(two.newSend(), 3, 20_000, receiver);
            }
            Fixtures.pollUntil("news", whole, () -> !got.isEmpty(), receiver);
            assertEquals(List.of("lost:2:3:20000:true"), got);
            assertEquals(0, receiver.counters().refused());
        }
    }

    @Test
    void shouldChangeListenersBetweenMessages()
    {
        try (Node node = node(Flow.STATIC, 2, SLOTS, LANE_SLOTS); Endpoint receiver = node.open(0); Endpoint one = node.open(1))
        {
            final LongSend send = one.newSend();
            final UnsafeBuffer large = new UnsafeBuffer(new byte[20_000]);
            Fixtures.fill(large, 0, 20_000, 1, 1);
            // what has begun to be put together, or to be handed on, stays so
            Fixtures.pollUntil("beginning", whole, () -> send.start(0, 1, large, 0, 20_000) == Endpoint.NO_CREDIT, receiver);
            rest(receiver);
            receiver.onFragments(new Collector("rest"));
            Fixtures.pollUntil("end", whole, () -> send.progress() >= 0, receiver);
            rest(receiver);
            assertEquals(List.of("whole:1:1:20000:true"), got);
            got.clear();
            Fixtures.pollUntil("beginning", whole, () -> send.start(0, 2, large, 0, 20_000) == Endpoint.NO_CREDIT, receiver);
            rest(receiver);
            receiver.onFragments(null);
            Fixtures.pollUntil("end", whole, () -> send.progress() >= 0, receiver);
            rest(receiver);
            assertEquals(List.of("rest:1:2:20000:true"), got);
            got.clear();
            send(one, send, 3, 3_000, receiver);
            rest(receiver);
            assertEquals(List.of("whole:1:3:3000:true"), got);
            assertBalanced(receiver);
        }
    }

    @Test
    @SuppressWarnings("try")
    void shouldGoOnBehindAListenerThatThrowsAndStopBehindOneThatCloses()
    {
        final AtomicReference<Throwable> told = new AtomicReference<>();
        try (Node node = Node.launch(new NodeContext().directory(new File(directory.toFile(), "node")).rankCount(2)
            .slotsPerSender(SLOTS).errorHandler(told::set));
            Endpoint receiver = node.open(0); Endpoint one = node.open(1))
        {
            final int[] calls = new int[1];
            receiver.onFragments((source, number, tag, totalLength, position, buffer, offset, length) ->
            {
                if (calls[0]++ == 0)
                {
                    throw new IllegalStateException("fragment");
                }
                receiver.close();
            });
            final LongSend send = one.newSend();
            Fixtures.pollUntil("message", whole, () -> receiver.isClosed() ||
                (send.isActive() ? send.progress() : send.start(0, 1, message, 0, 4_096)) >= 0, receiver);
            Fixtures.pollUntil("end", whole, receiver::isClosed, receiver);
            assertEquals(2, calls[0]);
            assertEquals("fragment", told.get().getMessage());
        }
        assertNull(failure.get());
    }
}
