// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.function.IntConsumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Agreements and new teams of members on several nodes, in one thread, with messages that are refused and late. */
@Tag("once")
class NodesNewTeamTest
{
    private static final int[][] PLACES = {
        {0, 1}, {0, 0, 1}, {0, 1, 1}, {0, 0, 1, 1}, {0, 1, 2}, {0, 1, 1, 2, 2}, {0, 0, 0, 1, 1, 2}, {0, 1, 0, 1}};
    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final Random random = new Random(seed);

    NodesNewTeamTest()
    {
        System.out.println("NodesNewTeamTest: -Dtallypost.seed=" + seed);
    }

    private NodesTeamRig rig()
    {
        return rig(PLACES[random.nextInt(PLACES.length)]);
    }

    private NodesTeamRig rig(final int... places)
    {
        return new NodesTeamRig(random, new CollectivesContext().blockLength(1_024), places);
    }

    private Split[] split(final NodesTeamRig rig, final Team[] teams, final int[] colors, final int[] keys)
    {
        final Split[] splits = new Split[teams.length];
        for (int i = 0; i < teams.length; i++)
        {
            splits[i] = teams[i].newSplit();
            splits[i].start(colors[i], keys[i]);
        }
        rig.finish(splits);
        return splits;
    }

    /** All members do a sum in the team that each is in. */
    private void checkSums(final NodesTeamRig rig, final Team[] teams)
    {
        final Operation[] sums = new Operation[teams.length];
        final UnsafeBuffer[] out = new UnsafeBuffer[teams.length];
        for (int i = 0; i < teams.length; i++)
        {
            if (teams[i] != null)
            {
                out[i] = new UnsafeBuffer(new byte[Long.BYTES]);
                out[i].putLong(0, 1L << teams[i].rankOf(teams[i].member()));
                final AllReduce sum = teams[i].newAllReduce(ElementType.LONG, Reducers.SUM);
                sum.startInPlace(out[i], 0, 1);
                sums[i] = sum;
            }
        }
        rig.finish(sums);
        for (int i = 0; i < teams.length; i++)
        {
            if (teams[i] != null)
            {
                long expected = 0;
                for (int member = 0; member < teams[i].size(); member++)
                {
                    expected |= 1L << teams[i].rankOf(member);
                }
                final Operation sum = sums[i];
                assertTrue(sum.result() >= 0, () -> Team.errorString(sum.result()) + ", seed=" + seed);
                assertEquals(expected, out[i].getLong(0), () -> "seed=" + seed);
            }
        }
    }

    /** Teams of one node and of several, in the order of the keys; and each works. */
    @Test
    void shouldSplitByColorAndKey()
    {
        for (int round = 0; round < 150; round++)
        {
            final NodesTeamRig rig = rig();
            final int[] colors = random.ints(rig.size(), -1, 2).toArray();
            final int[] keys = random.ints(rig.size(), -2, 2).toArray();
            final Split[] splits = split(rig, rig.teams, colors, keys);
            final Team[] made = new Team[rig.size()];
            for (int i = 0; i < made.length; i++)
            {
                assertEquals(0, splits[i].result(), "seed=" + seed);
                made[i] = splits[i].newTeam();
                assertEquals(colors[i] < 0, made[i] == null);
                if (made[i] != null)
                {
                    final List<Integer> expected = new ArrayList<>();
                    for (int other = 0; other < made.length; other++)
                    {
                        if (colors[other] == colors[i])
                        {
                            expected.add(other);
                        }
                    }
                    expected.sort(Comparator.comparing((other) -> keys[other]));
                    assertEquals(expected.indexOf(i), made[i].member(), "seed=" + seed);
                    for (int member = 0; member < made[i].size(); member++)
                    {
                        assertEquals(expected.get(member), made[i].rankOf(member), "seed=" + seed);
                    }
                    assertNotEquals(rig.teams[0].id(), made[i].id());
                }
            }
            checkSums(rig, made);
            checkSums(rig, made);
        }
    }

    /** Copies of copies: operations in one do not meet those in another. */
    @Test
    void shouldKeepTeamsApart()
    {
        for (int round = 0; round < 20; round++)
        {
            final NodesTeamRig rig = rig();
            final List<Team[]> all = new ArrayList<>();
            all.add(rig.teams);
            while (all.size() < 4)
            {
                final Split[] splits =
                    split(rig, all.get(random.nextInt(all.size())), new int[rig.size()], new int[rig.size()]);
                all.add(Arrays.stream(splits).map(NewTeam::newTeam).toArray(Team[]::new));
            }
            final List<Operation> barriers = new ArrayList<>();
            for (int i = 0; i < rig.size(); i++)
            {
                for (int which = 0, first = random.nextInt(4); which < 4; which++)
                {
                    barriers.add(Calls.start(0, all.get(first + which & 3)[i]));
                }
            }
            rig.finish(barriers.toArray(new Operation[0]));
            all.get(1)[0].revoke();
            checkSums(rig, all.get(2));
        }
    }

    @Test
    void shouldTellAllThatThereIsNoRoomAndGoOn()
    {
        for (int round = 0; round < 30; round++)
        {
            final NodesTeamRig rig = rig();
            rig.meetings.room = rig.meetings.files().size() + random.nextInt(2);
            for (final Split split : split(rig, rig.teams, new int[rig.size()], new int[rig.size()]))
            {
                assertEquals(Team.NO_ROOM, split.result(), "seed=" + seed);
                assertNull(split.newTeam());
            }
            rig.meetings.room = Integer.MAX_VALUE;
            final Split[] splits = split(rig, rig.teams, new int[rig.size()], new int[rig.size()]);
            checkSums(rig, Arrays.stream(splits).map(NewTeam::newTeam).toArray(Team[]::new));
        }
    }

    /** Members agree and go on, some faster than others; each gets the value of its agreement. */
    @Test
    void shouldAgreeAgainAndAgain()
    {
        for (final int[] places : PLACES)
        {
            final NodesTeamRig rig = rig(places);
            for (int round = 0; round < 40; round++)
            {
                final Agreement[] agreements = new Agreement[rig.size()];
                for (int i = 0; i < rig.size(); i++)
                {
                    agreements[i] = rig.teams[i].newAgreement();
                    agreements[i].start(8 * round + 7 & ~(i == round % rig.size() ? 2 : 0));
                }
                rig.finish(agreements);
                for (final Agreement agreement : agreements)
                {
                    assertEquals(0, agreement.result(), "seed=" + seed);
                    assertEquals(8 * round + 5, agreement.flags(), "seed=" + seed);
                }
            }
        }
    }

    /** Members die at any point, also leaders, coordinators and whole nodes: all that get a value get the same one. */
    @Test
    void shouldAgreeWhicheverDies()
    {
        for (int round = 0; round < 400; round++)
        {
            final NodesTeamRig rig = rig();
            final Agreement[] agreements = new Agreement[rig.size()];
            for (int i = 0; i < rig.size(); i++)
            {
                agreements[i] = rig.teams[i].newAgreement();
            }
            kill(rig, agreements, (i) -> agreements[i].start(random.nextInt(256)));
            Agreement first = null;
            for (int i = 0; i < rig.size(); i++)
            {
                if (!agreements[i].isActive() && agreements[i].result() == 0)
                {
                    first = first == null ? agreements[i] : first;
                    assertEquals(first.flags(), agreements[i].flags(), "seed=" + seed);
                    for (int member = 0; member < rig.size(); member++)
                    {
                        assertEquals(first.isLiving(member), agreements[i].isLiving(member), "seed=" + seed);
                        assertTrue(first.isLiving(member) || rig.meetings.gone[member], "seed=" + seed);
                    }
                }
                assertTrue(rig.meetings.gone[i] || agreements[i].result() == 0, "member " + i + ", seed=" + seed);
            }
        }
    }

    /** Begins at all members in turn, while up to two of them, or a node, die; waits until those that live are through. */
    private void kill(final NodesTeamRig rig, final Awaited[] calls, final IntConsumer start)
    {
        int deaths = Math.min(rig.size() - 1, 1 + random.nextInt(2));
        final boolean isNode = random.nextInt(3) == 0;
        final boolean[] begun = new boolean[rig.size()];
        for (int turn = random.nextInt(60); turn > 0 || deaths > 0; turn--)
        {
            final int i = random.nextInt(rig.size());
            if (deaths > 0 && random.nextInt(15) == 0 && !rig.meetings.gone[i])
            {
                for (int other = 0; other < rig.size(); other++)
                {
                    if (other == i || isNode && rig.maps[i].nodeOf(other) == rig.maps[i].node())
                    {
                        rig.kill(other);
                    }
                }
                deaths = isNode ? 0 : deaths - 1;
            }
            step(rig, i, begun, start, calls);
        }
        for (int i = 0; i < rig.size(); i++)
        {
            step(rig, i, begun, start, calls);
        }
        final List<Awaited> living = new ArrayList<>();
        for (int i = 0; i < rig.size(); i++)
        {
            if (!rig.meetings.gone[i])
            {
                living.add(calls[i]);
            }
        }
        rig.finish(living.toArray(new Awaited[0]));
    }

    private void step(
        final NodesTeamRig rig, final int i, final boolean[] begun, final IntConsumer start,
        final Awaited[] calls)
    {
        if (!rig.meetings.gone[i])
        {
            if (!begun[i])
            {
                begun[i] = true;
                start.accept(i);
            }
            rig.deliver(i);
            rig.teams[i].progress();
            calls[i].progress();
        }
    }

    /** A member, a leader, or a whole node has died: the others have a team of those that live, which works. */
    @Test
    void shouldShrinkWhicheverDies()
    {
        for (int round = 0; round < 300; round++)
        {
            final NodesTeamRig rig = rig();
            final Shrink[] shrinks = new Shrink[rig.size()];
            for (int i = 0; i < rig.size(); i++)
            {
                shrinks[i] = rig.teams[i].newShrink();
            }
            if (random.nextBoolean())
            {
                rig.teams[random.nextInt(rig.size())].revoke();
            }
            kill(rig, shrinks, (i) -> shrinks[i].start());
            final Team[] made = new Team[rig.size()];
            for (int i = 0; i < rig.size(); i++)
            {
                if (!rig.meetings.gone[i])
                {
                    assertEquals(0, shrinks[i].result(), "seed=" + seed);
                    made[i] = shrinks[i].newTeam();
                    assertNotNull(made[i]);
                    assertTrue(made[i].view() > 1);
                }
            }
            if (Arrays.stream(made).filter((team) -> team != null).allMatch((team) -> isWhole(rig, team)))
            {
                checkSums(rig, made);
            }
        }
    }

    /** Whether all its members live: one may have died behind the agreement. */
    private static boolean isWhole(final NodesTeamRig rig, final Team team)
    {
        for (int member = 0; member < team.size(); member++)
        {
            if (rig.meetings.gone[team.rankOf(member)])
            {
                return false;
            }
        }
        return true;
    }

    /** What a member begins while the others agree: an operation, or something else. All are told, on all nodes. */
    @Test
    void shouldTellAllOfCallsThatDoNotMatch()
    {
        for (int round = 0; round < 200; round++)
        {
            final NodesTeamRig rig = rig();
            final int odd = random.nextInt(rig.size());
            final int what = round % 3;
            final Awaited[] calls = new Awaited[rig.size()];
            for (int i = 0; i < rig.size(); i++)
            {
                calls[i] = start(rig.teams[i], i == odd ? what : 3);
            }
            rig.finish(calls);
            for (int i = 0; i < rig.size(); i++)
            {
                assertEquals(Team.MISMATCH, calls[i].result(),
                    "member " + i + ", odd " + odd + " calls " + what + ", seed=" + seed);
            }
        }
    }

    private static Awaited start(final Team team, final int what)
    {
        switch (what)
        {
            case 0:
                return Calls.start(0, team);
            case 1:
                final Shrink shrink = team.newShrink();
                shrink.start();
                return shrink;
            case 2:
                return Calls.start(10, team);
            default:
                final Agreement agreement = team.newAgreement();
                agreement.start(1);
                return agreement;
        }
    }

    /** One that has closed its team, while its rank is open, is not waited for. */
    @Test
    void shouldNotWaitForMembersThatHaveClosed()
    {
        for (int round = 0; round < 50; round++)
        {
            final NodesTeamRig rig = rig();
            final int closing = random.nextInt(rig.size());
            rig.meetings.refusals = null;
            rig.teams[closing].close();
            rig.meetings.refusals = random;
            final Shrink[] shrinks = new Shrink[rig.size()];
            for (int i = 0; i < rig.size(); i++)
            {
                if (i != closing)
                {
                    shrinks[i] = rig.teams[i].newShrink();
                    shrinks[i].start();
                }
            }
            rig.finish(shrinks);
            for (int i = 0; i < rig.size(); i++)
            {
                if (i != closing)
                {
                    assertEquals(0, shrinks[i].result(), "seed=" + seed);
                    assertEquals(rig.size() - 1, shrinks[i].newTeam().size());
                    assertEquals(-1, shrinks[i].newTeam().memberOf(closing));
                }
            }
        }
    }
}
