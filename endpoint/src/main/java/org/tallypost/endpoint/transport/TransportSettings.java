// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.transport;

import org.agrona.BitUtil;
import org.agrona.concurrent.IdleStrategy;
import org.tallypost.endpoint.internal.layout.Checks;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.layout.RemoteDescriptor;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.node.Node;

/**
 * How a process takes its part in carrying packets between nodes: one of a node's processes does it for all, and another one
 * when that is gone. Setters return the settings.
 */
public final class TransportSettings
{
    private static final long MIN_LEASE_NS = 1_000_000;

    private int egressSlots = 8192;
    private long creditLeaseNs = 1_000_000_000L;
    private boolean carry = true;
    private boolean thread = true;
    private IdleStrategy idleStrategy = new TransportIdle();
    private TransportEventHandler eventHandler = (event) -> {};

    /** Settings with the defaults. */
    public TransportSettings()
    {
    }

    /**
     * Slots of 64 bytes in the ring to each other node, which all ranks of this node share; a power of two, the same in all
     * processes of a node; at least 2,048, the longest batch. Default 8,192.
     *
     * @param value number of slots.
     * @return this.
     */
    public TransportSettings egressSlots(final int value)
    {
        egressSlots = value;
        return this;
    }

    /**
     * How long a sender of this node that sends nothing to a receiver on another one keeps more credits than its static
     * slots: then its node gives them back unasked, at the latest after twice this time. For dynamic flow; default 1 s.
     *
     * @param value nanoseconds, at least 1 ms; 0 for ever, until the receiver asks for them.
     * @return this.
     */
    public TransportSettings creditLeaseNs(final long value)
    {
        creditLeaseNs = value;
        return this;
    }

    /**
     * Whether this process may be the one that carries the node's packets. Default true. If no process of a node may, its
     * ranks are alone.
     *
     * @param value whether it may.
     * @return this.
     */
    public TransportSettings carry(final boolean value)
    {
        carry = value;
        return this;
    }

    /**
     * Whether a thread of the node does the transport's work. Default true; else call {@link Node#transportWork()}: by the thread
     * that sends most, since its messages save a hop.
     *
     * @param value whether to start it.
     * @return this.
     */
    public TransportSettings thread(final boolean value)
    {
        thread = value;
        return this;
    }

    /**
     * What that thread does when there is no work. Default spins a little, then yields, then parks for up to 100 us, and for up
     * to 1 ms once it was quiet for 64 ms. What it throws is told to the error handler.
     *
     * @param value the strategy.
     * @return this.
     */
    public TransportSettings idleStrategy(final IdleStrategy value)
    {
        idleStrategy = value;
        return this;
    }

    /**
     * Hears what happens between nodes, in the process that carries the packets. What it throws is told to the error handler.
     * Default does nothing.
     *
     * @param value the handler.
     * @return this.
     */
    public TransportSettings eventHandler(final TransportEventHandler value)
    {
        eventHandler = value;
        return this;
    }

    /**
     * Slots of the ring to each other node.
     *
     * @return number of slots.
     */
    public int egressSlots()
    {
        return egressSlots;
    }

    /**
     * How long a sender that sends nothing keeps credits of a receiver on another node.
     *
     * @return nanoseconds, 0 for ever.
     */
    public long creditLeaseNs()
    {
        return creditLeaseNs;
    }

    /**
     * Whether this process may carry the node's packets.
     *
     * @return true if so.
     */
    public boolean carry()
    {
        return carry;
    }

    /**
     * Whether a thread of the node does the transport's work.
     *
     * @return true if so.
     */
    public boolean thread()
    {
        return thread;
    }

    /**
     * What that thread does when there is no work.
     *
     * @return the strategy.
     */
    public IdleStrategy idleStrategy()
    {
        return idleStrategy;
    }

    /**
     * Hears what happens between nodes.
     *
     * @return the handler.
     */
    public TransportEventHandler eventHandler()
    {
        return eventHandler;
    }

    /**
     * What a node keeps for its dealings with others, apart from what its transport keeps: the rings to them, and the words of
     * all pairs of ranks.
     *
     * @param map  nodes and their ranks.
     * @param node that keeps it.
     * @return bytes of the files.
     */
    public long fileBytes(final RankMap map, final int node)
    {
        final long ring = MailboxDescriptor.fileLength(map.rankCount(), egressSlots, PacketDescriptor.RUN_SLOTS, 0, 0);
        return (map.nodeCount() - 1) * ring +
            RemoteDescriptor.fileLength(map.rankCount(), map.rankCount(node), map.nodeCount());
    }

    /**
     * Checks the values. Done when a node is launched.
     *
     * @throws IllegalArgumentException that names the value, found and expected.
     */
    public void check()
    {
        Checks.isSet("idleStrategy", idleStrategy);
        Checks.isSet("eventHandler", eventHandler);
        if (creditLeaseNs != 0 && creditLeaseNs < MIN_LEASE_NS)
        {
            throw new IllegalArgumentException("creditLeaseNs out of range: found=" + creditLeaseNs +
                ", expected=0 or at least " + MIN_LEASE_NS);
        }
        Checks.range("egressSlots", egressSlots, PacketDescriptor.MAX_BATCH_SLOTS, MailboxDescriptor.MAX_RING_SLOTS);
        if (!BitUtil.isPowerOfTwo(egressSlots))
        {
            throw new IllegalArgumentException("egressSlots is no power of two: found=" + egressSlots + ", expected=" +
                BitUtil.findNextPositivePowerOfTwo(egressSlots));
        }
    }

    /** All values. Of the event handler it says nothing. */
    @Override
    public String toString()
    {
        return "TransportSettings{egressSlots=" + egressSlots + ", creditLeaseNs=" + creditLeaseNs + ", carry=" + carry +
            ", thread=" + thread + ", idleStrategy=" + idleStrategy + "}";
    }
}
