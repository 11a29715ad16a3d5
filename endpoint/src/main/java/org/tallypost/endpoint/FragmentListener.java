// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import org.agrona.DirectBuffer;

/**
 * Receives messages of several runs piece by piece, as they come, so that they need not be put together. Called on the thread
 * that polls. The fragments of one message come in their order and without gaps; those of different messages come mixed, also if
 * the messages are of one source. Source and number of the message together tell which one it is. A message of one run has no
 * fragments: it goes to the {@link MessageListener}.
 */
@FunctionalInterface
public interface FragmentListener
{
    /**
     * A fragment. The first one has the position 0, the last one ends at the total length. What it throws goes to the node's
     * error handler, and the fragment counts as delivered.
     *
     * @param source      rank of the sender.
     * @param message     number of the message, from 0 to 7, which no other one of this source has that is under way. When the
     *                    message is complete or lost, the next one may get it.
     * @param tag         given by the sender, as a {@link MessageListener} of the same messages gets it.
     * @param totalLength of the message in bytes, as its sender says.
     * @param position    of the fragment in the message, in bytes.
     * @param buffer      that holds the fragment: the mailbox itself. Valid until this call returns; not to be written.
     * @param offset      of the fragment in the buffer, in bytes.
     * @param length      of the fragment in bytes, at most 2,096.
     */
    void onFragment(
        int source, int message, int tag, int totalLength, int position, DirectBuffer buffer, int offset, int length);

    /**
     * The rest of a message will not come: its sender has died, closed or given it up; the last is known when its next message
     * of several runs begins. Called for each message that was under way. By default nothing is done. What it throws goes to the
     * node's error handler. Not called when this endpoint closes.
     *
     * @param source      rank of the sender.
     * @param message     as that of the fragments.
     * @param tag         as that of the fragments.
     * @param totalLength of the message in bytes.
     * @param position    up to which fragments were delivered, in bytes.
     */
    default void onLost(final int source, final int message, final int tag, final int totalLength, final int position)
    {
    }
}
