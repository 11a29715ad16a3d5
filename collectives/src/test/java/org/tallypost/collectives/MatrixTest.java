// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Every operation by every algorithm, with 1 to 17 members (or those of -Dtallypost.members), roots, lengths, types, reducers, in
 * place and not, at offsets that are not aligned, in arrays, byte buffers and memory of the team, against a reference. Members
 * make progress in rounds or in random order. From 5 members on chance chooses one of so many cases: -Dtallypost.oneOf=1 takes
 * them all.
 */
@Tag("once")
class MatrixTest
{
    private static final int[] LENGTHS = {0, 1, 7, 8, 104, 105, 2_048, 65_537};
    private static final int MAX_INLINE_TEST = 2_048;
    private static final int GUARD = 16;
    /** All lengths, counts and roots; a process needs minutes for it. */
    private static final boolean IS_FULL = Boolean.getBoolean("tallypost.full");
    private static final Reducer FIRST_OF_BOTH = Reducers.of("digest", false, (type, inOut, at, in, from, count) ->
    {
        // associative, not commutative: a o b = b if b is not 0, else a
        for (int i = 0; i < count * type.length(); i++)
        {
            inOut.putByte(at + i, in.getByte(from + i) != 0 ? in.getByte(from + i) : inOut.getByte(at + i));
        }
    });

    private long seed;
    private Random random;
    private int cases;
    /** Operations that went by each algorithm. */
    private final int[] byAlgorithm = new int[Algorithm.values().length];

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4})
    void shouldDoAsTheReference(final int members)
    {
        run(members, members, 1);
    }

    /** A sample of the cases, which chance chooses. */
    @ParameterizedTest
    @ValueSource(ints = {5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17})
    void shouldDoAsTheReferenceInSomeCases(final int members)
    {
        run(members, 2, Integer.getInteger("tallypost.oneOf", members <= 8 ? 8 : 24));
    }

    /** A property chooses a larger team. */
    @ParameterizedTest
    @ValueSource(strings = "tallypost.members")
    void shouldDoAsTheReferenceInALargeTeam(final String property)
    {
        run(Integer.getInteger(property, 11), 1, Integer.getInteger("tallypost.oneOf", 8));
    }

    private void run(final int members, final int usualRoots, final int usualOneOf)
    {
        final int roots = IS_FULL ? members : usualRoots;
        final int oneOf = IS_FULL ? 1 : usualOneOf;
        seed = Long.getLong("tallypost.seed", System.nanoTime());
        random = new Random(seed);
        System.out.println("MatrixTest members=" + members + ": seed=" + seed);
        final int partLength = 2 * (members * 65_600 + 100);
        final TeamRig[] rigs = {new TeamRig(members, 1_024), new TeamRig(members, 8, 16_384),
            new TeamRig(members, 4, 1_024, TeamRig.Reach.MEMORY, partLength),
            new TeamRig(members, 4, 4_096, TeamRig.Reach.PROCESS, 0)};
        for (final Kind kind : Kind.values())
        {
            for (final Algorithm algorithm : Algorithm.values())
            {
                for (final int length : LENGTHS)
                {
                    if (isTried(algorithm, length, oneOf))
                    {
                        final int first = random.nextInt(members);
                        for (int root = 0; root < (isRooted(kind) && length <= MAX_INLINE_TEST ? roots : 1); root++)
                        {
                            final TeamRig rig = rigs[random.nextInt(2) + (algorithm.isDirect() ? 2 : 0)];
                            each(rig, kind, algorithm, (first + root) % members, length, false);
                        }
                    }
                }
                for (final int count : new int[]{2, members - 1, members, members + 1, 13, 1_023, 4_097})
                {
                    if (isTried(algorithm, count, IS_FULL ? 1 : 8 * oneOf))
                    {
                        final TeamRig rig = rigs[random.nextInt(2) + (algorithm.isDirect() ? 2 : 0)];
                        each(rig, kind, algorithm, random.nextInt(members), count, true);
                    }
                }
            }
        }
        assertTrue(cases > 100 / oneOf, "cases: " + cases);
        for (final Algorithm algorithm : Algorithm.values())
        {
            assertTrue(byAlgorithm[algorithm.ordinal()] > 0 || oneOf > 1, "none by " + algorithm);
        }
    }

    private boolean isTried(final Algorithm algorithm, final int length, final int oneOf)
    {
        return (algorithm != Algorithm.INLINE || length <= MAX_INLINE_TEST) && random.nextInt(oneOf) == 0;
    }

    private static boolean isRooted(final Kind kind)
    {
        return kind == Kind.BROADCAST || kind == Kind.GATHER || kind == Kind.SCATTER || kind == Kind.REDUCE;
    }

    private static boolean isReduction(final Kind kind)
    {
        return kind.ordinal() >= Kind.REDUCE.ordinal();
    }

    /** The length is in bytes, or in elements. */
    private void each(
        final TeamRig rig, final Kind kind, final Algorithm algorithm, final int root, final int length, final boolean isCount)
    {
        if (!isReduction(kind))
        {
            check(rig, kind, algorithm, root, length, ElementType.BYTES, null);
            return;
        }
        final ElementType[] types = ElementType.values();
        // all pairs with short data, some with long ones
        for (final Reducer reducer : ReducersTest.ALL)
        {
            for (final ElementType type : types)
            {
                if (reducer.supports(type) && (length == 105 || random.nextInt(length > 2_048 ? 50 : 12) == 0))
                {
                    check(rig, kind, algorithm, root, isCount ? length : length / type.length(), type, reducer);
                }
            }
        }
        check(rig, kind, algorithm, root, length, ElementType.BYTES, FIRST_OF_BOTH);
    }

    private void check(
        final TeamRig rig, final Kind kind, final Algorithm algorithm, final int root, final int count, final ElementType type,
        final Reducer reducer)
    {
        cases++;
        final int members = rig.size();
        final int length = count * type.length();
        final int offset = GUARD + random.nextInt(8);
        final boolean isInPlace = random.nextInt(3) == 0;
        final byte[][] in = new byte[members][];
        final byte[][] out = new byte[members][];
        for (int i = 0; i < members; i++)
        {
            final int inLength = isFromAll(kind) ? members * length : length;
            final int outLength = isToAll(kind) ? members * length : length;
            final int all = offset + (isInPlace ? Math.max(inLength, outLength) : inLength) + GUARD;
            in[i] = new byte[all];
            random.nextBytes(in[i]);
            ReferenceReducer.fill(random, type, in[i], offset, (all - offset - GUARD) / type.length());
            out[i] = isInPlace ? in[i].clone() : new byte[offset + outLength + GUARD];
            if (!isInPlace)
            {
                random.nextBytes(out[i]);
            }
        }
        final byte[][] expected = new byte[members][];
        for (int i = 0; i < members; i++)
        {
            expected[i] = Expected.of(kind, i, root, type, reducer, in, out[i], offset, length, isInPlace);
        }
        final Operation[] operations = new Operation[members];
        final UnsafeBuffer[] to = new UnsafeBuffer[members];
        // now and then a member has its data where others cannot read them
        final int hidden = random.nextInt(4 * members);
        for (final int i : rig.shuffled(random))
        {
            to[i] = buffer(i == hidden ? null : rig.parts, i, 0, out[i]);
            final UnsafeBuffer from = isInPlace ? to[i] : buffer(i == hidden ? null : rig.parts, i, to[i].capacity(), in[i]);
            operations[i] = start(rig.teams[i], kind, algorithm, root, type, reducer, from, to[i], offset, count, isInPlace);
        }
        rig.finish(random, operations);
        final String what = kind + " by " + algorithm + ", members=" + members + ", root=" + root + ", count=" + count +
            ", type=" + type + ", reducer=" +
            (reducer == null ? "" : reducer.name()) + ", in place=" + isInPlace + ", seed=" + seed;
        byAlgorithm[operations[0].algorithm().ordinal()]++;
        for (int i = 0; i < members; i++)
        {
            assertEquals(operations[0].result(), operations[i].result(), what);
            assertTrue(operations[i].result() >= 0, () -> what + ": " + Team.errorString(operations[0].result()));
            assertEquals(operations[0].algorithm(), operations[i].algorithm(), what);
            to[i].getBytes(0, out[i]);
            ReferenceReducer.unify(type, expected[i], offset);
            ReferenceReducer.unify(type, out[i], offset);
            if (!Arrays.equals(expected[i], out[i]))
            {
                throw new AssertionError(what + ": member " + i + " differs at " + Arrays.mismatch(expected[i], out[i]) +
                    ", data begin at " + offset);
            }
        }
    }

    /** Bytes in a member's part of the team's memory, in an array or in a byte buffer. */
    private UnsafeBuffer buffer(final UnsafeBuffer[] parts, final int member, final int at, final byte[] bytes)
    {
        final UnsafeBuffer buffer = parts != null ? new UnsafeBuffer(parts[member], at, bytes.length) : random.nextBoolean() ?
            new UnsafeBuffer(new byte[bytes.length]) : new UnsafeBuffer(ByteBuffer.allocateDirect(bytes.length));
        buffer.putBytes(0, bytes);
        return buffer;
    }

    static boolean isFromAll(final Kind kind)
    {
        return List.of(Kind.SCATTER, Kind.ALL_TO_ALL, Kind.REDUCE_SCATTER).contains(kind);
    }

    static boolean isToAll(final Kind kind)
    {
        return List.of(Kind.GATHER, Kind.ALL_GATHER, Kind.ALL_TO_ALL).contains(kind);
    }

    /** An algorithm of null is the one that the operation chooses. */
    static Operation start(
        final Team team, final Kind kind, final Algorithm algorithm, final int root, final ElementType type,
        final Reducer reducer, final UnsafeBuffer in, final UnsafeBuffer out, final int at, final int count,
        final boolean isInPlace)
    {
        final int length = count * type.length();
        switch (kind)
        {
            case BARRIER:
                final Barrier barrier = forced(team.newBarrier(), algorithm);
                barrier.start();
                return barrier;
            case BROADCAST:
                final Broadcast broadcast = forced(team.newBroadcast(), algorithm);
                if (team.member() == root)
                {
                    broadcast.startSend(in, at, length);
                }
                else
                {
                    broadcast.startReceive(root, out, at, length);
                }
                return broadcast;
            case SCATTER:
                final Scatter scatter = forced(team.newScatter(), algorithm);
                if (isInPlace && team.member() == root)
                {
                    scatter.startInPlace(in, at, length);
                }
                else
                {
                    scatter.start(root, in, at, out, at, length);
                }
                return scatter;
            case GATHER:
                final Gather gather = forced(team.newGather(), algorithm);
                if (isInPlace && team.member() == root)
                {
                    gather.startInPlace(out, at, length);
                }
                else
                {
                    gather.start(root, in, at, out, at, length);
                }
                return gather;
            case ALL_GATHER:
                final AllGather allGather = forced(team.newAllGather(), algorithm);
                if (isInPlace)
                {
                    allGather.startInPlace(out, at, length);
                }
                else
                {
                    allGather.start(in, at, out, at, length);
                }
                return allGather;
            default:
                return kind == Kind.ALL_TO_ALL ? allToAll(team, algorithm, in, out, at, length) :
                    reduction(team, kind, algorithm, root, type, reducer, in, out, at, count);
        }
    }

    private static Operation allToAll(
        final Team team, final Algorithm algorithm, final UnsafeBuffer in, final UnsafeBuffer out, final int at, final int length)
    {
        final AllToAll allToAll = forced(team.newAllToAll(), algorithm);
        allToAll.start(in, at, out, at, length);
        return allToAll;
    }

    private static Operation reduction(
        final Team team, final Kind kind, final Algorithm algorithm, final int root, final ElementType type,
        final Reducer reducer, final UnsafeBuffer in, final UnsafeBuffer out, final int at, final int count)
    {
        switch (kind)
        {
            case REDUCE:
                final Reduce reduce = forced(team.newReduce(type, reducer), algorithm);
                reduce.start(root, in, at, out, at, count);
                return reduce;
            case ALL_REDUCE:
                final AllReduce allReduce = forced(team.newAllReduce(type, reducer), algorithm);
                allReduce.start(in, at, out, at, count);
                return allReduce;
            case REDUCE_SCATTER:
                final ReduceScatter scatter = forced(team.newReduceScatter(type, reducer), algorithm);
                scatter.start(in, at, out, at, count);
                return scatter;
            default:
                final Scan scan = forced(team.newScan(type, reducer, kind == Kind.EXCLUSIVE_SCAN), algorithm);
                scan.start(in, at, out, at, count);
                return scan;
        }
    }

    private static <T extends Operation> T forced(final T operation, final Algorithm algorithm)
    {
        operation.force(algorithm);
        return operation;
    }
}
