// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.Agent;
import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.endpoint.transport.NodePortListener;
import org.tallypost.endpoint.transport.NodeView;
import org.tallypost.endpoint.transport.RankMap;
import org.tallypost.endpoint.transport.Transport;

/** Two nodes; this one, 0, has ranks 0 and 1, the other one rank 2. A test does with the port what a transport would. */
public class IdleTransport implements Transport, Agent, NodePortListener
{
    public static final int RANKS = 3;
    public static final int FAR = 2;

    /** Credits that receivers here gave to the rank there. */
    public int credits;
    private NodePort port;

    /** What the node has handed out, once it has a carrier. */
    public NodePort port()
    {
        return port;
    }

    @Override
    public RankMap rankMap()
    {
        return new RankMap(2, new int[]{0, 0, 1});
    }

    @Override
    public int node()
    {
        return 0;
    }

    @Override
    public void conclude(final NodeView settings)
    {
        // nothing to conclude
    }

    @Override
    public Agent start(final NodePort nodePort)
    {
        port = nodePort;
        return this;
    }

    @Override
    public int doWork()
    {
        return 0;
    }

    @Override
    public String roleName()
    {
        return "idle";
    }

    @Override
    public void onLocalRank(final int rank, final int epoch, final boolean isOpen)
    {
        // the port is asked
    }

    @Override
    public void onPairOpened(final int local, final int localEpoch, final int peer, final int peerEpoch)
    {
        // the port is asked
    }

    @Override
    public void onPairClosed(final int local, final int peer)
    {
        // the port is asked
    }

    @Override
    public void onCredits(final int receiver, final int sender, final int more)
    {
        credits += more;
    }

    @Override
    public void onRequest(final int receiver, final int sender)
    {
        throw new AssertionError("nobody wants credits back");
    }

    @Override
    public void onNudgesRead(final int receiver, final int sender, final int nudges)
    {
        throw new AssertionError("no nudge has come");
    }

    @Override
    public void onRun(
        final boolean isNudge, final int flags, final int sender, final int receiver, final int value,
        final DirectBuffer buffer, final int offset, final int length)
    {
        throw new AssertionError("nothing is sent");
    }
}
