// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntConsumer;
import org.agrona.CloseHelper;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.Channel;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

/** Barriers of some members of a team with a name, by count: ranks of one process. */
@Tag("once")
class CountBarrierTest
{
    private static final int RANKS = 4;

    @TempDir
    private Path directory;

    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Endpoint[] endpoints = new Endpoint[RANKS];
    private final Collectives[] collectives = new Collectives[RANKS];
    private final Channel[] channels = new Channel[RANKS];
    private Node node;

    @BeforeEach
    void launch()
    {
        node = Node.launch(CollectivesTest.context(directory, RANKS));
        for (int rank = 0; rank < RANKS; rank++)
        {
            endpoints[rank] = node.open(rank);
            collectives[rank] = Collectives.attach(node, endpoints[rank], new CollectivesContext());
            channels[rank] = endpoints[rank].channel(7, (source, tag, buffer, offset, length) -> {});
            assertEquals(rank, rank == 0 ? of(rank).create("crew") : of(rank).join("crew"));
        }
    }

    @AfterEach
    void close()
    {
        CloseHelper.closeAll(collectives);
        CloseHelper.closeAll(endpoints);
        node.close();
        assertFalse(directory.resolve("node").toFile().exists(), "nothing is left behind");
    }

    private TeamDirectory of(final int rank)
    {
        return collectives[rank].directory();
    }

    private static long deadline()
    {
        return System.nanoTime() + 120_000_000_000L;
    }

    private void run(final IntConsumer body, final int... ranks) throws InterruptedException
    {
        final List<Thread> threads = new ArrayList<>();
        for (final int rank : ranks)
        {
            final Thread thread = new Thread(() ->
            {
                try
                {
                    body.accept(rank);
                }
                catch (final Throwable t)
                {
                    failure.compareAndSet(null, t);
                    endpoints[rank].close();
                }
            }, "rank " + rank);
            threads.add(thread);
            thread.start();
        }
        Watchdog.awaitEnds(threads, failure);
    }

    /** How the wait goes on, in a thread that has several ranks. */
    private CountBarrier begin(final int rank, final int count)
    {
        return new CountBarrier(new NamedMembers(node.names(), rank, RANKS),
            new NodeMeeting(node, endpoints[rank], channels[rank]), "crew", count);
    }

    @Test
    void shouldLetNoneThroughBeforeAllHaveCome() throws InterruptedException
    {
        final AtomicInteger come = new AtomicInteger();
        run((rank) ->
        {
            for (int round = 1; round <= 50; round++)
            {
                come.incrementAndGet();
                assertEquals(0, of(rank).barrier("crew", RANKS, deadline()));
                assertTrue(come.get() >= RANKS * round, "came before the others");
            }
        }, 0, 1, 2, 3);
    }

    /** Of four members two go on together, and then the other two. */
    @Test
    void shouldLetTheFirstOnesThrough() throws InterruptedException
    {
        for (int round = 0; round < 20; round++)
        {
            run((rank) -> assertEquals(0, of(rank).barrier("crew", 2, deadline())), 0, 1, 2, 3);
        }
        assertEquals(0, of(2).barrier("crew", 1, deadline()));
    }

    @Test
    void shouldTellWhoCannotCome()
    {
        assertEquals(0, of(3).leave("crew"));
        assertEquals(TeamDirectory.NO_SUCH_TEAM, of(3).barrier("crew", 2, deadline()));
        assertEquals(TeamDirectory.NO_SUCH_TEAM, of(0).barrier("others", 2, deadline()));
        assertEquals(Team.TIMED_OUT, of(0).barrier("crew", 2, System.nanoTime()));
        final CountBarrier waiting = begin(1, 3);
        assertEquals(Team.IN_PROGRESS, waiting.progress());
        assertEquals(Team.MISMATCH, of(0).barrier("crew", 2, deadline()));
        assertEquals(Team.TIMED_OUT, of(0).barrier("crew", 3, System.nanoTime()));
        assertTrue(waiting.toString().contains("3 members of team crew"));
        waiting.close();
        assertThrows(IllegalArgumentException.class, () -> of(0).barrier("crew", 0, deadline()));
        assertThrows(IllegalArgumentException.class, () -> of(0).barrier("crew", RANKS + 1, deadline()));
        assertThrows(IllegalArgumentException.class, () -> of(0).barrier("", 1, deadline()));
    }

    /** One that does not wait any longer has not come, also if it was the first one, or is closed. */
    @Test
    void shouldCountNoneThatHasGivenUp()
    {
        final CountBarrier first = begin(0, 3);
        final CountBarrier second = begin(1, 3);
        final CountBarrier third = begin(2, 3);
        assertEquals(Team.IN_PROGRESS, first.progress());
        assertEquals(Team.IN_PROGRESS, second.progress());
        assertTrue(second.tryGiveUp());
        second.close();
        assertEquals(Team.IN_PROGRESS, third.progress(), "two have come");
        first.close();
        assertEquals(Team.IN_PROGRESS, third.progress(), "begins anew");
        assertEquals(Team.IN_PROGRESS, third.progress());
        final CountBarrier again = begin(0, 3);
        assertEquals(Team.IN_PROGRESS, again.progress());
        collectives[2].close();
        endpoints[2].close();
        assertEquals(Team.IN_PROGRESS, again.progress(), "the maker is gone");
        third.close();
        final CountBarrier fourth = begin(3, 3);
        final CountBarrier last = begin(1, 3);
        assertEquals(Team.IN_PROGRESS, again.progress());
        assertEquals(Team.IN_PROGRESS, fourth.progress());
        assertEquals(0, last.progress());
        assertFalse(fourth.tryGiveUp(), "all have come");
        // the first one that gets through goes, with its rank and what it has made
        again.close();
        collectives[0].close();
        endpoints[0].close();
        assertEquals(0, fourth.progress(), "what was said stays so");
        fourth.close();
        last.close();
    }

    /** However often others give up, as many as are awaited go on, and no fewer. */
    @Test
    void shouldTakeEachThatGivesUpOutOnce()
    {
        final CountBarrier first = begin(0, 3);
        assertEquals(Team.IN_PROGRESS, first.progress());
        for (int round = 0; round < 3; round++)
        {
            assertEquals(Team.TIMED_OUT, of(1).barrier("crew", 3, System.nanoTime()));
        }
        final CountBarrier second = begin(2, 3);
        final CountBarrier third = begin(3, 3);
        assertEquals(Team.IN_PROGRESS, second.progress(), "two have come");
        assertEquals(0, third.progress(), "three have come");
        assertEquals(0, first.progress());
        assertEquals(0, second.progress());
        third.close();
        second.close();
        first.close();
    }

    /** What no member has written is damage, and nobody waits for it. */
    @Test
    void shouldRefuseDamage()
    {
        final CountBarrier waiting = begin(1, 3);
        assertEquals(Team.IN_PROGRESS, waiting.progress());
        for (final long damage : new long[]{0, 5, 3L << Integer.SIZE | 4, -2, Long.MIN_VALUE})
        {
            final Meeting.Place place = new NodeMeeting(node, endpoints[0], channels[0])
                .tryAttach("barrier-1-" + endpoints[1].epoch() + "-1");
            place.buffer().putLongVolatile(0, damage);
            place.close();
            assertEquals(Team.DAMAGED, of(0).barrier("crew", 3, deadline()), "word " + damage);
            assertEquals(Team.DAMAGED, waiting.progress(), "word " + damage);
        }
        waiting.close();
    }
}
