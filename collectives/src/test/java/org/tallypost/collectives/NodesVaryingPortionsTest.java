// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;

/** All-to-all with portions of any lengths between members on several nodes, in one thread. */
class NodesVaryingPortionsTest
{
    private static final int[][] PLACES = {{0, 1}, {0, 0, 1}, {0, 1, 1, 2}, {0, 1, 0, 1}, {0, 0, 1, 1, 2, 2, 2}};
    private static final int[] LONGEST = {0, 1, 9, 300, 3_000};
    private static final int LONG = 150_001;
    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final Random random = new Random(seed);

    NodesVaryingPortionsTest()
    {
        System.out.println("NodesVaryingPortionsTest: -Dtallypost.seed=" + seed);
    }

    @Test
    void shouldExchangePortionsOfAnyLengths()
    {
        for (final int[] places : PLACES)
        {
            final NodesTeamRig rig = new NodesTeamRig(random, new CollectivesContext().blockLength(1_024), places);
            for (final int longest : LONGEST)
            {
                exchange(rig, lengths(rig.size(), longest, false), false);
                exchange(rig, lengths(rig.size(), longest, true), true);
            }
        }
    }

    /** One portion takes three rounds, the others one or none. */
    @Test
    void shouldExchangeALongPortionInRounds()
    {
        final NodesTeamRig rig = new NodesTeamRig(random, new CollectivesContext().blockLength(16_384), 0, 0, 1);
        final int[][] lengths = lengths(3, 9, false);
        lengths[random.nextInt(3)][random.nextInt(3)] = LONG;
        exchange(rig, lengths, false);
    }

    private int[][] lengths(final int members, final int longest, final boolean isInPlace)
    {
        final int[][] lengths = new int[members][members];
        for (int i = 0; i < members; i++)
        {
            for (int j = 0; j < members; j++)
            {
                lengths[i][j] = isInPlace && j < i ? lengths[j][i] : random.nextInt(4) == 0 ? 0 : random.nextInt(longest + 1);
            }
        }
        return lengths;
    }

    private Distribution distribution(final int[] lengths)
    {
        Distribution distribution = Distribution.ascending(lengths.length, 0);
        int offset = 0;
        for (int i = 0, first = random.nextInt(lengths.length); i < lengths.length; i++)
        {
            final int member = (first + i) % lengths.length;
            offset += random.nextInt(3);
            distribution = distribution.range(member, offset, lengths[member]);
            offset += lengths[member];
        }
        return distribution;
    }

    private void exchange(final NodesTeamRig rig, final int[][] lengths, final boolean isInPlace)
    {
        final int members = rig.size();
        final AllToAll[] operations = new AllToAll[members];
        final Distribution[] sending = new Distribution[members];
        final Distribution[] receiving = new Distribution[members];
        final byte[][] from = new byte[members][];
        final byte[][] to = new byte[members][];
        final byte[][] expected = new byte[members][];
        for (int i = 0; i < members; i++)
        {
            final int[] received = new int[members];
            for (int j = 0; j < members; j++)
            {
                received[j] = lengths[j][i];
            }
            sending[i] = distribution(lengths[i]);
            receiving[i] = isInPlace ? sending[i] : distribution(received);
            from[i] = new byte[7 + sending[i].extent() + 5];
            random.nextBytes(from[i]);
            to[i] = isInPlace ? from[i] : new byte[7 + receiving[i].extent() + 5];
        }
        for (int i = 0; i < members; i++)
        {
            expected[i] = to[i].clone();
            for (int j = 0; j < members; j++)
            {
                System.arraycopy(from[j], 7 + (lengths[j][i] == 0 ? 0 : sending[j].offset(i)), expected[i],
                    7 + (lengths[j][i] == 0 ? 0 : receiving[i].offset(j)), lengths[j][i]);
            }
        }
        for (int i = 0; i < members; i++)
        {
            operations[i] = rig.teams[i].newAllToAll();
            operations[i].start(new UnsafeBuffer(from[i]), 7, sending[i], new UnsafeBuffer(to[i]), 7, receiving[i]);
        }
        rig.finish(operations);
        for (int i = 0; i < members; i++)
        {
            assertTrue(operations[i].result() >= 0, Team.errorString(operations[i].result()) + ", seed=" + seed);
            assertArrayEquals(expected[i], to[i], "member " + i + ", in place=" + isInPlace + ", seed=" + seed);
        }
    }

    /** A member expects another length than one sends: all are told, on all nodes. */
    @Test
    void shouldTellAllOfALengthThatDiffers()
    {
        for (int round = 0; round < 30; round++)
        {
            final NodesTeamRig rig =
                new NodesTeamRig(random, new CollectivesContext().blockLength(1_024), PLACES[round % PLACES.length]);
            final int odd = random.nextInt(rig.size());
            final int other = random.nextInt(rig.size());
            final Operation[] operations = new Operation[rig.size()];
            for (int i = 0; i < rig.size(); i++)
            {
                final Distribution alike = Distribution.ascending(rig.size(), 8);
                final AllToAll operation = rig.teams[i].newAllToAll();
                operation.start(new UnsafeBuffer(new byte[100]), 0, alike, new UnsafeBuffer(new byte[100]), 0,
                    i == odd ? alike.range(other, 8 * other, 7) : alike);
                operations[i] = operation;
            }
            rig.finish(operations);
            for (int i = 0; i < rig.size(); i++)
            {
                assertEquals(Team.MISMATCH, operations[i].result(), "seed=" + seed);
                assertEquals(other, rig.teams[i].goneMember(), "seed=" + seed);
            }
        }
    }
}
