// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.tallypost.collectives.internal.ArenaDescriptor;

/** What a team does beside operations that go well. */
class TeamTest
{
    private static final int LENGTH = 5_000;

    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final Random random = new Random(seed);

    TeamTest()
    {
        System.out.println("TeamTest: seed=" + seed);
    }

    private static UnsafeBuffer buffer()
    {
        return new UnsafeBuffer(new byte[4 * LENGTH]);
    }

    /** Something that a member may call, described by what all have to agree on. */
    private static Operation call(final int which, final Team team)
    {
        final UnsafeBuffer in = buffer();
        final UnsafeBuffer out = buffer();
        switch (which)
        {
            case 0:
                final Barrier barrier = team.newBarrier();
                barrier.start();
                return barrier;
            case 1:
            case 2:
            case 3:
                final Broadcast broadcast = team.newBroadcast();
                broadcast.start(which == 2 ? 1 : 0, in, 0, which == 3 ? LENGTH : 8);
                return broadcast;
            case 4:
            case 5:
            case 6:
                final AllReduce allReduce = team.newAllReduce(
                    which == 5 ? ElementType.FLOAT : ElementType.INT, which == 6 ? Reducers.MAX : Reducers.SUM);
                allReduce.start(in, 0, out, 0, 2);
                return allReduce;
            case 7:
                final Gather gather = team.newGather();
                gather.start(0, in, 0, out, 0, 8);
                return gather;
            case 8:
                final Scatter scatter = team.newScatter();
                scatter.start(0, in, 0, out, 0, 8);
                return scatter;
            case 9:
                final AllGather distributed = team.newAllGather();
                distributed.start(in, 0, out, 0, Distribution.descending(team.size(), 8));
                return distributed;
            case 10:
                final AllGather allGather = team.newAllGather();
                allGather.start(in, 0, out, 0, 8);
                return allGather;
            case 11:
                final AllReduce sliced = team.newAllReduce(ElementType.INT, Reducers.SUM);
                sliced.start(in, 0, out, 0, LENGTH / 4);
                return sliced;
            default:
                final AllToAll allToAll = team.newAllToAll();
                allToAll.start(in, 0, out, 0, 8);
                return allToAll;
        }
    }

    /** One member calls something else, and all members then a barrier: nobody hangs, and all are told. */
    @Test
    void shouldTellAllMembersOfAMismatch()
    {
        for (int members = 2; members <= 4; members++)
        {
            for (int most = 0; most < 13; most++)
            {
                for (int other = 0; other < 13; other++)
                {
                    final TeamRig rig = new TeamRig(members, 1_024);
                    final int odd = random.nextInt(members);
                    final List<Operation> all = new ArrayList<>();
                    for (final int i : rig.shuffled(random))
                    {
                        all.add(call(i == odd ? other : most, rig.teams[i]));
                        final Barrier barrier = rig.teams[i].newBarrier();
                        barrier.start();
                        all.add(barrier);
                    }
                    rig.finish(random, all.toArray(new Operation[0]));
                    final String what = "most call " + most + ", member " + odd + " of " + members + " calls " +
                        other + ", seed=" + seed;
                    for (int i = 1; i < all.size(); i += 2)
                    {
                        assertEquals(most == other ? 1 : Team.MISMATCH, all.get(i).result(), what);
                    }
                    assertEquals(most != other, rig.teams[0].goneMember() >= 0, what);
                }
            }
        }
    }

    /** A member stops at some step of an operation and is gone: all others end, also those that do not wait for it. */
    @Test
    void shouldEndAtAllMembersWhenOneIsGone()
    {
        for (int round = 0; round < 3_000; round++)
        {
            final int members = 2 + random.nextInt(5);
            final TeamRig rig = new TeamRig(members, 1_024);
            final int victim = random.nextInt(members);
            final int which = random.nextInt(13);
            final Operation[] first = start(rig, (i) -> call(which, rig.teams[i]));
            int turns = random.nextInt(4 * members);
            while (turns-- > 0)
            {
                first[random.nextInt(members)].progress();
            }
            rig.gone[victim] = true;
            final List<Operation> left = new ArrayList<>();
            for (int i = 0; i < members; i++)
            {
                if (i != victim)
                {
                    final Barrier barrier = rig.teams[i].newBarrier();
                    barrier.start();
                    left.add(barrier);
                }
            }
            rig.finish(random, left.toArray(new Operation[0]));
            for (final Operation operation : left)
            {
                assertEquals(Team.MEMBER_GONE, operation.result(), "call " + which + ", seed=" + seed);
                assertEquals(victim, operation.team().goneMember());
                assertEquals(Team.MEMBER_GONE, operation.team().newBarrier().start(), "later calls too");
            }
        }
    }

    /** A member closes its team and keeps its rank open: all others end, whatever they are in. */
    @Test
    void shouldEndAtAllMembersWhenOneClosesItsTeam()
    {
        for (int round = 0; round < 1_000; round++)
        {
            final TeamRig rig = new TeamRig(2 + random.nextInt(4), 1_024);
            final int odd = random.nextInt(rig.size());
            final int which = random.nextInt(13);
            final Operation[] first = start(rig, (i) -> call(which, rig.teams[i]));
            int turns = random.nextInt(4 * rig.size());
            while (turns-- > 0)
            {
                first[random.nextInt(rig.size())].progress();
            }
            rig.teams[odd].close();
            final List<Operation> left = new ArrayList<>();
            for (int i = 0; i < rig.size(); i++)
            {
                final Barrier barrier = rig.teams[i].newBarrier();
                assertEquals(i == odd ? Team.CLOSED : Team.IN_PROGRESS, barrier.start());
                if (i != odd)
                {
                    left.add(barrier);
                }
            }
            rig.finish(random, left.toArray(new Operation[0]));
            for (final Operation operation : left)
            {
                assertEquals(Team.MEMBER_GONE, operation.result(), "call " + which + ", seed=" + seed);
                assertEquals(odd, operation.team().goneMember());
                assertEquals(Team.MEMBER_GONE, operation.team().newBarrier().start(), "later calls too");
            }
        }
    }

    @Test
    void shouldWakeSleepersWhenAMemberCloses()
    {
        final TeamRig rig = new TeamRig(3, 1_024);
        final Operation waits = call(0, rig.teams[0]);
        rig.teams[0].exchange().sleep();
        rig.teams[2].close();
        assertEquals(1, rig.wakes[0]);
        rig.teams[0].exchange().lookAtMembers();
        assertEquals(Team.MEMBER_GONE, waits.progress());
        assertEquals(2, rig.teams[0].goneMember());
    }

    /** Members differ in their last call, which may be long: none waits for ever, also one that reads no lines in it. */
    @Test
    void shouldTellAllThatWaitOfAMismatchInTheLastCall()
    {
        for (int round = 0; round < 3_000; round++)
        {
            final TeamRig rig = new TeamRig(2 + random.nextInt(3), 1_024);
            final int odd = random.nextInt(rig.size());
            final int most = random.nextInt(7);
            final int other = random.nextInt(7);
            final int root = random.nextInt(rig.size());
            final int length = random.nextInt(LENGTH);
            final Operation[] before = start(rig, (i) -> call(0, rig.teams[i]));
            rig.finish(random, before);
            final Operation[] last = start(rig, (i) -> longCall(i == odd ? other : most, rig.teams[i], root, length));
            rig.finish(random, last);
            final String what = "most call " + most + ", member " + odd + " of " + rig.size() + " calls " + other + ", root " +
                root + ", length " + length + ", seed=" + seed;
            for (final Operation operation : last)
            {
                assertTrue(operation.result() == 1 || operation.result() == Team.MISMATCH && most != other, what);
            }
        }
    }

    private static Operation longCall(final int which, final Team team, final int root, final int length)
    {
        final UnsafeBuffer in = buffer();
        final UnsafeBuffer out = buffer();
        switch (which)
        {
            case 0:
                final Gather gather = team.newGather();
                gather.start(root, in, 0, out, 0, length);
                return gather;
            case 1:
                final Scatter scatter = team.newScatter();
                scatter.start(root, in, 0, out, 0, length);
                return scatter;
            case 2:
                final Broadcast broadcast = team.newBroadcast();
                broadcast.start(root, in, 0, length);
                return broadcast;
            case 3:
                final Reduce reduce = team.newReduce(ElementType.BYTE, Reducers.SUM);
                reduce.start(root, in, 0, out, 0, length);
                return reduce;
            case 4:
                final Scan scan = team.newScan(ElementType.BYTE, Reducers.SUM, true);
                scan.start(in, 0, out, 0, length);
                return scan;
            case 5:
                final AllReduce allReduce = team.newAllReduce(ElementType.BYTE, Reducers.SUM);
                allReduce.start(in, 0, out, 0, length);
                return allReduce;
            default:
                final Barrier barrier = team.newBarrier();
                barrier.start();
                return barrier;
        }
    }

    /** A reducer throws once: its member gets the exception and no result, and no member gets a wrong one. */
    @Test
    void shouldEndAtAllMembersWhenAReducerThrows()
    {
        for (int round = 0; round < 1_000; round++)
        {
            final TeamRig rig = new TeamRig(2 + random.nextInt(3), 1_024);
            final int odd = random.nextInt(rig.size());
            final int count = 1 + random.nextInt(LENGTH / 8);
            final int[] callsLeft = {random.nextInt(3)};
            final UnsafeBuffer[] numbers = new UnsafeBuffer[rig.size()];
            final AllReduce[] sums = new AllReduce[rig.size()];
            int thrown = 0;
            for (int i = 0; i < rig.size(); i++)
            {
                final int member = i;
                numbers[i] = buffer();
                for (int at = 0; at < count; at++)
                {
                    numbers[i].putLong(8 * at, i + 1);
                }
                sums[i] = rig.teams[i].newAllReduce(ElementType.LONG, Reducers.of("sum", true, (type, to, toAt, from, at, n) ->
                {
                    Reducers.SUM.reduce(type, to, toAt, from, at, n);
                    if (member == odd && callsLeft[0]-- == 0)
                    {
                        throw new ArithmeticException("once");
                    }
                }));
                thrown += throwing(() -> sums[member].startInPlace(numbers[member], 0, count));
            }
            final String what = "member " + odd + " of " + rig.size() + ", count " + count + ", seed=" + seed;
            long turns = 0;
            for (int active = rig.size(); active > 0 && turns < 20_000_000; turns++)
            {
                thrown += throwing(sums[random.nextInt(sums.length)]::progress);
                active = 0;
                for (final AllReduce sum : sums)
                {
                    active += sum.isActive() ? 1 : 0;
                }
            }
            assertEquals(callsLeft[0] < 0 ? 1 : 0, thrown, what);
            for (int i = 0; i < rig.size(); i++)
            {
                assertFalse(sums[i].isActive(), what);
                assertTrue(sums[i].result() == 0 || thrown > 0 && sums[i].result() == Team.REDUCER_FAILED, what);
                assertFalse(thrown > 0 && i == odd && sums[i].result() == 0, what);
                for (int at = 0; at < count && sums[i].result() == 0; at++)
                {
                    assertEquals(rig.size() * (rig.size() + 1) / 2, numbers[i].getLong(8 * at), what);
                }
                if (thrown > 0)
                {
                    assertEquals(Team.REDUCER_FAILED, rig.teams[i].newBarrier().start(), what);
                    assertEquals(odd, rig.teams[i].goneMember(), what);
                }
            }
        }
    }

    private static int throwing(final Runnable part)
    {
        try
        {
            part.run();
            return 0;
        }
        catch (final ArithmeticException ex)
        {
            return 1;
        }
    }

    private static Operation[] start(final TeamRig rig, final IntFunction<Operation> call)
    {
        final Operation[] operations = new Operation[rig.size()];
        for (int i = 0; i < operations.length; i++)
        {
            operations[i] = call.apply(i);
        }
        return operations;
    }

    /** A member that has got through and leaves is no reason for the others to fail. */
    @Test
    void shouldGetThroughWhenAMemberLeavesBehindItsLastOperation()
    {
        for (int round = 0; round < 500; round++)
        {
            final TeamRig rig = new TeamRig(3, 1_024);
            final Operation[] last = start(rig, (i) -> call(0, rig.teams[i]));
            last[0].progress();
            assertTrue(last[0].result() >= 0);
            rig.gone[0] = true;
            rig.teams[0].close();
            rig.teams[1].exchange().lookAtMembers();
            rig.finish(random, last);
            assertTrue(last[1].result() >= 0 && last[2].result() >= 0, "seed=" + seed);
        }
    }

    @Test
    void shouldRunOperationsInTheOrderOfTheirStart()
    {
        final TeamRig rig = new TeamRig(3, 1_024);
        final List<Operation> all = new ArrayList<>();
        for (int i = 0; i < 3; i++)
        {
            for (int which = 0; which < 13; which++)
            {
                all.add(call(which, rig.teams[i]));
            }
        }
        rig.finish(random, all.toArray(new Operation[0]));
        for (int i = 0; i < all.size(); i++)
        {
            assertEquals(i % 13, all.get(i).result());
        }
    }

    /** No member gets more than a window ahead of the slowest one, and that one is named. */
    @Test
    void shouldNameLateMembers()
    {
        final TeamRig rig = new TeamRig(3, 1_024);
        final Operation ahead = call(3, rig.teams[0]);
        final int[] late = new int[3];
        assertTrue(ahead.isActive());
        assertEquals(2, rig.teams[0].lateMembers(late));
        assertEquals(1, late[0]);
        assertEquals(2, late[1]);
        final Operation other = call(3, rig.teams[2]);
        ahead.progress();
        assertEquals(1, rig.teams[0].lateMembers(late));
        assertEquals(1, late[0]);
        rig.finish(random, ahead, other, call(3, rig.teams[1]));
        assertEquals(0, rig.teams[0].lateMembers(late));
    }

    @Test
    void shouldEndForAllWhenOneRevokesAndForOneWhenItCloses()
    {
        final TeamRig rig = new TeamRig(3, 1_024);
        final Operation waits = call(0, rig.teams[0]);
        rig.teams[1].revoke();
        assertEquals(Team.REVOKED, waits.progress());
        assertEquals(Team.REVOKED, rig.teams[2].newBarrier().start());
        final TeamRig second = new TeamRig(2, 1_024);
        final Operation closed = call(0, second.teams[0]);
        second.teams[0].close();
        assertEquals(Team.CLOSED, closed.progress());
        assertEquals(Team.CLOSED, second.teams[0].newBarrier().start());
    }

    /** A sleeping member is woken by the one that it sleeps for, and by no other. */
    @Test
    void shouldWakeASleeperOnce()
    {
        final TeamRig rig = new TeamRig(3, 1_024);
        final Operation waits = call(0, rig.teams[0]);
        assertEquals(1, rig.teams[0].exchange().waitingFor());
        rig.teams[0].exchange().sleep();
        final Operation third = call(0, rig.teams[2]);
        assertEquals(0, rig.wakes[0]);
        final Operation second = call(0, rig.teams[1]);
        assertEquals(1, rig.wakes[0]);
        rig.teams[0].exchange().awake();
        rig.finish(random, waits, second, third);
        assertEquals(1, rig.wakes[0]);
        // a team that ends wakes all that sleep
        final Operation again = call(0, rig.teams[0]);
        rig.teams[0].exchange().sleep();
        rig.teams[2].revoke();
        assertEquals(2, rig.wakes[0]);
        assertEquals(Team.REVOKED, again.progress());
    }

    /** Whatever another process writes into the arena: no exception, no access outside, and no member hangs for ever. */
    @Test
    void shouldSurviveAnyDamage()
    {
        for (int round = 0; round < 5_000; round++)
        {
            final TeamRig rig = new TeamRig(2 + random.nextInt(3), 1_024);
            final int lines = ArenaDescriptor.blocksOffset(rig.size(), 4);
            for (int turn = 0; turn < 4; turn++)
            {
                final int which = random.nextInt(13);
                final Operation[] all = start(rig, (i) -> call(which, rig.teams[i]));
                for (int i = 0; i < 30; i++)
                {
                    all[random.nextInt(all.length)].progress();
                    if (i % 3 == 0)
                    {
                        final int at = ArenaDescriptor.DECISION_OFFSET +
                            random.nextInt((lines - ArenaDescriptor.DECISION_OFFSET) / 8) * 8;
                        rig.memory.putLong(at, random.nextBoolean() ? random.nextLong() : random.nextInt(10));
                    }
                }
                rig.teams[0].revoke();
                for (final Operation operation : all)
                {
                    operation.progress();
                    assertFalse(operation.isActive(), "seed=" + seed);
                }
            }
        }
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
            distribution = distribution.range(ranged, 3_000, random.nextInt(LENGTH));
            final UnsafeBuffer all = new UnsafeBuffer(ByteBuffer.allocateDirect(distribution.extent() + 3));
            final byte[] content = new byte[all.capacity()];
            random.nextBytes(content);
            all.putBytes(0, content);
            final UnsafeBuffer[] own = new UnsafeBuffer[members];
            final UnsafeBuffer[] gathered = new UnsafeBuffer[members];
            final Operation[] scatters = new Operation[members];
            for (int i = 0; i < members; i++)
            {
                own[i] = buffer();
                gathered[i] = buffer();
                final Scatter scatter = rig.teams[i].newScatter();
                scatter.start(root, all, 3, distribution, own[i], 1);
                scatters[i] = scatter;
            }
            rig.finish(random, scatters);
            final Operation[] gathers = new Operation[2 * members];
            final UnsafeBuffer atRoot = buffer();
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
        final UnsafeBuffer buffer = buffer();
        assertThrows(IllegalArgumentException.class, () -> team.newAllReduce(ElementType.DOUBLE, Reducers.AND));
        assertThrows(IllegalArgumentException.class, () -> team.newAllReduce(null, Reducers.AND));
        assertThrows(IllegalArgumentException.class, () -> team.newBroadcast().start(2, buffer, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> team.newBroadcast().startReceive(0, buffer, 0, 1));
        assertThrows(IllegalArgumentException.class, () -> team.newAllGather().start(buffer, 0, buffer, 0, -1));
        assertThrows(IllegalArgumentException.class,
            () -> team.newAllGather().start(buffer, 0, buffer, 0, Distribution.ascending(3, 1)));
        assertThrows(IllegalArgumentException.class,
            () -> team.newGather().start(0, buffer, 0, buffer, 0, Distribution.ascending(2, 4).slice(0, 1)));
        assertThrows(IllegalArgumentException.class,
            () -> team.newScan(ElementType.INT, Reducers.SUM, true).start(buffer, 0, buffer, 0, -1));
        assertThrows(IndexOutOfBoundsException.class,
            () -> team.newReduce(ElementType.LONG, Reducers.SUM).start(0, buffer, 8, buffer, 0, LENGTH / 2));
        final Barrier barrier = team.newBarrier();
        assertEquals(Team.IN_PROGRESS, barrier.start());
        assertThrows(IllegalStateException.class, barrier::start);
        assertEquals("inline", barrier.algorithm());
        assertEquals("none", team.newBarrier().algorithm());
        assertTrue(Team.errorString(Team.MISMATCH).startsWith("MISMATCH"));
        assertTrue(Team.errorString(-77).startsWith("unknown"));
        assertTrue(Team.errorString(Long.MIN_VALUE).startsWith("unknown"));
        assertEquals("DONE", Team.errorString(0));
    }

    @Test
    void shouldAllocateNothing()
    {
        final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        final TeamRig rig = new TeamRig(3, 1_024);
        final UnsafeBuffer in = buffer();
        final UnsafeBuffer out = buffer();
        final Distribution distribution = Distribution.descending(3, 700);
        final Barrier[] barriers = new Barrier[3];
        final AllReduce[] sums = new AllReduce[3];
        final AllGather[] gathers = new AllGather[3];
        final AllToAll[] exchanges = new AllToAll[3];
        for (int i = 0; i < 3; i++)
        {
            barriers[i] = rig.teams[i].newBarrier();
            sums[i] = rig.teams[i].newAllReduce(ElementType.INT, Reducers.SUM);
            gathers[i] = rig.teams[i].newAllGather();
            exchanges[i] = rig.teams[i].newAllToAll();
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
        assertTrue(allocated <= 1_024, "allocated " + allocated + " bytes for 40,000 operations of 3 members");
    }
}
