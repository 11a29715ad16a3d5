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
}
