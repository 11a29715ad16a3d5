// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

/**
 * Something that members of a team do together: made once, used again and again, one use at a time. It is started, and then
 * taken on by {@link #progress()} in the program's own loop, or waited for by {@link #await()}. For the thread that polls the
 * endpoint.
 */
public abstract class Awaited implements Progress
{
    private final Team team;
    private boolean isActive;
    private long result = Team.IN_PROGRESS;

    Awaited(final Team team)
    {
        this.team = team;
    }

    /**
     * Does what can be done now, for this and for operations of the team that were started before.
     *
     * @return 0 or more if it is done; {@link Team#IN_PROGRESS}, also before the first start; or why it failed, another negative
     *         number.
     */
    @Override
    public final long progress()
    {
        if (isActive)
        {
            team.course().progress();
            move();
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
     * Waits until it is done: looks, polls the endpoint now and then, and after a while sleeps until another member wakes it.
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
     * As {@link #await()}, but not for longer than until a deadline. While data are copied or reduced, the deadline is looked at
     * after each 64 KiB, and after a block if that is longer.
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

    final long result()
    {
        return result;
    }

    final void activate()
    {
        isActive = true;
        result = Team.IN_PROGRESS;
    }

    final void finish(final long found)
    {
        result = found;
        isActive = false;
    }

    /** Does what is to be done beside the operations of the team. */
    abstract void move();
}
