// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

/**
 * Which rank sends to which.
 */
public enum PatternKind
{
    /** All active processes post messages to all others at once, and take theirs. */
    ALLTOALL,
    /** The same, but each message has to be on its way before the next one is posted. */
    ALLTOALL_IN_TURN,
    /** Each active process exchanges with one other after another, at a distance that grows by one. */
    PAIRWISE,
    /** The processes of a node each play ping-pong with one of another node. */
    MULTI_PINGPONG,
    /** The same processes, but both of a pair send at once. */
    PINGPING,
    /** A ring: to the right, from the left. */
    SENDRECV,
    /** A ring both ways. */
    EXCHANGE,
    /** Down a binary tree in two halves; the root changes. */
    BCAST,
    /** Up a binary tree in two halves; the root changes. */
    REDUCE,
    /** Recursive doubling, messages of one length. */
    ALLREDUCE,
    /** Recursive doubling, messages that double. */
    ALLGATHER,
    /** By turns with two neighbours, what came last. */
    ALLGATHERV,
    /** Recursive doubling, messages without data. */
    BARRIER,
    /** A binomial tree towards the root, messages that double. */
    GATHER,
    /** A binomial tree from the root, messages that halve. */
    SCATTER,
    /** The root sends to one after another; the root changes. */
    SCATTERV,
    /** All send to the root, which changes. */
    GATHERV,
    /** A reduction to rank 0, and items from there to half of the ranks; the others wait for nothing. */
    REDUCE_SCATTER,
    /** Alltoalls of groups of as many processes as are active, all groups at once. */
    SIMULTANEOUS,
    /** The same, one message after the other. */
    SIMULTANEOUS_IN_TURN,
    /** Alltoalls of all, a quarter, a half, all, a half, a quarter, all, with a barrier of all after each phase. */
    PHASES;

    /**
     * How it is called in reports.
     *
     * @return in small letters.
     */
    public String label()
    {
        return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
    }
}
