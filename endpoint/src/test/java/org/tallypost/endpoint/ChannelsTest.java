// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.node.Node;

/** Channels: several layers of a program share an endpoint, and each gets its own messages, by the ring and by lanes. */
class ChannelsTest extends LanesFixture
{
    private static final int SLOTS = 128;
    private static final int LANE_SLOTS = 64;

    private final List<String> got = new ArrayList<>();

    private MessageListener to(final String name)
    {
        return (source, tag, buffer, offset, length) -> got.add(name + ":" + tag + ":" + length);
    }

    private void offer(final Endpoint from, final int tag, final int length)
    {
        assertTrue(from.offer(0, tag, message, 0, length) >= 0, "offer");
    }

    private List<String> poll(final Endpoint receiver)
    {
        got.clear();
        Fixtures.pollUntil("messages", to("poll"), () -> receiver.backlogSlots() == 0, receiver);
        return List.copyOf(got);
    }

    @ParameterizedTest
    @CsvSource({"STATIC,true", "STATIC,false", "DYNAMIC,true", "DYNAMIC,false"})
    void shouldDeliverToTheChannelOfATag(final Flow flow, final boolean isLane)
    {
        try (Node node = node(flow, 2, SLOTS, LANE_SLOTS); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            if (isLane)
            {
                useLane(from, receiver);
            }
            else
            {
                Fixtures.awaitOffer(from, 0, message, 8, Fixtures.NOTHING, receiver);
                drain(receiver);
            }
            final Channel seven = receiver.channel(7, to("seven"));
            final Channel last = receiver.channel(Channel.MAX_ID, to("last"));
            offer(from, 5, 1);
            offer(from, seven.tag(3), 2);
            // a negative one
            offer(from, Channel.tag(Channel.MAX_ID, Channel.MAX_TAG), 3);
            offer(from, Channel.tag(9, 1), 4);
            offer(from, last.tag(0), 5);
            final List<String> expected = List.of("poll:5:1", "seven:3:2", "last:" + Channel.MAX_TAG + ":3",
                "poll:" + (9 << 24 | 1) + ":4", "last:0:5");
            assertEquals(expected, poll(receiver));

            final MessageBatch batch = new MessageBatch(2);
            batch.add(seven.tag(1), message, 0, 10);
            batch.add(1, message, 0, 11);
            assertTrue(from.offer(0, batch) >= 0);
            final MessageClaim claim = new MessageClaim();
            assertTrue(from.tryClaim(0, seven.tag(2), 12, claim) >= 0);
            claim.commit();
            assertEquals(List.of("seven:1:10", "poll:1:11", "seven:2:12"), poll(receiver));

            seven.close();
            seven.close();
            offer(from, seven.tag(3), 2);
            offer(from, last.tag(3), 2);
            assertEquals(List.of("poll:" + (7 << 24 | 3) + ":2", "last:3:2"), poll(receiver));
            last.close();
            offer(from, -1, 2);
            assertEquals(List.of("poll:-1:2"), poll(receiver));
            assertBalanced(receiver);
        }
        assertNull(failure.get());
    }

    @Test
    void shouldPutLongMessagesOfAChannelTogether()
    {
        try (Node node = node(Flow.STATIC, 2, SLOTS, LANE_SLOTS); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            receiver.channel(1, to("one"));
            final LongSend send = from.newSend();
            Fixtures.pollUntil("long message", to("poll"), () ->
                (send.isActive() ? send.progress() : send.start(0, Channel.tag(1, 2), message, 0, 4_000)) >= 0, receiver);
            Fixtures.pollUntil("delivery", to("poll"), () -> !got.isEmpty(), receiver);
            assertEquals(List.of("one:2:4000"), got);
        }
    }

    @Test
    void shouldOpenAndCloseChannelsWithinAListener()
    {
        try (Node node = node(Flow.STATIC, 2, SLOTS, LANE_SLOTS); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            Fixtures.awaitOffer(from, 0, message, 8, Fixtures.NOTHING, receiver);
            drain(receiver);
            for (int i = 0; i < 4; i++)
            {
                offer(from, Channel.tag(3, i), i);
            }
            final Channel[] channel = new Channel[1];
            Fixtures.pollUntil("messages", (source, tag, buffer, offset, length) ->
            {
                got.add("poll:" + tag);
                channel[0] = channel[0] != null ? channel[0] : receiver.channel(3, (by, own, in, at, count) ->
                {
                    got.add("own:" + own);
                    if (own == 2)
                    {
                        channel[0].close();
                    }
                });
            }, () -> receiver.backlogSlots() == 0, receiver);
            assertEquals(List.of("poll:" + (3 << 24), "own:1", "own:2", "poll:" + (3 << 24 | 3)), got);
        }
    }

    @Test
    @SuppressWarnings("try")
    void shouldDeliverNothingBehindTheListenerThatClosesTheEndpoint()
    {
        try (Node node = node(Flow.STATIC, 2, SLOTS, LANE_SLOTS); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            Fixtures.awaitOffer(from, 0, message, 8, Fixtures.NOTHING, receiver);
            drain(receiver);
            final Channel channel = receiver.channel(1, (source, tag, buffer, offset, length) ->
            {
                got.add("one:" + tag);
                receiver.close();
            });
            offer(from, channel.tag(1), 1);
            offer(from, channel.tag(2), 1);
            offer(from, 3, 1);
            final MessageListener others = to("poll");
            Fixtures.pollUntil("end", others, receiver::isClosed, receiver);
            assertEquals(List.of("one:1"), got);
            assertEquals(Endpoint.CLOSED, receiver.poll(others, 1));
            channel.close();
            assertEquals(Endpoint.CLOSED, receiver.poll(others, 1));
            assertThrows(IllegalStateException.class, () -> receiver.channel(2, others));
            assertThrows(IllegalStateException.class, () -> receiver.onFragments(null));
        }
    }

    /** A layer that has left a channel hears of it until it is opened again, and cannot end it any more. */
    @Test
    void shouldLetOthersOpenAChannelThatWasLeft()
    {
        try (Node node = node(Flow.DYNAMIC, 2, SLOTS, 0); Endpoint receiver = node.open(0); Endpoint from = node.open(1))
        {
            Fixtures.awaitOffer(from, 0, message, 8, Fixtures.NOTHING, receiver);
            drain(receiver);
            final Channel first = receiver.channel(7, to("first"));
            first.leave();
            first.close();
            offer(from, first.tag(1), 2);
            assertEquals(List.of("first:1:2"), poll(receiver));
            assertThrows(IllegalStateException.class, first::leave);
            try (Channel second = receiver.channel(7, to("second")))
            {
                assertEquals("channel is in use: rank=" + receiver.rank() +
                    ", found=7, expected one that is not open; close it first",
                    assertThrows(IllegalStateException.class, () -> receiver.channel(7, to("third"))).getMessage());
                first.close();
                offer(from, second.tag(3), 4);
                assertEquals(List.of("second:3:4"), poll(receiver));
            }
            offer(from, first.tag(5), 6);
            assertEquals(List.of("poll:" + first.tag(5) + ":6"), poll(receiver));
        }
    }

    @Test
    void shouldRefuseWhatCannotBe() throws InterruptedException
    {
        try (Node node = node(Flow.STATIC, 2, SLOTS, LANE_SLOTS); Endpoint receiver = node.open(0))
        {
            final MessageListener listener = to("own");
            assertThrows(IllegalArgumentException.class, () -> receiver.channel(0, listener));
            assertThrows(IllegalArgumentException.class, () -> receiver.channel(256, listener));
            assertThrows(IllegalArgumentException.class, () -> receiver.channel(1, null));
            final Channel channel = receiver.channel(1, listener);
            assertThrows(IllegalStateException.class, () -> receiver.channel(1, listener));
            assertThrows(IllegalArgumentException.class, () -> channel.tag(-1));
            assertThrows(IllegalArgumentException.class, () -> channel.tag(Channel.MAX_TAG + 1));
            assertThrows(IllegalArgumentException.class, () -> Channel.tag(256, 1));
            assertThrows(IllegalArgumentException.class, () -> Channel.tag(-1, 1));
            receiver.poll(listener, 1);
            final Thread other = guarded("other", () ->
            {
                assertThrows(IllegalStateException.class, () -> receiver.channel(2, listener));
                assertThrows(IllegalStateException.class, channel::close);
                assertThrows(IllegalStateException.class, () -> receiver.onFragments(null));
                assertThrows(IllegalStateException.class, () -> receiver.poll(listener, 1));
            });
            join(other);
            channel.close();
            receiver.channel(1, listener).close();
            // handed over, and with channels again
            receiver.releasePoller();
            final Thread next = guarded("next", () ->
            {
                receiver.channel(1, listener);
                receiver.poll(listener, 1);
                receiver.releasePoller();
            });
            join(next);
            assertEquals(0, receiver.poll(listener, 1));
        }
        assertNull(failure.get());
    }

    /** One thread ends the last channel, another one closes the endpoint: in either order polls say that it is closed. */
    @Test
    void shouldSayThatItIsClosedAlsoIfTheLastChannelEndsMeanwhile() throws Exception
    {
        try (Node node = node(Flow.DYNAMIC, 2, SLOTS, LANE_SLOTS))
        {
            for (int round = 0; round < 200; round++)
            {
                final Endpoint endpoint = node.open(0);
                final Channel channel = endpoint.channel(1, to("one"));
                final CyclicBarrier start = new CyclicBarrier(2);
                final CompletableFuture<Void> closing = CompletableFuture.runAsync(() ->
                {
                    awaitQuietly(start);
                    endpoint.close();
                });
                awaitQuietly(start);
                channel.close();
                closing.get();
                assertEquals(Endpoint.CLOSED, endpoint.poll(to("poll"), 1), "round " + round);
            }
        }
    }

    private static void awaitQuietly(final CyclicBarrier barrier)
    {
        try
        {
            barrier.await();
        }
        catch (final InterruptedException | BrokenBarrierException ex)
        {
            throw new AssertionError(ex);
        }
    }
}
