// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.tallypost.collectives.internal.Arena;
import org.tallypost.collectives.internal.ArenaDescriptor;

/**
 * Takes one member's operations through the arena, one after the other, step by step.
 *
 * <p>In each step every member shows one line, with or without data, and reads what its operation wants of others. Two rules:
 * a line, and the block with it, is written again when all members have consumed what was there; what is read was shown in this
 * very step by a member with the same operations. All members show all steps, although not all have data to show: so no member
 * is more than a window ahead of another, and members that have called different operations meet.
 *
 * <p>No clock, no waiting: {@link #progress} does what can be done now.
 */
final class Exchange
{
    /** A look at all members for each so many looks that found nothing. */
    private static final int LOOKS = 64;

    private final Arena arena;
    private final int member;
    private final Peers peers;
    private final Window window;
    private final OperationQueue queue = new OperationQueue();
    /** Steps of all operations before the present one. */
    private long first;
    private int written;
    private int consumed;
    /** Members whose lines were read for the step that is consumed or written next. */
    private int cursor;
    private int folded;
    private long operations;
    private long sequence;
    private int waitingFor = Window.NOBODY;
    private int looks;
    private long failure;

    Exchange(final Arena arena, final int member, final Peers peers)
    {
        this.arena = arena;
        this.member = member;
        this.peers = peers;
        window = new Window(arena, member);
    }

    /** Begins an operation, or queues it behind those that are under way. */
    void start(final Operation operation)
    {
        if (failure == 0)
        {
            lookAtDecision();
        }
        if (failure != 0)
        {
            operation.finish(failure);
            return;
        }
        queue.add(operation);
        if (queue.head() == operation)
        {
            begin(operation);
        }
        progress();
    }

    private void begin(final Operation operation)
    {
        // of all operations so far: one that differs is found even if nobody waited in it
        operations = Plan.mix(operations ^ operation.plan().descriptor());
    }

    /** Does what can be done now. */
    void progress()
    {
        while (queue.head() != null)
        {
            if (!tryAdvance(queue.head()))
            {
                lookAround();
                return;
            }
            final Operation done = queue.removeHead();
            first += done.plan().steps();
            written = 0;
            consumed = 0;
            done.finish(sequence++);
            if (queue.head() != null)
            {
                begin(queue.head());
            }
        }
    }

    /** Nothing more can be done now: is that for ever? */
    private void lookAround()
    {
        lookAtDecision();
        if (queue.head() != null && ++looks >= LOOKS)
        {
            lookAtMembers();
        }
    }

    /**
     * What throws here is the program's: a reducer. Its operands may be half taken, so the operation can neither go on nor begin
     * again.
     */
    private boolean tryAdvance(final Operation operation)
    {
        try
        {
            return advance(operation);
        }
        catch (final Throwable t)
        {
            fail(Team.REDUCER_FAILED, member);
            throw t;
        }
    }

    private boolean advance(final Operation operation)
    {
        final int steps = operation.plan().steps();
        final int before = written + consumed;
        boolean isMoving = true;
        while (isMoving && failure == 0)
        {
            isMoving = false;
            while (written < steps && write(operation))
            {
                isMoving = true;
            }
            while (consumed < written && read(operation))
            {
                isMoving = true;
            }
        }
        if (written + consumed != before)
        {
            looks = 0;
            wakeSleepers();
        }
        return failure == 0 && consumed == steps;
    }

    private boolean write(final Operation operation)
    {
        final long step = first + written;
        final int behind = window.behind(step, first + consumed);
        if (behind != Window.NOBODY)
        {
            waitingFor = behind;
            return false;
        }
        final boolean isInline = operation.plan().isInline();
        final int to = isInline ? arena.payloadOffset(member, step) : arena.blockOffset(member, step);
        final int source = operation.source(written);
        if (source < 0)
        {
            operation.write(written, arena.buffer(), to);
        }
        else
        {
            for (; folded < arena.members(); folded++)
            {
                if (!isShown(folded, first + source))
                {
                    return false;
                }
                operation.fold(written, folded, arena.buffer(), offset(isInline, folded, first + source), to);
            }
            folded = 0;
        }
        arena.publish(member, step, operations, first + consumed);
        written++;
        return true;
    }

    private boolean read(final Operation operation)
    {
        final int sink = operation.sink(consumed);
        if (sink >= 0)
        {
            if (written <= sink)
            {
                return false;
            }
        }
        else
        {
            final boolean isInline = operation.plan().isInline();
            for (; cursor < arena.members(); cursor++)
            {
                final int source = operation.isOrdered() ? cursor : staggered(cursor);
                if (operation.reads(consumed, source))
                {
                    if (!isShown(source, first + consumed))
                    {
                        return false;
                    }
                    operation.read(consumed, source, arena.buffer(), offset(isInline, source, first + consumed));
                }
            }
            cursor = 0;
        }
        consumed++;
        arena.consume(member, first + consumed);
        return true;
    }

    /** Members begin with different ones, so that they do not all read the same lines. */
    private int staggered(final int index)
    {
        final int source = member + index;
        return source < arena.members() ? source : source - arena.members();
    }

    private int offset(final boolean isInline, final int source, final long step)
    {
        return isInline ? arena.payloadOffset(source, step) : arena.blockOffset(source, step);
    }

    private boolean isShown(final int source, final long step)
    {
        final long found = arena.shown(source, step);
        if (found != step + 1)
        {
            waitingFor = source;
            // what was there a window ago, or nothing yet: it is in use until this member has consumed this step
            if (found != Math.max(0, step + 1 - arena.window()))
            {
                fail(Team.DAMAGED, source);
            }
            return false;
        }
        if (arena.operations(source, step) != operations)
        {
            fail(Team.MISMATCH, source);
            return false;
        }
        window.see(source, arena.consumedWith(source, step));
        return true;
    }

    private void wakeSleepers()
    {
        arena.fence();
        for (int i = 0; i < arena.members(); i++)
        {
            if (i != member && arena.isSleepingFor(i, member))
            {
                peers.wake(i);
            }
        }
    }

    private void lookAtDecision()
    {
        final long decision = arena.decision();
        if (decision != 0)
        {
            end(result(decision));
        }
    }

    private static long result(final long decision)
    {
        final long result = -(long)ArenaDescriptor.reason(decision);
        return result == Team.MEMBER_GONE || result == Team.REVOKED || result == Team.MISMATCH ||
            result == Team.REDUCER_FAILED ? result : Team.DAMAGED;
    }

    /**
     * Ends the team for all if the member that this one waits for is in another operation, or a member is gone that has not got
     * through the present one. One that has, and then left, is no reason to fail: what it has shown is here.
     */
    void lookAtMembers()
    {
        looks = 0;
        if (queue.head() != null)
        {
            final long end = first + queue.head().plan().steps();
            // who waits until others have consumed reads no line, and would not meet the difference
            if (waitingFor != Window.NOBODY && arena.differs(waitingFor, first, end, operations))
            {
                fail(Team.MISMATCH, waitingFor);
                return;
            }
            for (int i = 0; i < arena.members(); i++)
            {
                // in this order: what a member did before it went is seen
                if (i != member && (peers.isGone(i) || arena.left(i) != 0) && arena.consumed(i) < end)
                {
                    fail(Team.MEMBER_GONE, i);
                    return;
                }
            }
        }
    }

    /** Ends the team for all its members. */
    void fail(final long result, final int about)
    {
        end(result(arena.decide(ArenaDescriptor.decision((int)-result, about))));
        wakeAll();
    }

    private void wakeAll()
    {
        arena.fence();
        for (int i = 0; i < arena.members(); i++)
        {
            if (i != member && arena.isSleeping(i))
            {
                peers.wake(i);
            }
        }
    }

    /** This member leaves, and the others do not wait for it any more. */
    void leave()
    {
        end(Team.CLOSED);
        arena.leave(member, ArenaDescriptor.LEFT);
        wakeAll();
    }

    /** Ends the team for this member. */
    void end(final long result)
    {
        failure = failure == 0 ? result : failure;
        while (queue.head() != null)
        {
            queue.removeHead().finish(failure);
        }
    }

    /** Before a thread sleeps: tells for whom. Another look has to follow. */
    void sleep()
    {
        arena.sleep(member, waitingFor);
    }

    void awake()
    {
        arena.awake(member);
    }

    int waitingFor()
    {
        return waitingFor;
    }

    /** Grows whenever something was done. */
    long position()
    {
        return 2 * first + written + consumed;
    }

    long failure()
    {
        return failure;
    }

    /** The member that the decision is about; -1 without one. */
    int culprit()
    {
        final long decision = arena.decision();
        return decision == 0 ? Window.NOBODY : ArenaDescriptor.member(decision);
    }

    Arena arena()
    {
        return arena;
    }

    int member()
    {
        return member;
    }

    /** Members that have not shown the step, or not consumed what, this member waits for. */
    int late(final int[] into)
    {
        int count = 0;
        for (int i = 0; i < arena.members() && queue.head() != null; i++)
        {
            final boolean isLate = consumed < written ? arena.shown(i, first + consumed) != first + consumed + 1 :
                arena.consumed(i) < first + written + 1 - arena.window();
            if (isLate && i != member && count < into.length)
            {
                into[count++] = i;
            }
        }
        return count;
    }
}
