// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Channel;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.RankState;

/** The other members of a team, as an endpoint sees their ranks. */
final class EndpointPeers implements Peers
{
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(0, 0);

    private final Endpoint endpoint;
    private final RankSet ranks;
    private final int tag;
    /** With which each member has entered the arena. */
    private final long[] incarnations;

    EndpointPeers(final Endpoint endpoint, final RankSet ranks, final Channel channel)
    {
        this.endpoint = endpoint;
        this.ranks = ranks;
        tag = channel.tag(0);
        incarnations = new long[ranks.size()];
    }

    void entered(final int member, final long incarnation)
    {
        incarnations[member] = incarnation;
    }

    @Override
    public boolean isGone(final int member)
    {
        // its rank goes to another state behind all that it has written here
        final long state = endpoint.rankState(ranks.rank(member));
        return RankState.of(state) != RankState.OPEN || RankState.incarnation(state) != incarnations[member];
    }

    @Override
    public void wake(final int member)
    {
        // what cannot be sent now is made up for by the sleeper, which looks again after some milliseconds
        endpoint.offer(ranks.rank(member), tag, NOTHING, 0, 0);
    }
}
