// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.local;

import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.node.NodeRuntime;
import org.tallypost.endpoint.internal.node.RemoteNodes;
import org.tallypost.endpoint.internal.remote.RemotePeer;
import org.tallypost.endpoint.internal.send.Connector;
import org.tallypost.endpoint.internal.send.Peer;

/**
 * The receivers of one endpoint: ranks of this node, and of others.
 */
final class Connections implements Connector
{
    private final LocalNode node;
    private final NodeRuntime runtime;
    private final int source;
    private final int epoch;

    /** For a runtime that is the node's own, or that of its high rings. */
    Connections(final LocalNode node, final NodeRuntime runtime, final int source, final int epoch)
    {
        this.node = node;
        this.runtime = runtime;
        this.source = source;
        this.epoch = epoch;
    }

    @Override
    public Peer connect(final int dest, final long rankWord, final int maxCredits)
    {
        final RemoteNodes remote = runtime.remote();
        if (remote != null && remote.isRemote(dest))
        {
            return new RemotePeer(runtime == node.runtime() ? node.transportHost() : null, remote, dest, rankWord, source, epoch,
                maxCredits);
        }
        return new Peer(runtime.mailboxes().get(dest, GroupDescriptor.epoch(rankWord)), rankWord, source, epoch, maxCredits);
    }
}
