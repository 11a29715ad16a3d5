// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.tallypost.collectives.internal.ArenaDescriptor;
import org.tallypost.mailbox.files.NoRoomException;

/** Teams of members of a team, and what all members agree on. All in one thread. */
class NewTeamTest
{
    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final Random random = new Random(seed);

    NewTeamTest()
    {
        System.out.println("NewTeamTest: seed=" + seed);
    }

    private Split[] split(final TeamRig rig, final Team[] teams, final int[] colors, final int[] keys)
    {
        final Split[] splits = new Split[teams.length];
        for (final int i : rig.shuffled(random))
        {
            splits[i] = teams[i].newSplit();
            splits[i].start(colors[i], keys[i]);
        }
        rig.finish(random, splits);
        return splits;
    }

    /** Members in the order of their keys, those with the same key in the old order, for any colors and keys. */
    @Test
    void shouldSplitByColorAndKey()
    {
        for (int round = 0; round < 500; round++)
        {
            final int members = 1 + random.nextInt(7);
            final TeamRig rig = new TeamRig(members, 1_024);
            final int[] colors = random.ints(members, -1, 3).toArray();
            final int[] keys = random.ints(members, -2, 2).toArray();
            final Split[] splits = split(rig, rig.teams, colors, keys);
            for (int i = 0; i < members; i++)
            {
                assertEquals(0, splits[i].progress());
                final Team team = splits[i].newTeam();
                assertEquals(colors[i] < 0, team == null, "seed=" + seed);
                if (team != null)
                {
                    final List<Integer> expected = new ArrayList<>();
                    for (int other = 0; other < members; other++)
                    {
                        if (colors[other] == colors[i])
                        {
                            expected.add(other);
                        }
                    }
                    expected.sort(Comparator.comparing((other) -> keys[other]));
                    assertEquals(expected.size(), team.size(), "seed=" + seed);
                    assertEquals(expected.indexOf(i), team.member(), "seed=" + seed);
                    for (int member = 0; member < team.size(); member++)
                    {
                        assertEquals(expected.get(member), team.rankOf(member), "seed=" + seed);
                        assertEquals(member, team.memberOf(expected.get(member)));
                    }
                    assertEquals(-1, team.memberOf(99));
                    assertNotEquals(rig.teams[0].id(), team.id());
                }
            }
        }
    }

    /** Operations of a team and of its copy, started in different orders, do not come across each other. */
    @Test
    void shouldKeepTeamsApart()
    {
        for (int round = 0; round < 100; round++)
        {
            final TeamRig rig = new TeamRig(3, 1_024);
            final Split[] copies = split(rig, rig.teams, new int[3], new int[]{0, 1, 2});
            final List<Operation> all = new ArrayList<>();
            final UnsafeBuffer numbers = new UnsafeBuffer(new byte[6 * Long.BYTES]);
            for (int i = 0; i < 3; i++)
            {
                final Team[] both = {rig.teams[i], copies[i].newTeam()};
                final int first = random.nextInt(2);
                for (int which = first; which != 2 + first; which++)
                {
                    final AllReduce sum = both[which & 1].newAllReduce(ElementType.LONG, Reducers.SUM);
                    final int at = (2 * i + (which & 1)) * Long.BYTES;
                    numbers.putLong(at, (which & 1) == 0 ? 1 : 100);
                    sum.startInPlace(numbers, at, 1);
                    all.add(sum);
                }
            }
            rig.finish(random, all.toArray(new Operation[0]));
            for (int i = 0; i < 6; i++)
            {
                assertEquals((i & 1) == 0 ? 3 : 300, numbers.getLong(i * Long.BYTES), "seed=" + seed);
            }
            rig.teams[1].close();
            assertEquals(Team.IN_PROGRESS, copies[0].newTeam().newBarrier().start(), "the copy goes on");
        }
    }

    @Test
    void shouldTellAllThatThereIsNoRoomAndGoOn()
    {
        final TeamRig rig = new TeamRig(4, 1_024);
        rig.meetings.room = rig.meetings.files().size() + 1;
        Split[] splits = split(rig, rig.teams, new int[]{0, 0, 1, 1}, new int[4]);
        int causes = 0;
        for (final Split split : splits)
        {
            assertEquals(Team.NO_ROOM, split.progress());
            assertNull(split.newTeam());
            causes += split.cause() instanceof NoRoomException ? 1 : 0;
        }
        assertEquals(1, causes, "the one that would have made it");
        assertTrue(Team.errorString(Team.NO_ROOM).startsWith("NO_ROOM"));
        assertEquals(rig.meetings.room - 1, rig.meetings.files().size(), "nothing is left");
        rig.meetings.room = Integer.MAX_VALUE;
        splits = split(rig, rig.teams, new int[]{0, 0, 1, 1}, new int[4]);
        for (final Split split : splits)
        {
            assertEquals(0, split.progress());
            assertEquals(2, split.newTeam().size());
        }
    }

    /** Something is in the place of the new arena that is none. */
    @Test
    void shouldTellAllOfDamageInTheNewArena()
    {
        final TeamRig rig = new TeamRig(2, 1_024);
        final Split first = rig.teams[0].newSplit();
        final Split second = rig.teams[1].newSplit();
        first.start(0, 0);
        second.start(0, 0);
        while (rig.meetings.files().size() == 1)
        {
            first.progress();
        }
        rig.meetings.files().values().forEach((file) -> file.putInt(ArenaDescriptor.BLOCK_LENGTH_OFFSET, 77));
        rig.finish(random, first, second);
        assertEquals(Team.DAMAGED, first.progress());
        assertEquals(Team.DAMAGED, second.progress());
        assertNull(first.cause());
        assertInstanceOf(IllegalArgumentException.class, second.cause());
    }

    /** One has revoked the team while others split it: all of these fail, and then all shrink. */
    @Test
    void shouldShrinkARevokedTeam()
    {
        for (int round = 0; round < 1_000; round++)
        {
            final TeamRig rig = new TeamRig(2 + random.nextInt(4), 1_024);
            final int odd = random.nextInt(rig.size());
            final List<Split> splits = new ArrayList<>();
            for (int i = 0; i < rig.size(); i++)
            {
                if (i != odd)
                {
                    final Split split = rig.teams[i].newSplit();
                    split.start(0, 0);
                    splits.add(split);
                }
            }
            for (int turns = random.nextInt(20); turns > 0; turns--)
            {
                splits.get(random.nextInt(splits.size())).progress();
            }
            rig.teams[odd].revoke();
            final Shrink[] shrinks = new Shrink[rig.size()];
            shrinks[odd] = rig.teams[odd].newShrink();
            shrinks[odd].start();
            final List<Progress> all = new ArrayList<>(splits);
            for (final Split split : splits)
            {
                while (split.isActive())
                {
                    all.get(random.nextInt(all.size())).progress();
                    shrinks[odd].progress();
                }
                assertEquals(Team.REVOKED, split.progress(), "seed=" + seed);
            }
            for (final int i : rig.shuffled(random))
            {
                if (i != odd)
                {
                    shrinks[i] = rig.teams[i].newShrink();
                    shrinks[i].start();
                }
            }
            rig.finish(random, shrinks);
            for (final Shrink shrink : shrinks)
            {
                assertEquals(0, shrink.progress(), "seed=" + seed);
                assertEquals(rig.size(), shrink.newTeam().size());
                assertTrue(shrink.newTeam().view() > TeamRig.VIEW);
            }
        }
    }

    private Team[] shrink(final TeamRig rig, final Team[] teams)
    {
        final Shrink[] shrinks = new Shrink[teams.length];
        final Team[] shrunk = new Team[teams.length];
        for (final int i : rig.shuffled(random))
        {
            shrinks[i] = teams[i].newShrink();
            shrinks[i].start();
        }
        rig.finish(random, shrinks);
        for (int i = 0; i < teams.length; i++)
        {
            assertEquals(0, shrinks[i].progress(), () -> "seed=" + seed);
            shrunk[i] = shrinks[i].newTeam();
        }
        return shrunk;
    }

    /** A team is shrunk again and again, and so are those made of it: all are open at once, and each has a number of its own. */
    @Test
    void shouldShrinkShrunkTeams()
    {
        final TeamRig rig = new TeamRig(3, 1_024);
        final List<Team[]> all = new ArrayList<>();
        all.add(rig.teams);
        final Set<Long> numbers = new HashSet<>(Set.of(rig.teams[0].id()));
        for (int round = 0; round < 100; round++)
        {
            final Team[] parent = all.get(random.nextInt(all.size()));
            final Team[] made = random.nextBoolean() ? shrink(rig, parent) : copy(rig, parent);
            assertTrue(numbers.add(made[0].id()), () -> "seed=" + seed);
            assertEquals(made[0].id(), made[2].id());
            all.add(made);
        }
    }

    private Team[] copy(final TeamRig rig, final Team[] teams)
    {
        final Split[] splits = split(rig, teams, new int[teams.length], new int[teams.length]);
        final Team[] copies = new Team[teams.length];
        for (int i = 0; i < teams.length; i++)
        {
            assertEquals(0, splits[i].progress(), () -> "seed=" + seed);
            copies[i] = splits[i].newTeam();
        }
        return copies;
    }

    /** Members agree and go on, while one of them is slow: it gets the value of its agreement, and not of the next one. */
    @Test
    void shouldAgreeAgainAndAgain()
    {
        final TeamRig rig = new TeamRig(4, 1_024);
        final Agreement[] agreements = new Agreement[4];
        final int[] rounds = new int[4];
        for (int i = 0; i < 4; i++)
        {
            agreements[i] = rig.teams[i].newAgreement();
        }
        while (rounds[0] + rounds[1] + rounds[2] + rounds[3] < 4_000)
        {
            final int i = random.nextInt(4);
            if (rounds[i] < 1_000 && !agreements[i].isActive())
            {
                agreements[i].start(4 * rounds[i] + 3);
            }
            if (rounds[i] < 1_000 && agreements[i].progress() == 0 && !agreements[i].isActive())
            {
                assertEquals(4 * rounds[i] + 3, agreements[i].flags(), "seed=" + seed);
                rounds[i]++;
            }
        }
    }

    @Test
    void shouldTellOfCallsThatDoNotMatch()
    {
        final TeamRig rig = new TeamRig(3, 1_024);
        final Agreement agreement = rig.teams[0].newAgreement();
        agreement.start(1);
        final Shrink shrink = rig.teams[1].newShrink();
        shrink.start();
        final Agreement third = rig.teams[2].newAgreement();
        third.start(1);
        rig.finish(random, agreement, shrink, third);
        assertEquals(Team.MISMATCH, agreement.progress());
        assertEquals(Team.MISMATCH, shrink.progress());
        assertEquals(Team.MISMATCH, third.progress());
        final TeamRig second = new TeamRig(3, 1_024);
        final Agreement waits = second.teams[0].newAgreement();
        waits.start(1);
        final Operation odd = Calls.start(0, second.teams[1]);
        final Agreement waitsToo = second.teams[2].newAgreement();
        waitsToo.start(1);
        second.finish(random, waits, odd, waitsToo);
        assertEquals(Team.MISMATCH, waits.progress());
        assertEquals(Team.MISMATCH, odd.progress());
        assertEquals(Team.MISMATCH, waitsToo.progress());
        assertEquals(1, second.teams[2].goneMember());
    }

    @Test
    void shouldTakeNoPartAfterClosingAnEndedTeam()
    {
        final TeamRig rig = new TeamRig(2, 1_024);
        rig.teams[0].revoke();
        final Barrier ended = rig.teams[1].newBarrier();
        ended.start();
        rig.finish(random, ended);
        assertEquals(Team.REVOKED, ended.progress());
        final Agreement begun = rig.teams[1].newAgreement();
        begun.start(6);
        rig.teams[1].close();
        rig.teams[1].close();
        assertEquals(Team.CLOSED, begun.progress());
        assertEquals(Team.CLOSED, rig.teams[1].newAgreement().start(1));
        assertEquals(Team.CLOSED, rig.teams[1].newShrink().start());
        assertEquals(Team.CLOSED, rig.teams[1].newSplit().start(0, 0));
        assertEquals(Team.CLOSED, rig.teams[1].newBarrier().start());
        final Agreement other = rig.teams[0].newAgreement();
        assertEquals(0, other.start(3));
        assertEquals(2, other.flags(), "a vote before it closed counts, and none after that");
        assertFalse(other.isLiving(1));
    }

    /** Members that have not voted, and members that have not come to the arena of a new team. */
    @Test
    void shouldNameLateMembers()
    {
        final TeamRig rig = new TeamRig(4, 1_024);
        final int[] late = new int[4];
        rig.teams[2].close();
        final Agreement first = rig.teams[0].newAgreement();
        first.start(1);
        assertEquals(2, rig.teams[0].lateMembers(late), "the one that is gone is not late");
        assertEquals(1, late[0]);
        assertEquals(3, late[1]);
        assertEquals(1, rig.teams[0].lateMembers(new int[1]));
        final Agreement second = rig.teams[1].newAgreement();
        second.start(1);
        assertEquals(1, rig.teams[0].lateMembers(late));
        assertEquals(3, late[0]);
        final Agreement last = rig.teams[3].newAgreement();
        last.start(1);
        rig.finish(random, first, second, last);
        assertEquals(0, rig.teams[0].lateMembers(late));
        final TeamRig other = new TeamRig(2, 1_024);
        final Split left = other.teams[0].newSplit();
        left.start(0, 0);
        assertEquals(1, other.teams[0].lateMembers(late), "not in the gathering");
        final Split right = other.teams[1].newSplit();
        right.start(0, 0);
        left.progress();
        assertEquals(1, other.teams[0].lateMembers(late), "not in the arena");
        assertEquals(1, late[0]);
        other.finish(random, left, right);
        assertEquals(0, other.teams[0].lateMembers(late));
    }

    @Test
    void shouldLeaveOutMembersThatHaveClosed()
    {
        final TeamRig rig = new TeamRig(3, 1_024);
        rig.teams[1].close();
        final int[] gone = new int[3];
        assertEquals(1, rig.teams[0].goneMembers(gone));
        assertEquals(1, gone[0]);
        assertEquals(0, rig.teams[0].goneMembers(new int[0]));
        final Shrink first = rig.teams[0].newShrink();
        final Shrink third = rig.teams[2].newShrink();
        assertThrows(IllegalStateException.class, first::await, "not started");
        first.start();
        assertThrows(IllegalStateException.class, () -> rig.teams[0].newAgreement().start(0), "one at a time");
        third.start();
        rig.finish(random, first, third);
        assertEquals("[0, 2]", first.newTeam().ranks().toString());
        assertNotNull(third.newTeam());
        assertFalse(first.isActive());
        final Agreement closed = rig.teams[1].newAgreement();
        assertEquals(Team.CLOSED, closed.start(1));
        assertEquals(Team.CLOSED, rig.teams[1].newShrink().start());
        assertEquals(Team.CLOSED, rig.teams[1].newSplit().start(0, 0));
        assertThrows(IllegalArgumentException.class, () -> rig.teams[0].newAgreement().start(-1));
        assertThrows(IllegalArgumentException.class, () -> closed.isLiving(3));
    }
}
