// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

/** Hears what became of messages that were sent by {@link SendCompletions}. */
@FunctionalInterface
public interface CompletionListener
{
    /**
     * A message is complete, or is lost. Called by the thread that calls {@link SendCompletions#poll}, once for each message. It
     * may send. What it throws comes out of that call, and the message is not told again.
     *
     * @param dest    rank of the receiver.
     * @param context as it was given with the message.
     * @param result  what the send has returned, at least 0, if the receiver has taken the message; {@link Endpoint#PEER_GONE} if
     *                the receiver's incarnation is over, {@link Endpoint#CLOSED} if the sender's endpoint is closed: whether the
     *                message was taken before is not known then.
     */
    void onCompleted(int dest, long context, long result);
}
