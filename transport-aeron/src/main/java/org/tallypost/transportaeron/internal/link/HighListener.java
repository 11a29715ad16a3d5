// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import java.util.function.IntFunction;
import org.agrona.DirectBuffer;
import org.tallypost.endpoint.transport.PairListener;

/** Hands what a node has to say of pairs of high rings to the links of the other nodes. For the agent's thread. */
final class HighListener implements PairListener
{
    private final IntFunction<Link> links;

    /**
     * A listener.
     *
     * @param links the link to the node of a rank.
     */
    HighListener(final IntFunction<Link> links)
    {
        this.links = links;
    }

    private LinkPairs pairs(final int peer)
    {
        return links.apply(peer).highPairs();
    }

    @Override
    public void onPairOpened(final int local, final int localEpoch, final int peer, final int peerEpoch)
    {
        pairs(peer).open(local, localEpoch, peer, peerEpoch);
    }

    @Override
    public void onPairClosed(final int local, final int peer)
    {
        pairs(peer).close(local, peer);
    }

    @Override
    public void onCredits(final int receiver, final int sender, final int credits)
    {
        pairs(sender).onCredits(receiver, sender, credits);
    }

    @Override
    public void onRequest(final int receiver, final int sender)
    {
        pairs(sender).onRequest(receiver, sender);
    }

    @Override
    public void onNudgesRead(final int receiver, final int sender, final int nudges)
    {
        pairs(sender).onNudgesRead(receiver, sender, nudges);
    }

    @Override
    public void onRun(
        final boolean isNudge, final int flags, final int sender, final int receiver, final int value,
        final DirectBuffer buffer, final int offset, final int length)
    {
        links.apply(receiver).egress().highRuns().onRun(isNudge, flags, sender, receiver, value, buffer, offset, length);
    }
}
