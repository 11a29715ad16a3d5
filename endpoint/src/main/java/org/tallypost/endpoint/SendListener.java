// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

/**
 * Learns how long messages end that {@link Endpoint#poll} carries on ({@link Endpoint#newSend(SendListener)}). Called on the
 * thread that polls, within its poll, behind the messages that it delivers.
 */
@FunctionalInterface
public interface SendListener
{
    /**
     * A message is out, or lost: once for each {@link LongSend#start} that returned {@link Endpoint#NO_CREDIT}, unless the
     * program has given the message up or has called {@link LongSend#progress} until it ended. The handle is free: it may be
     * started again here. What this throws goes to the node's error handler. A poll from here throws an IllegalStateException.
     *
     * @param send   the handle.
     * @param result a position &gt;= 0 if all of it is out; {@link Endpoint#PEER_GONE}, {@link Endpoint#NOT_CONNECTED} or
     *               {@link Endpoint#CLOSED} if it is lost; {@link Endpoint#FAILED} if what was thrown while it was read has
     *               ended it, which has gone to the caller of a poll before.
     */
    void onSendEnd(LongSend send, long result);

    /**
     * How much may lie unread in front of what this endpoint sends next to the receiver of a message. Asked when a message is
     * started, and by each poll before the message goes on. A run of the message, of up to 2,112 bytes, goes if it leaves no
     * more than this unread, or if nothing that this endpoint has sent there is unread. A poll sends no more than this. So a
     * short message waits for little. The long one takes longer, for its receiver copies nothing while the next run is on its
     * way. Holds for receivers of the same node; one of another node does not tell how far it has read.
     *
     * @param sent bytes of the message that are out.
     * @return bytes, at least 0; by default there is no limit but the credits. Must not throw.
     */
    default int mostUnread(int sent)
    {
        return Integer.MAX_VALUE;
    }
}
