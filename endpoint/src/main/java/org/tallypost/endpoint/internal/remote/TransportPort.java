// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.remote;

import java.util.LinkedHashMap;
import java.util.Map;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.internal.flight.FlightEvents;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.node.NodeRuntime;
import org.tallypost.endpoint.internal.node.RemoteNodes;
import org.tallypost.endpoint.internal.send.SendingThreads;
import org.tallypost.endpoint.internal.wake.Wakeups;
import org.tallypost.endpoint.transport.BulkPort;
import org.tallypost.endpoint.transport.LinkCounters;
import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.endpoint.transport.NodePortListener;
import org.tallypost.endpoint.transport.NodeView;
import org.tallypost.endpoint.transport.PairPort;
import org.tallypost.endpoint.transport.RankMap;
import org.tallypost.endpoint.transport.TransportEvent;
import org.tallypost.mailbox.files.MailboxException;

/**
 * The node's side of a transport: ranks of other nodes shown in the group, ranks here told to other nodes, and the pairs of both,
 * {@link PairRings}; those of the mailboxes, and those of the high rings beside them.
 */
final class TransportPort extends PairRings implements NodePort, LocalRanks.Listener, PeerRanks.Listener
{
    private final NodeRuntime node;
    private final Wakeups wakeups;
    private final RemoteNodes nodes;
    private final RankMap map;
    private final LocalRanks locals;
    private final PeerRanks peers;
    private final BulkMemory bulk;
    /** Null if there are no priorities. */
    private final PairRings high;
    /** Incarnations of ranks here with mailboxes that cannot be mapped, as was told. */
    private final int[] refusedEpochs;
    private NodePortListener listener;
    private boolean isChanged;

    TransportPort(final NodeRuntime node, final SendingThreads threads, final Wakeups wakeups)
    {
        super(node, threads, wakeups);
        this.node = node;
        this.wakeups = wakeups;
        nodes = node.remote();
        map = nodes.map();
        high = node.high() == null ? null : new PairRings(node.high(), threads, wakeups);
        refusedEpochs = new int[map.rankCount(nodes.node())];
        final RingDrain[] highDrains = high == null ? null : high.drains();
        locals = new LocalRanks(node, drains(), highDrains);
        for (final int local : locals.ranks())
        {
            nodes.closeLines(local);
        }
        peers = new PeerRanks(node, drains(), highDrains);
        begin(locals, peers);
        if (high != null)
        {
            high.begin(locals, peers);
        }
        bulk = new BulkMemory(node, locals);
    }

    @Override
    public PairPort high()
    {
        return high;
    }

    @Override
    public Map<String, String> terms()
    {
        final NodeContext settings = node.context();
        final String layout = map.layout();
        final Map<String, String> terms = new LinkedHashMap<>();
        terms.put("groupName", settings.groupName());
        terms.put("rankCount", Integer.toString(settings.rankCount()));
        terms.put("nodes", Integer.toString(map.nodeCount()));
        terms.put("slotsPerSender", Integer.toString(settings.slotsPerSender()));
        terms.put("creditSlots", Integer.toString(settings.creditSlots()));
        terms.put("flow", settings.flow().name());
        terms.put("highSlots", Integer.toString(settings.highSlots()));
        terms.put("ranksOnNodes", layout.length() <= 512 ? layout : "hash " + Integer.toHexString(layout.hashCode()));
        return terms;
    }

    @Override
    public NodeView settings()
    {
        return node.context();
    }

    @Override
    public int pollRanks(final NodePortListener to)
    {
        begin(to);
        final int work = locals.poll(this) + peers.poll(this);
        if (isChanged)
        {
            isChanged = false;
            wakeups.membershipChanged();
        }
        return work;
    }

    private void begin(final NodePortListener to)
    {
        listener = to;
        egress().forgetRoute(to);
        if (high != null)
        {
            high.egress().forgetRoute(to.high());
        }
    }

    @Override
    public boolean onLocalOpen(final int local, final int epoch)
    {
        final int index = map.localIndex(local);
        try
        {
            openMailbox(local, epoch);
            if (high != null)
            {
                high.openMailbox(local, epoch);
            }
        }
        catch (final MailboxException ex)
        {
            // it may have closed since its word was read; the others still have to be looked at
            if (refusedEpochs[index] != epoch &&
                node.group().rankWordAcquire(local) == GroupDescriptor.rankWord(epoch, GroupDescriptor.STATE_OPEN))
            {
                refusedEpochs[index] = epoch;
                onError(ex);
            }
            closeMailbox(local);
            return false;
        }
        listener.onLocalRank(local, epoch, true);
        for (int peer = 0; peer < map.rankCount(); peer++)
        {
            if (nodes.isRemote(peer) && peers.isOpen(peer))
            {
                openPairs(local, epoch, peer, peers.epoch(peer));
            }
        }
        return true;
    }

    @Override
    public void onPeerOpen(final int peer, final int epoch)
    {
        isChanged = true;
        for (final int local : locals.ranks())
        {
            if (locals.openEpoch(local) != 0)
            {
                openPairs(local, locals.openEpoch(local), peer, epoch);
            }
        }
    }

    private void openPairs(final int local, final int localEpoch, final int peer, final int peerEpoch)
    {
        openPair(local, localEpoch, peer, peerEpoch, listener);
        if (high != null)
        {
            high.openPair(local, localEpoch, peer, peerEpoch, listener.high());
        }
    }

    private void tellClosed(final int local, final int peer)
    {
        listener.onPairClosed(local, peer);
        if (high != null)
        {
            listener.high().onPairClosed(local, peer);
        }
    }

    @Override
    public void onLocalClosing(final int local)
    {
        bulk.onLocalGone(local);
        for (int peer = 0; peer < map.rankCount(); peer++)
        {
            if (nodes.isRemote(peer) && peers.isOpen(peer))
            {
                tellClosed(local, peer);
            }
        }
    }

    @Override
    public void onLocalDrained(final int local, final int epoch)
    {
        closeMailbox(local);
        if (high != null)
        {
            high.closeMailbox(local);
        }
        listener.onLocalRank(local, epoch, false);
    }

    @Override
    public void onPeerDrained(final int peer, final int epoch)
    {
        for (final int local : locals.ranks())
        {
            tellLost(local, peer, epoch);
        }
    }

    private void tellLost(final int local, final int peer, final int epoch)
    {
        final long lost = takeLost(local, peer) + (high == null ? 0 : high.takeLost(local, peer));
        if (lost > 0)
        {
            event(new TransportEvent(TransportEvent.Kind.MESSAGES_LOST, map.nodeOf(peer), local, peer, epoch, lost,
                "rank " + peer + " on node " + map.nodeOf(peer) + " is gone: " + lost + " messages of rank " + local +
                " are not known to have reached its mailbox"));
        }
    }

    @Override
    public int localEpoch(final int rank)
    {
        return locals.openEpoch(rank);
    }

    @Override
    public void openPeer(final int peer, final int epoch, final NodePortListener to)
    {
        begin(to);
        peers.open(peer, epoch);
        peers.step(peer, this);
    }

    @Override
    public void closePeer(final int peer, final NodePortListener to)
    {
        begin(to);
        if (!peers.close(peer))
        {
            return;
        }
        isChanged = true;
        for (final int local : locals.ranks())
        {
            closePair(local, peer);
            if (high != null)
            {
                high.closePair(local, peer);
            }
            if (locals.openEpoch(local) != 0)
            {
                tellClosed(local, peer);
            }
        }
        peers.step(peer, this);
    }

    @Override
    public LinkCounters linkCounters(final int other)
    {
        return nodes.linkCounters(other);
    }

    @Override
    public BulkPort bulk()
    {
        return bulk;
    }

    @Override
    public void event(final TransportEvent event)
    {
        if (event.kind() == TransportEvent.Kind.LINK_UP || event.kind() == TransportEvent.Kind.LINK_DOWN)
        {
            FlightEvents.link(event.node(), event.kind() == TransportEvent.Kind.LINK_UP, event.text());
        }
        try
        {
            node.context().transportSettings().eventHandler().onEvent(event);
        }
        catch (final Throwable t)
        {
            onError(t);
        }
    }

    @Override
    public void onError(final Throwable error)
    {
        node.errors().onError(error);
    }
}
