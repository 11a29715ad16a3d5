// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.tallypost.collectives.internal.Arena;

/**
 * An operation of a team: made once, used again and again. All members start the same operations in the same order. What they
 * pass must fit together: the same root, the same length, an equal distribution.
 *
 * <pre>
 *   long result = allReduce.start(in, 0, out, 0, count);
 *   while (result == Team.IN_PROGRESS)
 *   {
 *       // something else
 *       result = allReduce.progress();
 *   }
 * </pre>
 *
 * or {@code allReduce.start(...)} and {@link #await()}. A handle is used once at a time; several handles of a team may be under
 * way, and finish in the order in which they were started. Buffers stay untouched by the program until the operation is done.
 * For the thread that polls the endpoint. Nothing is allocated after a handle was made.
 */
public abstract class Operation
{
    private final Team team;
    private final Kind kind;
    private final Plan plan;
    private Operation next;
    private boolean isActive;
    private long result = Team.IN_PROGRESS;

    Operation(final Team team, final Kind kind)
    {
        this.team = team;
        this.kind = kind;
        final Arena arena = team.exchange().arena();
        plan = new Plan(arena.members(), arena.blockLength());
    }

    /**
     * Does what can be done now, for this operation and those of the team that were started before.
     *
     * @return the operation's number in its team if it is done, 0 or more; {@link Team#IN_PROGRESS}; or why it failed, another
     *         negative number. What is in the buffers of an operation that failed is not specified. Before the first start
     *         IN_PROGRESS. What a reducer throws comes from here, from a start or from await, once: then the team has ended
     *         ({@link Team#REDUCER_FAILED}).
     */
    public final long progress()
    {
        if (isActive)
        {
            team.exchange().progress();
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
        return team.await(this, false, 0);
    }

    /**
     * As {@link #await()}, but not for longer than until a deadline.
     *
     * @param deadlineNs time on the clock of {@link System#nanoTime()}.
     * @return as {@link #await()}; or {@link Team#TIMED_OUT}, and then the operation is still under way, and may be waited for
     *         again.
     * @throws IllegalStateException if it was not started.
     */
    public final long await(final long deadlineNs)
    {
        return team.await(this, true, deadlineNs);
    }

    /**
     * How the data of the last use went through the arena.
     *
     * @return "inline", "blocks" or "slices"; "none" before the first use.
     */
    public final String algorithm()
    {
        return plan.algorithm() == null ? "none" : NAMES[plan.algorithm().ordinal()];
    }

    private static final String[] NAMES = {"inline", "blocks", "slices"};

    final long result()
    {
        return result;
    }

    final Team team()
    {
        return team;
    }

    final Kind kind()
    {
        return kind;
    }

    final Plan plan()
    {
        return plan;
    }

    final int member()
    {
        return team.member();
    }

    final int members()
    {
        return team.size();
    }

    final Operation next()
    {
        return next;
    }

    final void next(final Operation following)
    {
        next = following;
    }

    final void finish(final long found)
    {
        result = found;
        isActive = false;
    }

    final void requireIdle()
    {
        if (isActive)
        {
            throw new IllegalStateException(this + " is under way: wait for its end before it is started again");
        }
    }

    final void requireRoot(final int root)
    {
        Checks.range("root", root, 0, members() - 1);
    }

    /** With everything checked and the plan made. */
    final long begin()
    {
        isActive = true;
        result = Team.IN_PROGRESS;
        team.exchange().start(this);
        return result;
    }

    /** Writes what this member shows in a step. */
    abstract void write(int step, MutableDirectBuffer arena, int offset);

    /** Whether this member reads what another one, or itself, shows in a step. */
    abstract boolean reads(int step, int source);

    /** Reads it. */
    abstract void read(int step, int source, DirectBuffer arena, int offset);

    /** Whether members are read in their order, and not each one's own neighbours first. */
    boolean isOrdered()
    {
        return false;
    }

    /** The step of which all members' lines are needed for what this member shows in a step; -1 if none. */
    int source(final int step)
    {
        return -1;
    }

    /** The step in which is shown what was made of this one, which then needs no reading; -1 if there is none. */
    int sink(final int step)
    {
        return -1;
    }

    /** Takes what a member has shown in the source of a step into what is shown in the step. */
    void fold(final int step, final int source, final MutableDirectBuffer arena, final int from, final int to)
    {
        throw new IllegalStateException("nothing to fold: step=" + step);
    }

    /** Kind, team and member. */
    @Override
    public String toString()
    {
        return kind + " of team " + team.id() + " at member " + member();
    }
}
