// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.transport;

import java.util.ArrayList;
import java.util.List;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * Which rank of a group is on which node. Immutable.
 */
public final class RankMap
{
    private final int[] nodeOfRank;
    private final int[] localIndexOfRank;
    private final int[] rankCounts;

    /**
     * A map.
     *
     * @param nodes      number of nodes.
     * @param nodeOfRank index of the node on which each rank is.
     * @throws IllegalArgumentException if there is no node or no rank, there are too many, or a rank is on a node that there
     *                                  is not.
     */
    public RankMap(final int nodes, final int[] nodeOfRank)
    {
        this.nodeOfRank = nodeOfRank.clone();
        if (nodes < 1 || nodeOfRank.length < 1 || nodeOfRank.length > MailboxDescriptor.MAX_SOURCES)
        {
            throw new IllegalArgumentException("ranks and nodes out of range: found nodes=" + nodes + ", ranks=" +
                nodeOfRank.length + ", expected ranks=1 to " + MailboxDescriptor.MAX_SOURCES);
        }
        rankCounts = new int[nodes];
        localIndexOfRank = new int[nodeOfRank.length];
        for (int rank = 0; rank < nodeOfRank.length; rank++)
        {
            final int node = nodeOfRank[rank];
            if (node < 0 || node >= nodes)
            {
                throw new IllegalArgumentException("a rank is on a node that there is not: rank=" + rank + ", found node=" +
                    node + ", expected=0 to " + (nodes - 1));
            }
            localIndexOfRank[rank] = rankCounts[node]++;
        }
    }

    /**
     * Number of nodes.
     *
     * @return at least 1.
     */
    public int nodeCount()
    {
        return rankCounts.length;
    }

    /**
     * Number of ranks of the group.
     *
     * @return at least 1.
     */
    public int rankCount()
    {
        return nodeOfRank.length;
    }

    /**
     * Node on which a rank is.
     *
     * @param rank from 0 to the rank count, exclusive.
     * @return index of the node.
     */
    public int nodeOf(final int rank)
    {
        return nodeOfRank[rank];
    }

    /**
     * How many ranks of lower number are on the same node.
     *
     * @param rank from 0 to the rank count, exclusive.
     * @return the index.
     */
    public int localIndex(final int rank)
    {
        return localIndexOfRank[rank];
    }

    /**
     * Number of ranks of a node.
     *
     * @param node index.
     * @return 0 or more.
     */
    public int rankCount(final int node)
    {
        return rankCounts[node];
    }

    /**
     * Ranks of a node.
     *
     * @param node index.
     * @return the ranks, ascending.
     */
    public int[] ranks(final int node)
    {
        final int[] ranks = new int[rankCounts[node]];
        for (int rank = 0; rank < nodeOfRank.length; rank++)
        {
            if (nodeOfRank[rank] == node)
            {
                ranks[localIndexOfRank[rank]] = rank;
            }
        }
        return ranks;
    }

    /**
     * Whether there is such a rank and it is on that node; for numbers that come from elsewhere.
     *
     * @param node index.
     * @param rank any number.
     * @return true if so.
     */
    public boolean isOn(final int node, final int rank)
    {
        return rank >= 0 && rank < nodeOfRank.length && nodeOfRank[rank] == node;
    }

    /**
     * The map as text, the same for the same map: node x ranks, in the order of the ranks.
     *
     * @return the text, such as "0x16 1x16".
     */
    public String layout()
    {
        final List<String> parts = new ArrayList<>();
        int start = 0;
        for (int rank = 1; rank <= nodeOfRank.length; rank++)
        {
            if (rank == nodeOfRank.length || nodeOfRank[rank] != nodeOfRank[start])
            {
                parts.add(nodeOfRank[start] + "x" + (rank - start));
                start = rank;
            }
        }
        return String.join(" ", parts);
    }

    @Override
    public String toString()
    {
        return layout();
    }
}
