// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

/**
 * Something beside operations that the members of a team do together: agree, or make new teams. Made once, used again and again,
 * and then as an {@link Operation}: started, and taken on by {@link #progress()} or {@link #await()}. All members start them in
 * the same order, one at a time. For the thread that polls the endpoint.
 */
public abstract class TeamCall implements Progress
{
    private final Team team;
    private boolean isActive;
    private long result = Team.IN_PROGRESS;

    TeamCall(final Team team)
    {
        this.team = team;
    }

    /**
     * Does what can be done now.
     *
     * @return 0 or more if it is done; {@link Team#IN_PROGRESS}; or why it failed, another negative number.
     */
    @Override
    public final long progress()
    {
        if (isActive)
        {
            team.exchange().progress();
            final long found = team.exchange().failure() == Team.CLOSED ? Team.CLOSED : advance();
            if (found != Team.IN_PROGRESS)
            {
                isActive = false;
                result = found;
                team.ended();
                end(found);
            }
        }
        return result;
    }

    /**
     * Whether it was started and is not done.
     *
     * @return true if so.
     */
    public final boolean isActive()
    {
        return isActive;
    }

    /**
     * Waits until it is done.
     *
     * @return as {@link #progress()}, but not IN_PROGRESS.
     * @throws IllegalStateException if it was not started.
     */
    public final long await()
    {
        requireStarted();
        return team.await(this, false, 0);
    }

    /**
     * As {@link #await()}, but not for longer than until a deadline.
     *
     * @param deadlineNs time on the clock of {@link System#nanoTime()}.
     * @return as {@link #await()}; or {@link Team#TIMED_OUT}, and then it is still under way, and may be waited for again.
     * @throws IllegalStateException if it was not started.
     */
    public final long await(final long deadlineNs)
    {
        requireStarted();
        return team.await(this, true, deadlineNs);
    }

    private void requireStarted()
    {
        if (!isActive && result == Team.IN_PROGRESS)
        {
            throw new IllegalStateException(this + " was not started");
        }
    }

    final Team team()
    {
        return team;
    }

    final Votes votes()
    {
        return team.votes();
    }

    /** Before it begins: nothing of the kind may be under way in the team. */
    final void begin()
    {
        team.started(this);
        result = Team.IN_PROGRESS;
        isActive = true;
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
        return getClass().getSimpleName() + " of " + team;
    }
}
