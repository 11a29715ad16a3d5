// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tallypost.collectives.internal.NodeMessageDescriptor;

/** Broadcasts by multicast between nodes, in one thread, with pieces that are refused, late, lost and forged. */
@Tag("once")
class NodesMulticastTest
{
    private static final int[] LENGTHS = {0, 1, 16, 551, 552, 553, 5_000, 40_001};

    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final Random random = new Random(seed);

    NodesMulticastTest()
    {
        System.out.println("NodesMulticastTest: -Dtallypost.seed=" + seed);
    }

    private NodesTeamRig rig(final int... nodeOf)
    {
        return new NodesTeamRig(random,
            new CollectivesContext().blockLength(1_024).algorithmBetweenNodes(AlgorithmBetweenNodes.MULTICAST), nodeOf);
    }

    /** Many broadcasts from any roots, some of them under way at a time, with barriers in between. */
    private void broadcast(final NodesTeamRig rig, final int count)
    {
        final byte[][] expected = new byte[count][];
        final byte[][][] found = new byte[count][rig.size()][];
        final Operation[] operations = new Operation[count * rig.size()];
        for (int i = 0; i < count; i++)
        {
            final int root = random.nextInt(rig.size());
            expected[i] = new byte[LENGTHS[random.nextInt(LENGTHS.length)]];
            random.nextBytes(expected[i]);
            for (int member = 0; member < rig.size(); member++)
            {
                found[i][member] = member == root ? expected[i].clone() : new byte[expected[i].length];
                final Broadcast broadcast = rig.teams[member].newBroadcast();
                broadcast.start(root, new UnsafeBuffer(found[i][member]), 0, expected[i].length);
                operations[i * rig.size() + member] = broadcast;
            }
            if (random.nextBoolean())
            {
                rig.finish(operations);
            }
        }
        rig.finish(operations);
        for (int i = 0; i < operations.length; i++)
        {
            assertEquals(i / rig.size(), operations[i].result(), "seed=" + seed);
            assertArrayEquals(expected[i / rig.size()], found[i / rig.size()][i % rig.size()], "seed=" + seed);
        }
    }

    @Test
    void shouldSendEachPieceOnce()
    {
        final NodesTeamRig rig = rig(0, 1, 2, 3);
        final Operation[] operations = new Operation[4];
        for (int i = 0; i < 4; i++)
        {
            final Broadcast broadcast = rig.teams[i].newBroadcast();
            broadcast.start(2, new UnsafeBuffer(new byte[5_520]), 0, 5_520);
            operations[i] = broadcast;
        }
        rig.finish(operations);
        assertEquals(10, rig.multicast.sent, "seed=" + seed);
    }

    @Test
    void shouldSendByMessagesWhatIsLost()
    {
        for (int round = 0; round < 40; round++)
        {
            final NodesTeamRig rig = rig(0, 0, 1, 2, 3);
            rig.multicast.losses = round % 4 * 0.1;
            rig.multicast.refusals = round % 3 * 0.1;
            broadcast(rig, 12);
            assertNotEquals(0, rig.multicast.sent);
        }
    }

    @Test
    void shouldSendAllByMessagesIfNothingComes()
    {
        final NodesTeamRig rig = rig(0, 1, 2);
        rig.multicast.refusals = 1;
        broadcast(rig, 20);
        assertEquals(0, rig.multicast.sent);
    }

    /** A node that takes no part any more, with all windows full, does not keep the others. */
    @Test
    void shouldTellAllMembersOfADeath()
    {
        for (int round = 0; round < 60; round++)
        {
            final NodesTeamRig rig = rig(0, 1, 1, 2);
            final int dying = random.nextInt(4);
            final int root = random.nextInt(4);
            final Operation[] operations = new Operation[4];
            for (int i = 0; i < 4; i++)
            {
                final Broadcast broadcast = rig.teams[i].newBroadcast();
                broadcast.start(root, new UnsafeBuffer(new byte[40_000]), 0, 40_000);
                operations[i] = broadcast;
            }
            for (int turns = random.nextInt(100); turns > 0; turns--)
            {
                final int i = random.nextInt(4);
                rig.deliver(i);
                rig.teams[i].progress();
            }
            rig.meetings.gone[dying] = true;
            rig.meetings.letters.get(dying).clear();
            operations[dying] = null;
            rig.finish(operations);
            final Operation[] next = new Operation[4];
            for (int i = 0; i < 4; i++)
            {
                next[i] = i == dying ? null : Calls.start(0, rig.teams[i]);
            }
            rig.finish(next);
            for (int i = 0; i < 4; i++)
            {
                if (i != dying)
                {
                    assertTrue(operations[i].result() == 0 || operations[i].result() == Team.MEMBER_GONE, "seed=" + seed);
                    assertEquals(Team.MEMBER_GONE, next[i].result(), "seed=" + seed);
                    assertEquals(dying, rig.teams[i].goneMember(), "seed=" + seed);
                }
            }
        }
    }

    /** What is of no member of the team is dropped; what is of another operation of the sender ends the team. */
    @Test
    void shouldDropForgedPieces()
    {
        for (int round = 0; round < 60; round++)
        {
            final NodesTeamRig rig = rig(0, 1, 2);
            final byte[] forged = new byte[random.nextInt(600)];
            random.nextBytes(forged);
            if (forged.length >= NodeMessageDescriptor.HEAD_LENGTH)
            {
                new UnsafeBuffer(forged).putInt(0, NodeMessageDescriptor.kindWord(NodeMessageDescriptor.CAST));
                new UnsafeBuffer(forged).putInt(NodeMessageDescriptor.VIEW_OFFSET, 1);
                new UnsafeBuffer(forged).putLong(NodeMessageDescriptor.TEAM_OFFSET, NodesTeamRig.ID);
            }
            for (int from = 0; from < 3; from++)
            {
                rig.multicast.put(from, (from + 1) % 3, forged);
            }
            broadcast(rig, 5);
        }
    }

    @Test
    void shouldBeChosenWhereItIsThere()
    {
        for (final int nodes : new int[]{2, 3, 8, 40})
        {
            final NodesCostModel model = new NodesCostModel(nodes, 25_000, 1, 0.1);
            assertNotEquals(AlgorithmBetweenNodes.MULTICAST, model.choose(Kind.BROADCAST, 1 << 20, true));
            model.multicast(true);
            // with one receiver a message is as good, and is not answered
            assertEquals(nodes > 2, model.choose(Kind.BROADCAST, 1 << 20, true) == AlgorithmBetweenNodes.MULTICAST);
            assertNotEquals(AlgorithmBetweenNodes.MULTICAST, model.choose(Kind.ALL_REDUCE, 1 << 20, true));
            assertEquals(50_000 + (1 << 20), model.cost(Kind.BROADCAST, AlgorithmBetweenNodes.MULTICAST, 1 << 20));
        }
    }
}
