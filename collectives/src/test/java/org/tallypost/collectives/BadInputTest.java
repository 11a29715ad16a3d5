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
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.collectives.internal.ArenaDescriptor;

/**
 * What a program passes that cannot be right is refused in words, at the member that has passed it, on one node and between
 * nodes. The team loses nothing by it: no member hears of it, and all go on with the same operation number. Also teams that are
 * over, teams of none, and arenas that are damaged.
 */
class BadInputTest
{
    private static final String ONE_NODE = "0 0 0";
    private static final String THREE_NODES = "0 1 2";
    private static final String TWO_NODES = "0 0 1";
    private static final int MEMBERS = 3;

    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final Random random = new Random(seed);

    BadInputTest()
    {
        System.out.println("BadInputTest: -Dtallypost.seed=" + seed);
    }

    private NodesTeamRig rig(final String nodes)
    {
        final int[] nodeOf = IntStream.range(0, MEMBERS).map((i) -> nodes.charAt(2 * i) - '0').toArray();
        return new NodesTeamRig(random, new CollectivesContext().blockLength(1_024), nodeOf);
    }

    /** A team of three. On one node it is one without the parts between nodes. */
    private Team[] teams(final String nodes, final List<Runnable> finish, final List<Operation> begun)
    {
        if (nodes.equals(ONE_NODE))
        {
            final TeamRig rig = new TeamRig(MEMBERS, 1_024);
            finish.add(() -> rig.finish(random, begun.toArray(new Operation[0])));
            return rig.teams;
        }
        final NodesTeamRig rig = rig(nodes);
        finish.add(() -> rig.finish(begun.toArray(new Operation[0])));
        return rig.teams;
    }

    /** What does not fit is refused, with a message that says what was found; the members then do everything else as ever. */
    private void shouldRefuse(final String nodes, final Refusals refusals)
    {
        final List<Runnable> finish = new ArrayList<>();
        final List<Operation> begun = new ArrayList<>();
        final Team[] teams = teams(nodes, finish, begun);
        for (final Team team : teams)
        {
            final List<Executable> calls = new ArrayList<>();
            refusals.of(team, calls);
            for (int i = 0; i < calls.size(); i++)
            {
                final String which = "call " + i + " of member " + team.member() + " with nodes " + nodes;
                final RuntimeException found = assertThrows(RuntimeException.class, calls.get(i), which);
                assertTrue(found instanceof IllegalArgumentException || found instanceof IndexOutOfBoundsException,
                    which + ": " + found);
                assertNotNull(found.getMessage(), which);
                assertEquals(0, team.progress(), which);
            }
        }
        for (int call = 0; call < Calls.COUNT; call++)
        {
            begun.clear();
            for (final Team team : teams)
            {
                begun.add(Calls.start(call, team));
            }
            finish.get(0).run();
            for (final Operation operation : begun)
            {
                assertEquals(call, operation.result(), "with nodes " + nodes + ", seed=" + seed);
            }
        }
    }

    /** Makes calls that a team has to refuse. */
    private interface Refusals
    {
        void of(Team team, List<Executable> calls);
    }

    @ParameterizedTest
    @ValueSource(strings = {ONE_NODE, TWO_NODES, THREE_NODES})
    void shouldRefuseRootsThatAreNoMembers(final String nodes)
    {
        final UnsafeBuffer in = Calls.buffer();
        final UnsafeBuffer out = Calls.buffer();
        shouldRefuse(nodes, (team, calls) ->
        {
            for (final int root : new int[]{-1, MEMBERS, Integer.MIN_VALUE, Integer.MAX_VALUE})
            {
                calls.add(() -> team.newBroadcast().start(root, in, 0, 8));
                calls.add(() -> team.newBroadcast().startReceive(root, in, 0, 8));
                calls.add(() -> team.newScatter().start(root, in, 0, out, 0, 8));
                calls.add(() -> team.newScatter().start(root, in, 0, Distribution.ascending(MEMBERS, 8), out, 0));
                calls.add(() -> team.newGather().start(root, in, 0, out, 0, 8));
                calls.add(() -> team.newGather().start(root, in, 0, out, 0, Distribution.ascending(MEMBERS, 8)));
                calls.add(() -> team.newReduce(ElementType.INT, Reducers.SUM).start(root, in, 0, out, 0, 2));
                calls.add(() -> team.calls().broadcast(root, in, 0, 8));
                calls.add(() -> team.calls().reduce(root, ElementType.INT, Reducers.SUM, in, 0, out, 0, 2));
            }
            calls.add(() -> team.newBroadcast().startReceive(team.member(), in, 0, 8));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {ONE_NODE, TWO_NODES, THREE_NODES})
    void shouldRefuseCountsThatDoNotFit(final String nodes)
    {
        final UnsafeBuffer in = Calls.buffer();
        final UnsafeBuffer out = Calls.buffer();
        shouldRefuse(nodes, (team, calls) ->
        {
            final int self = team.member();
            // too few, more than a buffer can have, and more than these have
            for (final int count : new int[]{-1, Integer.MIN_VALUE, Integer.MAX_VALUE, in.capacity() + 1})
            {
                calls.add(() -> team.newBroadcast().start(0, in, 0, count));
                calls.add(() -> team.newBroadcast().startSend(in, 0, count));
                calls.add(() -> team.newScatter().start(self, in, 0, out, 0, count));
                calls.add(() -> team.newScatter().start((self + 1) % MEMBERS, in, 0, out, 0, count));
                calls.add(() -> team.newScatter().startInPlace(in, 0, count));
                calls.add(() -> team.newGather().start(self, in, 0, out, 0, count));
                calls.add(() -> team.newGather().start((self + 1) % MEMBERS, in, 0, out, 0, count));
                calls.add(() -> team.newGather().startInPlace(out, 0, count));
                calls.add(() -> team.newAllGather().start(in, 0, out, 0, count));
                calls.add(() -> team.newAllGather().startInPlace(out, 0, count));
                calls.add(() -> team.newAllToAll().start(in, 0, out, 0, count));
                calls.add(() -> team.newAllToAll().startInPlace(in, 0, count));
                calls.add(() -> team.newReduce(ElementType.LONG, Reducers.SUM).start(0, in, 0, out, 0, count));
                calls.add(() -> team.newAllReduce(ElementType.SHORT, Reducers.SUM).start(in, 0, out, 0, count));
                calls.add(() -> team.newAllReduce(ElementType.BYTES, Reducers.XOR).startInPlace(in, 0, count));
                calls.add(() -> team.newReduceScatter(ElementType.INT, Reducers.SUM).start(in, 0, out, 0, count));
                calls.add(() -> team.newScan(ElementType.INT, Reducers.SUM, false).start(in, 0, out, 0, count));
                calls.add(() -> team.calls().allGather(in, 0, out, 0, count));
            }
            for (final int offset : new int[]{-1, Integer.MIN_VALUE, Integer.MAX_VALUE, in.capacity() - 7})
            {
                calls.add(() -> team.newBroadcast().start(0, in, offset, 8));
                calls.add(() -> team.newGather().start((self + 1) % MEMBERS, in, offset, out, 0, 8));
                calls.add(() -> team.newScatter().start(self, in, offset, out, 0, 8));
                calls.add(() -> team.newAllReduce(ElementType.INT, Reducers.SUM).start(in, offset, out, 0, 2));
                calls.add(() -> team.newAllReduce(ElementType.INT, Reducers.SUM).start(in, 0, out, offset, 2));
                calls.add(() -> team.newAllToAll().start(in, 0, out, offset, 8));
            }
            calls.add(() -> team.newAllReduce(ElementType.FLOAT, Reducers.XOR));
            calls.add(() -> team.newAllReduce(null, Reducers.SUM));
            calls.add(() -> team.newScan(ElementType.INT, null, true));
            calls.add(() -> team.allocate(-1));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {ONE_NODE, TWO_NODES, THREE_NODES})
    void shouldRefuseDistributionsThatDoNotFit(final String nodes)
    {
        final UnsafeBuffer in = Calls.buffer();
        final UnsafeBuffer out = Calls.buffer();
        final Distribution fitting = Distribution.ascending(MEMBERS, 8);
        shouldRefuse(nodes, (team, calls) ->
        {
            for (final Distribution wrong : new Distribution[]{
                null, Distribution.ascending(MEMBERS - 1, 8), Distribution.descending(MEMBERS + 1, 8),
                fitting.range(1, in.capacity(), 8), fitting.range(0, in.capacity() - 3, 4)})
            {
                calls.add(() -> team.newScatter().start(team.member(), in, 0, wrong, out, 0));
                calls.add(() -> team.newGather().start(team.member(), in, 0, out, 0, wrong));
                calls.add(() -> team.newAllGather().start(in, 0, out, 0, wrong));
                calls.add(() -> team.newAllToAll().start(in, 0, wrong, out, 0, fitting));
                calls.add(() -> team.newAllToAll().start(in, 0, fitting, out, 0, wrong));
                calls.add(() -> team.newReduceScatter(ElementType.INT, Reducers.SUM).start(in, 0, wrong, out, 0));
            }
            final Distribution shared = fitting.slice(0, 1);
            calls.add(() -> team.newGather().start(team.member(), in, 0, out, 0, shared));
            calls.add(() -> team.newAllGather().start(in, 0, out, 0, shared));
            calls.add(() -> team.newAllToAll().start(in, 0, fitting, out, 0, shared));
            calls.add(() -> team.newAllToAll().startInPlace(in, 0, shared));
            calls.add(() -> team.newReduceScatter(ElementType.INT, Reducers.SUM).start(in, 0, fitting.range(2, 40, 6), out, 0));
        });
    }

    /** What is received begins where what is sent does, or has no byte in common with it; elsewhere results would be wrong. */
    @ParameterizedTest
    @ValueSource(strings = {ONE_NODE, TWO_NODES, THREE_NODES})
    void shouldRefuseBuffersThatOverlap(final String nodes)
    {
        final UnsafeBuffer whole = Calls.buffer();
        final UnsafeBuffer same = new UnsafeBuffer(whole, 4, 1_000);
        final Distribution ascending = Distribution.ascending(MEMBERS, 8);
        final Distribution descending = Distribution.descending(MEMBERS, 8);
        shouldRefuse(nodes, (team, calls) ->
        {
            final int self = team.member();
            calls.add(() -> team.newAllReduce(ElementType.INT, Reducers.SUM).start(whole, 0, same, 0, 2));
            calls.add(() -> team.newAllReduce(ElementType.INT, Reducers.SUM).start(same, 4, whole, 4, 2));
            calls.add(() -> team.newReduce(ElementType.INT, Reducers.SUM).start(self, whole, 0, whole, 4, 2));
            calls.add(() -> team.newScan(ElementType.INT, Reducers.SUM, false).start(whole, 0, whole, 4, 2));
            calls.add(() -> team.newScan(ElementType.INT, Reducers.SUM, true).start(whole, 4, whole, 0, 2));
            calls.add(() -> team.newReduceScatter(ElementType.INT, Reducers.SUM).start(whole, 0, whole, 8, 2));
            calls.add(() -> team.newReduceScatter(ElementType.INT, Reducers.SUM).start(whole, 0, ascending, whole, 8));
            calls.add(() -> team.newAllToAll().start(whole, 0, whole, 8, 8));
            calls.add(() -> team.newAllToAll().start(whole, 0, ascending, whole, 8, ascending));
            calls.add(() -> team.newAllToAll().start(whole, 0, ascending, whole, 0, descending));
            calls.add(() -> team.newAllGather().start(whole, 8 * self + 4, whole, 0, 8));
            calls.add(() -> team.newAllGather().start(whole, 8 * ((self + 1) % MEMBERS), whole, 0, 8));
            calls.add(() -> team.newGather().start(self, whole, 8 * ((self + 1) % MEMBERS), whole, 0, 8));
            calls.add(() -> team.newScatter().start(self, whole, 0, whole, 8 * self + 4, 8));
            calls.add(() -> team.calls().allToAll(whole, 0, same, 0, 8));
        });
    }

    /** Calls in a team that has been followed by another view say why it has ended; what they begin touches the new view not. */
    @ParameterizedTest
    @ValueSource(strings = {TWO_NODES, THREE_NODES, "0 0 0"})
    void shouldRefuseAViewThatIsOver(final String nodes)
    {
        final NodesTeamRig rig = rig(nodes);
        rig.kill(2);
        final Awaited[] shrinks = new Awaited[MEMBERS];
        for (int i = 0; i < MEMBERS - 1; i++)
        {
            final Shrink shrink = rig.teams[i].newShrink();
            shrink.start();
            shrinks[i] = shrink;
        }
        rig.finish(shrinks);
        final Team[] next = new Team[MEMBERS];
        for (int i = 0; i < MEMBERS - 1; i++)
        {
            next[i] = ((Shrink)shrinks[i]).newTeam();
            assertEquals(RankSet.of(0, 1), next[i].ranks());
            assertTrue(next[i].view() > rig.teams[i].view());
        }
        for (int call = 0; call < Calls.COUNT; call++)
        {
            final Operation[] former = new Operation[MEMBERS];
            final Operation[] now = new Operation[MEMBERS];
            for (int i = 0; i < MEMBERS - 1; i++)
            {
                former[i] = Calls.start(call, rig.teams[i]);
                now[i] = Calls.start(call, next[i]);
            }
            rig.finish(former);
            rig.finish(now);
            for (int i = 0; i < MEMBERS - 1; i++)
            {
                assertEquals(Team.MEMBER_GONE, former[i].result(), "call " + call + ", seed=" + seed);
                assertEquals(2, rig.teams[i].goneMember());
                assertEquals(call, now[i].result(), "call " + call + ", seed=" + seed);
            }
        }
        rig.teams[0].close();
        assertEquals(Team.CLOSED, Calls.start(0, rig.teams[0]).result());
        assertEquals(Team.CLOSED, rig.teams[0].newSplit().start(0, 0));
    }

    /** A member that wants to be in no team gets none, also if that is all of them; ranks that are no team are refused. */
    @ParameterizedTest
    @ValueSource(strings = {ONE_NODE, TWO_NODES, THREE_NODES})
    void shouldMakeNoTeamOfNone(final String nodes)
    {
        final NodesTeamRig rig = rig(nodes);
        final Awaited[] splits = new Awaited[MEMBERS];
        for (int i = 0; i < MEMBERS; i++)
        {
            final Split split = rig.teams[i].newSplit();
            split.start(-1 - i, i);
            splits[i] = split;
        }
        rig.finish(splits);
        for (final Awaited split : splits)
        {
            assertEquals(0, split.result());
            assertNull(((Split)split).newTeam());
        }
        final Operation[] barriers = new Operation[MEMBERS];
        for (int i = 0; i < MEMBERS; i++)
        {
            barriers[i] = Calls.start(0, rig.teams[i]);
        }
        rig.finish(barriers);
        assertTrue(barriers[0].result() >= 0, "the team goes on");
        assertThrows(IllegalArgumentException.class, () -> Distribution.ascending(0, 8));
        assertEquals(0, RankSet.of().size());
    }

    /**
     * Another process writes anything into the arenas of the nodes while members do operations: nothing is thrown, nothing hangs
     * beyond the end of the team, and a result that is not good is one that is documented.
     */
    @ParameterizedTest
    @ValueSource(strings = {TWO_NODES, THREE_NODES})
    void shouldSurviveAnyDamageOfTheArenasOfNodes(final String nodes)
    {
        for (int round = 0; round < 200; round++)
        {
            final NodesTeamRig rig = rig(nodes);
            final List<UnsafeBuffer> arenas = rig.meetings.files().values().stream().map(UnsafeBuffer::new).toList();
            final int which = random.nextInt(Calls.COUNT);
            final Operation[] all = new Operation[MEMBERS];
            for (int i = 0; i < MEMBERS; i++)
            {
                all[i] = Calls.start(which, rig.teams[i]);
            }
            for (int turn = 0; turn < 60; turn++)
            {
                final int i = random.nextInt(MEMBERS);
                rig.deliver(i);
                rig.progress(i);
                if (turn % 4 == 0)
                {
                    final UnsafeBuffer arena = arenas.get(random.nextInt(arenas.size()));
                    final int at = ArenaDescriptor.DECISION_OFFSET +
                        random.nextInt((arena.capacity() - ArenaDescriptor.DECISION_OFFSET) / 8) * 8;
                    arena.putLong(at, random.nextBoolean() ? random.nextLong() : random.nextInt(10));
                }
            }
            for (int i = 0; i < MEMBERS; i++)
            {
                rig.teams[i].revoke();
                all[i].progress();
                assertFalse(all[i].isActive(), "seed=" + seed);
                assertFalse(Team.errorString(all[i].result()).startsWith("unknown"), "seed=" + seed);
                rig.teams[i].close();
            }
        }
    }

    /** A header that no first member writes is refused before anything is read by it, and the member that has made it is told. */
    @ParameterizedTest
    @ValueSource(strings = {TWO_NODES, ONE_NODE})
    void shouldRefuseADamagedHeaderOfANewArena(final String nodes)
    {
        final NodesTeamRig rig = rig(nodes);
        final int before = rig.meetings.files().size();
        final Split[] splits = new Split[MEMBERS];
        for (int i = 0; i < MEMBERS; i++)
        {
            splits[i] = rig.teams[i].newSplit();
            splits[i].start(0, 0);
        }
        // the second member does not look at the arena before it is damaged
        for (int turn = 0; rig.meetings.files().size() < before + rig.maps[0].nodes(); turn++)
        {
            assertTrue(turn < 100_000, () -> "no arena: found " + rig.meetings.files().keySet() + ", seed=" + seed);
            final int i = random.nextInt(2) * 2;
            rig.deliver(i);
            splits[i].progress();
        }
        rig.meetings.files().values().forEach((file) -> file.putInt(ArenaDescriptor.BLOCK_LENGTH_OFFSET, 77));
        rig.finish(splits);
        for (int i = 0; i < MEMBERS; i++)
        {
            assertEquals(Team.DAMAGED, splits[i].result(), "member " + i + ", seed=" + seed);
            assertNull(splits[i].newTeam());
        }
        assertInstanceOf(IllegalArgumentException.class, splits[1].cause());
        assertNotEquals(0, splits[1].cause().getMessage().length());
    }
}
