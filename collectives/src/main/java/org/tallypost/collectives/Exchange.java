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
final class Exchange implements Course
{
    /** A look at all members for each so many looks that found nothing. */
    private static final int LOOKS = 64;
    /** Bytes that are moved before the thread may look at something else. */
    private static final int TURN_LENGTH = Plan.DIRECT_PIECE;

    private final Arena arena;
    private final int member;
    private final Peers peers;
    private final Window window;
    private final Sleeper sleeper;
    private final OperationQueue queue = new OperationQueue();
    private final StepPosition at = new StepPosition();
    private final DirectPath direct;
    /** Members of which the lines were read for the step that is consumed next. */
    private int seen;
    /** Members of which the lines were read for the step that is written next. */
    private int folded;
    private long operations;
    private long sequence;
    private int looks;
    private long failure;

    Exchange(final Arena arena, final int member, final Peers peers, final DirectPath direct)
    {
        this.arena = arena;
        this.member = member;
        this.peers = peers;
        this.direct = direct;
        window = new Window(arena, member);
        sleeper = new Sleeper(arena, member);
    }

    /** Begins an operation, or queues it behind those that are under way. */
    @Override
    public void start(final Operation operation)
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
        operations = operation.plan().behind(operations);
        arena.begin(member, sequence, operation.kindNumber());
    }

    /** Does what can be done now; of long data a part, and then {@link #isMoving()} says that there is more. */
    @Override
    public void progress()
    {
        at.begin(TURN_LENGTH);
        while (queue.head() != null)
        {
            if (!tryAdvance(queue.head()))
            {
                interrupt();
                lookAround();
                return;
            }
            goOn();
        }
    }

    /** Behind the steps of an operation: those that follow if all have said where their data are, or the next operation. */
    private void goOn()
    {
        final Operation head = queue.head();
        at.pass(head.plan().steps());
        if (head.plan().isExposing() && !direct.isDone(head))
        {
            direct.settle(head);
        }
        else
        {
            if (head.plan().algorithm().isDirect() || head.plan().isExposing())
            {
                direct.forget();
            }
            queue.removeHead().finish(sequence++);
        }
        if (queue.head() != null)
        {
            begin(queue.head());
        }
    }

    /** There may be more to do, in the next turn. */
    private void interrupt()
    {
        if (!at.mayMove() && failure == 0)
        {
            at.interrupt();
            sleeper.waitFor(Window.NOBODY);
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
        final int before = at.written() + at.consumed();
        boolean isMoving = true;
        while (isMoving && failure == 0)
        {
            isMoving = false;
            while (at.written() < steps && at.mayMove() && write(operation))
            {
                isMoving = true;
            }
            while (at.consumed() < at.written() && at.mayMove() && read(operation))
            {
                isMoving = true;
            }
        }
        if (at.written() + at.consumed() != before)
        {
            looks = 0;
            wakeSleepers();
        }
        return failure == 0 && at.consumed() == steps;
    }

    private boolean write(final Operation operation)
    {
        final long step = at.writing();
        final Plan plan = operation.plan();
        final int behind = window.behind(step, at.reading(), places(plan));
        if (behind != Window.NOBODY)
        {
            sleeper.waitFor(behind);
            return false;
        }
        final int to = offset(plan, member, step);
        if (plan.isExposing())
        {
            direct.expose(operation, step, arena.buffer(), to);
        }
        else if (!(plan.algorithm().isDirect() ? writeDirectly(operation, to) : writeStep(operation, to)))
        {
            return false;
        }
        arena.publish(member, step, operations, at.reading());
        at.write();
        if (at.written() == plan.steps() && window.behind(step + 1, at.reading(), arena.window()) == Window.NOBODY)
        {
            arena.fetch(member, step + 1);
        }
        return true;
    }

    /** Steps that may be under way, of those that have their payloads where this one has. */
    private int places(final Plan plan)
    {
        return plan.isInFewPlaces() ? ArenaDescriptor.SHORT_PLACES : arena.window();
    }

    private boolean writeStep(final Operation operation, final int to)
    {
        final int source = operation.sourceStep(at.written());
        if (source < 0)
        {
            operation.write(at.written(), arena.buffer(), to);
            at.move(operation.plan().shownLength());
            return true;
        }
        for (; folded < arena.members(); folded++)
        {
            if (!at.mayMove() || !isShown(folded, at.first() + source))
            {
                return false;
            }
            at.move(operation.plan().movedLength() / arena.members());
            operation.fold(at.written(), folded, arena.buffer(),
                offset(operation.plan(), folded, at.first() + source), arena.buffer(), to);
        }
        folded = 0;
        return true;
    }

    /** Reads straight out of the members' buffers. With long data it takes several calls. */
    private boolean writeDirectly(final Operation operation, final int to)
    {
        sleeper.waitFor(Window.NOBODY);
        switch (direct.take(operation, arena.buffer(), to))
        {
            case DirectPath.MORE:
                at.stop();
                return false;
            case DirectPath.CLOSED:
                // its owner has failed, or left
                lookAtDecision();
                fail(Team.MEMBER_GONE, direct.source());
                return false;
            default:
                at.move(operation.plan().movedLength());
                // all members show the last step: none gets through if this one does not
                return at.written() < operation.plan().steps() - 1 || isIntact(operation);
        }
    }

    /**
     * Whether all data that this member has read were still there: no member that gave them had got its buffer back before. A
     * member that fails or leaves says so before its program has the buffer. A member that gives nothing may be through, and have
     * left.
     */
    private boolean isIntact(final Operation operation)
    {
        arena.behindDirectReads();
        lookAtDecision();
        for (int i = 0; i < arena.members() && failure == 0; i++)
        {
            if (i != member && direct.isRead(operation, i) && arena.left(i) != 0)
            {
                fail(Team.MEMBER_GONE, i);
            }
        }
        return failure == 0;
    }

    private boolean read(final Operation operation)
    {
        final int sink = operation.sink(at.consumed());
        if (sink >= 0 && !operation.plan().isExposing())
        {
            if (at.written() <= sink)
            {
                return false;
            }
        }
        else if (!readStep(operation))
        {
            return false;
        }
        at.consume();
        arena.consume(member, at.reading());
        return true;
    }

    private boolean readStep(final Operation operation)
    {
        final Plan plan = operation.plan();
        final long step = at.reading();
        for (; seen < arena.members(); seen++)
        {
            final int source = operation.source(seen);
            if (isAwaited(operation, source))
            {
                if (!at.mayMove() || !isShown(source, step) || !readLine(operation, source, offset(plan, source, step)))
                {
                    return false;
                }
            }
        }
        seen = 0;
        return !plan.isExposing() || !direct.isDone(operation) || takeEarly(operation);
    }

    private boolean takeEarly(final Operation operation)
    {
        final int odd = direct.takeEarly(operation);
        if (odd != Window.NOBODY)
        {
            fail(Team.MISMATCH, odd);
        }
        return odd == Window.NOBODY;
    }

    /** Whether a member's line of the step that is consumed next is needed. */
    private boolean isAwaited(final Operation operation, final int source)
    {
        final Plan plan = operation.plan();
        if (plan.isExposing())
        {
            return true;
        }
        if (plan.algorithm() == Algorithm.DIRECT)
        {
            // it has read what this member gives
            return operation.takes(source, member);
        }
        return operation.takes(member, source) ||
            plan.algorithm() == Algorithm.DIRECT_SLICES && at.consumed() == plan.steps() - 1;
    }

    private boolean readLine(final Operation operation, final int source, final int offset)
    {
        final Plan plan = operation.plan();
        if (plan.isExposing())
        {
            final long found = direct.see(operation, source, arena.buffer(), offset);
            if (found < 0)
            {
                fail(found, source);
                return false;
            }
        }
        else if (plan.algorithm() != Algorithm.DIRECT && operation.takes(member, source))
        {
            final int share = plan.algorithm() == Algorithm.DIRECT_SLICES ? 0 : plan.share(member);
            operation.read(at.consumed(), source, arena.buffer(), offset + share);
            at.move(plan.movedLength());
        }
        return true;
    }

    private int offset(final Plan plan, final int source, final long step)
    {
        return plan.isInline() ? arena.payloadOffset(source, step) :
            plan.isShort() ? arena.shortOffset(source, step) : arena.blockOffset(source, step);
    }

    private boolean isShown(final int source, final long step)
    {
        final long found = arena.shown(source, step);
        if (found != step + 1)
        {
            sleeper.waitFor(source);
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

    void lookAtDecision()
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
    @Override
    public void lookAtMembers()
    {
        looks = 0;
        if (queue.head() != null)
        {
            final long end = at.first() + queue.head().plan().steps();
            // a member that waits until others have consumed reads no line, and would not meet the difference
            final int awaited = sleeper.waitingFor();
            if (awaited != Window.NOBODY && arena.differs(awaited, at.first(), end, operations))
            {
                fail(Team.MISMATCH, awaited);
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
    @Override
    public void fail(final long result, final int about)
    {
        end(result(arena.decide(ArenaDescriptor.decision((int)-result, about))));
        wakeAll();
    }

    /** Wakes all members that sleep. */
    void wakeAll()
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
    @Override
    public void leave()
    {
        end(Team.CLOSED);
        wakeAll();
    }

    /** Ends the team for this member. Its buffers are the program's again: no member reads them directly any more. */
    @Override
    public void end(final long result)
    {
        if (result == Team.CLOSED)
        {
            arena.leave(member, ArenaDescriptor.LEFT);
        }
        if (failure == 0)
        {
            direct.close();
        }
        // a member that has closed its team votes no more, also if the team had ended before
        failure = failure == 0 || result == Team.CLOSED ? result : failure;
        while (queue.head() != null)
        {
            queue.removeHead().finish(failure);
        }
    }

    /** Whether another member has begun an operation that this one has not come to. */
    boolean isAhead(final int other)
    {
        return failure == 0 && queue.head() == null && arena.shown(other, at.first()) == at.first() + 1;
    }

    Sleeper sleeper()
    {
        return sleeper;
    }

    /** Before the thread sleeps: tells which member it waits for. Whether that was told before, and nothing has changed. */
    boolean tell()
    {
        return sleeper.tell();
    }

    /** Takes back what was told. Whether there was anything. */
    boolean awake()
    {
        return sleeper.awake();
    }

    /** Whether there is more to do now than this member has done: pieces of long data. */
    @Override
    public boolean isPolling()
    {
        return false;
    }

    @Override
    public boolean isMoving()
    {
        return at.isInterrupted();
    }

    /** Grows whenever something was done. */
    @Override
    public long position()
    {
        return at.sum();
    }

    long failure()
    {
        return failure;
    }

    /** The member that the decision is about; -1 without one. */
    @Override
    public int culprit()
    {
        final long decision = arena.decision();
        return decision == 0 ? Window.NOBODY : ArenaDescriptor.member(decision);
    }

    DirectPath direct()
    {
        return direct;
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
    @Override
    public int late(final int[] into)
    {
        int count = 0;
        for (int i = 0; i < arena.members() && queue.head() != null; i++)
        {
            final boolean isLate = at.consumed() < at.written() ? arena.shown(i, at.reading()) != at.reading() + 1 :
                arena.consumed(i) < at.writing() + 1 - places(queue.head().plan());
            if (isLate && i != member && count < into.length)
            {
                into[count++] = i;
            }
        }
        return count;
    }
}
