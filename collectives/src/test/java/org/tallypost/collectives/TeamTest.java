// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** What a team does beside operations that go well. */
class TeamTest
{
    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final Random random = new Random(seed);

    TeamTest()
    {
        System.out.println("TeamTest: seed=" + seed);
    }

    @Test
    void shouldRunOperationsInTheOrderOfTheirStart()
    {
        final TeamRig rig = new TeamRig(3, 1_024);
        final List<Operation> all = new ArrayList<>();
        for (int i = 0; i < 3; i++)
        {
            for (int which = 0; which < Calls.COUNT; which++)
            {
                all.add(Calls.start(which, rig.teams[i]));
            }
        }
        rig.finish(random, all.toArray(new Operation[0]));
        for (int i = 0; i < all.size(); i++)
        {
            assertEquals(i % Calls.COUNT, all.get(i).result());
        }
    }

    /** No member gets more than a window ahead of the slowest one, and that one is named. */
    @Test
    void shouldNameLateMembers()
    {
        final TeamRig rig = new TeamRig(3, 1_024);
        final Operation ahead = Calls.start(3, rig.teams[0]);
        final int[] late = new int[3];
        assertTrue(ahead.isActive());
        assertEquals(2, rig.teams[0].lateMembers(late));
        assertEquals(1, late[0]);
        assertEquals(2, late[1]);
        final Operation other = Calls.start(3, rig.teams[2]);
        ahead.progress();
        assertEquals(1, rig.teams[0].lateMembers(late));
        assertEquals(1, late[0]);
        rig.finish(random, ahead, other, Calls.start(3, rig.teams[1]));
        assertEquals(0, rig.teams[0].lateMembers(late));
    }

    /** A sleeping member is woken by the one that it sleeps for, and by no other. */
    @Test
    void shouldWakeASleeperOnce()
    {
        final TeamRig rig = new TeamRig(3, 1_024);
        final Operation waits = Calls.start(0, rig.teams[0]);
        assertEquals(1, rig.teams[0].exchange().sleeper().waitingFor());
        rig.teams[0].exchange().sleeper().sleep();
        final Operation third = Calls.start(0, rig.teams[2]);
        assertEquals(0, rig.wakes[0]);
        final Operation second = Calls.start(0, rig.teams[1]);
        assertEquals(1, rig.wakes[0]);
        rig.teams[0].exchange().sleeper().awake();
        rig.finish(random, waits, second, third);
        assertEquals(1, rig.wakes[0]);
        // a team that ends wakes all that sleep
        final Operation again = Calls.start(0, rig.teams[0]);
        rig.teams[0].exchange().sleeper().sleep();
        rig.teams[2].revoke();
        assertEquals(2, rig.wakes[0]);
        assertEquals(Team.REVOKED, again.progress());
    }

    /** Portions of any lengths at any places, in heap and direct memory. */
    @Test
    void shouldFollowDistributions()
    {
        for (int round = 0; round < 300; round++)
        {
            final TeamRig rig = new TeamRig(2 + random.nextInt(4), 1_024);
            final int members = rig.size();
            final int root = random.nextInt(members);
            Distribution distribution = random.nextBoolean() ?
                Distribution.descending(members, 500) : Distribution.ascending(members, 60);
            final int ranged = random.nextInt(members);
            distribution = distribution.range(ranged, 3_000, round == 0 ? 0 : random.nextInt(Calls.LENGTH));
            final UnsafeBuffer all = new UnsafeBuffer(ByteBuffer.allocateDirect(distribution.extent() + 3));
            final byte[] content = new byte[all.capacity()];
            random.nextBytes(content);
            all.putBytes(0, content);
            final UnsafeBuffer[] own = new UnsafeBuffer[members];
            final UnsafeBuffer[] gathered = new UnsafeBuffer[members];
            final Operation[] scatters = new Operation[members];
            for (int i = 0; i < members; i++)
            {
                own[i] = Calls.buffer();
                gathered[i] = Calls.buffer();
                final Scatter scatter = rig.teams[i].newScatter();
                scatter.start(root, all, 3, distribution, own[i], 1);
                scatters[i] = scatter;
            }
            rig.finish(random, scatters);
            final Operation[] gathers = new Operation[2 * members];
            final UnsafeBuffer atRoot = Calls.buffer();
            for (int i = 0; i < members; i++)
            {
                final Gather gather = rig.teams[i].newGather();
                gather.start(root, own[i], 1, atRoot, 7, distribution);
                gathers[2 * i] = gather;
                final AllGather allGather = rig.teams[i].newAllGather();
                allGather.start(own[i], 1, gathered[i], 2, distribution);
                gathers[2 * i + 1] = allGather;
            }
            rig.finish(random, gathers);
            for (int i = 0; i < members; i++)
            {
                for (int at = 0; at < distribution.length(i); at++)
                {
                    final byte expected = content[3 + distribution.offset(i) + at];
                    assertEquals(expected, own[i].getByte(1 + at), "seed=" + seed);
                    assertEquals(expected, atRoot.getByte(7 + distribution.offset(i) + at), "seed=" + seed);
                    assertEquals(expected, gathered[root].getByte(2 + distribution.offset(i) + at), "seed=" + seed);
                    assertEquals(expected, gathered[i].getByte(2 + distribution.offset(i) + at), "seed=" + seed);
                }
                assertEquals(0, own[i].getByte(1 + distribution.length(i)), "nothing behind, seed=" + seed);
            }
        }
    }

    @Test
    void shouldRefuseMisuse()
    {
        final Team team = new TeamRig(2, 1_024).teams[0];
        final UnsafeBuffer buffer = Calls.buffer();
        assertThrows(IllegalArgumentException.class, () -> team.newAllReduce(ElementType.DOUBLE, Reducers.AND));
        assertThrows(IllegalArgumentException.class, () -> team.newAllReduce(null, Reducers.AND));
        assertThrows(IllegalArgumentException.class, () -> team.newBroadcast().start(2, buffer, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> team.newBroadcast().startReceive(0, buffer, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> team.newAllGather().start(buffer, 0, buffer, 0, -1));
        assertThrows(IllegalArgumentException.class,
            () -> team.newAllGather().start(buffer, 0, buffer, 0, Distribution.ascending(3, 1)));
        assertThrows(IllegalArgumentException.class,
            () -> team.newGather().start(0, buffer, 0, buffer, 0, Distribution.ascending(2, 4).slice(0, 1)));
        assertThrows(IllegalArgumentException.class, () -> team.newAllToAll().start(
            buffer, 0, Distribution.ascending(3, 1), buffer, 100, Distribution.ascending(2, 1)));
        assertThrows(IllegalArgumentException.class, () -> team.newAllToAll().start(
            buffer, 0, Distribution.ascending(2, 8), buffer, 100, Distribution.ascending(2, 8).slice(1, 0)));
        assertThrows(IllegalArgumentException.class, () -> team.newReduceScatter(ElementType.INT, Reducers.SUM).start(
            buffer, 0, Distribution.ascending(2, 4).range(1, 8, 6), buffer, 100));
        assertThrows(IndexOutOfBoundsException.class, () -> team.newReduceScatter(ElementType.INT, Reducers.SUM).start(
            buffer, 0, Distribution.ascending(2, 4).range(1, buffer.capacity(), 4), buffer, 100));
        assertThrows(IllegalArgumentException.class,
            () -> team.newScan(ElementType.INT, Reducers.SUM, true).start(buffer, 0, buffer, 0, -1));
        assertThrows(IndexOutOfBoundsException.class,
            () -> team.newReduce(ElementType.LONG, Reducers.SUM).start(0, buffer, 8, buffer, 0, Calls.LENGTH / 2));
        final Barrier barrier = team.newBarrier();
        assertEquals(Team.IN_PROGRESS, barrier.start());
        assertThrows(IllegalStateException.class, barrier::start);
        assertEquals(Algorithm.INLINE, barrier.algorithm());
        assertNull(team.newBarrier().algorithm());
        assertThrows(IllegalStateException.class, () -> barrier.force(Algorithm.BLOCKS));
        assertTrue(Team.errorString(Team.MISMATCH).startsWith("MISMATCH"));
        assertTrue(Team.errorString(-77).startsWith("unknown"));
        assertTrue(Team.errorString(Long.MIN_VALUE).startsWith("unknown"));
        assertEquals("DONE", Team.errorString(0));
    }

    /** What is received is in the place of what is sent, or has no byte in common with it. */
    @Test
    void shouldRefuseBuffersThatOverlap()
    {
        final Team team = new TeamRig(2, 1_024).teams[0];
        final UnsafeBuffer whole = Calls.buffer();
        final UnsafeBuffer same = new UnsafeBuffer(whole, 4, 100);
        final Class<IllegalArgumentException> refusal = IllegalArgumentException.class;
        final AllReduce sum = team.newAllReduce(ElementType.INT, Reducers.SUM);
        assertThrows(refusal, () -> sum.start(whole, 0, same, 0, 2));
        assertThrows(refusal, () -> sum.start(whole, 8, same, 0, 2));
        assertThrows(refusal, () -> team.newReduce(ElementType.INT, Reducers.SUM).start(0, whole, 0, whole, 4, 2));
        assertThrows(refusal, () -> team.newScan(ElementType.INT, Reducers.SUM, false).start(whole, 0, whole, 4, 2));
        assertThrows(refusal, () -> team.newReduceScatter(ElementType.INT, Reducers.SUM).start(whole, 0, whole, 8, 2));
        assertThrows(refusal, () -> team.newAllToAll().start(whole, 0, whole, 8, 8));
        final Distribution ascending = Distribution.ascending(2, 8);
        assertThrows(refusal, () -> team.newAllToAll().start(whole, 0, ascending, whole, 8, ascending));
        assertThrows(refusal, () -> team.newAllToAll().start(whole, 0, ascending, whole, 0, Distribution.descending(2, 8)));
        assertThrows(refusal, () -> team.newReduceScatter(ElementType.INT, Reducers.SUM).start(whole, 0, ascending, whole, 8));
        assertThrows(refusal, () -> team.newAllGather().start(whole, 4, whole, 0, 8));
        assertThrows(refusal, () -> team.newGather().start(0, whole, 8, whole, 0, 8));
        assertThrows(refusal, () -> team.newScatter().start(0, whole, 0, whole, 12, 8));
        // no byte in common, or the same place
        assertEquals(Team.IN_PROGRESS, sum.start(whole, 4, same, 8, 2));
        assertEquals(Team.IN_PROGRESS, team.newAllReduce(ElementType.INT, Reducers.SUM).start(whole, 8, same, 4, 2));
        assertEquals(Team.IN_PROGRESS, team.newGather().start(0, whole, 0, whole, 0, 8));
        assertEquals(Team.IN_PROGRESS, team.newAllGather().start(
            whole, 8, whole, 0, Distribution.ascending(2, 4).range(0, 16, 4)));
        assertEquals(Team.IN_PROGRESS, team.newAllToAll().start(whole, 0, whole, 16, 8));
    }

    @Test
    void shouldAllocateNothing()
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final TeamRig rig = new TeamRig(3, 1_024);
        final UnsafeBuffer in = Calls.buffer();
        final UnsafeBuffer out = Calls.buffer();
        final Distribution distribution = Distribution.descending(3, 700);
        final Barrier[] barriers = new Barrier[3];
        final AllReduce[] sums = new AllReduce[3];
        final AllGather[] gathers = new AllGather[3];
        final AllToAll[] exchanges = new AllToAll[3];
        final AllToAll[] varying = new AllToAll[3];
        final ReduceScatter[] scattered = new ReduceScatter[3];
        for (int i = 0; i < 3; i++)
        {
            barriers[i] = rig.teams[i].newBarrier();
            sums[i] = rig.teams[i].newAllReduce(ElementType.INT, Reducers.SUM);
            gathers[i] = rig.teams[i].newAllGather();
            exchanges[i] = rig.teams[i].newAllToAll();
            varying[i] = rig.teams[i].newAllToAll();
            scattered[i] = rig.teams[i].newReduceScatter(ElementType.INT, Reducers.SUM);
        }
        long allocated = Long.MAX_VALUE;
        for (int round = 0; round < 5 && allocated > 1_024; round++)
        {
            final long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
            for (int use = 0; use < 10_000; use++)
            {
                for (int i = 0; i < 3; i++)
                {
                    barriers[i].start();
                    sums[i].start(in, 0, out, 0, use % 5 == 0 ? 1_000 : 10);
                    gathers[i].start(in, 0, out, 0, distribution);
                    varying[i].start(in, 0, distribution, out, 0, distribution);
                    scattered[i].start(in, 0, distribution, out, 0);
                    exchanges[i].start(in, 0, out, 0, 100);
                }
                while (exchanges[0].isActive() || exchanges[1].isActive() || exchanges[2].isActive())
                {
                    exchanges[0].progress();
                    exchanges[1].progress();
                    exchanges[2].progress();
                }
            }
            allocated = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
        }
        assertTrue(allocated <= 1_024, "allocated " + allocated + " bytes for 60,000 operations of 3 members");
    }
}
