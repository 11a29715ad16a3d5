// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.util.function.IntSupplier;
import org.agrona.DirectBuffer;
import org.tallypost.endpoint.ControlledMessageListener;
import org.tallypost.endpoint.CoreYield;
import org.tallypost.endpoint.DeadlineIdleStrategy;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageListener;

/**
 * How a thread waits for the end of an operation: it looks many times, polling the endpoint now and then; then it yields before
 * each look; later it says in the arena which member it waits for, looks once more, and goes to the endpoint's idle strategy.
 * That member sends it a message of 0 bytes when it has done something.
 *
 * <p>No wake-up is lost (SYNC POINT sleeping): the sleeper stores its word, then looks at the lines; the other one writes its
 * line, then looks at the word; between store and look each has a full fence. So the sleeper sees the line, or the other one
 * sees the word. The message arms or wakes as any message does. One that cannot be sent, for want of credits or because the
 * receiver has not let its sender in yet, is made up for by the sleeper itself: it never parks for longer than {@link #PARK_NS}.
 */
final class TeamWait
{
    private static final int LOOKS_FOR_A_POLL = 64;
    private static final int YIELDS_FOR_A_POLL = 8;
    /** Looks between two yields on a core that others want. */
    private static final int SHARING_LOOKS = 2;
    /** For so long it yields, in nanoseconds: as long as members move within this, none has to send a message to wake another. */
    private static final long YIELD_NS = 100_000;
    private static final int PIECES_FOR_A_POLL = 16;
    private static final int POLL_LIMIT = 16;
    /** Longest park, in nanoseconds. */
    private static final long PARK_NS = 5_000_000;
    /** The first parks while something is waited for that wakes nobody; each {@value #RESTS} rests in vain they double. */
    private static final long POLLING_PARK_NS = 50_000;
    private static final int RESTS = 16;
    /** For so long a thread goes on to tell other nodes that the team has ended, in nanoseconds: those that wait poll. */
    private static final long TELL_NS = 1_000_000_000;
    private static final int DOUBLINGS = 6;

    private final Endpoint endpoint;
    private final MessageListener listener;
    private final IntSupplier poller;
    private final ControlledMessageListener leaving = TeamWait::leave;
    private final DeadlineIdleStrategy idle;
    private final CoreYield core = new CoreYield();
    private final int maxLooks;
    private Teams teams;

    /**
     * For a thread that polls an endpoint.
     *
     * @param endpoint to be polled.
     * @param context  says what polls, and what becomes of messages without a channel.
     * @param maxLooks before the thread is handed to the idle strategy.
     */
    TeamWait(final Endpoint endpoint, final CollectivesContext context, final int maxLooks)
    {
        this.endpoint = endpoint;
        listener = context.listener();
        poller = context.poller();
        this.maxLooks = maxLooks;
        idle = endpoint.newIdleStrategy();
    }

    private static ControlledMessageListener.Action leave(
        final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        return ControlledMessageListener.Action.ABORT;
    }

    int poll()
    {
        final int work = poller != null ? poller.getAsInt() :
            listener == null ? endpoint.controlledPoll(leaving, POLL_LIMIT) : endpoint.poll(listener, POLL_LIMIT);
        if (work == 0)
        {
            teams.polledNothing();
        }
        return work;
    }

    /** The teams of the endpoint: none is left alone while the thread waits in another one. */
    void teams(final Teams all)
    {
        teams = all;
    }

    long await(final Course course, final Progress awaited, final boolean hasDeadline, final long deadlineNs)
    {
        final long first = awaited.progress();
        final long result = first == Team.IN_PROGRESS ? look(course, awaited, hasDeadline, deadlineNs) : first;
        if (NodesPath.isFailure(result) && course.isPolling())
        {
            // a team that has ended before was told of then, as far as others polled
            final long endNs = System.nanoTime() + (first == Team.IN_PROGRESS ? TELL_NS : 0);
            tellOthers(course, hasDeadline && deadlineNs - endNs < 0 ? deadlineNs : endNs);
        }
        return result;
    }

    /**
     * The team has ended, and other nodes may wait for this one without seeing why. A message that says so needs credits, and
     * the program need not poll any more: so this goes on until it is sent.
     */
    private void tellOthers(final Course course, final long endNs)
    {
        boolean isOver = false;
        for (int turns = 0; !isOver; turns++)
        {
            final int work = work();
            course.progress();
            isOver = work < 0 || !course.isPolling() || System.nanoTime() - endNs >= 0;
            if (!isOver)
            {
                idle.idle(work, System.nanoTime() + (POLLING_PARK_NS << Math.min(turns / RESTS, DOUBLINGS)));
            }
        }
        idle.reset();
    }

    private long look(final Course course, final Progress awaited, final boolean hasDeadline, final long deadlineNs)
    {
        long position = course.position();
        long yieldEndNs = 0;
        int looks = 0;
        int turns = 0;
        int rests = 0;
        try
        {
            while (true)
            {
                final long result = move(course, awaited, hasDeadline, deadlineNs);
                if (result != Team.IN_PROGRESS)
                {
                    return result;
                }
                // members that go on line by line never look in vain for long, but deadlines pass, and messages come
                final boolean hasMoved = course.position() != position;
                final boolean isDue = ++turns % LOOKS_FOR_A_POLL == 0;
                position = course.position();
                looks = hasMoved ? 1 : looks + 1;
                rests = hasMoved ? 0 : rests;
                if (hasDeadline && (hasMoved || isDue) && System.nanoTime() - deadlineNs >= 0)
                {
                    return Team.TIMED_OUT;
                }
                if (looks <= mostLooks())
                {
                    yieldEndNs = 0;
                    pause(isDue);
                    continue;
                }
                yieldEndNs = hasMoved || yieldEndNs == 0 ? System.nanoTime() + YIELD_NS : yieldEndNs;
                // what is told now is followed by another look
                if (!isYielding(yieldEndNs, looks) && teams.tell())
                {
                    if (hasDeadline && System.nanoTime() - deadlineNs >= 0)
                    {
                        return Team.TIMED_OUT;
                    }
                    rest(course, hasDeadline, deadlineNs, rests++);
                }
            }
        }
        finally
        {
            if (teams.awake())
            {
                idle.reset();
            }
        }
    }

    private int mostLooks()
    {
        return core.isSharing() ? Math.min(SHARING_LOOKS, maxLooks) : maxLooks;
    }

    private void pause(final boolean isDue)
    {
        if (isDue)
        {
            work();
        }
        else
        {
            Thread.onSpinWait();
        }
    }

    /** Yields until a time, and now and then polls. False if the time is over. */
    private boolean isYielding(final long endNs, final int looks)
    {
        final boolean isEarly = System.nanoTime() - endNs < 0;
        if (isEarly)
        {
            core.yield();
            if (looks % YIELDS_FOR_A_POLL == 0)
            {
                work();
            }
        }
        return isEarly;
    }

    /**
     * Makes progress as long as there is any: with long data in pieces. In between the endpoint is polled now and then, and the
     * deadline is looked at.
     */
    private long move(
        final Course course, final Progress awaited, final boolean hasDeadline, final long deadlineNs)
    {
        long result = awaited.progress();
        for (int pieces = 1; result == Team.IN_PROGRESS && course.isMoving(); pieces++)
        {
            if (hasDeadline && System.nanoTime() - deadlineNs >= 0)
            {
                return Team.TIMED_OUT;
            }
            if (pieces % PIECES_FOR_A_POLL == 0)
            {
                work();
            }
            result = awaited.progress();
        }
        return result;
    }

    /** Polls the endpoint, and takes on all operations. Negative if the endpoint is closed. */
    int work()
    {
        final int work = poll();
        if (work < 0)
        {
            teams.end();
            return work;
        }
        return work + teams.progress();
    }

    private void rest(final Course course, final boolean hasDeadline, final long deadlineNs, final int rests)
    {
        course.lookAtMembers();
        final int work = work();
        final long parkEndNs = System.nanoTime() +
            (course.isPolling() ? POLLING_PARK_NS << Math.min(rests / RESTS, DOUBLINGS) : PARK_NS);
        idle.idle(work, hasDeadline && deadlineNs - parkEndNs < 0 ? deadlineNs : parkEndNs);
    }
}
