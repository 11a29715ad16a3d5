// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.examples;

/**
 * Consecutive items of one rank. Shares differ by one item at most.
 *
 * @param first item of the share.
 * @param count of its items.
 */
public record Share(int first, int count)
{
    /**
     * The share of a rank.
     *
     * @param items of all ranks.
     * @param rank  of the share.
     * @param ranks of all.
     * @return the share.
     */
    public static Share of(final int items, final int rank, final int ranks)
    {
        final int first = (int)((long)items * rank / ranks);
        return new Share(first, (int)((long)items * (rank + 1) / ranks) - first);
    }
}
