// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.tallypost.endpoint.internal.layout.ClaimState;

/**
 * A message claimed in its receiver's mailbox, to be written in place. Reusable; for one thread at a time, which need not be the
 * one that claimed. Every claim has to be committed or aborted soon: what its thread sends later waits for that, and perhaps what
 * others do ({@link Endpoint#tryClaim}). One that no thread can reach any more is given up; a finalizer comes too late to settle
 * it.
 */
public final class MessageClaim
{
    private final ClaimState state = new ClaimState();

    /** A claim that holds nothing yet. */
    public MessageClaim()
    {
    }

    /**
     * For implementations of {@link Endpoint}.
     *
     * @return what is claimed, and how it is given back.
     */
    public ClaimState state()
    {
        return state;
    }

    /**
     * The place of the message: index 0 is its first byte.
     *
     * @return the buffer, of the message's length.
     */
    public MutableDirectBuffer buffer()
    {
        return state.buffer();
    }

    /**
     * Where the message begins in {@link #buffer()}.
     *
     * @return 0.
     */
    public int offset()
    {
        return 0;
    }

    /**
     * Length of the message.
     *
     * @return in bytes.
     */
    public int length()
    {
        return state.length();
    }

    /**
     * Copies a message into the claim.
     *
     * @param from   buffer to copy from.
     * @param offset of the message.
     */
    public void putBytes(final DirectBuffer from, final int offset)
    {
        state.buffer().putBytes(0, from, offset, state.length());
    }

    /**
     * Publishes the message. To another node, with no room in the ring to it: waits for room as long as the process that carries
     * the packets makes some; called by the thread that does the transport's work, does some of that work, with its event and
     * error handlers.
     *
     * <p>A message to a receiver that is gone is lost, as one that it did not read any more; the next offer says so.
     *
     * @throws IllegalStateException if nothing is claimed; or if this is called within a duty cycle of the transport, as by an
     *                               event handler, and there is no room for the message before its end: the claim stays open.
     * @throws org.tallypost.mailbox.files.MailboxException for a message to another node, if there is no room and none was made
     *                               for a liveness interval ({@link NodeContext#livenessIntervalNs}), or if this thread has no
     *                               claim mark and there is none left ({@link NodeContext#maxSendingThreads}): the claim stays
     *                               open.
     */
    public void commit()
    {
        state.commit();
    }

    /**
     * Gives the claim up: the receiver skips it and the credits come back.
     *
     * @throws IllegalStateException if nothing is claimed.
     */
    public void abort()
    {
        state.abort();
    }
}
