// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.remote;

import static org.tallypost.endpoint.internal.layout.GroupDescriptor.STATE_GONE;
import static org.tallypost.endpoint.internal.layout.GroupDescriptor.STATE_OPEN;

import java.lang.invoke.VarHandle;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.node.Group;
import org.tallypost.endpoint.internal.node.NodeRuntime;
import org.tallypost.endpoint.internal.node.RemoteNodes;
import org.tallypost.mailbox.process.ClaimsUnderWay;

/**
 * Ranks of other nodes, which this process holds in the group file as if they were its own: when it dies, they are gone. For
 * the transport's thread.
 *
 * <pre>
 *              openPeer            closePeer             claims then are over          all is drained
 *   ABSENT -------------&gt; OPEN ---------------&gt; CLOSING --------------------&gt; DRAINING ----------&gt; ABSENT
 * </pre>
 *
 * A rank that is to open before it is ABSENT waits: what was sent to its incarnation before is counted first. Each opening is a
 * new view epoch: the epoch that senders and receivers here see.
 */
final class PeerRanks
{
    private static final byte ABSENT = 0;
    private static final byte OPEN = 1;
    private static final byte CLOSING = 2;
    private static final byte DRAINING = 3;

    private final Group group;
    private final RemoteNodes nodes;
    private final RingDrain[] drains;
    /** Null if there are no priorities. */
    private final RingDrain[] highDrains;
    private final int process;
    private final int incarnation;
    private final byte[] phases;
    private final int[] viewEpochs;
    private final int[] epochs;
    private final int[] wanted;
    private final long[] drainEnds;
    private final long[] highEnds;
    private final ClaimsUnderWay[] claims;
    private boolean isPending = true;

    /**
     * What the process that carried the packets before has left.
     *
     * @param drains     consumers of the rings, by node.
     * @param highDrains of the high ones, null if there are no priorities.
     */
    PeerRanks(final NodeRuntime node, final RingDrain[] drains, final RingDrain[] highDrains)
    {
        this.highDrains = highDrains;
        group = node.group();
        nodes = node.remote();
        this.drains = drains;
        process = PacketDescriptor.process(node.ownerWord());
        incarnation = PacketDescriptor.incarnation(node.ownerWord());
        final int ranks = nodes.map().rankCount();
        phases = new byte[ranks];
        viewEpochs = new int[ranks];
        epochs = new int[ranks];
        wanted = new int[ranks];
        drainEnds = new long[ranks];
        highEnds = new long[ranks];
        claims = new ClaimsUnderWay[ranks];
        for (int peer = 0; peer < ranks; peer++)
        {
            if (nodes.isRemote(peer))
            {
                inherit(peer);
            }
        }
    }

    /** What the process that carried the packets before has left. */
    private void inherit(final int peer)
    {
        final long word = group.rankWordAcquire(peer);
        viewEpochs[peer] = GroupDescriptor.epoch(word);
        phases[peer] = viewEpochs[peer] == 0 ? ABSENT : CLOSING;
        if (GroupDescriptor.state(word) == STATE_OPEN)
        {
            group.leave(peer, viewEpochs[peer], STATE_GONE);
        }
    }

    /** Hears of what happens to peers. */
    interface Listener
    {
        /** Before senders here can see that a peer is open. */
        void onPeerOpen(int peer, int epoch);

        /** All that was sent to a peer is drained. */
        void onPeerDrained(int peer, int epoch);
    }

    void open(final int peer, final int epoch)
    {
        wanted[peer] = epoch;
        isPending = true;
    }

    /**
     * Takes a peer out of the group.
     *
     * @return false if it was not open.
     */
    boolean close(final int peer)
    {
        wanted[peer] = 0;
        if (phases[peer] != OPEN)
        {
            return false;
        }
        group.leave(peer, viewEpochs[peer], STATE_GONE);
        phases[peer] = CLOSING;
        isPending = true;
        return true;
    }

    /** Brings forward what is pending. */
    int poll(final Listener listener)
    {
        if (!isPending)
        {
            return 0;
        }
        isPending = false;
        int work = 0;
        for (int peer = 0; peer < phases.length; peer++)
        {
            if (phases[peer] == CLOSING || phases[peer] == DRAINING || wanted[peer] != 0)
            {
                work += step(peer, listener) ? 1 : 0;
                isPending |= phases[peer] != OPEN && phases[peer] != ABSENT;
            }
        }
        return work;
    }

    /** Brings one peer forward as far as it goes at once. */
    boolean step(final int peer, final Listener listener)
    {
        final byte before = phases[peer];
        final int node = nodes.map().nodeOf(peer);
        final RingDrain drain = drains[node];
        final RingDrain high = highDrains == null ? null : highDrains[node];
        if (phases[peer] == CLOSING && isClaimedBefore(peer, drain, high))
        {
            drainEnds[peer] = drain.writePosition();
            highEnds[peer] = high == null ? 0 : high.writePosition();
            phases[peer] = DRAINING;
        }
        if (phases[peer] == DRAINING && drain.isPast(drainEnds[peer]) && (high == null || high.isPast(highEnds[peer])))
        {
            phases[peer] = ABSENT;
            listener.onPeerDrained(peer, epochs[peer]);
        }
        if (phases[peer] == ABSENT && wanted[peer] != 0)
        {
            epochs[peer] = wanted[peer];
            wanted[peer] = 0;
            viewEpochs[peer]++;
            phases[peer] = OPEN;
            listener.onPeerOpen(peer, epochs[peer]);
            group.open(peer, viewEpochs[peer], process, incarnation);
        }
        return before != phases[peer];
    }

    /** Whether all claims are over that were under way in the rings when the peer was closed. */
    private boolean isClaimedBefore(final int peer, final RingDrain drain, final RingDrain high)
    {
        if (claims[peer] == null)
        {
            // the look comes behind the store that closed the peer
            VarHandle.fullFence();
            claims[peer] = drain.claimsUnderWay();
            if (high != null)
            {
                claims[peer].note(high.claimKey());
            }
        }
        if (!claims[peer].isOver())
        {
            return false;
        }
        claims[peer] = null;
        return true;
    }

    boolean isOpen(final int peer)
    {
        return phases[peer] == OPEN;
    }

    int viewEpoch(final int peer)
    {
        return viewEpochs[peer];
    }

    int epoch(final int peer)
    {
        return epochs[peer];
    }
}
