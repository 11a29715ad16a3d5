// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tallypost.collectives.internal.NodeMessageDescriptor;

/**
 * Teams of members on several nodes, in one thread, with messages that are refused and late: every operation by every algorithm
 * between nodes against the reference of {@link MatrixTest}; nodes that die, close, revoke, and call something else.
 */
@Tag("once")
class NodesTeamTest
{
    private static final int GUARD = 16;
    private static final int[] LENGTHS = {0, 1, 7, 16, 105, 2_048, 70_001};
    private static final List<Kind> KINDS = List.of(Kind.BARRIER, Kind.BROADCAST, Kind.SCATTER, Kind.GATHER, Kind.ALL_GATHER,
        Kind.ALL_TO_ALL, Kind.REDUCE, Kind.ALL_REDUCE, Kind.REDUCE_SCATTER, Kind.SCAN, Kind.EXCLUSIVE_SCAN);
    /** Members of each node; the last ones are not consecutive. */
    private static final int[][] PLACES = {
        {0, 1}, {0, 0, 1}, {0, 1, 1, 1}, {0, 1, 2}, {0, 0, 1, 1, 2, 2}, {0, 1, 1, 2, 3}, {0, 0, 0, 1, 2, 3, 3, 4},
        {0, 1, 2, 3, 4, 5, 6}, {0, 1, 2, 3, 4, 5, 6, 7, 7}, {0, 1, 0, 1}, {0, 1, 1, 2, 0}};
    /** What {@link Calls} has. */
    private static final int[] CALLS = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14};
    private static final Reducer LAST = Reducers.of("digest", false, (type, inOut, at, in, from, count) ->
    {
        for (int i = 0; i < count * type.length(); i++)
        {
            inOut.putByte(at + i, in.getByte(from + i) != 0 ? in.getByte(from + i) : inOut.getByte(at + i));
        }
    });

    private static final Random ALL_REFUSED = new Random()
    {
        @Override
        public int nextInt(final int bound)
        {
            return 0;
        }
    };

    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final Random random = new Random(seed);

    NodesTeamTest()
    {
        System.out.println("NodesTeamTest: -Dtallypost.seed=" + seed);
    }

    private static CollectivesContext context()
    {
        return new CollectivesContext().blockLength(1_024);
    }

    @ParameterizedTest
    @EnumSource(AlgorithmBetweenNodes.class)
    void shouldDoAsTheReferenceByEachAlgorithm(final AlgorithmBetweenNodes algorithm)
    {
        for (final int[] places : PLACES)
        {
            final NodesTeamRig rig = new NodesTeamRig(random, context().algorithmBetweenNodes(algorithm), places);
            for (final Kind kind : KINDS)
            {
                if (algorithm.isPossible(kind, rig.maps[0].nodes(), true))
                {
                    for (final int length : LENGTHS)
                    {
                        for (int root = 0; root < (length == 7 ? rig.size() : 1); root++)
                        {
                            check(rig, kind, length == 7 ? root : random.nextInt(rig.size()), length);
                        }
                    }
                }
            }
        }
    }

    @Test
    void shouldChooseAnAlgorithmItself()
    {
        for (final int[] places : PLACES)
        {
            final NodesTeamRig rig = new NodesTeamRig(random, context(), places);
            for (int i = 0; i < 30; i++)
            {
                check(rig, KINDS.get(random.nextInt(KINDS.size())), random.nextInt(rig.size()),
                    LENGTHS[random.nextInt(LENGTHS.length)]);
            }
        }
    }

    private void check(final NodesTeamRig rig, final Kind kind, final int root, final int length)
    {
        if (!kind.isReduction())
        {
            check(rig, kind, root, length, ElementType.BYTES, null);
            return;
        }
        // sums of floating-point numbers depend on the order, which is another one than that of the reference
        final Reducer[] reducers = {Reducers.SUM, Reducers.MAX, Reducers.XOR};
        final Reducer reducer = reducers[random.nextInt(reducers.length)];
        final ElementType type = random.nextBoolean() ? ElementType.LONG : ElementType.SHORT;
        check(rig, kind, root, length / type.length(), type, reducer);
        check(rig, kind, root, length, ElementType.BYTES, LAST);
    }

    private void check(
        final NodesTeamRig rig, final Kind kind, final int root, final int count, final ElementType type, final Reducer reducer)
    {
        final int members = rig.size();
        final int length = count * type.length();
        final int offset = GUARD + random.nextInt(8);
        final boolean isInPlace = random.nextInt(3) == 0;
        final byte[][] in = new byte[members][];
        final byte[][] out = new byte[members][];
        final byte[][] expected = new byte[members][];
        for (int i = 0; i < members; i++)
        {
            final int inLength = MatrixTest.isFromAll(kind) ? members * length : length;
            final int outLength = MatrixTest.isToAll(kind) ? members * length : length;
            in[i] = new byte[offset + Math.max(inLength, outLength) + GUARD];
            random.nextBytes(in[i]);
            out[i] = isInPlace ? in[i].clone() : new byte[offset + outLength + GUARD];
        }
        for (int i = 0; i < members; i++)
        {
            expected[i] = Expected.of(kind, i, root, type, reducer, in, out[i], offset, length, isInPlace);
        }
        final Operation[] operations = new Operation[members];
        for (int i = 0; i < members; i++)
        {
            final UnsafeBuffer to = new UnsafeBuffer(out[i]);
            operations[i] = MatrixTest.start(rig.teams[i], kind, null, root, type, reducer,
                isInPlace ? to : new UnsafeBuffer(in[i]), to, offset, count, isInPlace);
        }
        rig.finish(operations);
        final String what = kind + ", nodes=" + rig.maps[0].nodes() + ", members=" + members + ", root=" + root + ", count=" +
            count + ", type=" + type + ", reducer=" + (reducer == null ? "" : reducer.name()) + ", in place=" + isInPlace +
            ", seed=" + seed;
        for (int i = 0; i < members; i++)
        {
            assertTrue(operations[i].result() >= 0, what + ": " + Team.errorString(operations[i].result()));
            assertEquals(operations[0].result(), operations[i].result(), what);
            assertArrayEquals(expected[i], out[i], what + ": member " + i);
        }
    }

    /** Many operations are under way at a time, and none meets another one. */
    @Test
    void shouldDoOperationsInTheirOrder()
    {
        final NodesTeamRig rig = new NodesTeamRig(random, context(), 0, 0, 1, 2, 2);
        final UnsafeBuffer[] sums = new UnsafeBuffer[rig.size() * 50];
        final Operation[] operations = new Operation[sums.length];
        for (int i = 0; i < operations.length; i++)
        {
            final int member = i % rig.size();
            sums[i] = new UnsafeBuffer(new byte[8]);
            sums[i].putLong(0, member + i / rig.size());
            final AllReduce sum = rig.teams[member].newAllReduce(ElementType.LONG, Reducers.SUM);
            sum.startInPlace(sums[i], 0, 1);
            operations[i] = sum;
        }
        rig.finish(operations);
        for (int i = 0; i < operations.length; i++)
        {
            assertEquals(i / rig.size(), operations[i].result(), "seed=" + seed);
            assertEquals(10 + 5L * (i / rig.size()), sums[i].getLong(0), "seed=" + seed);
        }
    }

    /** One member calls something else, and all then a barrier: all are told, on all nodes. */
    @Test
    void shouldTellAllMembersOfAMismatch()
    {
        for (final int most : CALLS)
        {
            for (final int other : CALLS)
            {
                final NodesTeamRig rig = new NodesTeamRig(random, context(), PLACES[random.nextInt(PLACES.length)]);
                final int odd = random.nextInt(rig.size());
                final Operation[] last = new Operation[rig.size()];
                for (int i = 0; i < rig.size(); i++)
                {
                    Calls.start(i == odd ? other : most, rig.teams[i]);
                    final Barrier barrier = rig.teams[i].newBarrier();
                    barrier.start();
                    last[i] = barrier;
                }
                rig.finish(last);
                for (final Operation barrier : last)
                {
                    assertEquals(most == other ? 1 : Team.MISMATCH, barrier.result(),
                        "most call " + most + ", member " + odd + " calls " + other + ", seed=" + seed);
                }
                final int culprit = rig.teams[0].goneMember();
                assertEquals(most != other, culprit >= 0);
            }
        }
    }

    /** A member dies at any point: the others, on all nodes, end with its number, or have got through. */
    @Test
    void shouldTellAllMembersOfADeath()
    {
        for (int round = 0; round < 300; round++)
        {
            final NodesTeamRig rig = new NodesTeamRig(random, context(), PLACES[random.nextInt(PLACES.length)]);
            final int dying = random.nextInt(rig.size());
            final int which = CALLS[random.nextInt(CALLS.length)];
            final Operation[] operations = new Operation[rig.size()];
            for (int i = 0; i < rig.size(); i++)
            {
                operations[i] = i == dying && round % 3 == 0 ? null : Calls.start(which, rig.teams[i]);
            }
            for (int turns = random.nextInt(100); turns > 0; turns--)
            {
                final int i = random.nextInt(rig.size());
                rig.deliver(i);
                rig.teams[i].progress();
            }
            rig.meetings.gone[dying] = true;
            rig.meetings.letters.get(dying).clear();
            operations[dying] = null;
            rig.finish(operations);
            final Operation[] next = new Operation[rig.size()];
            for (int i = 0; i < rig.size(); i++)
            {
                next[i] = i == dying ? null : Calls.start(0, rig.teams[i]);
            }
            rig.finish(next);
            for (int i = 0; i < rig.size(); i++)
            {
                if (i != dying)
                {
                    final String what = "member " + dying + " dies in " + which + ", member " + i + " of " +
                        Arrays.toString(rig.maps[0].locals()) + ", seed=" + seed;
                    assertEquals(Team.MEMBER_GONE, next[i].result(), what);
                    assertTrue(operations[i].result() == 0 || operations[i].result() == Team.MEMBER_GONE, what);
                    assertEquals(dying, rig.teams[i].goneMember(), what);
                    final int[] gone = new int[rig.size()];
                    assertEquals(1, rig.teams[i].goneMembers(gone), what);
                    assertEquals(dying, gone[0], what);
                }
            }
        }
    }

    @Test
    void shouldRevokeOnAllNodes()
    {
        for (int revoking = 0; revoking < 4; revoking++)
        {
            final NodesTeamRig rig = new NodesTeamRig(random, context(), 0, 0, 1, 1);
            final List<Operation> waiting = new ArrayList<>();
            for (int i = 0; i < 4; i++)
            {
                if (i != revoking)
                {
                    waiting.add(Calls.start(0, rig.teams[i]));
                }
            }
            rig.teams[revoking].revoke();
            rig.finish(waiting.toArray(new Operation[0]));
            for (final Operation operation : waiting)
            {
                assertEquals(Team.REVOKED, operation.result());
            }
            for (final Team team : rig.teams)
            {
                assertEquals(revoking, team.goneMember());
            }
        }
    }

    /** A leader that has got through its last operation and closes disturbs no one; one that closes before ends the team. */
    @Test
    void shouldLeaveBehindTheLastOperation()
    {
        for (int round = 0; round < 50; round++)
        {
            final NodesTeamRig rig = new NodesTeamRig(random, context(), 0, 0, 1, 2);
            rig.meetings.refusals = null;
            final Operation[] operations = new Operation[rig.size()];
            for (int i = 0; i < rig.size(); i++)
            {
                operations[i] = Calls.start(round % 2 == 0 ? 0 : 3, rig.teams[i]);
            }
            rig.finish(operations[2]);
            assertEquals(0, operations[2].result());
            rig.teams[2].close();
            rig.finish(operations);
            for (final Operation operation : operations)
            {
                assertEquals(0, operation.result(), "seed=" + seed);
            }
            final Operation[] next = {Calls.start(0, rig.teams[0]), Calls.start(0, rig.teams[1]), null,
                Calls.start(0, rig.teams[3])};
            rig.finish(next);
            assertEquals(Team.MEMBER_GONE, next[0].result());
            assertEquals(Team.MEMBER_GONE, next[1].result());
            assertEquals(Team.MEMBER_GONE, next[3].result());
            assertEquals(2, rig.teams[0].goneMember());
        }
    }

    @Test
    void shouldNameThoseThatAreLate()
    {
        final NodesTeamRig rig = new NodesTeamRig(random, context(), 0, 0, 1, 2);
        final Operation[] begun = {Calls.start(0, rig.teams[0]), Calls.start(0, rig.teams[1])};
        for (int i = 0; i < 1_000; i++)
        {
            rig.deliver(i % 2);
            rig.teams[i % 2].progress();
        }
        final int[] late = new int[4];
        // three nodes: the first step of the dissemination waits for the last one
        assertEquals(1, rig.teams[0].lateMembers(late));
        assertEquals(3, late[0]);
        assertEquals(1, rig.teams[1].lateMembers(late));
        assertEquals(0, late[0]);
        assertTrue(begun[0].isActive() && begun[1].isActive());
    }

    /** What is no message of the team is counted, by counters that can be enumerated. */
    @Test
    void shouldCountWhatItRefuses()
    {
        final NodesTeamRig rig = new NodesTeamRig(random, context(), 0, 1);
        final long before = rig.counters(0).refused();
        final long taken = rig.counters(0).taken();
        assertTrue(taken > 0, "hellos");
        rig.deliver(0, 1, new byte[7]);
        rig.deliver(0, 1, new byte[100]);
        assertEquals(before + 2, rig.counters(0).refused());
        assertEquals(taken, rig.counters(0).taken());
        final List<String> shown = new ArrayList<>();
        rig.counters(0).forEach((name, unit, kind, value) -> shown.add(name + "=" + value));
        assertEquals(List.of("taken=" + taken, "refused=" + (before + 2)), shown);
    }

    /** Messages come twice, once with a byte or a length that no leader has sent: nothing is thrown, and no member hangs. */
    @Test
    void shouldNotFailByForgedMessages()
    {
        for (int round = 0; round < 500; round++)
        {
            final NodesTeamRig rig = new NodesTeamRig(random, context(), PLACES[random.nextInt(PLACES.length)]);
            final int which = CALLS[random.nextInt(CALLS.length)];
            final Operation[] operations = new Operation[rig.size()];
            for (int i = 0; i < rig.size(); i++)
            {
                operations[i] = Calls.start(which, rig.teams[i]);
            }
            for (int turns = random.nextInt(200); turns > 0; turns--)
            {
                final int i = random.nextInt(rig.size());
                final MemoryMeetings.Letter letter = rig.meetings.letters.get(i).peek();
                if (letter != null)
                {
                    final byte[] forged = letter.bytes.byteArray().clone();
                    forged[random.nextInt(random.nextBoolean() ? 48 : forged.length)] ^= (byte)(1 << random.nextInt(8));
                    rig.deliver(i, letter.source, Arrays.copyOf(forged, random.nextInt(3) == 0 ? random.nextInt(2_100) :
                        forged.length));
                }
                rig.deliver(i);
                rig.teams[i].progress();
            }
            rig.finish(operations);
            for (final Operation operation : operations)
            {
                assertTrue(operation.result() == 0 || Team.errorString(operation.result()).length() > 8, "seed=" + seed);
            }
        }
    }

    /** Credits that come back wake nobody; room in the window comes with a message, which does. */
    @Test
    void shouldLookForCreditsAsLongAsASendIsRefused()
    {
        final NodesTeamRig rig =
            new NodesTeamRig(random, context().algorithmBetweenNodes(AlgorithmBetweenNodes.LINEAR), 0, 1);
        final Broadcast root = rig.teams[0].newBroadcast();
        final Broadcast other = rig.teams[1].newBroadcast();
        rig.meetings.refusals = ALL_REFUSED;
        root.start(0, new UnsafeBuffer(new byte[70_001]), 0, 70_001);
        other.start(0, new UnsafeBuffer(new byte[70_001]), 0, 70_001);
        root.progress();
        assertTrue(rig.teams[0].nodes().isPolling(), "refused, seed=" + seed);
        rig.meetings.refusals = null;
        root.progress();
        assertFalse(rig.teams[0].nodes().isPolling(), "the window is full, seed=" + seed);
        rig.finish(root, other);
        assertFalse(rig.teams[0].nodes().isPolling(), "over, seed=" + seed);
    }

    /** What a leader owes is waited for at the other node, also while it has nothing to send itself. */
    @Test
    void shouldLookForCreditsAsLongAsItOwesAnAnswer()
    {
        final NodesTeamRig rig =
            new NodesTeamRig(random, context().algorithmBetweenNodes(AlgorithmBetweenNodes.LINEAR), 0, 1);
        final Broadcast root = rig.teams[0].newBroadcast();
        final Broadcast other = rig.teams[1].newBroadcast();
        rig.meetings.refusals = null;
        root.start(0, new UnsafeBuffer(new byte[70_001]), 0, 70_001);
        other.start(0, new UnsafeBuffer(new byte[70_001]), 0, 70_001);
        root.progress();
        rig.meetings.refusals = ALL_REFUSED;
        for (int i = 0; i < 2 * SendingWindow.LENGTH; i++)
        {
            rig.deliver(1);
        }
        other.progress();
        rig.progress(1);
        assertTrue(rig.teams[1].nodes().isPolling(), "it has consumed a window, and cannot say so, seed=" + seed);
        rig.meetings.refusals = null;
        rig.progress(1);
        assertFalse(rig.teams[1].nodes().isPolling(), "it is said, seed=" + seed);
        rig.finish(root, other);
    }

    private static long count(final NodesTeamRig rig, final int rank, final int kind)
    {
        return rig.meetings.letters.get(rank).stream().filter(
            (letter) -> letter.bytes.getInt(NodeMessageDescriptor.KIND_OFFSET) == NodeMessageDescriptor.kindWord(kind)).count();
    }

    /** That a leader waits, and its vote, it says once, and looks for credits as long as it could not. */
    @Test
    void shouldLookForCreditsAsLongAsItCannotSayThatItWaits()
    {
        final NodesTeamRig rig =
            new NodesTeamRig(random, context().algorithmBetweenNodes(AlgorithmBetweenNodes.LINEAR), 0, 1);
        final NodesPath path = rig.teams[1].nodes();
        rig.meetings.refusals = ALL_REFUSED;
        final Broadcast waiting = rig.teams[1].newBroadcast();
        waiting.start(0, new UnsafeBuffer(new byte[8]), 0, 8);
        path.lookAtMembers();
        assertTrue(path.isPolling(), "refused, seed=" + seed);
        assertEquals(0, count(rig, 0, NodeMessageDescriptor.WAITING));
        rig.meetings.refusals = null;
        path.lookAtMembers();
        path.lookAtMembers();
        assertFalse(path.isPolling(), "told, seed=" + seed);
        assertEquals(1, count(rig, 0, NodeMessageDescriptor.WAITING), "seed=" + seed);
        final Broadcast root = rig.teams[0].newBroadcast();
        root.start(0, new UnsafeBuffer(new byte[8]), 0, 8);
        rig.finish(root, waiting);

        rig.meetings.refusals = ALL_REFUSED;
        final Agreement[] agreements = {rig.teams[0].newAgreement(), rig.teams[1].newAgreement()};
        agreements[1].start(1);
        assertTrue(path.isPolling(), "the vote is refused, seed=" + seed);
        rig.meetings.refusals = null;
        agreements[1].progress();
        assertFalse(path.isPolling(), "voted, seed=" + seed);
        assertEquals(1, count(rig, 0, NodeMessageDescriptor.VOTE), "seed=" + seed);
        agreements[0].start(1);
        rig.finish(agreements);
    }

    /** Members of two nodes by turns: the order is that of the members all the same, and so are the bits of a sum. */
    @Test
    void shouldReduceInOrderWhereverMembersAre()
    {
        final NodesTeamRig rig = new NodesTeamRig(random, context(), 0, 1, 0);
        assertFalse(rig.maps[0].isConsecutive());
        assertEquals(RankSet.of(0, 1, 2), rig.teams[0].ranks());
        final double[] values = {1e16, 1, -1e16};
        final UnsafeBuffer[] sums = new UnsafeBuffer[rig.size()];
        final Operation[] operations = new Operation[rig.size()];
        for (int i = 0; i < rig.size(); i++)
        {
            sums[i] = new UnsafeBuffer(new byte[Double.BYTES]);
            sums[i].putDouble(0, values[i]);
            final Scan scan = rig.teams[i].newScan(ElementType.DOUBLE, Reducers.SUM, false);
            scan.startInPlace(sums[i], 0, 1);
            operations[i] = scan;
        }
        rig.finish(operations);
        // 1e16 + 1 is 1e16; in the order of the nodes it would be 1
        assertEquals(0.0, sums[2].getDouble(0), "seed=" + seed);
    }
}
