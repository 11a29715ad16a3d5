// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A member dies before each of its stores into the arena, in every operation by every algorithm, and when teams are made: the
 * others end, agree, and go on in a team of their own. All in one thread.
 */
@Tag("once")
class TeamKillTest
{
    private static final int MEMBERS = 4;
    private static final int LENGTH = 3_000;

    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final Random random = new Random(seed);
    private TeamRig.Reach reach = TeamRig.Reach.ARENA;
    private String what;

    TeamKillTest()
    {
        System.out.println("TeamKillTest: seed=" + seed);
    }

    /** What each member begins, and takes on until it is dead. */
    private interface Beginning
    {
        Progress begin(Team team);
    }

    @ParameterizedTest
    @EnumSource(Kind.class)
    void shouldGoOnWhereverAMemberDiesInAnOperation(final Kind kind)
    {
        for (final Algorithm algorithm : Algorithm.values())
        {
            for (final int length : new int[]{8, LENGTH})
            {
                final int root = random.nextInt(MEMBERS);
                final String call = kind + " by " + algorithm + " of " + length + ", root " + root;
                reach = algorithm.isDirect() ? TeamRig.Reach.PROCESS : TeamRig.Reach.ARENA;
                each(call, (team) -> MatrixTest.start(team, kind, algorithm, root, ElementType.LONG, Reducers.SUM,
                    buffer(), buffer(), 0, length / Long.BYTES, false));
            }
        }
    }

    private static UnsafeBuffer buffer()
    {
        return new UnsafeBuffer(new byte[MEMBERS * LENGTH]);
    }

    @Test
    void shouldGoOnWhereverAMemberDiesInASplit()
    {
        each("split", (team) ->
        {
            final Split split = team.newSplit();
            split.start(team.member() & 1, -team.member());
            return split;
        });
    }

    @Test
    void shouldGoOnWhereverAMemberDiesInAnAgreement()
    {
        each("agreement", (team) ->
        {
            final Agreement agreement = team.newAgreement();
            agreement.start(~(1 << team.member()) & Integer.MAX_VALUE);
            return agreement;
        });
    }

    @Test
    void shouldGoOnWhereverAMemberDiesInAShrink()
    {
        each("shrink", (team) ->
        {
            final Shrink shrink = team.newShrink();
            shrink.start();
            return shrink;
        });
    }

    /** For all members, and all their stores. */
    private void each(final String call, final Beginning beginning)
    {
        for (int victim = 0; victim < MEMBERS; victim++)
        {
            boolean isDead = true;
            for (int stores = 0; isDead; stores++)
            {
                assertTrue(stores < 10_000);
                what = call + ", member " + victim + " dies behind " + stores + " stores, seed=" + seed;
                isDead = kill(new TeamRig(MEMBERS, 4, 1_024, reach, 0), victim, stores, beginning);
                assertTrue(isDead || stores > 0, what);
            }
        }
    }

    private boolean kill(final TeamRig rig, final int victim, final int stores, final Beginning beginning)
    {
        rig.meetings.lives[victim].endAfter(stores);
        final Progress[] begun = new Progress[MEMBERS];
        for (final int i : rig.shuffled(random))
        {
            mortal(rig, i, () -> begun[i] = beginning.begin(rig.teams[i]));
        }
        final long[] results = new long[MEMBERS];
        finish(rig, (i) -> begun[i] != null && (results[i] = begun[i].progress()) == Team.IN_PROGRESS);
        if (!rig.gone[victim])
        {
            return false;
        }
        final List<String> agreed = new ArrayList<>();
        boolean isOneMade = false;
        boolean isOneMissing = false;
        for (int i = 0; i < MEMBERS; i++)
        {
            if (i != victim)
            {
                final long result = results[i];
                assertTrue(result >= 0 || result == Team.MEMBER_GONE, () -> what + ": " + Team.errorString(result));
                if (begun[i] instanceof Agreement)
                {
                    agreed.add(result + " " + ((Agreement)begun[i]).flags() + ((Agreement)begun[i]).isLiving(victim));
                }
                if (begun[i] instanceof NewTeam)
                {
                    isOneMade |= ((NewTeam)begun[i]).newTeam() != null;
                    isOneMissing |= ((NewTeam)begun[i]).newTeam() == null;
                }
            }
        }
        assertTrue(agreed.stream().distinct().count() <= 1, () -> what + ": " + agreed);
        assertTrue(!isOneMade || !isOneMissing, what + ": some have new teams");
        goOn(rig, victim);
        return true;
    }

    /** The others agree, make a team, and sum in it; and nothing is left of them. */
    private void goOn(final TeamRig rig, final int victim)
    {
        final Agreement[] agreements = new Agreement[MEMBERS];
        final Shrink[] shrinks = new Shrink[MEMBERS];
        for (final int i : rig.shuffled(random))
        {
            if (i != victim)
            {
                agreements[i] = rig.teams[i].newAgreement();
                agreements[i].start(~(1 << i) & Integer.MAX_VALUE);
            }
        }
        finish(rig, (i) -> agreements[i].progress() == Team.IN_PROGRESS);
        for (final int i : rig.shuffled(random))
        {
            if (i != victim)
            {
                assertEquals(0, agreements[i].progress(), what);
                assertEquals(Integer.MAX_VALUE & (-1 << MEMBERS | 1 << victim), agreements[i].flags(), what);
                for (int other = 0; other < MEMBERS; other++)
                {
                    assertEquals(other != victim, agreements[i].isLiving(other), what);
                }
                shrinks[i] = rig.teams[i].newShrink();
                shrinks[i].start();
            }
        }
        finish(rig, (i) -> shrinks[i].progress() == Team.IN_PROGRESS);
        final AllReduce[] sums = new AllReduce[MEMBERS];
        final UnsafeBuffer number = new UnsafeBuffer(new byte[MEMBERS * Long.BYTES]);
        for (int i = 0; i < MEMBERS; i++)
        {
            if (i != victim)
            {
                assertEquals(0, shrinks[i].progress(), what);
                final Team team = shrinks[i].newTeam();
                assertEquals(MEMBERS - 1, team.size(), what);
                assertEquals(i, team.rankOf(team.member()), what);
                assertEquals(shrinks[(victim + 1) % MEMBERS].newTeam().id(), team.id(), what);
                sums[i] = team.newAllReduce(ElementType.LONG, Reducers.SUM);
                number.putLong(i * Long.BYTES, 1L << 8 * i);
                sums[i].startInPlace(number, i * Long.BYTES, 1);
            }
        }
        finish(rig, (i) -> sums[i].progress() == Team.IN_PROGRESS);
        for (int i = 0; i < MEMBERS; i++)
        {
            if (i != victim)
            {
                assertEquals(0x0101_0101L & ~(1L << 8 * victim), number.getLong(i * Long.BYTES), what);
                rig.teams[i].teams().close();
            }
        }
        for (final String name : rig.meetings.files().keySet())
        {
            assertTrue(name.contains("-" + victim + "-"), what + ": left " + name);
        }
    }

    /** What one member does in a turn. */
    private interface Turn
    {
        boolean isUnderWay(int member);
    }

    private void finish(final TeamRig rig, final Turn turn)
    {
        final List<Integer> left = new ArrayList<>();
        for (final int i : rig.shuffled(random))
        {
            if (!rig.gone[i])
            {
                left.add(i);
            }
        }
        for (long turns = 0; !left.isEmpty(); turns++)
        {
            assertTrue(turns < 1_000_000, () -> "hangs: " + left + ", " + what);
            final int i = left.get(random.nextInt(left.size()));
            final boolean[] isUnderWay = new boolean[1];
            mortal(rig, i, () -> isUnderWay[0] = turn.isUnderWay(i));
            if (!isUnderWay[0])
            {
                left.remove(Integer.valueOf(i));
            }
        }
    }

    private static void mortal(final TeamRig rig, final int member, final Runnable call)
    {
        try
        {
            call.run();
        }
        catch (final MortalBuffer.Death death)
        {
            rig.gone[member] = true;
        }
    }
}
