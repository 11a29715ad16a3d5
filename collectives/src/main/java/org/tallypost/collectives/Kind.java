// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

/** What an operation does. The order is part of what members compare. */
enum Kind
{
    BARRIER, BROADCAST, SCATTER, GATHER, ALL_GATHER, ALL_TO_ALL, REDUCE, ALL_REDUCE, REDUCE_SCATTER, SCAN, EXCLUSIVE_SCAN;

    /** Whether what a member shows has a portion for each member. */
    boolean isForEach()
    {
        return this == SCATTER || this == ALL_TO_ALL || this == REDUCE_SCATTER;
    }

    boolean isReduction()
    {
        return ordinal() >= REDUCE.ordinal();
    }

    /** Whether members can reduce a slice each, for all that want the result. */
    boolean isSliced()
    {
        return this == REDUCE || this == ALL_REDUCE;
    }
}
