// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.transport;

/**
 * Something that happened between two nodes.
 *
 * @param kind      what happened.
 * @param node      index of the other node.
 * @param localRank of this node, -1 if it is about all of them.
 * @param peerRank  of the other node, -1 if it is about all of them.
 * @param epoch     which incarnation of the peer rank, counted by its node, or of the link; 0 if it is about none.
 * @param count     for {@link Kind#MESSAGES_LOST} the messages that the local rank sent to that incarnation and that are not
 *                  known to have been written to its mailbox; else 0.
 * @param text      in words.
 */
public record TransportEvent(Kind kind, int node, int localRank, int peerRank, int epoch, long count, String text)
{
    /** What happened. */
    public enum Kind
    {
        /** The nodes have admitted one another and are linked. */
        LINK_UP,
        /** The link is over: all ranks of the other node are gone for this one. */
        LINK_DOWN,
        /** A peer was lost, or a link to it, with messages under way. */
        MESSAGES_LOST,
        /** The other node has other ideas of the group: both values are in the text. */
        REFUSED,
        /** Somebody does not know the group's secret. */
        STRANGER
    }
}
