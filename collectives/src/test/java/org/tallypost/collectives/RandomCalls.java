// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.UnsafeBuffer;

/** Operations that follow from a seed, so that each member, wherever it is, knows what all have passed and what must come out. */
final class RandomCalls
{
    /** How many members of this process have done. */
    static final AtomicLong DONE = new AtomicLong();
    private static final int OFFSET = 5;
    /** Longest portion in bytes: as the property says, to be longer than an arena. */
    static final int MAX_LENGTH = Integer.getInteger("tallypost.length", 20_000);
    private static final int[] LENGTHS = {0, 1, 7, 8, 104, 105, 2_048, MAX_LENGTH};

    /** Most bytes that a member has of data, and of results. */
    static int length(final int members)
    {
        return 2 * OFFSET + MAX_LENGTH * members + 8;
    }

    private RandomCalls()
    {
    }

    /**
     * Does some operations, and checks what comes out.
     *
     * @return the number of the last one; or the negative result of the first one that failed.
     */
    static long run(final Team team, final long seed, final int count)
    {
        return run(team, null, seed, count);
    }

    /** The same, with the data in memory of the team, if there is any. */
    static long run(final Team team, final TeamMemory memory, final long seed, final int count)
    {
        long result = 0;
        for (int i = 0; i < count && result >= 0; i++)
        {
            result = one(team, memory, seed * 1_000_003 + i);
            DONE.incrementAndGet();
        }
        return result;
    }

    private static long one(final Team team, final TeamMemory memory, final long seed)
    {
        final Random random = new Random(seed);
        final Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
        final Reducer reducer = ReducersTest.ALL.get(random.nextInt(ReducersTest.ALL.size()));
        ElementType type = ElementType.values()[random.nextInt(ElementType.values().length)];
        while (!reducer.supports(type))
        {
            type = ElementType.values()[random.nextInt(ElementType.values().length)];
        }
        type = kind.ordinal() < Kind.REDUCE.ordinal() ? ElementType.BYTES : type;
        final int count = LENGTHS[random.nextInt(LENGTHS.length)] / type.length();
        final int root = random.nextInt(team.size());
        final int length = count * type.length();
        final byte[][] in = new byte[team.size()][];
        final byte[] out = new byte[OFFSET + length * team.size() + OFFSET];
        for (int i = 0; i < in.length; i++)
        {
            in[i] = new byte[out.length];
            ReferenceReducer.fill(random, type, in[i], OFFSET, count * team.size());
        }
        final byte[] expected = Expected.of(kind, team.member(), root, type, reducer, in, out, OFFSET, length, false);
        final UnsafeBuffer from = new UnsafeBuffer(in[team.member()]);
        if (memory != null)
        {
            from.wrap(memory.buffer(), random.nextInt(8), out.length);
            from.putBytes(0, in[team.member()]);
        }
        final Operation operation = MatrixTest.start(team, kind, null, root, type, reducer,
            from, new UnsafeBuffer(out), OFFSET, count, false);
        final long result = operation.await();
        ReferenceReducer.unify(type, expected, OFFSET);
        ReferenceReducer.unify(type, out, OFFSET);
        if (result >= 0 && !Arrays.equals(expected, out))
        {
            throw new AssertionError(kind + " by " + operation.algorithm() + ", member " + team.member() + " of " + team.size() +
                ", root=" + root + ", count=" + count + ", type=" + type + ", reducer=" + reducer + ", seed=" + seed +
                ": differs at " + Arrays.mismatch(expected, out));
        }
        return result;
    }
}
