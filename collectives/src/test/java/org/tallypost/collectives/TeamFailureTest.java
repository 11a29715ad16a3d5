// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tallypost.collectives.internal.ArenaDescriptor;

/** Members of a team die, leave, revoke it, throw, or find damage. */
@Tag("once")
class TeamFailureTest
{
    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final Random random = new Random(seed);

    TeamFailureTest()
    {
        System.out.println("TeamFailureTest: seed=" + seed);
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
            final int which = random.nextInt(Calls.COUNT);
            final Operation[] first = rig.start((i) -> Calls.start(which, rig.teams[i]));
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
            final int which = random.nextInt(Calls.COUNT);
            final Operation[] first = rig.start((i) -> Calls.start(which, rig.teams[i]));
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
        final Operation waits = Calls.start(0, rig.teams[0]);
        rig.teams[0].exchange().sleeper().sleep();
        rig.teams[2].close();
        assertEquals(1, rig.wakes[0]);
        rig.teams[0].exchange().lookAtMembers();
        assertEquals(Team.MEMBER_GONE, waits.progress());
        assertEquals(2, rig.teams[0].goneMember());
    }

    /** A reducer throws once: its member gets the exception and no result, and no member gets a wrong one. */
    @Test
    void shouldEndAtAllMembersWhenAReducerThrows()
    {
        for (int round = 0; round < 1_000; round++)
        {
            final TeamRig rig = new TeamRig(2 + random.nextInt(3), 1_024);
            final int odd = random.nextInt(rig.size());
            final int count = 1 + random.nextInt(Calls.LENGTH / 8);
            final int[] callsLeft = {random.nextInt(3)};
            final UnsafeBuffer[] numbers = new UnsafeBuffer[rig.size()];
            final AllReduce[] sums = new AllReduce[rig.size()];
            int thrown = 0;
            for (int i = 0; i < rig.size(); i++)
            {
                final int member = i;
                numbers[i] = Calls.buffer();
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

    /** A member that has got through and leaves is no reason for the others to fail. */
    @Test
    void shouldGetThroughWhenAMemberLeavesBehindItsLastOperation()
    {
        for (int round = 0; round < 500; round++)
        {
            final TeamRig rig = new TeamRig(3, 1_024);
            final Operation[] last = rig.start((i) -> Calls.start(0, rig.teams[i]));
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
    void shouldEndForAllWhenOneRevokesAndForOneWhenItCloses()
    {
        final TeamRig rig = new TeamRig(3, 1_024);
        final Operation waits = Calls.start(0, rig.teams[0]);
        rig.teams[1].revoke();
        assertEquals(Team.REVOKED, waits.progress());
        assertEquals(Team.REVOKED, rig.teams[2].newBarrier().start());
        final TeamRig second = new TeamRig(2, 1_024);
        final Operation closed = Calls.start(0, second.teams[0]);
        second.teams[0].close();
        assertEquals(Team.CLOSED, closed.progress());
        assertEquals(Team.CLOSED, second.teams[0].newBarrier().start());
    }

    /** Whatever another process writes into the arena: no exception, no access outside, and no member hangs for ever. */
    @Test
    void shouldSurviveAnyDamage()
    {
        for (int round = 0; round < 5_000; round++)
        {
            final TeamRig rig = new TeamRig(2 + random.nextInt(3), 1_024);
            final int lines = ArenaDescriptor.shortPlacesOffset(rig.size(), 4);
            for (int turn = 0; turn < 4; turn++)
            {
                final int which = random.nextInt(Calls.COUNT);
                final Operation[] all = rig.start((i) -> Calls.start(which, rig.teams[i]));
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
}
