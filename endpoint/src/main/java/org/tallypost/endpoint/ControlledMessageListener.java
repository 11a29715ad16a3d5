// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import org.agrona.DirectBuffer;

/**
 * Receives messages, and says of each whether it is taken, and how the poll goes on. Called on the thread that polls.
 */
@FunctionalInterface
public interface ControlledMessageListener
{
    /** How a poll goes on behind a message. */
    enum Action
    {
        /** The message is taken; the next one may come. */
        CONTINUE,
        /** The message is taken; the poll ends. */
        BREAK,
        /**
         * The message is not taken, and the poll ends: the message stays in the mailbox, and so its sender does not get its
         * credits back. It is delivered again before any other message of its sender.
         */
        ABORT
    }

    /**
     * A message. What it throws goes to the node's error handler, and the message counts as taken.
     *
     * @param source rank of the sender.
     * @param tag    given by the sender.
     * @param buffer that holds the message: the mailbox itself, or the place where a longer message was put together.
     *               Valid until this call returns; not to be written.
     * @param offset of the message in bytes.
     * @param length of the message in bytes.
     * @return how the poll goes on; not null.
     */
    Action onMessage(int source, int tag, DirectBuffer buffer, int offset, int length);
}
