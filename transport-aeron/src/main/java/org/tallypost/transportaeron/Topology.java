// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import java.util.Arrays;
import java.util.List;
import org.tallypost.endpoint.transport.RankMap;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.transportaeron.internal.wire.BatchDescriptor;

/**
 * The nodes of a group, their addresses, and which rank is where. Immutable.
 */
public final class Topology
{
    private final List<NodeAddress> addresses;
    private final RankMap map;

    /**
     * A topology.
     *
     * @param addresses  of the nodes.
     * @param nodeOfRank index of the node on which each rank is.
     * @throws IllegalArgumentException if there is no node or no rank, there are too many, a rank is on a node that there
     *                                  is not, or two nodes have one address.
     */
    public Topology(final List<NodeAddress> addresses, final int[] nodeOfRank)
    {
        this.addresses = List.copyOf(addresses);
        final int nodes = addresses.size();
        check("nodes", nodes, BatchDescriptor.MAX_NODES);
        check("ranks", nodeOfRank.length, MailboxDescriptor.MAX_SOURCES);
        if (addresses.stream().distinct().count() < nodes)
        {
            throw new IllegalArgumentException("two nodes have one address: found=" + addresses);
        }
        map = new RankMap(nodes, nodeOfRank);
    }

    private static void check(final String what, final int found, final int most)
    {
        if (found < 1 || found > most)
        {
            throw new IllegalArgumentException(what + " out of range: found=" + found + ", expected=1 to " + most);
        }
    }

    /**
     * Nodes that hold consecutive ranks, in the order of the list.
     *
     * @param addresses  of the nodes.
     * @param rankCounts ranks of each node, 0 or more.
     * @return the topology.
     */
    public static Topology blocks(final List<NodeAddress> addresses, final int[] rankCounts)
    {
        if (addresses.size() != rankCounts.length)
        {
            throw new IllegalArgumentException("ranks of each node: found=" + rankCounts.length + " numbers, expected=" +
                addresses.size());
        }
        final int[] nodes = new int[Math.toIntExact(Arrays.stream(rankCounts).asLongStream().sum())];
        int rank = 0;
        for (int node = 0; node < rankCounts.length; node++)
        {
            Arrays.fill(nodes, rank, rank + rankCounts[node], node);
            rank += rankCounts[node];
        }
        return new Topology(addresses, nodes);
    }

    /**
     * Number of nodes.
     *
     * @return at least 1.
     */
    public int nodeCount()
    {
        return addresses.size();
    }

    /**
     * Which rank is where.
     *
     * @return the map, without addresses.
     */
    public RankMap map()
    {
        return map;
    }

    /**
     * Number of ranks of the group.
     *
     * @return at least 1.
     */
    public int rankCount()
    {
        return map.rankCount();
    }

    /**
     * Where a node receives.
     *
     * @param node index.
     * @return its address.
     */
    public NodeAddress address(final int node)
    {
        return addresses.get(node);
    }

    /**
     * Node on which a rank is.
     *
     * @param rank from 0 to the rank count, exclusive.
     * @return index of the node.
     */
    public int nodeOf(final int rank)
    {
        return map.nodeOf(rank);
    }

    @Override
    public String toString()
    {
        return "nodes=" + addresses + ", ranks=" + map.rankCount() + " (" + map.layout() + ")";
    }
}
