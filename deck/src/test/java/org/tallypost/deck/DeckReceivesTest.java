// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.deck.DeckCounters.Counter;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.messaging.MessengerContext;

/** Messages come to a deck with few receives: they wait until one has ended, and none is lost. One thread works for all. */
class DeckReceivesTest extends DeckFixture
{
    private static final int SENDERS = 2;
    private static final int LIMIT = 15;
    private static final int[] LENGTHS = {100, 20_000, 100_000, 8, 4_000, 60_000, 20_000, 1_000};
    private static final int COUNT = 6 * LENGTHS.length;

    private MailBox box;
    private MailBoxReference[] to;

    private void launch(final int receives)
    {
        launch(1 + SENDERS, (context) -> context.ownThread(false).limit(LIMIT).buffersPerClass(2)
            .messenger(new MessengerContext().maxRequests(receives)));
        final String name = nameOf(0, "box");
        box = decks[0].createMailBox(name);
        to = new MailBoxReference[1 + SENDERS];
        for (int rank = 1; rank <= SENDERS; rank++)
        {
            final int sender = rank;
            final AtomicReference<MailBoxReference> found = new AtomicReference<>();
            decks[rank].start("clones", () -> found.set(decks[sender].cloneMailBox(name)));
            driveAll("a clone", () -> found.get() != null);
            to[rank] = found.get();
        }
    }

    private void driveAll(final String what, final BooleanSupplier condition)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> what + ": " + box);
        while (!condition.getAsBoolean())
        {
            for (final Deck each : decks)
            {
                each.doWork();
            }
            watchdog.idle();
        }
    }

    private Message message(final int rank, final int number, final int length)
    {
        return decks[rank].newMessage(length + 10).pack(number).pack(new byte[length], 0, length);
    }

    /** A thread posts, and waits for the end of each post. What it throws ends it. */
    private CompletableFuture<Void> post(final int rank)
    {
        final CompletableFuture<Void> end = new CompletableFuture<>();
        decks[rank].start("posts", () ->
        {
            try
            {
                final Message[] sent = new Message[COUNT];
                for (int i = 0; i < COUNT; i++)
                {
                    sent[i] = message(rank, i, LENGTHS[i % LENGTHS.length]);
                    to[rank].post(sent[i], LONG_NS);
                }
                for (final Message each : sent)
                {
                    assertTrue(each.awaitPosted(LONG_NS));
                }
                end.complete(null);
            }
            catch (final DeckException ex)
            {
                end.completeExceptionally(ex);
            }
        });
        return end;
    }

    @Test
    void shouldFindAMessageThatCameWhileNoReceiveWasFree()
    {
        launch(2);
        // its sender does not work, so that the only receive is in use
        final Message large = message(2, 0, 300_000);
        to[2].post(large);
        drive("the receive of a large message", () -> box.largeCount > 0);
        decks[1].start("posts", () -> to[1].post(message(1, 1, 20_000), LONG_NS));
        drive("a message beside it", () ->
        {
            decks[1].doWork();
            return decks[1].counters().get(Counter.POSTED) > 0;
        });
        decks[0].doWork();
        assertEquals(0, decks[0].counters().get(Counter.ARRIVED));
        final Message got = decks[0].newMessage(0);
        final BitSet numbers = new BitSet();
        driveAll("both messages", () ->
        {
            if (box.retrieve(got, 0))
            {
                numbers.set(got.unpackInt());
            }
            return numbers.cardinality() == 2;
        });
        assertTrue(large.awaitPosted(LONG_NS));
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 3, 5})
    void shouldTakeAllWithFewReceives(final int receives)
    {
        launch(receives);
        final CompletableFuture<Void> one = post(1);
        final CompletableFuture<Void> other = post(2);
        final Message[] got = {decks[0].newMessage(0), decks[0].newMessage(0), decks[0].newMessage(0)};
        final BitSet numbers = new BitSet();
        final int[] turn = {0};
        driveAll("all messages", () ->
        {
            final Message next = got[turn[0]++ % got.length];
            if (box.retrieve(next, 0))
            {
                final int number = next.unpackInt();
                assertEquals(LENGTHS[number % LENGTHS.length], next.nextCount());
                numbers.set(number * SENDERS + next.source() - 1);
            }
            return numbers.cardinality() == SENDERS * COUNT;
        });
        driveAll("the ends of the posts", () -> one.isDone() && other.isDone());
        one.join();
        other.join();
        assertEquals(0, decks[0].counters().get(Counter.REFUSED));
    }

    /** What waits in the box is dropped, as soon as there are receives for that. */
    @ParameterizedTest
    @ValueSource(ints = {2, 3})
    void shouldCloseABoxWithFewReceives(final int receives)
    {
        launch(receives);
        final CompletableFuture<Void> one = post(1);
        final CompletableFuture<Void> other = post(2);
        driveAll("a message that waits for a buffer", () -> decks[0].counters().get(Counter.HELD) > 0);
        box.close();
        driveAll("the ends of the posts", () -> one.isDone() && other.isDone());
        final MailBox next = decks[0].createMailBox(nameOf(0, "next"));
        final MailBoxReference own = decks[0].cloneMailBox(next.name());
        final Message got = decks[0].newMessage(0);
        for (int i = 0; i < 3; i++)
        {
            own.post(message(0, i, 100));
            driveAll("a message to the own rank", () -> next.retrieve(got, 0));
            assertEquals(i, got.unpackInt());
        }
    }

    /** All free buffers of the box; those that are short have no byte. */
    private void buffers(final boolean isShort, final Map<PooledBuffer, ByteBuffer> memories)
    {
        for (int sizeClass = SizeClass.MIN; sizeClass <= LIMIT; sizeClass++)
        {
            final List<PooledBuffer> free = new ArrayList<>();
            for (PooledBuffer each = box.pool.take(sizeClass); each != null; each = box.pool.take(sizeClass))
            {
                free.add(each);
            }
            assertEquals(2, free.size(), "a buffer is lost");
            for (final PooledBuffer each : free)
            {
                memories.putIfAbsent(each, each.buffer.byteBuffer());
                each.buffer.wrap(isShort ? ByteBuffer.allocateDirect(0) : memories.get(each));
                box.pool.give(each);
            }
        }
    }

    /** A round of all decks; what is thrown there. */
    private Throwable round()
    {
        Throwable thrown = null;
        for (final Deck each : decks)
        {
            try
            {
                each.doWork();
            }
            catch (final IndexOutOfBoundsException | AssertionError ex)
            {
                thrown = ex;
            }
        }
        return thrown;
    }

    /** Its buffer throws as a message comes: it waits, and comes as soon as there is a buffer, and so do those behind it. */
    @ParameterizedTest
    @CsvSource({"0, 8", "0, 20000", "1, 8", "1, 20000"})
    void shouldGoOnBehindAMessageThatThrowsAsItComes(final int source, final int length)
    {
        launch(5);
        to[0] = decks[0].cloneMailBox(box.name());
        final Map<PooledBuffer, ByteBuffer> memories = new IdentityHashMap<>();
        buffers(true, memories);
        final Message[] sent = new Message[4];
        decks[source].start("posts", () ->
        {
            for (int i = 0; i < sent.length; i++)
            {
                sent[i] = message(source, i, length);
                to[source].post(sent[i], LONG_NS);
            }
        });
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "a message that throws: " + box);
        while (round() == null)
        {
            watchdog.idle();
        }
        buffers(false, memories);
        final Message got = decks[0].newMessage(0);
        for (int i = 0; i < sent.length; i++)
        {
            driveAll("message " + i, () -> box.retrieve(got, 0));
            assertEquals(i, got.unpackInt());
            assertEquals(length, got.nextCount());
        }
        got.clear();
        driveAll("the end of the posts", () -> sent[sent.length - 1] != null && !sent[sent.length - 1].isPosting());
        buffers(false, memories);
    }

    @Test
    void shouldRefuseASingleReceive()
    {
        final IllegalArgumentException ex = assertThrows(IllegalArgumentException.class, () -> launch(1, (context) ->
            context.messenger(new MessengerContext().maxRequests(1))));
        assertTrue(ex.getMessage().contains("maxRequests"), ex.getMessage());
        endpoints[0].close();
    }
}
