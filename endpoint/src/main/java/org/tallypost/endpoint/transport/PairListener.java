// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.transport;

import org.agrona.DirectBuffer;

/**
 * What a transport learns from its node of pairs of one priority, on its own thread, within calls of a {@link NodePort} or a
 * {@link PairPort}.
 */
public interface PairListener
{
    /**
     * A rank of this node and one of another are both open: all counts of the pair begin at 0, in both directions.
     *
     * @param local      rank of this node.
     * @param localEpoch of it.
     * @param peer       rank of another node.
     * @param peerEpoch  of it, as told to {@link NodePort#openPeer}.
     */
    void onPairOpened(int local, int localEpoch, int peer, int peerEpoch);

    /**
     * One of the two is not there any more: no credits are taken for the pair from now on. What was sent before it was
     * closed because of the local rank still comes by {@link #onRun}.
     *
     * @param local rank of this node.
     * @param peer  rank of another node.
     */
    void onPairClosed(int local, int peer);

    /**
     * A receiver here gives credits to a sender there.
     *
     * @param receiver rank of this node.
     * @param sender   rank of another node.
     * @param credits  at least 1.
     */
    void onCredits(int receiver, int sender, int credits);

    /**
     * A receiver here wants credits back from a sender there.
     *
     * @param receiver rank of this node.
     * @param sender   rank of another node.
     */
    void onRequest(int receiver, int sender);

    /**
     * A receiver here has read nudges of a sender there, for which all credits that it gives have been told before or are told
     * with the same {@link PairPort#pollCredits}. The sender sends no other nudge until it learns that.
     *
     * @param receiver rank of this node.
     * @param sender   rank of another node.
     * @param nudges   at least 1.
     */
    void onNudgesRead(int receiver, int sender, int nudges);

    /**
     * A run of slots for another node.
     *
     * @param isNudge  a run without a message, which makes the receiver return credits.
     * @param flags    1 for the first run of a message, 2 for the last.
     * @param sender   rank of this node.
     * @param receiver rank of the other node.
     * @param value    tag or offset; of a nudge the slots that it takes.
     * @param buffer   that holds the bytes, valid during the call.
     * @param offset   of the bytes.
     * @param length   of the bytes.
     */
    void onRun(
        boolean isNudge, int flags, int sender, int receiver, int value, DirectBuffer buffer, int offset, int length);

    /**
     * A whole message for another node, of the thread that does the transport's work, between two of its duty cycles: nothing
     * that was sent before it waits to be handed on.
     *
     * @param sender   rank of this node.
     * @param receiver rank of the other node.
     * @param tag      of the message.
     * @param buffer   that holds the bytes, valid during the call. What it throws has to leave nothing behind.
     * @param offset   of the bytes.
     * @param length   of the bytes, at most those of a run.
     * @return whether it was taken; else it comes by {@link #onRun} later, or its sender tries again.
     */
    default boolean onMessage(
        final int sender, final int receiver, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        return false;
    }

    /**
     * As {@link #onMessage(int, int, int, DirectBuffer, int, int)}: a whole message of two parts, one behind the other.
     *
     * @param sender     rank of this node.
     * @param receiver   rank of the other node.
     * @param tag        of the message.
     * @param head       that holds the first part, valid during the call. What it throws has to leave nothing behind.
     * @param headOffset of the first part.
     * @param headLength of the first part.
     * @param body       that holds the second part, as the first.
     * @param bodyOffset of the second part.
     * @param bodyLength of the second part, both together at most those of a run.
     * @return whether it was taken; else it comes as one part by {@link #onRun} later, or its sender tries again.
     */
    default boolean onMessage(
        final int sender, final int receiver, final int tag, final DirectBuffer head, final int headOffset,
        final int headLength, final DirectBuffer body, final int bodyOffset, final int bodyLength)
    {
        return false;
    }

    /**
     * Whether messages of the same pair, tag and length as the last one that
     * {@link #onMessage(int, int, int, DirectBuffer, int, int)} took may follow it in place,
     * without a call for each.
     *
     * @param train to be told where, by {@link MessageTrain#begin}.
     * @return whether they may; until {@link #onTrainEnd}, or any other call, which means that none has followed.
     */
    default boolean onTrain(final MessageTrain train)
    {
        return false;
    }

    /**
     * Messages were put where {@link #onTrain} said, by the same thread or by one that has taken over from it: before any other
     * call.
     *
     * @param count of them, at least 1.
     */
    default void onTrainEnd(final int count)
    {
        throw new IllegalStateException("no train was begun");
    }
}
