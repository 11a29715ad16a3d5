// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Portions of any lengths at any places: all-to-all, where each member knows its own ones, and reduce-scatter. By every
 * algorithm, with 1 to 17 members, in place and not, at offsets that are not aligned, in arrays, byte buffers and memory of the
 * team.
 */
@Tag("once")
class VaryingPortionsTest
{
    private static final int[] LONGEST = {0, 1, 9, 104, 1_100, 20_000};
    /** Of more than eight members, which have as much to compare then. Longer than what one step moves. */
    private static final int LONGEST_OF_MANY = 5_000;

    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final Random random = new Random(seed);

    VaryingPortionsTest()
    {
        System.out.println("VaryingPortionsTest: seed=" + seed);
    }

    private TeamRig[] rigs(final int members)
    {
        final int partLength = members * 2 * 21_000 + 64;
        return new TeamRig[]{new TeamRig(members, 1_024), new TeamRig(members, 8, 16_384),
            new TeamRig(members, 4, 1_024, TeamRig.Reach.MEMORY, partLength),
            new TeamRig(members, 4, 4_096, TeamRig.Reach.PROCESS, 0)};
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17})
    void shouldExchangePortionsOfAnyLengths(final int members)
    {
        final TeamRig[] rigs = rigs(members);
        final int[] byAlgorithm = new int[Algorithm.values().length];
        for (final Algorithm algorithm : Algorithm.values())
        {
            for (final int most : LONGEST)
            {
                final int longest = members > 8 ? Math.min(most, LONGEST_OF_MANY) : most;
                if (algorithm != Algorithm.INLINE || longest <= 1_100)
                {
                    for (int i = 0; i < 4; i++)
                    {
                        byAlgorithm[exchange(rigs[i], algorithm, longest, random.nextInt(3) == 0).ordinal()]++;
                    }
                    exchange(rigs[random.nextInt(4)], null, longest, random.nextBoolean());
                }
            }
        }
        assertTrue(byAlgorithm[Algorithm.BLOCKS.ordinal()] > 0 && byAlgorithm[Algorithm.DIRECT.ordinal()] > 0);
        assertTrue(byAlgorithm[Algorithm.INLINE.ordinal()] > 0 || members > 9);
    }

    /** Which algorithm it went by. */
    private Algorithm exchange(final TeamRig rig, final Algorithm algorithm, final int longest, final boolean isInPlace)
    {
        final int members = rig.size();
        final int[][] lengths = lengths(members, longest, isInPlace);
        final Distribution[] sending = new Distribution[members];
        final Distribution[] receiving = new Distribution[members];
        final UnsafeBuffer[] from = new UnsafeBuffer[members];
        final UnsafeBuffer[] to = new UnsafeBuffer[members];
        final byte[][] before = new byte[members][];
        for (int i = 0; i < members; i++)
        {
            final int[] received = new int[members];
            for (int j = 0; j < members; j++)
            {
                received[j] = lengths[j][i];
            }
            sending[i] = distribution(lengths[i]);
            receiving[i] = isInPlace ? sending[i] : distribution(received);
            from[i] = buffer(rig, i, 0, sending[i].extent() + 16);
            to[i] = isInPlace ? from[i] : buffer(rig, i, from[i].capacity(), receiving[i].extent() + 16);
            before[i] = fill(from[i]);
        }
        final byte[][] expected = new byte[members][];
        for (int i = 0; i < members; i++)
        {
            expected[i] = new byte[to[i].capacity()];
            to[i].getBytes(0, expected[i]);
            for (int j = 0; j < members; j++)
            {
                if (lengths[j][i] > 0)
                {
                    System.arraycopy(
                        before[j], 7 + sending[j].offset(i), expected[i], 7 + receiving[i].offset(j), lengths[j][i]);
                }
            }
        }
        final String what = "by " + algorithm + ", members=" + members + ", longest=" + longest + ", in place=" + isInPlace +
            ", seed=" + seed;
        final AllToAll[] operations = new AllToAll[members];
        for (final int i : rig.shuffled(random))
        {
            operations[i] = rig.teams[i].newAllToAll();
            operations[i].force(algorithm);
            if (isInPlace)
            {
                operations[i].startInPlace(from[i], 7, sending[i]);
            }
            else
            {
                operations[i].start(from[i], 7, sending[i], to[i], 7, receiving[i]);
            }
        }
        rig.finish(random, operations);
        check(operations, expected, to, what);
        return operations[0].algorithm();
    }

    /** Of each member for each other one; in place two have the same for each other. */
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

    private static void check(
        final Operation[] operations, final byte[][] expected, final UnsafeBuffer[] to, final String what)
    {
        for (int i = 0; i < operations.length; i++)
        {
            final String member = "member " + i + " " + what;
            final long result = operations[i].result();
            assertTrue(result >= 0, () -> Team.errorString(result) + " " + member);
            assertEquals(operations[0].algorithm(), operations[i].algorithm(), member);
            final byte[] found = new byte[expected[i].length];
            to[i].getBytes(0, found);
            assertArrayEquals(expected[i], found, member);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17})
    void shouldReduceAndScatterPortionsOfAnyLengths(final int members)
    {
        final TeamRig[] rigs = rigs(members);
        for (final Algorithm algorithm : Algorithm.values())
        {
            for (final int most : LONGEST)
            {
                final int longest = members > 8 ? Math.min(most, LONGEST_OF_MANY) : most;
                if (algorithm != Algorithm.INLINE || longest <= 1_100)
                {
                    for (int i = 0; i < 4; i++)
                    {
                        reduceScatter(rigs[i], algorithm, longest, random.nextInt(3) == 0);
                    }
                    reduceScatter(rigs[random.nextInt(4)], null, longest, random.nextBoolean());
                }
            }
        }
    }

    private void reduceScatter(final TeamRig rig, final Algorithm algorithm, final int longest, final boolean isInPlace)
    {
        final int members = rig.size();
        final int[] lengths = new int[members];
        for (int i = 0; i < members; i++)
        {
            lengths[i] = (random.nextInt(4) == 0 ? 0 : random.nextInt(longest + 1)) / 2 * 2;
        }
        Distribution distribution = distribution(lengths);
        if (members > 1 && random.nextBoolean())
        {
            // members that get the same elements
            distribution = distribution.range(0, distribution.offset(1), distribution.length(1));
        }
        final UnsafeBuffer[] from = new UnsafeBuffer[members];
        final UnsafeBuffer[] to = new UnsafeBuffer[members];
        final short[] sums = new short[distribution.extent() + 16];
        final byte[][] expected = new byte[members][];
        for (int i = 0; i < members; i++)
        {
            from[i] = buffer(rig, i, 0, distribution.extent() + 7 + 16);
            to[i] = isInPlace ? from[i] : buffer(rig, i, from[i].capacity(), distribution.maxLength() + 16);
            fill(from[i]);
            expected[i] = new byte[to[i].capacity()];
            to[i].getBytes(0, expected[i]);
            for (int at = 0; at < distribution.extent(); at++)
            {
                // of each place: portions begin anywhere
                sums[at] += from[i].getShort(7 + at);
            }
        }
        final ReduceScatter[] operations = new ReduceScatter[members];
        for (final int i : rig.shuffled(random))
        {
            operations[i] = rig.teams[i].newReduceScatter(ElementType.SHORT, Reducers.SUM);
            operations[i].force(algorithm);
            if (isInPlace)
            {
                operations[i].startInPlace(from[i], 7, distribution);
            }
            else
            {
                operations[i].start(from[i], 7, distribution, to[i], 7);
            }
        }
        rig.finish(random, operations);
        for (int i = 0; i < members; i++)
        {
            for (int at = 0; at < distribution.length(i); at += Short.BYTES)
            {
                new UnsafeBuffer(expected[i]).putShort(7 + at, sums[distribution.offset(i) + at]);
            }
        }
        check(operations, expected, to, "by " + algorithm + ", members=" + members + ", " + distribution + ", in place=" +
            isInPlace + ", seed=" + seed);
    }

    /** Portions that have room beside what is said of them take no further step, at any member. */
    @ParameterizedTest
    @CsvSource({
        "2,ARENA,0,1", "2,ARENA,2304,1", "2,ARENA,8192,1", "2,ARENA,8193,3", "4,ARENA,4032,1", "4,ARENA,4096,1", "4,ARENA,4097,3",
        "9,ARENA,1728,1", "9,ARENA,1793,2", "2,PROCESS,2304,1", "2,PROCESS,2305,2", "2,MEMORY,2304,1", "2,MEMORY,2305,2",
        "16,ARENA,256,1", "17,ARENA,256,2"})
    void shouldTakeNoFurtherStepWhereThereIsRoom(
        final int members, final TeamRig.Reach reach, final int longest, final int steps)
    {
        final TeamRig rig = new TeamRig(members, 8, 16_384, reach, 2 * members * 10_000);
        final long before = rig.teams[0].exchange().position();
        final Operation[] operations = rig.start((i) ->
        {
            final AllToAll exchange = rig.teams[i].newAllToAll();
            // the longest portion of all goes from the last member to the first
            final Distribution equal = Distribution.ascending(members, Math.min(longest, 8));
            exchange.start(new UnsafeBuffer(new byte[members * 10_000]), 0,
                i == members - 1 ? equal.range(0, members * 8, longest) : equal, new UnsafeBuffer(new byte[members * 10_000]), 0,
                i == 0 ? equal.range(members - 1, members * 8, longest) : equal);
            return exchange;
        });
        rig.finish(random, operations);
        for (int i = 0; i < members; i++)
        {
            assertEquals(0, operations[i].result(), "seed=" + seed);
            assertEquals(before + 2L * steps, rig.teams[i].exchange().position(), "member " + i + ", seed=" + seed);
        }
    }

    private byte[] fill(final UnsafeBuffer buffer)
    {
        final byte[] data = new byte[buffer.capacity()];
        random.nextBytes(data);
        buffer.putBytes(0, data);
        return data;
    }

    /** What a member sends is not what another one expects: all are told, and which one differs. */
    @Test
    void shouldTellAllOfALengthThatDiffers()
    {
        for (int round = 0; round < 500; round++)
        {
            final TeamRig rig = new TeamRig(1 + random.nextInt(12), 1_024);
            final int members = rig.size();
            final int odd = random.nextInt(members);
            final int about = random.nextInt(members);
            final Operation[] operations = rig.start((i) ->
            {
                final AllToAll exchange = rig.teams[i].newAllToAll();
                final Distribution fitting = Distribution.ascending(members, 40);
                exchange.start(new UnsafeBuffer(new byte[1_000]), 0,
                    i == odd ? fitting.range(about, 500, random.nextBoolean() ? 39 : 41) : fitting,
                    new UnsafeBuffer(new byte[1_000]), 0, fitting);
                return exchange;
            });
            rig.finish(random, operations);
            for (int i = 0; i < members; i++)
            {
                assertEquals(Team.MISMATCH, operations[i].result(), "seed=" + seed);
                assertEquals(odd, rig.teams[i].goneMember(), "seed=" + seed);
            }
        }
    }

    /** Portions of some lengths in any order, with room between some of them. */
    private Distribution distribution(final int[] lengths)
    {
        Distribution distribution = Distribution.ascending(lengths.length, 0);
        final List<Integer> order = new ArrayList<>();
        for (int i = 0; i < lengths.length; i++)
        {
            order.add(i);
        }
        Collections.shuffle(order, random);
        int offset = 0;
        for (final int member : order)
        {
            offset += random.nextInt(3);
            distribution = distribution.range(member, offset, lengths[member]);
            offset += lengths[member];
        }
        return distribution;
    }

    private UnsafeBuffer buffer(final TeamRig rig, final int member, final int at, final int length)
    {
        if (rig.parts != null && random.nextInt(8 * rig.size()) != 0)
        {
            return new UnsafeBuffer(rig.parts[member], at, length);
        }
        return random.nextBoolean() ? new UnsafeBuffer(new byte[length]) : new UnsafeBuffer(ByteBuffer.allocateDirect(length));
    }
}
