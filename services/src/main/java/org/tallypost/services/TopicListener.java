// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import org.agrona.DirectBuffer;

/** Hears a topic. Called on the thread that calls {@link Topics#doWork()}. What it throws goes to the error handler. */
public interface TopicListener
{
    /**
     * A message. Those of a publication come in their order.
     *
     * @param buffer with the bytes; valid until this call returns, not to be written.
     * @param offset of the bytes.
     * @param length of them.
     */
    void onMessage(DirectBuffer buffer, int offset, int length);

    /**
     * A rank publishes the topic; messages that it publishes from now on come.
     *
     * @param rank of the publisher.
     */
    default void onBegin(final int rank)
    {
    }

    /**
     * Messages were lost, because this subscriber was too slow: {@link WhenSlow#TELL}.
     *
     * @param count how many came after the last one that was delivered, and before the next.
     */
    default void onLost(final long count)
    {
    }

    /**
     * The publication is over for this subscriber.
     *
     * @param end why.
     */
    default void onEnd(final TopicEnd end)
    {
    }
}
