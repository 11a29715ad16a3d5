// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.node.Node;

/** Long messages, and what goes between their runs: short messages, and runs of other long ones. */
class LongMessagesTest extends LanesFixture
{
    private static final int SLOTS = 128;
    private static final int LENGTH = 100_000;
    private static final int SHORT_TAG = -1;

    private final List<Integer> longTags = new ArrayList<>();
    private int shorts;

    private void onMessage(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        if (tag == SHORT_TAG)
        {
            assertEquals(shorts++, buffer.getInt(offset), "order of short messages");
        }
        else
        {
            assertEquals(tag, Fixtures.sequence(buffer, offset));
            assertTrue(Fixtures.isWhole(buffer, offset, length), () -> "bytes of " + tag);
            longTags.add(tag);
        }
    }

    private static UnsafeBuffer filled(final int length, final int tag)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[length]);
        Fixtures.fill(buffer, 0, length, 1, tag);
        return buffer;
    }

    /** Sends short messages until one is refused. */
    private int offerShort(final Endpoint from, final int sent, final int most)
    {
        int now = sent;
        long result = 0;
        while (result >= 0 && now < most)
        {
            message.putInt(0, now);
            result = from.offer(0, SHORT_TAG, message, 0, 24);
            assertTrue(result >= 0 || result == Endpoint.NO_CREDIT, () -> "refused for another reason");
            now += result >= 0 ? 1 : 0;
        }
        return now;
    }

    @ParameterizedTest
    @CsvSource({
        "NONE,DIRECT,false", "STATIC,DIRECT,false", "DYNAMIC,DIRECT,false", "DYNAMIC,PACKET,false", "DYNAMIC,DIRECT,true"})
    void shouldSendShortMessagesBetweenTheRunsOfALongOne(
        final Flow flow, final CreditReturn creditReturn, final boolean isLongFirst)
    {
        final int count = isLongFirst ? 200 : 10_000;
        final UnsafeBuffer large = filled(Endpoint.MAX_MESSAGE_LENGTH, 1);
        try (Node node = Node.launch(Fixtures.context(directory, flow, creditReturn, 2, SLOTS).checkInvariants(true));
            Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            final LongSend send = from.newSend();
            final long[] result = {Endpoint.NO_CREDIT};
            final int[] sent = new int[1];
            Fixtures.pollUntil("beginning", this::onMessage, () ->
                send.start(0, 1, large, 0, large.capacity()) == Endpoint.NO_CREDIT, receiver, from);
            Fixtures.pollUntil("short messages", this::onMessage, () ->
            {
                if (isLongFirst)
                {
                    // takes all credits, if it does not leave some
                    assertEquals(Endpoint.NO_CREDIT, send.progress(), "it should be under way for longer");
                    sent[0] = offerShort(from, sent[0], Math.min(count, sent[0] + 1));
                }
                else
                {
                    sent[0] = offerShort(from, sent[0], Math.min(count, sent[0] + 16));
                    assertEquals(Endpoint.NO_CREDIT, send.progress(), "it should be under way for longer");
                }
                return shorts == count;
            }, receiver, from);
            assertEquals(List.of(), longTags);
            Fixtures.pollUntil("the long message", this::onMessage, () ->
            {
                result[0] = send.isActive() ? send.progress() : result[0];
                return !longTags.isEmpty();
            }, receiver, from);
            assertTrue(result[0] >= 0);
            assertEquals(count, shorts);
            assertEquals(0, receiver.counters().refused());
            if (creditReturn == CreditReturn.DIRECT && flow != Flow.NONE)
            {
                assertBalanced(receiver);
            }
        }
    }

    /** Notes fragments by message, each of which must follow the one before. */
    private final class Collector implements FragmentListener
    {
        private final TreeMap<Integer, UnsafeBuffer> open = new TreeMap<>();
        private final List<Integer> lost = new ArrayList<>();
        private final int[] positions = new int[LongSend.MAX_OPEN];
        private int mostOpen;

        @Override
        public void onFragment(
            final int source, final int number, final int tag, final int totalLength, final int position,
            final DirectBuffer buffer, final int offset, final int length)
        {
            if (position == 0)
            {
                assertFalse(open.containsKey(number), () -> "number of two: " + number);
                open.put(number, new UnsafeBuffer(new byte[totalLength]));
                positions[number] = 0;
            }
            mostOpen = Math.max(mostOpen, open.size());
            assertEquals(positions[number], position);
            open.get(number).putBytes(position, buffer, offset, length);
            positions[number] = position + length;
            if (position + length == totalLength)
            {
                onMessage(source, tag, open.remove(number), 0, totalLength);
            }
        }

        @Override
        public void onLost(final int source, final int number, final int tag, final int totalLength, final int position)
        {
            assertEquals(positions[number], position);
            open.remove(number);
            lost.add(tag);
        }
    }

    private static LongSend[] handles(final Endpoint from, final int count)
    {
        final LongSend[] sends = new LongSend[count];
        Arrays.setAll(sends, (i) -> from.newSend());
        return sends;
    }

    /** Carries all on, another one first each time. */
    private static void goOn(final LongSend[] sends, final int turn)
    {
        for (int i = 0; i < sends.length; i++)
        {
            final LongSend send = sends[(i + turn) % sends.length];
            if (send.isActive())
            {
                final long result = send.progress();
                assertTrue(result >= 0 || result == Endpoint.NO_CREDIT, () -> Endpoint.errorString(result));
            }
        }
    }

    private void begin(final LongSend[] sends, final Endpoint receiver, final Endpoint from)
    {
        for (int i = 0; i < sends.length; i++)
        {
            final LongSend send = sends[i];
            final UnsafeBuffer bytes = filled(LENGTH + i, i);
            Fixtures.pollUntil("beginning", this::onMessage, () ->
                send.start(0, bytes.getInt(8), bytes, 0, bytes.capacity()) == Endpoint.NO_CREDIT, receiver, from);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "NONE,DIRECT,false,3", "STATIC,DIRECT,false,3", "DYNAMIC,DIRECT,false,12", "STATIC,PACKET,false,12",
        "DYNAMIC,PACKET,true,3", "STATIC,DIRECT,true,12"})
    void shouldMixTheRunsOfSeveralMessages(
        final Flow flow, final CreditReturn creditReturn, final boolean isByFragments, final int count)
    {
        try (Node node = Node.launch(Fixtures.context(directory, flow, creditReturn, 2, SLOTS).checkInvariants(true));
            Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            final Collector collector = new Collector();
            if (isByFragments)
            {
                receiver.onFragments(collector);
            }
            final LongSend[] sends = handles(from, count);
            begin(sends, receiver, from);
            final int[] turn = new int[1];
            Fixtures.pollUntil("all", this::onMessage, () ->
            {
                goOn(sends, turn[0]++);
                return longTags.size() == count;
            }, receiver, from);
            assertEquals(count, longTags.stream().distinct().count());
            assertEquals(0, receiver.counters().refused());
            assertEquals(count, receiver.counters().received());
            assertEquals(isByFragments ? Math.min(count, LongSend.MAX_OPEN) : 0, collector.mostOpen);
            assertEquals(List.of(), collector.lost);
        }
    }

    @Test
    void shouldLeaveMessagesInAControlledPoll()
    {
        try (Node node = node(Flow.STATIC, 2, SLOTS, 64); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            final LongSend[] sends = handles(from, 3);
            begin(sends, receiver, from);
            final int[] turn = new int[1];
            final int[] left = new int[1];
            Fixtures.pollUntil("all", Fixtures.NOTHING, () ->
            {
                goOn(sends, turn[0]++);
                receiver.controlledPoll((source, tag, buffer, offset, length) ->
                {
                    if (left[0]++ % 3 < 2)
                    {
                        return ControlledMessageListener.Action.ABORT;
                    }
                    onMessage(source, tag, buffer, offset, length);
                    return ControlledMessageListener.Action.CONTINUE;
                }, 10);
                return longTags.size() == 3;
            }, from);
            assertEquals(9, left[0]);
            assertBalanced(receiver);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldDropAllThatASenderHasBegunWhenItIsGone(final boolean isByFragments)
    {
        try (Node node = node(Flow.STATIC, 3, SLOTS, 64); Endpoint receiver = node.open(0); Endpoint other = node.open(2))
        {
            final Collector collector = new Collector();
            if (isByFragments)
            {
                receiver.onFragments(collector);
            }
            final Endpoint from = node.open(1);
            final LongSend[] sends = handles(from, 3);
            begin(sends, receiver, from);
            final int[] turn = new int[1];
            Fixtures.pollUntil("three under way", this::onMessage, () ->
            {
                goOn(sends, turn[0]);
                return ++turn[0] == 10;
            }, receiver, from);
            from.close();
            Fixtures.pollUntil("losses", this::onMessage, () -> !isByFragments || collector.lost.size() == 3, receiver);
            assertEquals(0, collector.open.size());
            assertEquals(List.of(), longTags);
            // the next incarnation begins anew
            try (Endpoint again = node.open(1))
            {
                final LongSend[] next = handles(again, 2);
                Fixtures.awaitOffer(again, 0, filled(24, 1), 24, Fixtures.NOTHING, receiver);
                begin(next, receiver, again);
                Fixtures.pollUntil("two", this::onMessage, () ->
                {
                    goOn(next, turn[0]++);
                    return longTags.size() == 2;
                }, receiver, again);
                assertEquals(0, receiver.counters().refused());
                assertFalse(other.isClosed());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldUseTheNumberOfOneThatWasGivenUp(final boolean isByFragments)
    {
        try (Node node = node(Flow.STATIC, 2, SLOTS, 64); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            final Collector collector = new Collector();
            if (isByFragments)
            {
                receiver.onFragments(collector);
            }
            final LongSend[] sends = handles(from, 3);
            final int[] turn = new int[1];
            for (int round = 1; round <= 20; round++)
            {
                final int end = 2 * round;
                begin(sends, receiver, from);
                Fixtures.pollUntil("three under way", this::onMessage, () ->
                {
                    goOn(sends, turn[0]);
                    return ++turn[0] % 10 == 0;
                }, receiver, from);
                sends[round % 3].abort();
                Fixtures.pollUntil("two", this::onMessage, () ->
                {
                    goOn(sends, turn[0]++);
                    return longTags.size() == end;
                }, receiver, from);
            }
            // the last one that was given up is still kept, and one of which nothing was out is not lost
            assertTrue(isByFragments ? collector.lost.size() > 0 && collector.lost.size() <= 19 : collector.lost.isEmpty(),
                collector.lost::toString);
            assertBalanced(receiver);
        }
    }

    /** What is done to runs that lie in the ring: number of the run from 0, offset in it, xor. */
    @ParameterizedTest
    @CsvSource({
        "0, 12, 8", "0, 12, 255", "0, 12, 512", "0, 12, -2147483648", "0, 8, -1", "0, 8, 16777216",
        "1, 0, 16777216", "1, 0, 134217728", "1, 0, -16777216", "1, 0, 1", "1, 0, 8388608"})
    void shouldRefuseRunsThatCannotBe(final int run, final int offset, final int harm)
    {
        try (Node node = node(Flow.STATIC, 2, SLOTS, 64); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            final LongSend[] sends = handles(from, 2);
            begin(sends, receiver, from);
            final int[] turn = new int[1];
            Fixtures.pollUntil("two", this::onMessage, () ->
            {
                goOn(sends, turn[0]++);
                return longTags.size() == 2;
            }, receiver, from);
            drain(receiver);
            longTags.clear();
            final UnsafeBuffer bytes = filled(20_000, 7);
            assertEquals(Endpoint.NO_CREDIT, sends[0].start(0, 7, bytes, 0, 20_000));
            final Mailbox mailbox = local(receiver).mailbox();
            final int at = mailbox.payloadOffset(mailbox.readPosition() + run * PacketDescriptor.RUN_SLOTS) + offset;
            mailbox.buffer().putInt(at, mailbox.buffer().getInt(at) ^ harm);
            Fixtures.pollUntil("the end of the damaged one", this::onMessage, () ->
            {
                goOn(sends, turn[0]++);
                return !sends[0].isActive();
            }, receiver, from);
            drain(receiver);
            assertEquals(List.of(), longTags);
            assertTrue(receiver.counters().refused() > 0);
            begin(sends, receiver, from);
            Fixtures.pollUntil("two more", this::onMessage, () ->
            {
                goOn(sends, turn[0]++);
                return longTags.size() == 2;
            }, receiver, from);
            Fixtures.pollUntil("balance", Fixtures.NOTHING, () -> Fixtures.isBalanced(receiver), receiver);
        }
    }

    @Test
    void shouldRefuseAMessageOfANumberThatIsUnderWay()
    {
        try (Node node = node(Flow.STATIC, 2, SLOTS, 64); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            final LongSend[] sends = handles(from, 1);
            begin(sends, receiver, from);
            drain(receiver);
            final LongSend second = from.newSend();
            final UnsafeBuffer bytes = filled(20_000, 7);
            Fixtures.pollUntil("beginning", this::onMessage, () ->
            {
                final boolean isCredited = local(receiver).mailbox().writePosition() == local(receiver).mailbox().readPosition();
                return isCredited && second.start(0, 7, bytes, 0, 20_000) == Endpoint.NO_CREDIT;
            }, receiver);
            final Mailbox mailbox = local(receiver).mailbox();
            final int at = mailbox.payloadOffset(mailbox.readPosition()) + PacketDescriptor.NUMBER_OFFSET;
            assertEquals(1, mailbox.buffer().getInt(at));
            mailbox.buffer().putInt(at, 0);
            drain(receiver);
            second.abort();
            Fixtures.pollUntil("the first one", this::onMessage, () ->
            {
                goOn(sends, 0);
                return longTags.size() == 1;
            }, receiver, from);
            assertEquals(List.of(0), longTags);
            assertTrue(receiver.counters().refused() > 0);
        }
    }
}
