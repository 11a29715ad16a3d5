// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

/**
 * All living members get the same value: the flags that all of them have passed. It works in a team that has ended, for whatever
 * reason, and members may die meanwhile: either no member gets a value, because all are gone, or all that get one get the same.
 * {@link Team#newAgreement()} makes it.
 */
public final class Agreement extends TeamCall
{
    Agreement(final Team team)
    {
        super(team);
    }

    /**
     * Begins.
     *
     * @param flags of this member, at least 0.
     * @return as {@link #progress()}.
     * @throws IllegalStateException if an agreement, a split or a shrink is under way in the team.
     * @throws IllegalArgumentException if the flags are negative.
     */
    public long start(final int flags)
    {
        Checks.atLeast("flags", flags, 0);
        begin();
        if (team().exchange().failure() != Team.CLOSED)
        {
            votes().vote(Votes.Vote.FLAGS, flags);
        }
        return progress();
    }

    /**
     * What was agreed on.
     *
     * @return the flags that all members had that have voted, the same at all members.
     */
    public int flags()
    {
        return votes().flags();
    }

    /**
     * Whether a member lived when this was agreed on.
     *
     * @param member from 0 to the size of the team, exclusive.
     * @return true if so, the same at all members.
     * @throws IllegalArgumentException if there is no such member.
     */
    public boolean isLiving(final int member)
    {
        Checks.range("member", member, 0, team().size() - 1);
        return votes().isLiving(member);
    }

    @Override
    long advance()
    {
        return votes().tryAgree();
    }

    @Override
    void end(final long found)
    {
        // the flags are what is left of it
    }
}
