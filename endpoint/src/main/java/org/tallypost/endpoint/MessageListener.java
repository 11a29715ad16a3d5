// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import org.agrona.DirectBuffer;

/**
 * Receives messages. Called on the thread that polls.
 */
@FunctionalInterface
public interface MessageListener
{
    /**
     * A message. What it throws goes to the node's error handler, and the message counts as delivered.
     *
     * @param source rank of the sender.
     * @param tag    given by the sender.
     * @param buffer that holds the message: the mailbox itself, or the place where a longer message was put together.
     *               Valid until this call returns; not to be written.
     * @param offset of the message in bytes.
     * @param length of the message in bytes.
     */
    void onMessage(int source, int tag, DirectBuffer buffer, int offset, int length);
}
