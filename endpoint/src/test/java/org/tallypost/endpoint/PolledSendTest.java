// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

/** Long messages that polls carry on, and the listeners that learn how they end. */
class PolledSendTest
{
    private static final int LONG_LENGTH = 20_000;

    @TempDir
    private Path directory;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LONG_LENGTH]);
    private final List<Integer> arrived = new ArrayList<>();
    private final List<Long> results = new ArrayList<>();
    private int told;

    private NodeContext context(final Flow flow, final CreditReturn creditReturn, final int ranks)
    {
        return Fixtures.context(directory, flow, creditReturn, ranks, 16).checkInvariants(true);
    }

    private void onMessage(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        assertEquals(LONG_LENGTH, length);
        arrived.add(tag);
    }

    private static void connect(final Endpoint from, final Endpoint... all)
    {
        final UnsafeBuffer hello = new UnsafeBuffer(new byte[8]);
        for (final Endpoint to : all)
        {
            Fixtures.awaitOffer(from, to.rank(), hello, 8, Fixtures.NOTHING, to, from);
            Fixtures.pollUntil("hello", Fixtures.NOTHING, () -> to.backlogSlots() == 0, to, from);
        }
    }

    /** None takes all credits until it is through, and none takes those that another one has left to a short message. */
    @ParameterizedTest
    @CsvSource({"STATIC,DIRECT,1", "DYNAMIC,DIRECT,1", "STATIC,DIRECT,600", "DYNAMIC,DIRECT,100", "DYNAMIC,PACKET,8"})
    void shouldGiveEachMessageItsTurn(final Flow flow, final CreditReturn creditReturn, final int shortLength)
    {
        final int count = 4;
        final UnsafeBuffer longOne = new UnsafeBuffer(new byte[1_000_000]);
        final MessageListener shortOnes = (source, tag, buffer, offset, length) -> arrived.add(length);
        final Set<Integer> begun = new HashSet<>();
        try (Node node = Node.launch(context(flow, creditReturn, 2)); Endpoint from = node.open(0); Endpoint to = node.open(1))
        {
            connect(from, to);
            to.onFragments((source, number, tag, total, position, buffer, offset, length) ->
            {
                begun.add(tag);
                told += position + length == total ? 1 : 0;
            });
            for (int i = 0; i < count; i++)
            {
                from.newSend((send, result) -> results.add(result)).start(1, i, longOne, 0, longOne.capacity());
            }
            Fixtures.pollUntil("fragments of each", Fixtures.NOTHING, () -> begun.size() == count, from, to);
            assertEquals(0, told, "none is through");
            for (int i = 1; i <= 20; i++)
            {
                final int expected = i;
                Fixtures.awaitOffer(from, 1, message, shortLength, shortOnes, from, to);
                Fixtures.pollUntil("a short one", shortOnes, () -> arrived.size() == expected, from, to);
            }
            assertEquals(0, told, "short ones go by");
            Fixtures.pollUntil("all", Fixtures.NOTHING, () -> told == count && results.size() == count, from, to);
        }
    }

    /** Bytes that may be unread, and slots: one run of 33 always goes. */
    @ParameterizedTest
    @CsvSource({"NONE,4096,64", "STATIC,4096,64", "DYNAMIC,4224,66", "DYNAMIC,0,33"})
    void shouldLeaveNoMoreUnreadThanTheListenerSays(final Flow flow, final int bytes, final int most)
    {
        final UnsafeBuffer longOne = new UnsafeBuffer(new byte[100_000]);
        try (Node node = Node.launch(Fixtures.context(directory, flow, CreditReturn.DIRECT, 2, 256).checkInvariants(true));
            Endpoint from = node.open(0); Endpoint to = node.open(1))
        {
            connect(from, to);
            to.onFragments((source, number, tag, total, position, buffer, offset, length) ->
                told += position + length == total ? 1 : 0);
            assertEquals(Endpoint.NO_CREDIT, from.newSend(new SendListener()
            {
                @Override
                public void onSendEnd(final LongSend send, final long result)
                {
                    results.add(result);
                }

                @Override
                public int mostUnread(final int sent)
                {
                    return bytes;
                }
            }).start(1, 0, longOne, 0, longOne.capacity()));
            Fixtures.pollUntil("the message", Fixtures.NOTHING, () ->
            {
                for (int i = 0; i < 4; i++)
                {
                    from.poll(Fixtures.NOTHING, 1);
                    assertTrue(to.backlogSlots() <= most, () -> "found " + to.backlogSlots() + " slots");
                }
                return told == 1 && results.size() == 1;
            }, to);
            assertTrue(results.get(0) >= 0, results::toString);
        }
    }

    @ParameterizedTest
    @CsvSource({"NONE,DIRECT", "STATIC,DIRECT", "DYNAMIC,DIRECT", "STATIC,PACKET", "DYNAMIC,PACKET"})
    void shouldCarryMessagesOnToAllReceivers(final Flow flow, final CreditReturn creditReturn)
    {
        try (Node node = Node.launch(context(flow, creditReturn, 4)); Endpoint from = node.open(0))
        {
            final Endpoint[] to = {node.open(1), node.open(2), node.open(3)};
            connect(from, to);
            final Thread self = Thread.currentThread();
            final LongSend[] handles = new LongSend[9];
            final int[] atOnce = new int[1];
            for (int i = 0; i < handles.length; i++)
            {
                handles[i] = from.newSend((send, result) ->
                {
                    assertSame(self, Thread.currentThread());
                    assertFalse(send.isActive());
                    results.add(result);
                });
            }
            for (int round = 1; round <= 20; round++)
            {
                for (int i = 0; i < handles.length; i++)
                {
                    atOnce[0] += handles[i].start(1 + i % 3, i, message, 0, LONG_LENGTH) >= 0 ? 1 : 0;
                }
                final int end = round * handles.length;
                Fixtures.pollUntil("messages", this::onMessage, () -> arrived.size() == end &&
                    results.size() + atOnce[0] == end, from, to[0], to[1], to[2]);
                assertEquals(handles.length, Set.copyOf(arrived.subList(end - handles.length, end)).size(), "each once");
            }
            assertTrue(results.stream().allMatch((result) -> result >= 0), results::toString);
            assertTrue(results.size() > 0);
        }
    }

    @Test
    void shouldCarryMessagesOnInControlledPollsAndBesideChannels()
    {
        try (Node node = Node.launch(context(Flow.DYNAMIC, CreditReturn.DIRECT, 2)); Endpoint from = node.open(0))
        {
            final Endpoint to = node.open(1);
            connect(from, to);
            final LongSend send = from.newSend((handle, result) -> results.add(result));
            for (int round = 0; round < 4; round++)
            {
                final boolean isControlled = (round & 1) == 0;
                final Channel channel = round < 2 ? null : from.channel(7, this::onMessage);
                arrived.clear();
                results.clear();
                assertEquals(Endpoint.NO_CREDIT, send.start(1, round, message, 0, LONG_LENGTH));
                Fixtures.pollUntil("the message", this::onMessage, () ->
                {
                    if (isControlled)
                    {
                        from.controlledPoll((source, tag, buffer, offset, length) ->
                            ControlledMessageListener.Action.CONTINUE, 10);
                    }
                    else
                    {
                        from.poll(this::onMessage, 10);
                    }
                    return !arrived.isEmpty() && !results.isEmpty();
                }, to);
                assertEquals(List.of(round), arrived);
                assertTrue(results.get(0) >= 0, results::toString);
                assertFalse(send.isActive());
                if (channel != null)
                {
                    channel.close();
                }
            }
        }
    }

    @Test
    void shouldTellOfAReceiverThatIsGone()
    {
        try (Node node = Node.launch(context(Flow.DYNAMIC, CreditReturn.DIRECT, 2)); Endpoint from = node.open(0))
        {
            final Endpoint to = node.open(1);
            connect(from, to);
            final LongSend send = from.newSend((handle, result) -> results.add(result));
            assertEquals(Endpoint.NO_CREDIT, send.start(1, 1, message, 0, LONG_LENGTH));
            assertEquals(0, from.poll(this::onMessage, 10));
            assertTrue(send.isActive());
            to.close();
            Fixtures.pollUntil("the end", this::onMessage, () -> !results.isEmpty(), from);
            assertEquals(List.of(Endpoint.PEER_GONE), results);
            assertFalse(send.isActive());
        }
    }

    @Test
    void shouldTellOfTheOwnEnd()
    {
        try (Node node = Node.launch(context(Flow.DYNAMIC, CreditReturn.DIRECT, 3)))
        {
            final Endpoint from = node.open(0);
            final Endpoint[] to = {node.open(1), node.open(2)};
            connect(from, to);
            for (int i = 1; i <= 2; i++)
            {
                final LongSend send = from.newSend((handle, result) -> results.add(result));
                assertEquals(Endpoint.NO_CREDIT, send.start(i, 1, message, 0, LONG_LENGTH));
            }
            from.close();
            assertEquals(List.of(), results);
            assertEquals(Endpoint.CLOSED, from.poll(this::onMessage, 10));
            assertEquals(List.of(Endpoint.CLOSED, Endpoint.CLOSED), results);
            assertEquals(Endpoint.CLOSED, from.poll(this::onMessage, 10));
            assertEquals(2, results.size());
        }
    }

    @Test
    void shouldStartAgainInAListenerAndNotPollThere()
    {
        try (Node node = Node.launch(context(Flow.DYNAMIC, CreditReturn.DIRECT, 2)); Endpoint from = node.open(0))
        {
            final Endpoint to = node.open(1);
            connect(from, to);
            final LongSend second = from.newSend((handle, result) -> results.add(-100 + result));
            final LongSend send = from.newSend((handle, result) ->
            {
                assertThrows(IllegalStateException.class, () -> from.poll(this::onMessage, 1));
                results.add(result);
                long next = 0;
                while (next >= 0 && ++told < 10)
                {
                    next = handle.start(1, told, message, 0, LONG_LENGTH);
                }
            });
            assertEquals(Endpoint.NO_CREDIT, send.start(1, 0, message, 0, LONG_LENGTH));
            assertEquals(Endpoint.NO_CREDIT, second.start(1, 100, message, 0, LONG_LENGTH));
            Fixtures.pollUntil("messages", this::onMessage, () -> arrived.size() == 11, from, to);
            assertEquals(List.of(0, 100, 1, 2, 3, 4, 5, 6, 7, 8, 9), arrived, "the second one was started before the third");
        }
    }

    @Test
    void shouldNotTellOfWhatWasGivenUp()
    {
        try (Node node = Node.launch(context(Flow.DYNAMIC, CreditReturn.DIRECT, 3)); Endpoint from = node.open(0))
        {
            final Endpoint[] to = {node.open(1), node.open(2)};
            connect(from, to);
            final LongSend[] handles = new LongSend[2];
            for (int i = 0; i < 2; i++)
            {
                final int other = 1 - i;
                handles[i] = from.newSend((handle, result) ->
                {
                    results.add(result);
                    if (told++ == 0)
                    {
                        // given up, whether it is under way or has just ended, and started anew
                        handles[other].abort();
                        assertFalse(handles[other].isActive());
                        assertEquals(Endpoint.NOT_CONNECTED == result ? 0 : Endpoint.NO_CREDIT,
                            handles[other].start(1 + other, 50, message, 0, LONG_LENGTH));
                    }
                });
            }
            assertEquals(Endpoint.NO_CREDIT, handles[0].start(1, 1, message, 0, LONG_LENGTH));
            handles[0].abort();
            assertEquals(Endpoint.NO_CREDIT, handles[0].start(1, 2, message, 0, LONG_LENGTH));
            assertThrows(IllegalStateException.class, () -> handles[0].start(1, 2, message, 0, LONG_LENGTH));
            assertEquals(Endpoint.NO_CREDIT, handles[1].start(2, 3, message, 0, LONG_LENGTH));
            Fixtures.pollUntil("both", this::onMessage, () -> told == 2 && arrived.contains(50), from, to[0], to[1]);
            assertEquals(2, results.size());
            assertFalse(arrived.contains(1));
            // by hand
            final LongSend byHand = from.newSend((handle, result) -> results.add(result));
            final long[] result = {byHand.start(1, 60, message, 0, LONG_LENGTH)};
            Fixtures.pollUntil("by hand", this::onMessage, () ->
            {
                result[0] = byHand.isActive() ? byHand.progress() : result[0];
                return !byHand.isActive();
            }, to[0]);
            assertTrue(result[0] >= 0);
            from.poll(this::onMessage, 1);
            assertEquals(2, results.size());
        }
    }

    @Test
    void shouldGoOnThoughAListenerThrows()
    {
        final AtomicReference<Throwable> error = new AtomicReference<>();
        try (Node node = Node.launch(context(Flow.DYNAMIC, CreditReturn.DIRECT, 3).errorHandler(error::set));
            Endpoint from = node.open(0))
        {
            final Endpoint[] to = {node.open(1), node.open(2)};
            connect(from, to);
            for (int i = 1; i <= 2; i++)
            {
                final LongSend send = from.newSend((handle, result) ->
                {
                    told++;
                    throw new IllegalStateException("listener");
                });
                assertEquals(Endpoint.NO_CREDIT, send.start(i, 1, message, 0, LONG_LENGTH));
            }
            Fixtures.pollUntil("both", this::onMessage, () -> told == 2 && arrived.size() == 2, from, to[0], to[1]);
            assertNotNull(error.get());
        }
    }

    /** What a program's memory throws ends its message and no other one, and the listener learns it. */
    @Test
    void shouldTellOfAMessageOfMemoryThatThrows()
    {
        final boolean[] isArmed = new boolean[1];
        final UnsafeBuffer failing = new UnsafeBuffer(new byte[LONG_LENGTH])
        {
            @Override
            public byte[] byteArray()
            {
                if (isArmed[0])
                {
                    throw new InternalError("of a test");
                }
                return super.byteArray();
            }
        };
        try (Node node = Node.launch(context(Flow.DYNAMIC, CreditReturn.DIRECT, 2)); Endpoint from = node.open(0))
        {
            final Endpoint to = node.open(1);
            connect(from, to);
            final LongSend bad = from.newSend((handle, result) ->
            {
                results.add(result);
                assertFalse(handle.isActive());
            });
            final LongSend good = from.newSend((handle, result) -> results.add(result));
            for (int round = 1; round <= 20; round++)
            {
                results.clear();
                arrived.clear();
                final boolean isBadFirst = (round & 1) == 0;
                for (int i = 0; i < 2; i++)
                {
                    assertEquals(Endpoint.NO_CREDIT, i == 0 == isBadFirst ? bad.start(1, 1, failing, 0, LONG_LENGTH) :
                        good.start(1, 2, message, 0, LONG_LENGTH));
                }
                isArmed[0] = true;
                final int[] thrown = new int[1];
                Fixtures.pollUntil("both ends", this::onMessage, () ->
                {
                    try
                    {
                        from.poll(this::onMessage, 10);
                    }
                    catch (final InternalError error)
                    {
                        thrown[0]++;
                    }
                    return results.size() == 2 && arrived.size() == 1;
                }, to);
                isArmed[0] = false;
                assertEquals(1, thrown[0]);
                assertEquals(List.of(2), arrived);
                assertTrue(results.contains(Endpoint.FAILED) && (results.get(0) >= 0 || results.get(1) >= 0), results::toString);
            }
            // the handle is free
            assertEquals(Endpoint.NO_CREDIT, bad.start(1, 3, failing, 0, LONG_LENGTH));
            Fixtures.pollUntil("a last message", this::onMessage, () -> arrived.contains(3), from, to);
        }
    }

    @Test
    void shouldBeForThePollingThreadAndWakeIt() throws InterruptedException
    {
        try (Node node = Node.launch(context(Flow.DYNAMIC, CreditReturn.DIRECT, 2)); Endpoint from = node.open(0))
        {
            final Endpoint to = node.open(1);
            connect(from, to);
            from.releasePoller();
            to.releasePoller();
            final LongSend send = from.newSend((handle, result) -> results.add(result));
            final LongSend other = from.newSend((handle, result) -> results.add(result));
            final AtomicReference<Throwable> failure = new AtomicReference<>();
            final Thread receiver = Fixtures.start("receiver", () ->
            {
                final DeadlineIdleStrategy idle = to.newIdleStrategy();
                while (arrived.size() < 200)
                {
                    idle.idle(to.poll(this::onMessage, 10));
                }
                assertThrows(IllegalStateException.class, () -> other.start(1, 1, message, 0, LONG_LENGTH));
                assertThrows(IllegalStateException.class, other::progress);
            }, failure);
            final DeadlineIdleStrategy idle = from.newIdleStrategy();
            for (int i = 0; i < 200; i++)
            {
                if (send.start(1, i, message, 0, LONG_LENGTH) == Endpoint.NO_CREDIT)
                {
                    while (send.isActive() && failure.get() == null)
                    {
                        idle.idle(from.poll(this::onMessage, 10), DeadlineIdleStrategy.NO_DEADLINE);
                    }
                }
            }
            Watchdog.awaitEnds(List.of(receiver), failure);
            assertTrue(results.stream().allMatch((result) -> result >= 0), results::toString);
        }
    }
}
