// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.tallypost.endpoint.Priority;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;

/**
 * Kill -9 of processes while all ranks of two nodes send to one another: nobody hangs, it is told in time, the rest goes on, and
 * the counts add up. All with messages of both priorities. {@code -Dtallypost.kills=20} makes the tests longer, and repeats
 * them with low priority only.
 *
 * <pre>
 *   node 0: this process, ranks 0 and 1          node 1: child processes, ranks 2 and 3
 * </pre>
 */
@Timeout(1800)
@Tag("once")
class NetworkKillTest
{
    private static final int RANKS = 4;
    private static final int[] ALL = {0, 1, 2, 3};
    private static final int HIGH_SLOTS = 4;
    private static final long INTERVAL_NS = 5_000_000_000L;
    /** Messages that are not known to be received at a time: no more than credits for them. */
    private static final long BOUND = 32L * RANKS * 2;
    /** As much again. */
    private static final long HIGH_BOUND = (long)HIGH_SLOTS * RANKS * 2;

    /** Some pairs of ranks. */
    private interface Pairs
    {
        boolean has(int source, int dest);

        default void forEach(final BiConsumer<Integer, Integer> action)
        {
            for (final int source : ALL)
            {
                for (final int dest : ALL)
                {
                    if (source != dest && has(source, dest))
                    {
                        action.accept(source, dest);
                    }
                }
            }
        }
    }

    @TempDir
    private File directory;

    private final int kills = Integer.getInteger("tallypost.kills", 1);
    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private final List<Long> toldMs = new ArrayList<>();
    private final List<ForkedJvm> children = new ArrayList<>();
    private Topology topology;
    private Books books;
    private Load load;
    private int highSlots;

    @BeforeEach
    void setUp()
    {
        System.out.println("NetworkKillTest: -Dtallypost.seed=" + seed + ", kills=" + kills);
        topology = NodesRig.topology(2, 2);
        books = new Books(file("books"), RANKS, true);
    }

    private void launch(final Priority most)
    {
        highSlots = most == Priority.HIGH ? HIGH_SLOTS : 0;
        load = new Load(file("node-0"), topology, 0, INTERVAL_NS, null, true, highSlots, books, 0, 1);
    }

    @AfterEach
    void tearDown()
    {
        CloseHelper.closeAll(children);
        CloseHelper.closeAll(load, books);
    }

    private File file(final String name)
    {
        return new File(directory, name);
    }

    private ForkedJvm start(final String driver, final boolean carry, final int... ranks)
    {
        final ForkedJvm child = LoadProcess.start(
            file("node-1"), topology, 1, INTERVAL_NS, driver, carry, highSlots, file("books"), ranks);
        return started(child);
    }

    private ForkedJvm started(final ForkedJvm child)
    {
        children.add(child);
        final String[] line = new String[1];
        await("a child that is ready", () -> (line[0] = child.pollLine()) != null || !child.isAlive());
        assertEquals("ready", line[0]);
        return child;
    }

    private void await(final String what, final BooleanSupplier condition)
    {
        final Watchdog watchdog = new Watchdog(
            Watchdog.DEFAULT_LIMIT, () -> what + ": seed=" + seed + ", told after ms=" + toldMs + ", " + books);
        while (!condition.getAsBoolean())
        {
            // only the condition counts as progress
            if (load.turn() == 0)
            {
                watchdog.idle();
            }
            else
            {
                watchdog.check();
            }
        }
    }

    /** Waits until so many more messages have come of each pair that fits. */
    private void awaitTraffic(final String what, final int more, final IntPredicate isIn)
    {
        awaitMore(what, Books.RECEIVED, more, isIn);
        if (highSlots > 0)
        {
            awaitMore(what + ", of high priority", Books.HIGH_RECEIVED, more, isIn);
        }
    }

    private void awaitMore(final String what, final int field, final int more, final IntPredicate isIn)
    {
        final long[] before = IntStream.range(0, RANKS * RANKS)
            .mapToLong((pair) -> books.get(field, pair % RANKS, pair / RANKS)).toArray();
        await(what, () -> IntStream.range(0, RANKS * RANKS).allMatch((pair) ->
            pair % RANKS == pair / RANKS || !(isIn.test(pair % RANKS) && isIn.test(pair / RANKS)) ||
            books.get(field, pair % RANKS, pair / RANKS) >= before[pair] + more));
    }

    /** What may be under way between two ranks each time that a link breaks. */
    private long bound()
    {
        return highSlots == 0 ? BOUND : BOUND + HIGH_BOUND;
    }

    /** Kills somewhere in the middle of the traffic and waits until all senders that have to know do. */
    private void kill(final ForkedJvm victim, final Pairs told)
    {
        final int more = 1 + random.nextInt(500);
        awaitTraffic("traffic before a kill", more, (rank) -> true);
        told.forEach((sender, receiver) -> books.set(Books.GONE_NS, sender, receiver, 0));
        final long startNs = System.nanoTime();
        victim.kill();
        children.remove(victim);
        victim.close();
        told.forEach((sender, receiver) ->
        {
            await("rank " + sender + " to be told of rank " + receiver, () ->
                books.get(Books.GONE_NS, sender, receiver) != 0);
            final long ns = books.get(Books.GONE_NS, sender, receiver) - startNs;
            toldMs.add(ns / 1_000_000);
        });
    }

    /** Nobody sends any more: waits until what was sent has come or is told, for pairs of ends that were never killed. */
    private void settle(final IntPredicate isSurvivor)
    {
        awaitTraffic("traffic after the last kill", 100, (rank) -> true);
        books.stop(true);
        final Pairs surviving = (source, dest) -> isSurvivor.test(source) && isSurvivor.test(dest);
        surviving.forEach((source, dest) ->
            await("all to be received or told: " + source + " to " + dest, () -> silent(source, dest) <= 0));
        final Pairs all = (source, dest) -> true;
        all.forEach((source, dest) ->
            assertEquals(0, books.get(Books.WRONG, dest, source), () -> "once, in order, whole: " + books.pair(source, dest)));
        Collections.sort(toldMs);
        System.out.println("NetworkKillTest: told after ms=" + toldMs + ", " + books);
    }

    /** Messages that were neither received nor told. */
    private long silent(final int source, final int dest)
    {
        return books.get(Books.SENT, source, dest) - books.get(Books.RECEIVED, dest, source) -
            books.get(Books.TOLD, source, dest);
    }

    /** Of a pair of living ends: all that did not come was told, and not much more than that. */
    private void assertAddsUp(final int source, final int dest, final int breaks)
    {
        assertTrue(books.get(Books.RECEIVED, dest, source) <= books.get(Books.SENT, source, dest),
            () -> books.pair(source, dest));
        final long silent = silent(source, dest);
        assertTrue(silent <= 0 && silent >= -breaks * bound(), () -> books.pair(source, dest) + ", seed=" + seed);
    }

    private static boolean isOnOneNode(final int source, final int dest)
    {
        return source / 2 == dest / 2;
    }

    static Stream<Priority> priorities()
    {
        return Integer.getInteger("tallypost.kills", 1) > 1 ? Stream.of(Priority.values()) : Stream.of(Priority.HIGH);
    }

    @ParameterizedTest
    @MethodSource("priorities")
    void shouldGoOnWhenAProcessWithAnEndpointIsKilled(final Priority most)
    {
        launch(most);
        start(null, true, 2);
        ForkedJvm victim = start(null, false, 3);
        for (int i = 0; i < kills; i++)
        {
            kill(victim, (source, dest) -> dest == 3);
            awaitTraffic("the others to go on", 50, (rank) -> rank != 3);
            victim = start(null, false, 3);
        }
        settle((rank) -> rank != 3);
        final Pairs others = (source, dest) -> source != 3 && dest != 3;
        others.forEach((source, dest) ->
        {
            assertAddsUp(source, dest, 0);
            assertEquals(0, books.get(Books.TOLD, source, dest), () -> books.pair(source, dest));
        });
        for (final int rank : new int[]{0, 1, 2})
        {
            // what it sent before it was killed has come, and at most one that it could not note down any more
            await("what rank 3 sent", () -> silent(3, rank) <= 0);
            assertTrue(silent(3, rank) >= -kills, () -> books.pair(3, rank));
            // what was in its mailbox is known to be received, and was not read
            assertTrue(Math.abs(silent(rank, 3)) <= kills * bound(), () -> books.pair(rank, 3));
        }
    }

    @ParameterizedTest
    @MethodSource("priorities")
    void shouldGoOnWhenTheProcessThatCarriesThePacketsIsKilled(final Priority most)
    {
        launch(most);
        final ForkedJvm[] carriers = {start(null, true), start(null, true)};
        start(null, false, 2, 3);
        for (int i = 0; i < kills; i++)
        {
            await("traffic", () -> books.carrier(1) == carriers[0].pid() || books.carrier(1) == carriers[1].pid());
            final int carrier = books.carrier(1) == carriers[0].pid() ? 0 : 1;
            kill(carriers[carrier], (source, dest) -> !isOnOneNode(source, dest));
            awaitTraffic("node 0 to go on", 50, (rank) -> rank < 2);
            awaitTraffic("node 1 to go on", 50, (rank) -> rank >= 2);
            awaitTraffic("all to go on", 50, (rank) -> true);
            carriers[carrier] = start(null, true);
        }
        settle((rank) -> true);
        assertAllAddUp(kills);
    }

    /** All processes of a node are one here. */
    @ParameterizedTest
    @MethodSource("priorities")
    void shouldGoOnWhenANodeIsKilled(final Priority most)
    {
        launch(most);
        ForkedJvm node = start(null, true, 2, 3);
        for (int i = 0; i < kills; i++)
        {
            kill(node, (source, dest) -> source < 2 && dest >= 2);
            awaitTraffic("node 0 to go on", 50, (rank) -> rank < 2);
            node = start(null, true, 2, 3);
        }
        settle((rank) -> rank < 2);
        for (final int rank : new int[]{0, 1})
        {
            assertAddsUp(rank, 1 - rank, 0);
            for (final int killed : new int[]{2, 3})
            {
                await("what rank " + rank + " sent to the next " + killed, () ->
                    Math.abs(silent(rank, killed)) <= kills * bound());
            }
        }
    }

    @ParameterizedTest
    @MethodSource("priorities")
    void shouldGoOnWhenTheMediaDriverIsKilled(final Priority most)
    {
        launch(most);
        final String aeron = file("driver").getPath();
        ForkedJvm driver = started(DriverProcess.start(aeron));
        start(aeron, true, 2, 3);
        for (int i = 0; i < kills; i++)
        {
            kill(driver, (source, dest) -> !isOnOneNode(source, dest));
            awaitTraffic("node 0 to go on", 50, (rank) -> rank < 2);
            awaitTraffic("node 1 to go on", 50, (rank) -> rank >= 2);
            driver = started(DriverProcess.start(aeron));
            awaitTraffic("all to go on", 50, (rank) -> true);
        }
        settle((rank) -> true);
        assertAllAddUp(kills);
        IoUtil.delete(new File(aeron), true);
    }

    private void assertAllAddUp(final int breaks)
    {
        final Pairs all = (source, dest) -> true;
        all.forEach((source, dest) -> assertAddsUp(source, dest, isOnOneNode(source, dest) ? 0 : breaks));
    }
}
