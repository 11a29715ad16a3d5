// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.transport;

import org.agrona.DirectBuffer;

/**
 * What a node's memory offers to the transport that carries its packets, for the pairs of a rank here and one elsewhere: rings,
 * mailboxes and credits of one priority. <b>All for the one thread that runs the transport's agent.</b> Ranks are those of the
 * group; numbers that come from a network have to be checked before.
 */
public interface PairPort
{
    /**
     * Hands on runs for another node, in the order of their ring. What is addressed to a peer that is gone is counted as
     * lost. To be called also while there is no link.
     *
     * @param node     index of the other node.
     * @param listener for the runs.
     * @param limit    most runs.
     * @return number of runs taken from the ring.
     */
    int drain(int node, PairListener listener, int limit);

    /**
     * Writes a run to a mailbox of this node. Never waits: the caller has seen that the receiver gave credits for it.
     *
     * @param isNudge  a run without a message.
     * @param flags    as in {@link PairListener#onRun}.
     * @param sender   rank of another node.
     * @param receiver rank of this node, the pair being open.
     * @param value    tag or offset; of a nudge the slots that it takes.
     * @param buffer   that holds the bytes.
     * @param offset   of the bytes.
     * @param length   of the bytes, at most those of the longest run.
     * @return false if the receiver has closed the pair, or not opened it yet; nothing was written.
     */
    boolean deliver(
        boolean isNudge, int flags, int sender, int receiver, int value, DirectBuffer buffer, int offset, int length);

    /**
     * Claims room for several runs of a pair that are delivered next: one claim for all of them. Until they are delivered
     * nobody's runs behind them are read: nothing is waited for meanwhile, and no program is called.
     *
     * @param sender   rank of another node.
     * @param receiver rank of this node, the pair being open.
     * @param slots    of all the runs, for which the receiver gave credits; at most 4,095.
     * @return false if the receiver has closed the pair, or not opened it yet; nothing was claimed.
     */
    boolean reserve(int sender, int receiver, int slots);

    /**
     * Writes the next of the runs for which {@link #reserve} has claimed room, and looked whether the pair is open.
     *
     * @param flags  as in {@link PairListener#onRun}.
     * @param value  tag or offset.
     * @param buffer that holds the bytes.
     * @param offset of the bytes.
     * @param length of the bytes, at most those of the longest run.
     * @return false if no room is claimed, or not enough is left of it; nothing was written.
     */
    boolean deliverNext(int flags, int value, DirectBuffer buffer, int offset, int length);

    /**
     * Gives up what of the room that was claimed by {@link #reserve} has not been used: at once when no more runs follow. The
     * receiver passes over it, and frees it as if it had been used: the credits for it are spent.
     */
    void release();

    /**
     * Writes a compulsory response to a mailbox of this node.
     *
     * @param sender   rank of another node that gives credits back.
     * @param receiver rank of this node.
     * @param credits  given back, the one that pays for the packet included.
     * @return false if the pair is not open.
     */
    boolean respond(int sender, int receiver, int credits);

    /**
     * Collects what receivers here give to and want from senders on other nodes, and which nudges they have read.
     *
     * @param listener that gets it.
     * @return number of pairs.
     */
    int pollCredits(PairListener listener);

    /**
     * Credits for a sender here have come.
     *
     * @param sender   rank of this node.
     * @param receiver rank of another node.
     * @param credits  0 or more.
     */
    void addCredits(int sender, int receiver, int credits);

    /**
     * Takes credits back from a sender here.
     *
     * @param sender   rank of this node.
     * @param receiver rank of another node.
     * @param keep     credits that stay, apart from one that pays for the response.
     * @return credits taken, 0 if the sender has none at hand.
     */
    int takeCredits(int sender, int receiver, int keep);

    /**
     * Takes back what a sender here has more than it keeps anyhow, if there is anything worth a response.
     *
     * @param sender   rank of this node.
     * @param receiver rank of another node.
     * @param keep     credits that stay, apart from one that pays for the response.
     * @return credits taken, 0 if there are no more than these.
     */
    int takeExcess(int sender, int receiver, int keep);

    /**
     * The other node has said how many messages of a pair have been written to their mailbox.
     *
     * @param sender   rank of this node.
     * @param receiver rank of another node.
     * @param more     than before.
     */
    void received(int sender, int receiver, int more);

    /**
     * The other node has said how many nudges of a pair their receiver has read.
     *
     * @param sender   rank of this node.
     * @param receiver rank of another node.
     * @param more     than before.
     */
    void nudgesRead(int sender, int receiver, int more);

    /**
     * Messages of ranks here that are on their way to another node, or not known to have arrived.
     *
     * @param node index of the other node.
     * @return their number, 0 if all is known to have been written to mailboxes; only for the end of a node's life, O(pairs).
     */
    long unacknowledged(int node);
}
