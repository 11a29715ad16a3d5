// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionMemory;

/**
 * Both sides of messages that lie in copies and staging areas close, at any points: each request ends, and all memory and entries
 * of regions are back. {@code -Dtallypost.kills=500} makes it longer.
 */
@Tag("once")
class ClosedSidesTest extends StagedFixture
{
    private static final int LIVES = Integer.getInteger("tallypost.kills", 40);
    private static final int ENTRIES = 256;
    private static final int MESSAGES = 4;
    /** Of what is sent behind the ends: the next messengers may still get messages of the former ones. */
    private static final int NEXT_TAG = 100;
    private static final int MOST_ROUNDS = 60;
    private static final int[] LENGTHS = {8, 20_000, 100_000, LONG};

    /** What a rank sends and receives in one life. */
    private final class Life
    {
        final int rank;
        final Messenger messenger;
        final Random random;
        final List<Request> requests = new ArrayList<>();
        final List<StagedBytes> sent = new ArrayList<>();

        Life(final int rank, final long seed)
        {
            this.rank = rank;
            messenger = messengers[rank];
            random = new Random(seed);
            for (int i = 0; i < MESSAGES; i++)
            {
                final SendRequest sending = new SendRequest();
                final StagedBytes bytes = new StagedBytes(LENGTHS[random.nextInt(LENGTHS.length)], i);
                messenger.send(sending, messenger.world(), 1 - rank, i, bytes, 0, bytes.capacity());
                sent.add(bytes);
                requests.add(sending);
                if (random.nextInt(4) > 0)
                {
                    final ReceiveRequest receiving = new ReceiveRequest();
                    messenger.receive(receiving, messenger.world(), ANY, i, room(LONG), 0, LONG);
                    requests.add(receiving);
                }
            }
        }

        void work()
        {
            if (messengers[rank] != null)
            {
                messenger.doWork();
            }
            else
            {
                pollEndpoint(rank);
            }
        }

        void close()
        {
            if (messengers[rank] != null)
            {
                messengers[rank] = null;
                messenger.close();
            }
        }

        void checkEnd()
        {
            for (final Request request : requests)
            {
                assertTrue(request.isDone(), request::toString);
            }
        }
    }

    /** All that the messengers of a memory have used is there for the program, but for what a put in another thread holds. */
    static void checkMemory(final RegionMemory memory)
    {
        memory.collect();
        assertEquals(0, memory.usedLength());
        final List<Region> all = new ArrayList<>();
        while (all.size() < ENTRIES)
        {
            all.add(memory.register(1, 0));
        }
        all.forEach(Region::close);
    }

    private void checkBehind(final Life... lives)
    {
        for (final Life life : lives)
        {
            life.checkEnd();
            checkMemory(memories[life.rank]);
            relaunch(life.rank);
        }
        final UnsafeBuffer room = room(LONG);
        final ReceiveRequest receiving = receive(1, ANY, NEXT_TAG, room);
        await(send(0, 1, NEXT_TAG, bytes(LONG, 5), LONG), receiving);
        check(room, 0, LONG, 5);
        assertEquals(1, staged());
        for (final Life life : lives)
        {
            closeMessenger(life.rank);
            pollEndpoint(1 - life.rank);
            checkMemory(memories[life.rank]);
            relaunch(life.rank);
        }
    }

    private long seed()
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("ClosedSidesTest: -Dtallypost.seed=" + seed + ", kills=" + LIVES);
        copyRoom = 1 << 17;
        launchWith(2, AREA << 1);
        return seed;
    }

    /** Step by step, by one thread: also within a put of the other side, or of the own one's message by the other side. */
    @Test
    void shouldEndAtAnyStep()
    {
        final Random random = new Random(seed());
        for (int i = 0; i < LIVES; i++)
        {
            final Life[] lives = {new Life(0, random.nextLong()), new Life(1, random.nextLong())};
            final boolean isInAPut = random.nextBoolean();
            final int closing = random.nextInt(2);
            if (isInAPut)
            {
                lives[1 - closing].sent.forEach((bytes) -> bytes.within(lives[closing]::close));
            }
            for (int rounds = random.nextInt(MOST_ROUNDS); rounds > 0; rounds--)
            {
                lives[random.nextInt(2)].work();
            }
            lives[closing].close();
            for (int rounds = random.nextInt(5); rounds > 0; rounds--)
            {
                lives[random.nextInt(2)].work();
            }
            lives[1 - closing].close();
            checkBehind(lives);
        }
    }

    /** Each side by a thread of its own. */
    @Test
    void shouldEndInTwoThreads()
    {
        final Random random = new Random(seed());
        for (int i = 0; i < LIVES; i++)
        {
            final Life[] lives = {new Life(0, random.nextLong()), new Life(1, random.nextLong())};
            final AtomicInteger closed = new AtomicInteger();
            final AtomicReference<Throwable> thrown = new AtomicReference<>();
            final Thread[] threads = new Thread[2];
            for (final Life life : lives)
            {
                threads[life.rank] = new Thread(() -> run(life, closed, thrown));
                threads[life.rank].start();
            }
            Watchdog.await("the ends of both threads", () -> !threads[0].isAlive() && !threads[1].isAlive());
            assertNull(thrown.get());
            checkBehind(lives);
            // one thread polls an endpoint as long as it lives
            reopen(0);
            reopen(1);
        }
    }

    private static void run(final Life life, final AtomicInteger closed, final AtomicReference<Throwable> thrown)
    {
        try
        {
            for (int rounds = life.random.nextInt(MOST_ROUNDS); rounds > 0; rounds--)
            {
                life.work();
                if (life.random.nextInt(4) == 0)
                {
                    Thread.yield();
                }
            }
            life.close();
        }
        catch (final Throwable ex)
        {
            thrown.set(ex);
        }
        finally
        {
            closed.incrementAndGet();
        }
        while (closed.get() < 2)
        {
            life.work();
            Thread.yield();
        }
    }
}
