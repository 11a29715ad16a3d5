// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.agrona;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.ControlledMessageHandler.Action;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.junit.jupiter.api.Test;
import org.tallypost.mailbox.Watchdog;

/** What users of a ring buffer rely on, of any maker. */
abstract class RingBufferContract
{
    private static final int THREADS = 3;
    private static final int MESSAGES = 2_000;
    private static final int TYPE = 5;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[1024]);
    private final List<String> seen = new ArrayList<>();

    /** An empty one that takes messages, written and read by this process. */
    abstract RingBuffer ring();

    private void write(final int type, final long value, final int length)
    {
        message.putLong(8, value);
        Watchdog.await("room for message " + value, () ->
        {
            final boolean isWritten = ring().write(type, message, 8, length);
            if (!isWritten)
            {
                ring().read((itsType, buffer, index, count) -> seen.add(itsType + ":" + buffer.getLong(index) + ":" + count), 1);
            }
            return isWritten;
        });
    }

    private int read(final int limit)
    {
        return ring().read((type, buffer, index, length) -> seen.add(type + ":" + buffer.getLong(index) + ":" + length), limit);
    }

    private void readUntil(final int count)
    {
        Watchdog.await("messages: found=" + seen + ", expected=" + count, () ->
        {
            read(100);
            return seen.size() >= count;
        });
    }

    @Test
    void shouldDeliverTypesLengthsAndBytesInOrder()
    {
        write(1, 10, 8);
        write(Integer.MAX_VALUE >>> 8, 11, 100);
        write(3, 12, 900);
        readUntil(3);
        assertEquals(List.of("1:10:8", (Integer.MAX_VALUE >>> 8) + ":11:100", "3:12:900"), seen);
        assertEquals(0, read(10));
        assertEquals(ring().producerPosition(), ring().consumerPosition());
        assertEquals(0, ring().size());
    }

    @Test
    void shouldDeliverAnEmptyMessage()
    {
        assertTrue(ring().write(TYPE, message, 0, 0));
        final List<Integer> lengths = new ArrayList<>();
        Watchdog.await("the empty message", () -> ring().read((type, buffer, index, length) -> lengths.add(length)) == 1);
        assertEquals(List.of(0), lengths);
    }

    @Test
    void shouldReadNoMoreThanAsked()
    {
        for (int value = 0; value < 5; value++)
        {
            write(TYPE, value, 8);
        }
        assertEquals(0, read(0));
        while (seen.size() < 5)
        {
            final int before = seen.size();
            final int count = read(2);
            assertTrue(count <= 2, () -> "read: " + count);
            assertEquals(before + count, seen.size());
        }
        assertEquals(List.of("5:0:8", "5:1:8", "5:2:8", "5:3:8", "5:4:8"), seen);
    }

    @Test
    void shouldRefuseWhatIsNoMessage()
    {
        assertThrows(IllegalArgumentException.class, () -> ring().write(0, message, 0, 8));
        assertThrows(IllegalArgumentException.class, () -> ring().write(-1, message, 0, 8));
        assertThrows(IllegalArgumentException.class, () -> ring().write(TYPE, message, 0, ring().maxMsgLength() + 1));
        assertThrows(IllegalArgumentException.class, () -> ring().write(TYPE, message, 0, -1));
        assertThrows(IllegalArgumentException.class, () -> ring().tryClaim(0, 8));
        assertThrows(IllegalArgumentException.class, () -> ring().tryClaim(TYPE, -1));
        assertThrows(IllegalArgumentException.class, () -> ring().tryClaim(TYPE, ring().maxMsgLength() + 1));
        assertThrows(IllegalArgumentException.class, () -> ring().commit(-8));
        assertEquals(0, read(10));
    }

    @Test
    void shouldSayThatItIsFullAndGoOnWhenItWasRead()
    {
        int written = 0;
        while (ring().write(TYPE, message, 0, 100))
        {
            written++;
            assertTrue(written < 1_000_000, "it is never full");
        }
        assertTrue(ring().tryClaim(TYPE, 1000) < 0);
        assertEquals(RingBuffer.INSUFFICIENT_CAPACITY, ring().tryClaim(TYPE, 1000));
        final int all = written;
        readUntil(all);
        assertEquals(all, seen.size());
        write(TYPE, 77, 8);
        readUntil(all + 1);
        assertEquals("5:77:8", seen.get(all));
    }

    @Test
    void shouldDeliverWhatWasCommittedAndNotWhatWasAborted()
    {
        final int aborted = ring().tryClaim(6, 16);
        assertTrue(aborted >= 0, () -> "claim: " + aborted);
        ring().buffer().putLong(aborted, 1);
        ring().abort(aborted);
        final int committed = ring().tryClaim(7, 16);
        assertTrue(committed >= 0, () -> "claim: " + committed);
        ring().buffer().putLong(committed, 2);
        ring().buffer().putLong(committed + 8, 3);
        assertEquals(0, read(10));
        ring().commit(committed);
        readUntil(1);
        assertEquals(List.of("7:2:16"), seen);
        assertThrows(IllegalStateException.class, () -> ring().commit(committed), "it is settled");
        assertThrows(IllegalStateException.class, () -> ring().abort(committed), "it is settled");
    }

    @Test
    void shouldThrowWhatTheHandlerThrowsAndDeliverTheRest()
    {
        for (int value = 0; value < 4; value++)
        {
            write(TYPE, value, 8);
        }
        final IllegalStateException planted = new IllegalStateException("planted");
        final AtomicReference<Throwable> thrown = new AtomicReference<>();
        Watchdog.await("the second message", () ->
        {
            try
            {
                ring().read((type, buffer, index, length) ->
                {
                    seen.add(type + ":" + buffer.getLong(index) + ":" + length);
                    if (buffer.getLong(index) == 1)
                    {
                        throw planted;
                    }
                });
            }
            catch (final IllegalStateException ex)
            {
                thrown.set(ex);
            }
            return thrown.get() != null;
        });
        assertSame(planted, thrown.get());
        assertEquals(List.of("5:0:8", "5:1:8"), seen, "nothing is delivered behind it");
        assertTrue(read(1) <= 1);
        readUntil(4);
        assertEquals(List.of("5:0:8", "5:1:8", "5:2:8", "5:3:8"), seen);
        assertEquals(0, ring().size());
    }

    @Test
    void shouldObeyTheActionsOfAControlledRead()
    {
        for (int value = 0; value < 5; value++)
        {
            write(TYPE, value, 8);
        }
        final Action[] actions = {Action.CONTINUE, Action.ABORT, Action.COMMIT, Action.BREAK, Action.ABORT, Action.CONTINUE,
            Action.CONTINUE};
        final int[] calls = new int[1];
        Watchdog.await("all messages", () ->
        {
            final int before = calls[0];
            final int count = ring().controlledRead((type, buffer, index, length) ->
            {
                assertTrue(calls[0] == before || actions[calls[0] - 1] == Action.CONTINUE ||
                    actions[calls[0] - 1] == Action.COMMIT, "the read has ended");
                seen.add(Long.toString(buffer.getLong(index)));
                return actions[calls[0]++];
            }, 10);
            final long aborted = List.of(actions).subList(before, calls[0]).stream()
                .filter((each) -> each == Action.ABORT).count();
            assertEquals(calls[0] - before - aborted, count);
            return calls[0] == actions.length;
        });
        assertEquals(List.of("0", "1", "1", "2", "3", "3", "4"), seen, "what was aborted comes again");
        assertEquals(0, read(10));
    }

    @Test
    void shouldGiveCorrelationsAndRememberTheHeartbeat()
    {
        final Set<Long> ids = new HashSet<>();
        for (int call = 0; call < 100; call++)
        {
            ids.add(ring().nextCorrelationId());
        }
        assertEquals(100, ids.size());
        ring().consumerHeartbeatTime(123);
        assertEquals(123, ring().consumerHeartbeatTime());
        assertFalse(ring().unblock(), "nothing is stuck");
        assertTrue(ring().capacity() > 0);
        assertTrue(ring().maxMsgLength() >= 1024);
    }

    @Test
    void shouldKeepTheOrderOfEachThread() throws InterruptedException
    {
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final List<Thread> threads = new ArrayList<>();
        for (int thread = 0; thread < THREADS; thread++)
        {
            final int type = thread + 1;
            final Thread started = new Thread(() -> produce(type), "producer-" + type);
            started.setDaemon(true);
            started.setUncaughtExceptionHandler((its, thrown) -> failure.compareAndSet(null, thrown));
            threads.add(started);
            started.start();
        }
        final long[] next = new long[THREADS + 1];
        final int[] count = new int[1];
        Watchdog.await("messages of all threads", () ->
        {
            ring().read((type, buffer, index, length) ->
            {
                assertEquals(next[type]++, buffer.getLong(index), () -> "order of thread " + type);
                count[0]++;
            });
            return failure.get() != null || count[0] == THREADS * MESSAGES;
        });
        assertEquals(null, failure.get());
        for (final Thread thread : threads)
        {
            thread.join(Watchdog.DEFAULT_LIMIT.toMillis());
            assertFalse(thread.isAlive(), thread::getName);
        }
    }

    private void produce(final int type)
    {
        final UnsafeBuffer own = new UnsafeBuffer(new byte[64]);
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "room for thread " + type);
        for (long value = 0; value < MESSAGES;)
        {
            final int index = value % 4 == 0 ? ring().tryClaim(type, 24) : RingBuffer.INSUFFICIENT_CAPACITY;
            if (index >= 0)
            {
                ring().buffer().putLong(index, value);
                ring().commit(index);
            }
            own.putLong(0, value);
            if (index >= 0 || ring().write(type, own, 0, 8 + (int)(value % 50)))
            {
                value++;
                watchdog.progress();
            }
            else
            {
                watchdog.idle();
            }
        }
    }
}
