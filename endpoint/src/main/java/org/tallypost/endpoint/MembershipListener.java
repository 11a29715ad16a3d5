// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

/**
 * Hears which other ranks come and go, those of other nodes included, as the receiving side of an endpoint sees it:
 * {@link Endpoint#addMembershipListener}. Called on the thread that polls, by {@link Endpoint#poll} and nothing else.
 *
 * <p>Of each rank it hears in order: {@code onOpen} and {@code onGone} of one incarnation, then those of a later one. No
 * {@code onGone} is without its {@code onOpen}. An incarnation that came and went between two polls may be left out, but none
 * with a message that this endpoint gets. {@code onGone} comes behind the incarnation's last message, and {@code onOpen} before
 * its first one, with one exception: of the first incarnation of a rank that this endpoint sees, messages may be delivered by
 * the very poll during which it opens, and then {@code onOpen} comes with the next poll.
 *
 * <p>A listener may send, and may close the endpoint; it may not poll. What it throws goes to the node's error handler.
 */
public interface MembershipListener
{
    /**
     * A rank is open.
     *
     * @param rank        of another endpoint.
     * @param incarnation of the rank, as {@link RankState#incarnation} counts them.
     */
    void onOpen(int rank, int incarnation);

    /**
     * A rank was closed, or its process was found to be gone, or the link to its node was lost; and all that it has sent to
     * this endpoint was delivered.
     *
     * @param rank        of another endpoint.
     * @param incarnation that is over.
     */
    void onGone(int rank, int incarnation);
}
