// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

/**
 * The cards and links between processes. A card passes one packet after the other, whether it starts, passes or ends there:
 * that is what is fought for.
 *
 * <p>A burst of packets is booked at all cards on its way at once, when it is sent. So that a burst which reaches a far card
 * late leaves no gap there that others could have used, work is booked from the time of sending on, and a packet waits as
 * long as the card still has work when it comes. Packets of a pair stay in order, since they take the same way.
 */
final class Wire
{
    private final Topology topology;
    private final long hopPs;
    private final long packetPs;
    private final long shortPs;
    private final long[] busy;
    private final int[] nodes;
    /** Results of {@link #send}. */
    long firstArrival;
    long lastArrival;
    /** The longest that the first packet waits at a card. */
    long queued;

    Wire(final Topology topology, final FabricParameters parameters)
    {
        this.topology = topology;
        hopPs = parameters.hopPs();
        packetPs = parameters.packetPs();
        shortPs = parameters.shortPacketPs();
        busy = new long[topology.nodes()];
        nodes = new int[topology.processes()];
        for (int process = 0; process < nodes.length; process++)
        {
            nodes[process] = topology.node(process);
        }
    }

    int node(final int process)
    {
        return nodes[process];
    }

    /**
     * Books full packets.
     *
     * @param nowPs   time before which nothing is booked.
     * @param firstPs when the first packet is at the first card.
     * @param lastPs  when the last one is.
     */
    void send(final int from, final int to, final int count, final long nowPs, final long firstPs, final long lastPs)
    {
        send(from, to, count * packetPs, packetPs, nowPs, firstPs, lastPs);
    }

    /** Books a packet that has but a word or two to tell. */
    void sendShort(final int from, final int to, final long nowPs, final long firstPs)
    {
        send(from, to, shortPs, shortPs, nowPs, firstPs, firstPs);
    }

    /** Books work that keeps each card busy for so long, of which the first part takes {@code headPs}. */
    void send(
        final int from,
        final int to,
        final long workPs,
        final long headPs,
        final long nowPs,
        final long firstPs,
        final long lastPs)
    {
        final int end = topology.routeEnd(nodes[from], nodes[to]);
        long first = firstPs;
        long last = lastPs;
        queued = 0;
        for (int index = topology.routeStart(nodes[from], nodes[to]); index < end; index++)
        {
            final int card = topology.card(index);
            final long before = busy[card];
            final long start = Math.max(first, before);
            queued = Math.max(queued, start - first);
            busy[card] = Math.max(before, nowPs) + workPs;
            last = Math.max(start + workPs, last + headPs) + hopPs;
            first = start + headPs + hopPs;
        }
        firstArrival = first - hopPs;
        lastArrival = last - hopPs;
    }
}
