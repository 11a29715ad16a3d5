// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.ArrayDeque;
import java.util.Iterator;

/**
 * The locks of a rank's part of a window that go by messages, in the order in which they were asked for, as the rank that has the
 * part keeps them. What a rank has is taken from it when it is gone, as {@link WindowLock} does it.
 */
final class MessageLocks
{
    private static final int FREE = 0;
    private static final int SHARED = 1;
    private static final int EXCLUSIVE = 2;

    private final WindowRanks ranks;
    private final Replies replies;
    /** Ranks that wait for a lock: rank, tag of the reply, lock. */
    private final ArrayDeque<int[]> waiting = new ArrayDeque<>();
    /** By rank: the lock that it has. */
    private final int[] locks;

    /** Answers to other ranks. */
    interface Replies
    {
        void reply(int rank, int tag, int status) throws MPIException;
    }

    MessageLocks(final WindowRanks ranks, final Replies replies)
    {
        this.ranks = ranks;
        this.replies = replies;
        locks = new int[ranks.count()];
    }

    /** A rank asks for a lock. */
    void ask(final int source, final int replyTag, final boolean isExclusive) throws MPIException
    {
        waiting.add(new int[]{source, replyTag, isExclusive ? EXCLUSIVE : SHARED});
        grant();
    }

    /** A rank gives back what it has; one that has nothing waits no more. */
    void giveBack(final int source, final int replyTag) throws MPIException
    {
        locks[source] = FREE;
        for (final Iterator<int[]> it = waiting.iterator(); it.hasNext();)
        {
            final int[] next = it.next();
            if (next[0] == source)
            {
                it.remove();
                replies.reply(source, next[1], MPI.SUCCESS);
            }
        }
        replies.reply(source, replyTag, MPI.SUCCESS);
        grant();
    }

    private void grant() throws MPIException
    {
        while (!waiting.isEmpty() && isFree(waiting.peek()[2]))
        {
            final int[] next = waiting.poll();
            locks[next[0]] = next[2];
            replies.reply(next[0], next[1], MPI.SUCCESS);
        }
    }

    private boolean isFree(final int wanted)
    {
        for (final int lock : locks)
        {
            if (lock == EXCLUSIVE || lock == SHARED && wanted == EXCLUSIVE)
            {
                return false;
            }
        }
        return true;
    }

    /** If one had a lock for itself, the first of those that wait fails. To be called in each round. */
    void takeFromThoseThatAreGone() throws MPIException
    {
        if (waiting.isEmpty())
        {
            return;
        }
        waiting.removeIf((next) -> ranks.isGone(next[0]));
        for (int rank = 0; rank < locks.length; rank++)
        {
            if (locks[rank] != FREE && ranks.isGone(rank))
            {
                final boolean isExclusive = locks[rank] == EXCLUSIVE;
                locks[rank] = FREE;
                if (isExclusive && !waiting.isEmpty())
                {
                    failFirst(rank);
                }
            }
        }
        grant();
    }

    private void failFirst(final int gone) throws MPIException
    {
        System.err.println("rank " + gone + " of the window's communicator is gone with a lock for itself of a part that rank " +
            waiting.peek()[0] + " waits for; what it changed there may be incomplete, and the lock is free");
        final int[] next = waiting.poll();
        replies.reply(next[0], next[1], MPI.ERR_OTHER);
    }
}
