// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

/**
 * Something beside operations that the members of a team do together: agree, or make new teams. All members start them in the
 * same order, one at a time.
 */
public abstract class TeamCall extends Awaited
{
    TeamCall(final Team team)
    {
        super(team);
    }

    @Override
    final void move()
    {
        final long found = team().exchange().failure() == Team.CLOSED ? Team.CLOSED : advance();
        if (found != Team.IN_PROGRESS)
        {
            finish(found);
            team().ended();
            end(found);
        }
    }

    final Voting votes()
    {
        return team().votes();
    }

    /** Before it begins: nothing of the kind may be under way in the team. */
    final void begin()
    {
        team().started(this);
        activate();
    }

    abstract long advance();

    /** Members that it waits for. */
    int late(final int[] into)
    {
        return votes().late(into);
    }

    /** It has ended here. */
    abstract void end(long found);

    /** Class and team. */
    @Override
    public String toString()
    {
        return getClass().getSimpleName() + " of " + team();
    }
}
