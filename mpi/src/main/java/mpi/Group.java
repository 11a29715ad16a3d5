// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;

/** Some ranks in an order. */
public final class Group implements Freeable
{
    private final int[] ranks;
    private boolean isFreed;

    /** By their numbers in the world. */
    Group(final int... ranks)
    {
        this.ranks = ranks;
    }

    /** The first so many ranks of the world. */
    static Group first(final int count)
    {
        final int[] all = new int[count];
        Arrays.setAll(all, (i) -> i);
        return new Group(all);
    }

    int[] ranks()
    {
        return ranks;
    }

    int size()
    {
        return ranks.length;
    }

    /** Number here of a rank of the world; UNDEFINED if it is no member. */
    int rankOf(final int worldRank)
    {
        for (int i = 0; i < ranks.length; i++)
        {
            if (ranks[i] == worldRank)
            {
                return i;
            }
        }
        return MPI.UNDEFINED;
    }

    private void check() throws MPIException
    {
        if (isFreed || this == MPI.GROUP_NULL)
        {
            throw new MPIException(MPI.ERR_GROUP, isFreed ? "the group was freed" : "the group is null");
        }
    }

    private static Group ofBoth(final Group one, final Group other, final boolean isUnion, final IntPredicate takesOfFirst)
        throws MPIException
    {
        one.check();
        other.check();
        final int[] first = Arrays.stream(one.ranks).filter(takesOfFirst).toArray();
        if (!isUnion)
        {
            return new Group(first);
        }
        final int[] rest = Arrays.stream(other.ranks).filter((rank) -> one.rankOf(rank) == MPI.UNDEFINED).toArray();
        final int[] all = Arrays.copyOf(first, first.length + rest.length);
        System.arraycopy(rest, 0, all, first.length, rest.length);
        return new Group(all);
    }

    private void checkRanks(final int[] numbers, final boolean isOnce) throws MPIException
    {
        check();
        final boolean[] isThere = new boolean[ranks.length];
        for (final int number : numbers)
        {
            if (number < 0 || number >= ranks.length || isOnce && isThere[number])
            {
                throw new MPIException(MPI.ERR_RANK, number >= 0 && number < ranks.length ?
                    "a rank is there twice: found=" + number : "no such rank: found=" + number + ", expected=0 to " +
                    (ranks.length - 1));
            }
            isThere[number] = true;
        }
    }

    /** Ranks of triplets of first, last and stride. */
    private static int[] ranks(final int[][] ranges) throws MPIException
    {
        final List<Integer> all = new ArrayList<>();
        for (final int[] range : ranges)
        {
            if (range.length != 3 || range[2] == 0)
            {
                throw new MPIException(MPI.ERR_ARG, "no such range: found=" + Arrays.toString(range) +
                    ", expected first, last, and a stride that is not 0");
            }
            for (long rank = range[0]; range[2] > 0 ? rank <= range[1] : rank >= range[1]; rank += range[2])
            {
                all.add((int)rank);
            }
        }
        return all.stream().mapToInt(Integer::intValue).toArray();
    }

    // Open MPI

    public int getSize() throws MPIException
    {
        check();
        return ranks.length;
    }

    /** The own rank; UNDEFINED if this process is no member. */
    public int getRank() throws MPIException
    {
        check();
        return rankOf(World.current().rank());
    }

    public static int[] translateRanks(final Group from, final int[] numbers, final Group to) throws MPIException
    {
        to.check();
        from.check();
        final int[] found = new int[numbers.length];
        for (int i = 0; i < found.length; i++)
        {
            if (numbers[i] != MPI.PROC_NULL)
            {
                from.checkRanks(new int[]{ numbers[i] }, false);
            }
            found[i] = numbers[i] == MPI.PROC_NULL ? numbers[i] : to.rankOf(from.ranks[numbers[i]]);
        }
        return found;
    }

    public static int compare(final Group one, final Group other) throws MPIException
    {
        one.check();
        other.check();
        if (Arrays.equals(one.ranks, other.ranks))
        {
            return MPI.IDENT;
        }
        return Arrays.equals(Arrays.stream(one.ranks).sorted().toArray(), Arrays.stream(other.ranks).sorted().toArray()) ?
            MPI.SIMILAR : MPI.UNEQUAL;
    }

    public static Group union(final Group one, final Group other) throws MPIException
    {
        return ofBoth(one, other, true, (rank) -> true);
    }

    public static Group intersection(final Group one, final Group other) throws MPIException
    {
        return ofBoth(one, other, false, (rank) -> other.rankOf(rank) != MPI.UNDEFINED);
    }

    public static Group difference(final Group one, final Group other) throws MPIException
    {
        return ofBoth(one, other, false, (rank) -> other.rankOf(rank) == MPI.UNDEFINED);
    }

    public Group incl(final int[] numbers) throws MPIException
    {
        checkRanks(numbers, true);
        return new Group(Arrays.stream(numbers).map((number) -> ranks[number]).toArray());
    }

    public Group excl(final int[] numbers) throws MPIException
    {
        checkRanks(numbers, true);
        final boolean[] isOut = new boolean[ranks.length];
        for (final int number : numbers)
        {
            isOut[number] = true;
        }
        return new Group(Arrays.stream(ranks).filter((rank) -> !isOut[rankOf(rank)]).toArray());
    }

    /** Each range is first, last and stride. */
    public Group rangeIncl(final int[][] ranges) throws MPIException
    {
        return incl(ranks(ranges));
    }

    public Group rangeExcl(final int[][] ranges) throws MPIException
    {
        return excl(ranks(ranges));
    }

    @Override
    public void free() throws MPIException
    {
        check();
        isFreed = this != MPI.GROUP_EMPTY;
    }

    public boolean isNull()
    {
        return isFreed || this == MPI.GROUP_NULL;
    }

    // mpiJava

    public int Size() throws MPIException
    {
        return getSize();
    }

    public int Rank() throws MPIException
    {
        return getRank();
    }

    public static int[] Translate_ranks(final Group from, final int[] numbers, final Group to) throws MPIException
    {
        return translateRanks(from, numbers, to);
    }

    public static int Compare(final Group one, final Group other) throws MPIException
    {
        return compare(one, other);
    }

    public static Group Union(final Group one, final Group other) throws MPIException
    {
        return union(one, other);
    }

    public static Group Intersection(final Group one, final Group other) throws MPIException
    {
        return intersection(one, other);
    }

    public static Group Difference(final Group one, final Group other) throws MPIException
    {
        return difference(one, other);
    }

    public Group Incl(final int[] numbers) throws MPIException
    {
        return incl(numbers);
    }

    public Group Excl(final int[] numbers) throws MPIException
    {
        return excl(numbers);
    }

    public Group Range_incl(final int[][] ranges) throws MPIException
    {
        return rangeIncl(ranges);
    }

    public Group Range_excl(final int[][] ranges) throws MPIException
    {
        return rangeExcl(ranges);
    }

    public void Free() throws MPIException
    {
        free();
    }
}
