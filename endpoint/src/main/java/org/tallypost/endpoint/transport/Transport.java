// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.transport;

import org.agrona.ErrorHandler;
import org.agrona.concurrent.Agent;
import org.tallypost.endpoint.NodeContext;

/**
 * Carries packets between the nodes of a group. Given to {@link NodeContext#transport}; one object for each node.
 */
public interface Transport
{
    /**
     * Which rank is on which node.
     *
     * @return the map; of the rank count of the context.
     */
    RankMap rankMap();

    /**
     * The node of this process.
     *
     * @return its index.
     */
    int node();

    /**
     * Checks that the transport fits the concluded settings. Called once, before any file is made.
     *
     * @param settings of the node.
     * @throws IllegalArgumentException that names the value, found and expected, and what to change.
     */
    void conclude(NodeView settings);

    /**
     * Begins to carry packets: called in one process of the node at a time, which then does it for all.
     *
     * @param port to the node's memory.
     * @return the agent that does the work, on one thread at a time; perhaps another one closes it. When it is closed it
     *         has carried what was sent before, or has waited for that as long as it makes sense.
     */
    Agent start(NodePort port);

    /**
     * Whether ranks can use memory of ranks of other nodes: operations of {@link BulkPort} are carried.
     *
     * @return false unless the transport says otherwise; the same on all nodes of the group.
     */
    default boolean hasBulk()
    {
        return false;
    }

    /**
     * Whether this transport can send to all nodes at once.
     *
     * @return false unless the transport says otherwise; the same on all nodes of the group.
     */
    default boolean hasMulticast()
    {
        return false;
    }

    /**
     * Begins to send to all nodes at once, and to receive what is sent so, for a rank that speaks for its node. Called if
     * {@link #hasMulticast}, behind {@link #conclude}.
     *
     * @param rank    that does it.
     * @param onError hears of what goes wrong later.
     * @return what does it, which the caller closes.
     * @throws RuntimeException if it cannot be had, for want of room or of a network interface.
     */
    default Multicast openMulticast(final int rank, final ErrorHandler onError)
    {
        throw new UnsupportedOperationException("no multicast: found hasMulticast=false");
    }
}
