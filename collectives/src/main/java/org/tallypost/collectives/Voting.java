// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

/**
 * How the living members of a team come to one value, also when the team has ended. They take the agreements of a team in the
 * same order, one at a time. No clock, no waiting: {@link #tryAgree} does what can be done now.
 */
interface Voting
{
    /** Votes in the next agreement, or again in one that this member has not seen the end of. */
    void vote(Votes.Vote about, int flags);

    /** Votes so that all members know of it, also those that have not voted: something is in the way. */
    void refuse(Votes.Vote about, int flags);

    /** 0 if the members have agreed; {@link Team#IN_PROGRESS}; or why they will not. */
    long tryAgree();

    /** Members that have not voted in the agreement under way, and are not gone, as far as this one knows. */
    int late(int[] into);

    /** Whether a member is gone, as far as this one knows now. */
    boolean isGone(int member);

    /** The flags that all have that have voted. */
    int flags();

    /** Whether by the last agreement a member lives. */
    boolean isLiving(int member);

    /** Whether some member has voted in the agreement that comes next, without certain flags. */
    boolean isRefused(int wanted);
}
