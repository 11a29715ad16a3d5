// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.transport;

import java.util.Map;

/**
 * What a node's memory offers to the transport that carries its packets. As a {@link PairPort} it is that of the mailboxes.
 * <b>All for the one thread that runs the transport's agent.</b> Ranks are those of the group; numbers that come from a network
 * have to be checked before.
 */
public interface NodePort extends PairPort
{
    /**
     * The same pairs with high priority: between high rings, with credits of their own. They open and close with those of the
     * mailboxes.
     *
     * @return null if there are no priorities.
     */
    PairPort high();

    /**
     * What all nodes of the group have to agree on.
     *
     * @return names and values.
     */
    Map<String, String> terms();

    /**
     * The concluded settings of the node.
     *
     * @return the settings.
     */
    NodeView settings();

    /**
     * Follows which ranks of this node come and go, and what of them and of lost peers is drained.
     *
     * @param listener that hears of it.
     * @return work done.
     */
    int pollRanks(NodePortListener listener);

    /**
     * Epoch of a rank of this node, if the listener was told that it is open.
     *
     * @param rank of this node.
     * @return 0 if it is not open.
     */
    int localEpoch(int rank);

    /**
     * A rank of another node is there. Senders here can connect to it from now on, or as soon as what was sent to the
     * incarnation before is drained.
     *
     * @param peer     rank of another node.
     * @param epoch    of it, counted by its node, not 0.
     * @param listener that hears of open pairs, now or in {@link #pollRanks}.
     */
    void openPeer(int peer, int epoch, NodePortListener listener);

    /**
     * A rank of another node is not there any more, or cannot be reached. Senders here are told PEER_GONE; receivers here
     * deliver what has come and take its credits back; events tell what is not known to have arrived.
     *
     * @param peer     rank of another node.
     * @param listener that hears of closed pairs.
     */
    void closePeer(int peer, NodePortListener listener);

    /**
     * Where what happens on the link to another node is counted, for those that watch this node from outside.
     *
     * @param node index of the other node.
     * @return the counters, with what agents before this one have counted.
     */
    LinkCounters linkCounters(int node);

    /**
     * Memory of ranks here for ranks of other nodes, and the other way round.
     *
     * @return the port, the same one each time.
     */
    BulkPort bulk();

    /**
     * Tells the program.
     *
     * @param event that happened.
     */
    void event(TransportEvent event);

    /**
     * Something went wrong beside a call.
     *
     * @param error that happened.
     */
    void onError(Throwable error);
}
