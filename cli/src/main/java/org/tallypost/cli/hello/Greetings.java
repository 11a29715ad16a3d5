// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.hello;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageListener;

/**
 * Messages between all ranks of a group, until each knows that each has heard from all. No rank leaves before: what a rank had
 * not read when another took over its node's packets would be lost to it. Greetings are repeated, since links may fail while
 * processes start.
 */
final class Greetings implements MessageListener
{
    private static final int HELLO = 1;
    private static final int HEARD_FROM_ALL = 2;
    private static final int LIMIT = 64;
    private static final long REPEAT_NS = 100_000_000L;
    /** So many times in a row: a link that fails comes back before that. */
    private static final int GONE_FOR_GOOD = 30;

    private final Endpoint endpoint;
    private final int rank;
    private final boolean[] isHeard;
    private final boolean[] isDone;
    private final long[] nextNs;
    private final int[] gone;
    /** Whether the last greeting found no open rank. */
    private final boolean[] isAbsent;
    private final UnsafeBuffer nothing = new UnsafeBuffer(0, 0);
    private boolean isFirstTurn = true;

    Greetings(final Endpoint endpoint, final int rank, final int ranks)
    {
        this.endpoint = endpoint;
        this.rank = rank;
        isHeard = new boolean[ranks];
        isDone = new boolean[ranks];
        nextNs = new long[ranks];
        gone = new int[ranks];
        isAbsent = new boolean[ranks];
        isHeard[rank] = true;
        isDone[rank] = true;
    }

    /** Polls, and greets the ranks that are due. */
    int turn(final long nowNs)
    {
        final boolean hadAll = isFirstTurn || areAll(isHeard);
        int work = poll();
        final boolean hasAll = areAll(isHeard);
        for (int peer = 0; peer < isHeard.length; peer++)
        {
            if (peer != rank && (isFirstTurn || hasAll && !hadAll || !isDone[peer] && nowNs - nextNs[peer] >= 0))
            {
                nextNs[peer] = nowNs + (greet(peer, hasAll) >= 0 ? REPEAT_NS : REPEAT_NS / 2);
                work++;
            }
        }
        isFirstTurn = false;
        return work;
    }

    private int poll()
    {
        final int result = endpoint.poll(this, LIMIT);
        if (result < 0)
        {
            // other processes have taken this one for dead
            throw new IllegalStateException("an endpoint was closed in the midst of a run: " + Endpoint.errorString(result));
        }
        return result;
    }

    private long greet(final int peer, final boolean hasAll)
    {
        final long result = endpoint.offer(peer, hasAll ? HEARD_FROM_ALL : HELLO, nothing, 0, 0);
        isAbsent[peer] = result == Endpoint.NOT_CONNECTED;
        gone[peer] = hasAll && result == Endpoint.PEER_GONE ? gone[peer] + 1 : 0;
        // it has left, which it did only because it knew that all have heard from all
        isDone[peer] |= gone[peer] >= GONE_FOR_GOOD;
        return result;
    }

    @Override
    public void onMessage(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        isHeard[source] = true;
        isDone[source] |= tag == HEARD_FROM_ALL;
    }

    boolean areExchanged()
    {
        return areAll(isHeard) && areAll(isDone);
    }

    private static boolean areAll(final boolean[] ranks)
    {
        for (final boolean is : ranks)
        {
            if (!is)
            {
                return false;
            }
        }
        return true;
    }

    @Override
    public String toString()
    {
        final StringBuilder missing = new StringBuilder();
        for (int peer = 0; peer < isHeard.length; peer++)
        {
            missing.append(isHeard[peer] ? "" : " not from " + peer + (isAbsent[peer] ? " (not open or not linked)" : ""))
                .append(isDone[peer] || !isHeard[peer] ? "" : " " + peer + " has not heard from all");
        }
        return missing.toString().strip();
    }
}
