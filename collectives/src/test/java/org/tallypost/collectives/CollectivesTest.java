// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.node.Node;

/** Collectives of endpoints: ranks of one process, each with a thread. */
class CollectivesTest
{
    @TempDir
    private Path directory;

    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AtomicBoolean isTimedOut = new AtomicBoolean();

    static NodeContext context(final Path directory, final int ranks)
    {
        return new NodeContext().directory(directory.resolve("node").toFile()).groupName("test").rankCount(ranks)
            .slotsPerSender(16).livenessIntervalNs(200_000_000L).deleteOnClose(true);
    }

    /** Each rank in a thread of its own. */
    private void run(final int ranks, final CollectivesContext context, final BiConsumer<Collectives, Endpoint> body)
        throws InterruptedException
    {
        try (Node node = Node.launch(context(directory, ranks)))
        {
            final List<Thread> threads = new ArrayList<>();
            for (int rank = 0; rank < ranks; rank++)
            {
                final Endpoint endpoint = node.open(rank);
                final Thread thread = new Thread(() ->
                {
                    try (Collectives collectives = Collectives.attach(node, endpoint, context))
                    {
                        body.accept(collectives, endpoint);
                    }
                    catch (final Throwable t)
                    {
                        failure.compareAndSet(null, t);
                        endpoint.close();
                    }
                }, "rank " + rank);
                threads.add(thread);
                thread.start();
            }
            Watchdog.awaitEnds(threads, failure, RandomCalls.DONE::get);
        }
        assertFalse(directory.resolve("node").toFile().exists(), "nothing is left behind");
    }

    @ParameterizedTest
    @CsvSource({"1, 300, 2000", "2, 500, 2000", "2, 500, 0", "5, 150, 2000"})
    void shouldDoAsTheReferenceInThreads(final int ranks, final int operations, final int looks) throws InterruptedException
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("CollectivesTest: seed=" + seed);
        run(ranks, new CollectivesContext().maxLooks(looks), (collectives, endpoint) ->
        {
            final Team world = collectives.world();
            assertSame(world, collectives.world());
            assertEquals(ranks, world.size());
            assertEquals(endpoint.rank(), world.member());
            assertEquals(operations - 1, RandomCalls.run(world, seed, operations));
            assertTrue(world.barrier() >= 0);
        });
    }

    /** All ranks are in one process: by each algorithm, with data in arrays; and with those in memory of the team. */
    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void shouldDoAsTheReferenceByEachAlgorithm(final Algorithm algorithm) throws InterruptedException
    {
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("CollectivesTest: seed=" + seed);
        run(3, new CollectivesContext().algorithm(algorithm), (collectives, endpoint) ->
        {
            final Team world = collectives.world();
            assertEquals(199, RandomCalls.run(world, seed, 200));
            try (TeamMemory memory = world.allocate(RandomCalls.length(3)))
            {
                assertTrue(RandomCalls.run(world, memory, seed + 1, 200) >= 0);
            }
            assertTrue(RandomCalls.run(world, seed + 2, 20) >= 0);
        });
    }

    /** Memory of more bytes than a file has is refused at all members, whichever of them wants too much. */
    @ParameterizedTest
    @CsvSource({"2147483647, 2147483647", "2147483647, 0", "2147479551, 8192"})
    void shouldRefuseTooMuchMemory(final int first, final int second) throws InterruptedException
    {
        run(2, new CollectivesContext(), (collectives, endpoint) ->
        {
            final Team world = collectives.world();
            final String message = assertThrows(IllegalArgumentException.class,
                () -> world.allocate(endpoint.rank() == 0 ? first : second)).getMessage();
            final long pages = (first + 4095L) / 4096 * 4096 + (second + 4095L) / 4096 * 4096;
            assertTrue(message.contains("found=" + pages + ","), message);
            assertTrue(world.barrier() >= 0, "the team goes on");
        });
    }

    /** A barrier of the program has timed out before: closing waits for it and gives the memory back. */
    @Test
    void shouldCloseMemoryBehindABarrierThatTimedOut() throws InterruptedException
    {
        run(2, new CollectivesContext(), (collectives, endpoint) ->
        {
            final Team world = collectives.world();
            final TeamMemory memory = world.allocate(100);
            if (endpoint.rank() == 0)
            {
                assertEquals(Team.TIMED_OUT, world.calls(System.nanoTime()).barrier());
                isTimedOut.set(true);
            }
            else
            {
                Watchdog.await("barrier that times out", isTimedOut::get);
                assertTrue(world.barrier() >= 0);
            }
            memory.close();
            assertTrue(world.calls().again() >= 0);
            assertEquals(0, world.exchange().direct().memories().count());
        });
    }

    /** A member that comes late: the deadline passes, the operation stays under way, and then gets done. */
    @Test
    void shouldTimeOutAndGoOn() throws InterruptedException
    {
        final AtomicInteger timedOut = new AtomicInteger();
        run(2, new CollectivesContext(), (collectives, endpoint) ->
        {
            final Team world = collectives.world();
            final AllReduce sum = world.newAllReduce(ElementType.INT, Reducers.SUM);
            final UnsafeBuffer number = new UnsafeBuffer(new byte[4]);
            number.putInt(0, endpoint.rank() + 1);
            if (endpoint.rank() == 1)
            {
                Watchdog.await("time-out of rank 0", () -> timedOut.get() > 0);
                sum.startInPlace(number, 0, 1);
            }
            else
            {
                sum.startInPlace(number, 0, 1);
                assertEquals(Team.TIMED_OUT, sum.await(System.nanoTime() + 1_000_000));
                final int[] late = new int[2];
                assertEquals(1, world.lateMembers(late));
                assertEquals(1, late[0]);
                assertTrue(sum.isActive());
                timedOut.incrementAndGet();
            }
            assertEquals(0, sum.await());
            assertEquals(3, number.getInt(0));
        });
    }

    /** With a deadline that has passed, a call is done in many parts: no long copy, and no reducer, is waited for. */
    @ParameterizedTest
    @EnumSource(Algorithm.class)
    void shouldLookAtTheDeadlineInPieces(final Algorithm algorithm) throws InterruptedException
    {
        final int length = 1 << 20;
        run(2, new CollectivesContext().algorithm(algorithm), (collectives, endpoint) ->
        {
            final Team world = collectives.world();
            final AtomicInteger reduced = new AtomicInteger();
            final AllReduce sum = world.newAllReduce(ElementType.BYTES,
                Reducers.of("counting", true, (type, inOut, at, in, from, count) -> reduced.addAndGet(count)));
            sum.start(new UnsafeBuffer(new byte[length]), 0, new UnsafeBuffer(new byte[length]), 0, length);
            long result = Team.TIMED_OUT;
            while (result == Team.TIMED_OUT)
            {
                reduced.set(0);
                result = sum.await(System.nanoTime());
                assertTrue(reduced.get() <= 4 * 64 * 1_024, () -> reduced + " bytes by " + algorithm);
            }
            assertEquals(0, result);
        });
    }

    /** Agreements and new teams that have timed out are waited for again by a call, which has the flags, and passes the team. */
    @Test
    void shouldWaitAgainForANewTeam() throws InterruptedException
    {
        final AtomicInteger timedOut = new AtomicInteger();
        run(2, new CollectivesContext(), (collectives, endpoint) ->
        {
            final Team world = collectives.world();
            final List<Team> made = new ArrayList<>();
            for (int i = 0; i < 3; i++)
            {
                final int turn = i;
                if (endpoint.rank() == 0)
                {
                    final TeamCalls calls = world.calls(System.nanoTime());
                    assertEquals(Team.TIMED_OUT, i == 0 ? calls.split(1, 0, made::add) : i == 1 ? calls.agree(5) :
                        calls.shrink(made::add));
                    assertEquals(i == 2 ? 1 : i, made.size());
                    timedOut.incrementAndGet();
                    assertEquals(i == 1 ? 4 : 0, world.calls().again());
                    assertEquals(i == 1 ? 4 : 0, world.calls().again(), "done already");
                }
                else
                {
                    Watchdog.await("time-out of rank 0", () -> timedOut.get() > turn);
                    assertEquals(i == 1 ? 4 : 0, i == 0 ? world.split(1, 0, made::add) : i == 1 ? world.agree(6) :
                        world.shrink(made::add));
                }
            }
            assertEquals(2, made.size());
            assertEquals(0, made.get(0).barrier());
            assertEquals(0, made.get(1).barrier());
        });
    }

    /** All operations as calls that wait, in the team of all ranks and in one that it is split into. */
    @ParameterizedTest
    @CsvSource({"2000", "0"})
    void shouldDoCalls(final int looks) throws InterruptedException
    {
        run(3, new CollectivesContext().maxLooks(looks), (collectives, endpoint) ->
        {
            final Team world = collectives.world();
            final Team[] half = new Team[1];
            assertTrue(world.split(endpoint.rank() == 1 ? -1 : 5, -endpoint.rank(), (made) -> half[0] = made) >= 0);
            assertEquals(endpoint.rank() == 1, half[0] == null);
            final Team[] copy = new Team[1];
            assertTrue(world.duplicate((made) -> copy[0] = made) >= 0);
            assertEquals(1 + 4, world.agree(7 & ~(endpoint.rank() == 2 ? 2 : 0)));
            if (half[0] != null)
            {
                assertEquals(2, half[0].size());
                assertEquals(2, half[0].rankOf(0));
                assertTrue(half[0].barrier() >= 0);
            }
            call(world.calls(System.nanoTime() + 3_600_000_000_000L), world);
            call(copy[0].calls(), copy[0]);
            if (endpoint.rank() == 0)
            {
                assertEquals(Team.TIMED_OUT, world.calls(System.nanoTime()).barrier());
            }
            else
            {
                // rank 0 waits in another team, and is in the barrier of this one
                assertTrue(copy[0].barrier() >= 0);
            }
            assertTrue(endpoint.rank() == 0 ? copy[0].barrier() >= 0 : world.barrier() >= 0);
            assertTrue(world.calls().again() >= 0);
        });
    }

    private static void call(final TeamCalls calls, final Team team)
    {
        final int self = team.member() + 1;
        final UnsafeBuffer in = new UnsafeBuffer(new byte[32]);
        final UnsafeBuffer out = new UnsafeBuffer(new byte[32]);
        for (int i = 0; i < 3; i++)
        {
            in.putLong(8 * i, self * 10 + i);
        }
        out.putLong(0, team.member() == 1 ? 77 : 0);
        assertTrue(calls.broadcast(1, out, 0, 8) >= 0);
        assertEquals(77, out.getLong(0));
        final Distribution descending = Distribution.descending(3, 8);
        assertTrue(calls.scatter(0, in, 0, out, 0, 8) >= 0);
        assertEquals(10 + team.member(), out.getLong(0));
        assertTrue(calls.scatter(0, in, 0, descending, out, 0) >= 0);
        assertEquals(12 - team.member(), out.getLong(0));
        assertTrue(calls.gather(2, in, 0, out, 0, 8) >= 0);
        assertTrue(team.member() != 2 || out.getLong(8) == 20);
        assertTrue(calls.gather(2, in, 0, out, 0, descending) >= 0);
        assertTrue(team.member() != 2 || out.getLong(0) == 30);
        assertTrue(calls.allGather(in, 0, out, 0, 8) >= 0);
        assertEquals(20, out.getLong(8));
        assertTrue(calls.allGather(in, 0, out, 0, descending) >= 0);
        assertEquals(10, out.getLong(16));
        assertTrue(calls.allToAll(in, 0, out, 0, 8) >= 0);
        assertEquals(30 + team.member(), out.getLong(16));
        assertTrue(calls.allToAll(in, 0, descending, out, 0, Distribution.ascending(3, 8)) >= 0);
        assertEquals(32 - team.member(), out.getLong(16));
        assertTrue(calls.reduce(0, ElementType.LONG, Reducers.SUM, in, 0, out, 0, 1) >= 0);
        assertTrue(team.member() != 0 || out.getLong(0) == 60);
        for (int i = 0; i < 2; i++)
        {
            assertTrue(calls.allReduce(ElementType.LONG, i == 0 ? Reducers.SUM : Reducers.MAX, in, 0, out, 0, 1) >= 0);
            assertEquals(i == 0 ? 60 : 30, out.getLong(0));
            assertTrue(calls.scan(ElementType.LONG, Reducers.SUM, i == 0, in, 0, out, 8, 1) >= 0);
            assertTrue(i == 0 && team.member() == 0 || out.getLong(8) == new int[]{0, 10, 30, 60}[team.member() + i]);
        }
        assertTrue(calls.reduceScatter(ElementType.LONG, Reducers.SUM, in, 0, out, 0, 1) >= 0);
        assertEquals(60 + 3 * team.member(), out.getLong(0));
        assertTrue(calls.reduceScatter(ElementType.LONG, Reducers.SUM, in, 0, descending, out, 0) >= 0);
        assertEquals(66 - 3 * team.member(), out.getLong(0));
        assertTrue(calls.barrier() >= 0);
        assertTrue(calls.again() >= 0, "done already");
    }

    /** Messages of a program that has no listener for them wait until it polls; those of a channel are delivered meanwhile. */
    @Test
    void shouldLeaveMessagesOfTheProgram() throws InterruptedException
    {
        final AtomicInteger onChannel = new AtomicInteger();
        final AtomicInteger polled = new AtomicInteger();
        run(2, new CollectivesContext(), (collectives, endpoint) ->
        {
            final Team world = collectives.world();
            final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
            if (endpoint.rank() == 1)
            {
                Watchdog.await("message of the program", () -> endpoint.offer(0, 5, message, 0, 8) >= 0);
                assertTrue(world.barrier() >= 0);
            }
            else
            {
                endpoint.channel(9, (source, tag, buffer, offset, length) -> onChannel.incrementAndGet());
                assertTrue(world.barrier() >= 0);
                Watchdog.await("message of the program", () ->
                {
                    endpoint.poll((source, tag, buffer, offset, length) -> polled.addAndGet(tag), 10);
                    return polled.get() == 5;
                });
            }
            assertTrue(world.barrier() >= 0);
        });
    }

    @Test
    void shouldEndWhenARankCloses() throws InterruptedException
    {
        final AtomicInteger through = new AtomicInteger();
        run(3, new CollectivesContext(), (collectives, endpoint) ->
        {
            final Team world = collectives.world();
            assertEquals(99, RandomCalls.run(world, 1, 100));
            through.incrementAndGet();
            awaitAll(through, 3);
            if (endpoint.rank() == 1)
            {
                endpoint.close();
            }
            else
            {
                long result = 0;
                while (result >= 0)
                {
                    result = world.barrier();
                }
                assertEquals(Team.MEMBER_GONE, result);
                assertEquals(1, world.goneMember());
            }
        });
    }

    /** A rank closes its team, or its collectives, and keeps its endpoint open: no other waits for it. */
    @ParameterizedTest
    @CsvSource({"true, 0", "true, 2000", "false, 0", "false, 2000"})
    void shouldEndWhenARankClosesItsTeam(final boolean isTeam, final int looks) throws InterruptedException
    {
        final AtomicInteger through = new AtomicInteger();
        final AtomicInteger told = new AtomicInteger();
        run(3, new CollectivesContext().maxLooks(looks), (collectives, endpoint) ->
        {
            final Team world = collectives.world();
            assertEquals(9, RandomCalls.run(world, 1, 10));
            through.incrementAndGet();
            awaitAll(through, 3);
            if (endpoint.rank() == 1)
            {
                if (isTeam)
                {
                    world.close();
                }
                else
                {
                    collectives.close();
                }
                awaitAll(told, 2);
            }
            else
            {
                assertEquals(Team.MEMBER_GONE, world.barrier());
                assertEquals(1, world.goneMember());
                told.incrementAndGet();
            }
        });
    }

    /** Until all are through: the first one that finds a rank gone ends what is under way at the others too. */
    private void awaitAll(final AtomicInteger count, final int all)
    {
        Watchdog.await("the other ranks", () -> count.get() >= all || failure.get() != null);
    }

    /** Rank 0 gives up and attaches anew while rank 1 waits, and calls again and again; rank 2 comes after that. */
    @Test
    void shouldMeetAfterRankZeroGaveUp() throws InterruptedException
    {
        final AtomicInteger attachedAnew = new AtomicInteger();
        try (Node node = Node.launch(context(directory, 3)))
        {
            final List<Thread> threads = new ArrayList<>();
            for (int rank = 0; rank < 3; rank++)
            {
                final Endpoint endpoint = node.open(rank);
                final Thread thread = new Thread(() -> comeAfterGivingUp(node, endpoint, attachedAnew), "rank " + rank);
                threads.add(thread);
                thread.start();
            }
            Watchdog.awaitEnds(threads, failure);
        }
    }

    private void comeAfterGivingUp(final Node node, final Endpoint endpoint, final AtomicInteger attachedAnew)
    {
        final CollectivesContext hasty = new CollectivesContext().joinTimeoutNs(5_000_000);
        try
        {
            if (endpoint.rank() == 0)
            {
                try (Collectives first = Collectives.attach(node, endpoint, hasty))
                {
                    Watchdog.await("rank 1 in the arena", () ->
                        assertThrows(MailboxException.class, first::world).getMessage().contains("none of [2]"));
                }
            }
            else if (endpoint.rank() == 2)
            {
                Watchdog.await("rank 0 attaches anew", () -> attachedAnew.get() == 1);
            }
            try (Collectives collectives = Collectives.attach(node, endpoint, hasty))
            {
                attachedAnew.addAndGet(endpoint.rank() == 0 ? 1 : 0);
                Watchdog.await("team", () -> isIn(collectives));
                assertTrue(collectives.world().barrier() >= 0);
            }
        }
        catch (final Throwable t)
        {
            failure.compareAndSet(null, t);
            endpoint.close();
        }
    }

    private static boolean isIn(final Collectives collectives)
    {
        try
        {
            collectives.world();
            return true;
        }
        catch (final MailboxException ex)
        {
            return false;
        }
    }

    /** All close their collectives and attach anew. */
    @Test
    void shouldAttachAgain() throws InterruptedException
    {
        final CollectivesContext context = new CollectivesContext().window(8).blockLength(4_096);
        try (Node node = Node.launch(context(directory, 1)); Endpoint endpoint = node.open(0))
        {
            for (int i = 0; i < 3; i++)
            {
                try (Collectives collectives = Collectives.attach(node, endpoint, context))
                {
                    assertEquals(0, collectives.world().barrier());
                    assertEquals(0, collectives.doWork());
                    final String text = assertThrows(
                        IllegalStateException.class, () -> Collectives.attach(node, endpoint, context)).getMessage();
                    assertTrue(text.contains("CollectivesContext.channel"), text);
                }
            }
        }
    }

    @Test
    void shouldHaveAsManyBlocksAsFitTheMembers()
    {
        final CollectivesContext context = new CollectivesContext();
        assertEquals(0, context.window());
        assertEquals(64, context.windowOf(1));
        assertEquals(64, context.windowOf(4));
        assertEquals(32, context.windowOf(5));
        assertEquals(32, context.windowOf(8));
        assertEquals(4, context.windowOf(64));
        assertEquals(4, context.windowOf(200));
        assertEquals(4, context.blockLength(1 << 24).windowOf(2));
        assertEquals(16, context.window(16).windowOf(200), "what is set");
    }

    @Test
    void shouldRefuseMisuse()
    {
        try (Node node = Node.launch(context(directory, 3)); Endpoint endpoint = node.open(0))
        {
            assertThrows(IllegalArgumentException.class, () -> Collectives.attach(null, endpoint, new CollectivesContext()));
            assertThrows(IllegalArgumentException.class,
                () -> Collectives.attach(node, endpoint, new CollectivesContext().window(3)));
            assertThrows(IllegalArgumentException.class,
                () -> Collectives.attach(node, endpoint, new CollectivesContext().channel(0)));
            final Collectives collectives =
                Collectives.attach(node, endpoint, new CollectivesContext().joinTimeoutNs(10_000_000));
            final String message = assertThrows(MailboxException.class, collectives::world).getMessage();
            assertTrue(message.contains("[1, 2]"), message);
            collectives.close();
            collectives.close();
            assertThrows(IllegalStateException.class, collectives::world);
            final Endpoint closed = node.open(1);
            closed.close();
            assertThrows(IllegalStateException.class, () -> Collectives.attach(node, closed, new CollectivesContext()));
        }
    }
}
