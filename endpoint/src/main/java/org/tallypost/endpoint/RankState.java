// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import org.tallypost.endpoint.internal.layout.GroupDescriptor;

/**
 * What is known of a rank of the group. {@link Endpoint#rankState} returns it in one number together with the incarnation that
 * it is said of; the methods here take the number apart, and allocate nothing.
 */
public enum RankState
{
    /** It was never opened; the incarnation is 0. */
    NEVER,
    /** It is open. */
    OPEN,
    /** It was closed. */
    CLOSED,
    /** It was open when its process was found to be gone, or when the link to its node was lost. */
    GONE;

    private static final RankState[] ALL = values();

    /**
     * The state.
     *
     * @param rankState as {@link Endpoint#rankState} returns it.
     * @return the state; {@link #GONE} if somebody has damaged the word, which its owner puts right within a liveness interval.
     */
    public static RankState of(final long rankState)
    {
        final int state = GroupDescriptor.state(rankState);
        return state < 0 || state >= ALL.length ? GONE : ALL[state];
    }

    /**
     * The incarnation that the state is said of: how many times the rank was opened, {@link Endpoint#epoch()} for the endpoint
     * itself. Of a rank of another node, how many of its incarnations this node has seen.
     *
     * @param rankState as {@link Endpoint#rankState} returns it.
     * @return the incarnation, 0 if the rank was never opened.
     */
    public static int incarnation(final long rankState)
    {
        return GroupDescriptor.epoch(rankState);
    }
}
