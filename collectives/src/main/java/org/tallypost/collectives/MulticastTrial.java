// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.DeadlineIdleStrategy;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;

/**
 * Finds out, when a team of several nodes begins, whether what one leader sends by multicast comes to all others in time. All
 * members do a reduction about it, the first operation of the team: only if each leader has heard all others is there a
 * multicast.
 */
final class MulticastTrial
{
    private static final long PARK_NS = 100_000;
    /** Between two looks of a leader that has heard all others, and waits for what they say. */
    private static final long VOTE_NS = 1_000_000;

    private final Team team;
    private final AllReduce vote;
    private final UnsafeBuffer heard = new UnsafeBuffer(new byte[Integer.BYTES]);
    private boolean isTried;
    private NodesMulticast multicast;

    /** Of a team, at a leader with the context of its node, at other members without. */
    MulticastTrial(final Team team, final NodeContext node)
    {
        this.team = team;
        vote = team.newAllReduce(ElementType.INT, Reducers.MIN);
        heard.putInt(0, 1);
        if (node != null)
        {
            open(node);
        }
    }

    private void open(final NodeContext node)
    {
        try
        {
            multicast = new NodesMulticast(
                node.transport().openMulticast(team.rankOf(team.member()), node.errorHandler()), team.nodes(),
                NodesMulticast.MOST_LOOKS);
        }
        catch (final RuntimeException ex)
        {
            node.errorHandler().onError(ex);
            heard.putInt(0, 0);
        }
    }

    Team team()
    {
        return team;
    }

    /** Waits, by polling, until all leaders have been heard, or for as long as is said. A second call does nothing. */
    void await(final Endpoint endpoint, final TeamWait waiting, final long probeNs)
    {
        if (isTried)
        {
            return;
        }
        isTried = true;
        if (multicast != null)
        {
            final DeadlineIdleStrategy idle = endpoint.newIdleStrategy();
            final long beginNs = System.nanoTime();
            long nowNs = beginNs;
            boolean isHeard = multicast.probe();
            while (!isHeard && nowNs - beginNs < probeNs && team.exchange().failure() == 0)
            {
                idle.idle(waiting.work(), nowNs + PARK_NS);
                nowNs = System.nanoTime();
                isHeard = multicast.probe();
            }
            heard.putInt(0, isHeard ? 1 : 0);
        }
        vote.startInPlace(heard, 0, 1);
    }

    /**
     * Waits for what all say. What this leader has sent may have been lost on its way to another one, which waits for it: so this
     * one goes on to send it.
     *
     * @return number of the operation, or why there is none.
     */
    long vote(final long deadlineNs)
    {
        long result = vote.await(multicast == null ? deadlineNs : System.nanoTime() + VOTE_NS);
        while (result == Team.TIMED_OUT && System.nanoTime() - deadlineNs < 0)
        {
            multicast.probe();
            result = vote.await(System.nanoTime() + VOTE_NS);
        }
        if (result != Team.TIMED_OUT)
        {
            final boolean isThere = result >= 0 && heard.getInt(0) == 1;
            team.nodes().moves().multicast(isThere);
            if (isThere)
            {
                team.nodes().moves().program().multicast(multicast);
                multicast = null;
            }
            close();
        }
        return result;
    }

    /** Gives back what did not become the team's. */
    void close()
    {
        if (multicast != null)
        {
            multicast.close();
            multicast = null;
        }
    }
}
