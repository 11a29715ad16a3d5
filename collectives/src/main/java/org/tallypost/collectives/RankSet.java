// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.Arrays;

/** A set of ranks, in ascending order. Immutable. The place of a rank in the set is its member number in a team of them. */
public final class RankSet
{
    private final int[] ranks;

    private RankSet(final int[] ranks)
    {
        this.ranks = ranks;
    }

    /**
     * A set of some ranks.
     *
     * @param ranks at least 0 each, in any order; what is there twice counts once.
     * @return the set.
     * @throws IllegalArgumentException if one is negative.
     */
    public static RankSet of(final int... ranks)
    {
        final int[] sorted = Arrays.stream(ranks).sorted().distinct().toArray();
        if (sorted.length > 0)
        {
            Checks.atLeast("rank", sorted[0], 0);
        }
        return new RankSet(sorted);
    }

    /**
     * All ranks from one to another one.
     *
     * @param first the first one, at least 0.
     * @param end   behind the last one, at least the first one.
     * @return the set.
     * @throws IllegalArgumentException if one is out of range.
     */
    public static RankSet range(final int first, final int end)
    {
        Checks.atLeast("first", first, 0);
        Checks.atLeast("end", end, first);
        final int[] ranks = new int[end - first];
        for (int i = 0; i < ranks.length; i++)
        {
            ranks[i] = first + i;
        }
        return new RankSet(ranks);
    }

    /**
     * Number of ranks.
     *
     * @return at least 0.
     */
    public int size()
    {
        return ranks.length;
    }

    /**
     * A rank by its place.
     *
     * @param index from 0 to the size, exclusive.
     * @return the rank.
     */
    public int rank(final int index)
    {
        return ranks[index];
    }

    /**
     * The place of a rank.
     *
     * @param rank to look for.
     * @return from 0 to the size, exclusive; -1 if it is not in the set.
     */
    public int indexOf(final int rank)
    {
        return Math.max(-1, Arrays.binarySearch(ranks, rank));
    }

    /**
     * Whether a rank is in the set.
     *
     * @param rank to look for.
     * @return true if so.
     */
    public boolean contains(final int rank)
    {
        return indexOf(rank) >= 0;
    }

    /**
     * The ranks of both sets.
     *
     * @param other set.
     * @return the union.
     */
    public RankSet union(final RankSet other)
    {
        final int[] all = Arrays.copyOf(ranks, ranks.length + other.ranks.length);
        System.arraycopy(other.ranks, 0, all, ranks.length, other.ranks.length);
        return of(all);
    }

    /**
     * The ranks that are in both sets.
     *
     * @param other set.
     * @return the intersection.
     */
    public RankSet intersection(final RankSet other)
    {
        return new RankSet(Arrays.stream(ranks).filter(other::contains).toArray());
    }

    /**
     * The ranks that are in this set and not in the other one.
     *
     * @param other set.
     * @return the difference.
     */
    public RankSet difference(final RankSet other)
    {
        return new RankSet(Arrays.stream(ranks).filter((rank) -> !other.contains(rank)).toArray());
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof RankSet && Arrays.equals(ranks, ((RankSet)other).ranks);
    }

    @Override
    public int hashCode()
    {
        return Arrays.hashCode(ranks);
    }

    /** The ranks in ascending order. */
    @Override
    public String toString()
    {
        return Arrays.toString(ranks);
    }
}
