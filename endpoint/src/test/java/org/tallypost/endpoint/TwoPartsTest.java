// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.endpoint.internal.send.LaneSender;
import org.tallypost.node.Node;

/** Messages of two parts arrive as one, by the ring and by a lane, in order with all others. */
class TwoPartsTest extends LanesFixture
{
    private static final int MESSAGES = 20_000;
    private static final int LONGEST = Endpoint.MAX_RUN_LENGTH;

    private final UnsafeBuffer head = new UnsafeBuffer(new byte[LONGEST + 16]);
    private final UnsafeBuffer body = new UnsafeBuffer(ByteBuffer.allocateDirect(3 * LONGEST));
    private int next;

    /** Each message has its number as its tag, and its bytes follow from that. */
    private void onMessage(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        assertEquals(next++, tag);
        for (int i = 0; i < length; i++)
        {
            assertEquals((byte)(tag + i), buffer.getByte(offset + i), "message " + tag + ", byte " + i + " of " + length);
        }
    }

    private void fill(final int number, final int headOffset, final int headLength, final int bodyOffset, final int bodyLength)
    {
        for (int i = 0; i < headLength; i++)
        {
            head.putByte(headOffset + i, (byte)(number + i));
        }
        for (int i = 0; i < bodyLength; i++)
        {
            body.putByte(bodyOffset + i, (byte)(number + headLength + i));
        }
    }

    private long send(
        final Endpoint from, final int way, final int number, final int headLength, final int length, final LongSend send)
    {
        if (send.isActive())
        {
            return send.progress();
        }
        fill(number, 3, headLength, 5, length - headLength);
        switch (way)
        {
            case 0:
                fill(number, 3, 0, 5, length);
                for (int i = 0; i < length; i++)
                {
                    body.putByte(5 + i, (byte)(number + i));
                }
                return from.offer(0, number, body, 5, length);
            case 1:
                return send.start(0, number, head, 3, headLength, body, 5, length - headLength);
            default:
                return from.offer(0, number, head, 3, headLength, body, 5, length - headLength);
        }
    }

    private void sendAndCheck(final Endpoint from, final Endpoint to, final Random random)
    {
        final LongSend send = from.newSend();
        long position = -1;
        final long sentBefore = from.counters().sent();
        final long bytesBefore = from.counters().bytesSent();
        long bytes = 0;
        for (int number = 0; number < MESSAGES; number++)
        {
            final int longest = random.nextInt(8) == 0 ? LONGEST : 80;
            final int length = random.nextInt(longest + 1);
            final int headLength = random.nextInt(length + 1);
            final int way = random.nextInt(8);
            final int now = number;
            final long[] result = {-1};
            Fixtures.pollUntil("message " + number + ", seed=" + seed, this::onMessage, () ->
            {
                result[0] = send(from, way, now, headLength, length, send);
                assertTrue(result[0] >= 0 || result[0] == Endpoint.NO_CREDIT || result[0] == Endpoint.NOT_CONNECTED,
                    () -> Endpoint.errorString(result[0]));
                return result[0] >= 0;
            }, to, from);
            assertTrue(result[0] > position, "positions grow: " + position + ", " + result[0]);
            position = result[0];
            bytes += length;
        }
        Fixtures.pollUntil("all", this::onMessage, () -> next == MESSAGES, to, from);
        assertEquals(MESSAGES, from.counters().sent() - sentBefore);
        assertEquals(bytes, from.counters().bytesSent() - bytesBefore);
        assertEquals(0, to.counters().refused());
    }

    @ParameterizedTest
    @CsvSource({
        "NONE,DIRECT,4", "STATIC,DIRECT,4", "DYNAMIC,DIRECT,4", "DYNAMIC,DIRECT,0", "STATIC,PACKET,0", "DYNAMIC,PACKET,0"})
    void shouldArriveInOrderWithMessagesOfOnePart(final Flow flow, final CreditReturn creditReturn, final int lanes)
    {
        try (Node node = Node.launch(Fixtures.context(directory, flow, creditReturn, 2, 128).expressLanes(lanes)
            .checkInvariants(true)))
        {
            final Endpoint to = node.open(0);
            final Endpoint from = node.open(1);
            sendAndCheck(from, to, new Random(seed));
        }
    }

    @Test
    void shouldGoByALane()
    {
        try (Node node = node(Flow.DYNAMIC, 2, 128, 64))
        {
            final Endpoint to = node.open(0);
            final Endpoint from = node.open(1);
            final LaneSender lane = useLane(from, to);
            final int[] lengths = {0, 1, 7, 8, 15, 16, 40, 56, 57, 64, 200, 1_024, 1_500};
            for (final int length : lengths)
            {
                for (final int headLength : new int[] {0, 1, length / 2, length})
                {
                    final int ofHead = Math.min(headLength, length);
                    final long before = lane.sentSlots();
                    fill(next, 0, ofHead, 0, length - ofHead);
                    assertTrue(from.offer(0, next, head, 0, ofHead, body, 0, length - ofHead) >= 0, "length=" + length);
                    final int most = length <= 56 ? 1 : Endpoint.slots(length);
                    assertTrue(lane.sentSlots() - before <= most && (most == 1 || lane.sentSlots() > before),
                        "slots of " + length + " bytes: " + (lane.sentSlots() - before));
                    final int end = next + 1;
                    Fixtures.pollUntil("arrival", this::onMessage, () -> next == end, to);
                }
            }
            drain(to);
            assertBalanced(to);
        }
    }

    /** Memory that is gone, as far as the copying can tell: what was begun in a lane and in a ring is passed over. */
    @ParameterizedTest
    @CsvSource({"4,40", "4,1000", "0,40", "0,1000"})
    void shouldLeaveNothingBehindIfABufferThrows(final int lanes, final int length)
    {
        try (Node node = Node.launch(Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, 2, 128).expressLanes(lanes)
            .checkInvariants(true)))
        {
            final Endpoint to = node.open(0);
            final Endpoint from = node.open(1);
            Fixtures.awaitOffer(from, 0, message, 8, Fixtures.NOTHING, to);
            if (lanes > 0)
            {
                useLane(from, to);
            }
            drain(to);
            final UnsafeBuffer broken = new UnsafeBuffer(new byte[length])
            {
                @Override
                public byte[] byteArray()
                {
                    throw new IllegalStateException("no memory");
                }
            };
            for (int i = 0; i < 50; i++)
            {
                assertThrows(IllegalStateException.class, () -> from.offer(0, 1, head, 0, 8, broken, 0, length - 8));
                fill(next, 0, 20, 0, length);
                Fixtures.pollUntil("message", this::onMessage,
                    () -> from.offer(0, next, head, 0, 20, body, 0, length) >= 0, to);
                final int end = i + 1;
                Fixtures.pollUntil("arrival", this::onMessage, () -> next == end, to);
            }
            drain(to);
            assertBalanced(to);
        }
    }

    @Test
    void shouldSendALongMessageOfTwoParts()
    {
        try (Node node = Node.launch(Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, 2, 64)))
        {
            final Endpoint to = node.open(0);
            final Endpoint from = node.open(1);
            final LongSend send = from.newSend();
            final int[] headLengths = {0, 1, 16, 1_999, LONGEST};
            for (final int headLength : headLengths)
            {
                final int number = next;
                fill(number, 1, headLength, 2, 3 * LONGEST - 100);
                Fixtures.pollUntil("long message", this::onMessage, () ->
                {
                    final long result = send.isActive() ? send.progress() :
                        send.start(0, number, head, 1, headLength, body, 2, 3 * LONGEST - 100);
                    assertEquals(send.isActive(), result == Endpoint.NO_CREDIT);
                    return result >= 0;
                }, to, from);
                Fixtures.pollUntil("the rest", this::onMessage, () -> next == number + 1, to, from);
            }
        }
    }

    @Test
    void shouldReturnAndThrowAsAnOfferDoes()
    {
        try (Node node = Node.launch(Fixtures.context(directory, Flow.STATIC, CreditReturn.DIRECT, 3, 8).expressLanes(0)))
        {
            final Endpoint to = node.open(0);
            final Endpoint from = node.open(1);
            assertEquals(Endpoint.NOT_CONNECTED, from.offer(2, 1, head, 0, 8, body, 0, 8));
            assertEquals(Endpoint.TOO_LONG, from.offer(2, 1, head, 0, 8, body, 0, LONGEST));
            assertThrows(IllegalArgumentException.class, () -> from.offer(3, 1, head, 0, 8, body, 0, 8));
            assertThrows(IllegalArgumentException.class, () -> from.offer(-1, 1, head, 0, 8, body, 0, LONGEST));
            assertThrows(IndexOutOfBoundsException.class, () -> from.offer(0, 1, head, head.capacity() - 7, 8, body, 0, 8));
            assertThrows(IndexOutOfBoundsException.class, () -> from.offer(0, 1, head, 0, 8, body, -1, 8));
            assertThrows(IndexOutOfBoundsException.class, () -> from.offer(0, 1, head, 0, -1, body, 0, 8));
            assertThrows(IndexOutOfBoundsException.class,
                () -> from.newSend().start(0, 1, head, 0, 8, body, 0, body.capacity() + 1));
            Fixtures.awaitOffer(from, 0, message, 8, Fixtures.NOTHING, to);
            drain(to);
            assertEquals(Endpoint.TOO_LONG, from.offer(0, 1, head, 0, 200, body, 0, 300), "nine slots never fit");
            final LongSend send = from.newSend();
            assertEquals(Endpoint.NO_CREDIT, send.start(0, 1, body, 0, LONGEST));
            assertEquals(Endpoint.NO_CREDIT, from.offer(0, 1, head, 0, 8, body, 0, 8), "it has taken all credits");
            assertThrows(IllegalStateException.class, () -> send.start(0, 1, head, 0, 8, body, 0, 8));
            send.abort();
            drain(to);
            long result = 0;
            while (result >= 0)
            {
                result = from.offer(0, 1, head, 0, 8, body, 0, 8);
            }
            assertEquals(Endpoint.NO_CREDIT, result);
            to.close();
            assertEquals(Endpoint.PEER_GONE, from.offer(0, 1, head, 0, 8, body, 0, 8));
            from.close();
            assertEquals(Endpoint.CLOSED, from.offer(0, 1, head, 0, 8, body, 0, 8));
            assertFalse(send.isActive());
        }
    }
}
