// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

/** How the data of an operation get from node to node. The order is part of what the nodes compare. */
public enum AlgorithmBetweenNodes
{
    /** Barrier: each node tells one at twice the distance of the step before. */
    DISSEMINATION,
    /** One node sends to, or receives from, one after the other. Broadcast, gather, scatter; scan: from one to the next. */
    LINEAR,
    /** By a binomial tree. Broadcast, reduce, gather, scatter. */
    BINOMIAL,
    /** From one node to the next, piece by piece. Broadcast. */
    CHAIN,
    /** Recursive doubling. All-reduce, scan; all-gather with a power of two of nodes. */
    DOUBLING,
    /** Round a ring. All-reduce and reduce-scatter with a commutative reducer, all-gather. */
    RING,
    /** Up and down a binomial tree. All-reduce; reduce-scatter, which goes down as a scatter. */
    REDUCE_BROADCAST,
    /** Each node with each other one, at a growing distance. All-to-all. */
    PAIRWISE,
    /** To all nodes at once, where the network does that; then each says that it has it. Broadcast. */
    MULTICAST;

    /** Whether an operation can go by it. */
    boolean isPossible(final Kind kind, final int nodes, final boolean isCommutative)
    {
        switch (kind)
        {
            case BARRIER:
                return this == DISSEMINATION;
            case BROADCAST:
                return this == LINEAR || this == BINOMIAL || this == CHAIN || this == MULTICAST;
            case SCATTER:
            case GATHER:
                return this == LINEAR || this == BINOMIAL;
            case ALL_GATHER:
                return this == RING || this == DOUBLING && Integer.bitCount(nodes) == 1;
            case ALL_TO_ALL:
                return this == PAIRWISE;
            case REDUCE:
                return this == BINOMIAL;
            case ALL_REDUCE:
                return this == DOUBLING || this == REDUCE_BROADCAST || this == RING && isCommutative;
            case REDUCE_SCATTER:
                return this == REDUCE_BROADCAST || this == RING && isCommutative;
            default:
                return this == LINEAR || this == DOUBLING;
        }
    }
}
