// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
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
 * or {@code allReduce.start(...)} and {@link #await()}. Several handles of a team may be under way, and finish in the order in
 * which they were started. Buffers stay untouched by the program until the operation is done. Nothing is allocated after a
 * handle was made.
 *
 * <p><b>Results.</b> An operation that is done has its number in its team. What is in the buffers of one that failed is not
 * specified. What a reducer throws comes from start, progress or await, once: then the team has ended
 * ({@link Team#REDUCER_FAILED}).
 */
public abstract class Operation extends Awaited
{
    private final Kind kind;
    private final Plan plan;
    private Operation next;
    private Phases phases;

    Operation(final Team team, final Kind kind)
    {
        super(team);
        this.kind = kind;
        final Arena arena = team.exchange().arena();
        plan = new Plan(kind, arena.members(), arena.blockLength(), team.place().table());
    }

    /**
     * How the data of the last use got from member to member.
     *
     * @return the algorithm; null before the first use, and in a team of several nodes, where an operation has several parts.
     */
    public final Algorithm algorithm()
    {
        return phases == null ? plan.algorithm() : null;
    }

    /**
     * Sets the algorithm of the next uses, in place of the one that the team takes for the best. All members set the same, or it
     * is a {@link Team#MISMATCH}. Where the operation or its buffers cannot go by it, the blocks are used. No effect in a team of
     * several nodes: there {@link CollectivesContext#algorithmBetweenNodes} is what may be set.
     *
     * @param wanted the algorithm; null for the best one.
     * @throws IllegalStateException if the handle is under way.
     */
    public final void force(final Algorithm wanted)
    {
        requireIdle();
        plan.force(wanted);
    }

    /** How it goes between nodes: set by the constructors of operations that can, if the team has several. */
    final void phases(final Phases between)
    {
        phases = between;
    }

    final Phases phases()
    {
        return phases;
    }

    @Override
    final void move()
    {
        // the exchange has done it
    }

    final Kind kind()
    {
        return kind;
    }

    /** The kind as a number, for those that look at the arena from outside. */
    final int kindNumber()
    {
        return kind.ordinal();
    }

    final Plan plan()
    {
        return plan;
    }

    final int member()
    {
        return team().member();
    }

    final int members()
    {
        return team().size();
    }

    final Operation next()
    {
        return next;
    }

    final void next(final Operation following)
    {
        next = following;
    }

    final void requireIdle()
    {
        if (isActive())
        {
            throw new IllegalStateException(this + " is under way: wait for its end before it is started again");
        }
    }

    final void requireRoot(final int root)
    {
        Checks.range("root", root, 0, members() - 1);
    }

    /** Makes the plan for portions of some length. */
    final void plan(final int length, final int unit, final long typeAndReducer, final int root, final int distribution)
    {
        plan.portions(length, unit, team().exchange().direct().isPossible());
        plan.describe(typeAndReducer, root, distribution);
    }

    /** Makes the plan for portions of which each member knows its own lengths alone. */
    final void planVarying()
    {
        plan.varying(team().exchange().direct().isPossible());
        plan.describe(0, 0, 1);
    }

    /** With everything checked and the plan made. */
    final long begin()
    {
        if (phases != null)
        {
            phases.require();
        }
        activate();
        team().course().start(this);
        return result();
    }

    /** Writes what this member shows in a step. */
    abstract void write(int step, MutableDirectBuffer arena, int offset);

    /** Whether a member reads what another one, or itself, has for it. */
    abstract boolean takes(int reader, int source);

    /** Reads what a member shows to this one in a step, or has for it as that piece. */
    abstract void read(int step, int source, DirectBuffer from, int offset);

    /** Whether what is read or folded next stays where it is until the step is consumed: it may be read later, too. */
    void stays(final boolean isUntilConsumed)
    {
        // of no use to those that copy
    }

    /** What other members read of this one; null if nothing. */
    UnsafeBuffer given()
    {
        return null;
    }

    /** Length of what this member, or another one, gives to this one, in bytes; negative if it is not known. */
    int givenLength(final int source)
    {
        return 0;
    }

    /** Where in what a member gives the piece for this member begins. */
    int placeOf(final int source, final int piece)
    {
        return plan.start(piece);
    }

    /** Writes which portions this member has for others, if they do not know it. */
    void expose(final MutableDirectBuffer arena, final int offset)
    {
        // they know it
    }

    /**
     * Reads which portion a member has for this one, if that is not known.
     *
     * @param given length of what the member gives, in bytes.
     * @return 0; {@link Team#DAMAGED} or {@link Team#MISMATCH}.
     */
    long see(final int source, final DirectBuffer arena, final int offset, final long given)
    {
        return 0;
    }

    /** Length of the longest portion, of those that members do not know before. */
    int longest()
    {
        return 0;
    }

    /** Length of the longest portion that a member has, of those that members do not know before. */
    int longestOf(final int source)
    {
        return 0;
    }

    /** Writes a portion for each member, at a distance, before members know how long these are. */
    void writeEarly(final MutableDirectBuffer arena, final int offset, final int distance)
    {
        throw new IllegalStateException("members know how long portions are: operation=" + this);
    }

    /** Reads the portion that a member has written early for this one. */
    void readEarly(final int source, final DirectBuffer arena, final int offset)
    {
        throw new IllegalStateException("members know how long portions are: operation=" + this);
    }

    /** Whether this member writes over what it gives. */
    boolean isOverwriting()
    {
        return false;
    }

    /** The member that is read after so many others. Members begin with different ones, and so do not read the same lines. */
    int source(final int index)
    {
        final int source = member() + index;
        return source < members() ? source : source - members();
    }

    /** The step of which all members' lines are needed for what this member shows in a step; -1 if none. */
    int sourceStep(final int step)
    {
        return -1;
    }

    /** The step in which is shown what was made of this one, which then needs no reading; -1 if there is none. */
    int sink(final int step)
    {
        return -1;
    }

    /** Takes what a member has shown in the source of a step, or gives, into what is shown in the step. */
    void fold(
        final int step, final int source, final DirectBuffer from, final int fromOffset, final MutableDirectBuffer to,
        final int toOffset)
    {
        throw new IllegalStateException("nothing to fold: step=" + step);
    }

    /** Kind, team and member. */
    @Override
    public String toString()
    {
        return kind + " of team " + team().id() + " at member " + member();
    }
}
