// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.node;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.tallypost.mailbox.files.NoRoomException;

/**
 * Makes room for a file, or waits for it. Mailboxes of closed ranks take room as long as a process has them mapped: this process
 * has its own ones unmapped at once, and the others let go of theirs at their next look at the processes that are there, four
 * times in a liveness interval. The wait is bounded: two intervals, at least 1 s and at most 10 s; none if there is no other
 * process.
 */
public final class RoomWait
{
    private static final long LEAST_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long MOST_NS = TimeUnit.SECONDS.toNanos(10);
    private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private RoomWait()
    {
    }

    /**
     * Does something that creates a file, again and again while there is no room for it.
     *
     * @param <T>    type of the result.
     * @param node   that has it in its directory.
     * @param checkLiveness what the liveness thread does, for a node without one.
     * @param action that leaves nothing behind if there is no room.
     * @return what the action returned.
     * @throws NoRoomException if there was no room all the time.
     */
    public static <T> T withRoom(final NodeRuntime node, final Runnable checkLiveness, final Supplier<T> action)
    {
        try
        {
            return action.get();
        }
        catch (final NoRoomException ex)
        {
            node.mailboxes().letGoOfDeleted(node.group());
            node.mailboxes().release();
        }
        final long limitNs = Math.min(MOST_NS, Math.max(LEAST_NS, 2 * node.context().livenessIntervalNs()));
        final long startNs = System.nanoTime();
        while (true)
        {
            try
            {
                return action.get();
            }
            catch (final NoRoomException ex)
            {
                final long waitedNs = System.nanoTime() - startNs;
                if (waitedNs >= limitNs || node.registry().liveCount() < 2)
                {
                    throw new NoRoomException(ex.getMessage() + ", closed mailboxes that are mapped here=" +
                        node.mailboxes().formerCount() + ", waited for other processes=" +
                        TimeUnit.NANOSECONDS.toMillis(waitedNs) + " ms", ex, ex.neededLength());
                }
                await(node, checkLiveness, ex.neededLength(), startNs + limitNs);
            }
        }
    }

    /** Until there is as much room as a file needs, or the time is over. */
    private static void await(
        final NodeRuntime node, final Runnable checkLiveness, final long length, final long endNs)
    {
        do
        {
            LockSupport.parkNanos(PAUSE_NS);
            if (!node.context().livenessThread())
            {
                // what such a thread does: the others must not take this process for gone, and its own mailboxes are let go of
                checkLiveness.run();
            }
        }
        while (node.context().directory().getUsableSpace() < length && System.nanoTime() - endNs < 0);
    }
}
