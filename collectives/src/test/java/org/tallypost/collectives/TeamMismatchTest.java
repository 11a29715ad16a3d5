// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Members of a team call different operations. */
@Tag("once")
class TeamMismatchTest
{
    private static final int MEMBERS = 4;
    /** Operations that a member begins before it waits for any. */
    private static final int HANDLES = 7;

    /** Where members are. */
    enum Place
    {
        /** On one node. */
        NODE,
        /** On three nodes, which speak by messages. */
        MESSAGES,
        /** On three nodes, with broadcasts by multicast. */
        MULTICAST
    }

    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final Random random = new Random(seed);

    TeamMismatchTest()
    {
        System.out.println("TeamMismatchTest: seed=" + seed);
    }

    /** One member calls something else, and all members then a barrier: no member hangs, and all are told. */
    @Test
    void shouldTellAllMembersOfAMismatch()
    {
        for (int members = 2; members <= 4; members++)
        {
            for (int most = 0; most < Calls.COUNT; most++)
            {
                for (int other = 0; other < Calls.COUNT; other++)
                {
                    final TeamRig rig = new TeamRig(members, 1_024);
                    final int odd = random.nextInt(members);
                    final List<Operation> all = new ArrayList<>();
                    for (final int i : rig.shuffled(random))
                    {
                        all.add(Calls.start(i == odd ? other : most, rig.teams[i]));
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
            final int length = random.nextInt(Calls.LENGTH);
            final Operation[] before = rig.start((i) -> Calls.start(0, rig.teams[i]));
            rig.finish(random, before);
            final Operation[] last = rig.start((i) -> Calls.startLong(i == odd ? other : most, rig.teams[i], root, length));
            rig.finish(random, last);
            final String what = "most call " + most + ", member " + odd + " of " + rig.size() + " calls " + other + ", root " +
                root + ", length " + length + ", seed=" + seed;
            for (final Operation operation : last)
            {
                assertTrue(operation.result() == 1 || operation.result() == Team.MISMATCH && most != other, what);
            }
        }
    }

    /** A team, and how its members get on until what they have begun has ended. */
    private record Members(Team[] teams, NodesTeamRig nodes, TeamRig node)
    {
        void finish(final Random random, final List<Operation> begun)
        {
            final Operation[] all = begun.toArray(new Operation[0]);
            if (nodes == null)
            {
                node.finish(random, all);
            }
            else
            {
                nodes.finish(all);
            }
        }
    }

    private Members members(final Place place)
    {
        if (place == Place.NODE)
        {
            final TeamRig rig = new TeamRig(MEMBERS, 1_024);
            return new Members(rig.teams, null, rig);
        }
        final CollectivesContext context = new CollectivesContext().blockLength(1_024)
            .algorithmBetweenNodes(place == Place.MULTICAST ? AlgorithmBetweenNodes.MULTICAST : null);
        final NodesTeamRig rig = new NodesTeamRig(random, context, 0, 1, 1, 2);
        return new Members(rig.teams, rig, null);
    }

    /** All of them differ in one call, and then do a barrier: that ends at each member, which names one. */
    private void shouldEnd(final Members members, final List<Operation> begun, final String what)
    {
        for (final Team team : members.teams())
        {
            final Barrier barrier = team.newBarrier();
            barrier.start();
            begun.add(barrier);
        }
        members.finish(random, begun);
        for (int i = 0; i < MEMBERS; i++)
        {
            final String member = what + ", member " + i + ", seed=" + seed;
            assertEquals(Team.MISMATCH, begun.get(begun.size() - MEMBERS + i).result(), member);
            final int named = members.teams()[i].goneMember();
            assertTrue(named >= 0 && named < MEMBERS, member + " names " + named);
        }
        for (final Operation operation : begun)
        {
            assertTrue(operation.result() >= 0 || operation.result() == Team.MISMATCH, what + ", seed=" + seed);
        }
    }

    /** One has another length, place or order for some member. */
    @ParameterizedTest
    @EnumSource(Place.class)
    void shouldTellAllMembersOfDistributionsThatDiffer(final Place place)
    {
        final Distribution most = Distribution.ascending(MEMBERS, 40);
        for (int round = 0; round < 60; round++)
        {
            final Members members = members(place);
            final int about = random.nextInt(MEMBERS);
            final int odd = random.nextInt(MEMBERS);
            final Distribution other = round % 3 == 0 ? most.range(about, 40 * about, 36) :
                round % 3 == 1 ? most.range(about, 400, 40) : Distribution.descending(MEMBERS, 40);
            final int root = random.nextInt(MEMBERS);
            final int which = random.nextInt(4);
            final List<Operation> begun = new ArrayList<>();
            for (int i = 0; i < MEMBERS; i++)
            {
                begun.add(start(members.teams()[i], which, root, i == odd ? other : most));
            }
            shouldEnd(members, begun, "call " + which + " from " + root + ", member " + odd + " has " + other);
        }
    }

    private static Operation start(final Team team, final int which, final int root, final Distribution distribution)
    {
        final UnsafeBuffer in = Calls.buffer();
        final UnsafeBuffer out = Calls.buffer();
        switch (which)
        {
            case 0:
                final Scatter scatter = team.newScatter();
                scatter.start(root, in, 0, distribution, out, 0);
                return scatter;
            case 1:
                final Gather gather = team.newGather();
                gather.start(root, in, 0, out, 0, distribution);
                return gather;
            case 2:
                final AllGather allGather = team.newAllGather();
                allGather.start(in, 0, out, 0, distribution);
                return allGather;
            default:
                final ReduceScatter reduceScatter = team.newReduceScatter(ElementType.INT, Reducers.SUM);
                reduceScatter.start(in, 0, distribution, out, 0);
                return reduceScatter;
        }
    }

    /** Members begin many operations, and wait for none before the last. In one of them a member differs. */
    @ParameterizedTest
    @EnumSource(Place.class)
    void shouldTellAllMembersOfAMismatchAmongHandles(final Place place)
    {
        for (int round = 0; round < 60; round++)
        {
            final Members members = members(place);
            final int odd = random.nextInt(MEMBERS);
            final int[] calls = random.ints(HANDLES, 0, Calls.COUNT).toArray();
            final int at = random.nextInt(HANDLES);
            final int other = (calls[at] + 1 + random.nextInt(Calls.COUNT - 1)) % Calls.COUNT;
            final List<Operation> begun = new ArrayList<>();
            for (int i = 0; i < MEMBERS; i++)
            {
                final int member = i;
                IntStream.range(0, HANDLES).forEach((each) ->
                    begun.add(Calls.start(member == odd && each == at ? other : calls[each], members.teams()[member])));
            }
            shouldEnd(members, begun,
                "call " + calls[at] + " as number " + at + ", member " + odd + " calls " + other);
        }
    }

    /** A broadcast by multicast that one member takes for another one: of another root, of another length, or a barrier. */
    @ParameterizedTest
    @EnumSource(Place.class)
    void shouldTellAllMembersOfABroadcastThatDiffers(final Place place)
    {
        for (int round = 0; round < 60; round++)
        {
            final Members members = members(place);
            final int odd = random.nextInt(MEMBERS);
            final int root = random.nextInt(MEMBERS);
            final int length = 1 + random.nextInt(Calls.LENGTH);
            final int difference = round % 3;
            final List<Operation> begun = new ArrayList<>();
            for (int i = 0; i < MEMBERS; i++)
            {
                final Broadcast broadcast = members.teams()[i].newBroadcast();
                if (i != odd || difference != 2)
                {
                    broadcast.start(i == odd && difference == 0 ? (root + 1) % MEMBERS : root, Calls.buffer(), 0,
                        i == odd && difference == 1 ? length - 1 : length);
                    begun.add(broadcast);
                }
            }
            shouldEnd(members, begun, "length " + length + " from " + root + ", member " + odd + ", difference " + difference);
        }
    }
}
