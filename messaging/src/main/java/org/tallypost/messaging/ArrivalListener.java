// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import org.agrona.DirectBuffer;

/**
 * Provides receives as messages come, for a program that learns from a message where it is to go: {@link Communicator#onArrival}.
 * The bytes then go there at once, where a probe and a receive behind it copy them twice.
 */
@FunctionalInterface
public interface ArrivalListener
{
    /**
     * A message has come that no posted receive is for. Called by the thread that polls, within {@link Messenger#doWork()}; it
     * may prepare a receive, and call nothing else of the messenger: what would start, poll, free or close anything is refused.
     * What it throws goes to the error handler of the node, or for a message of the own rank to the caller of the next
     * {@link Messenger#doWork()}. The message is kept then, and its send goes on. It is kept as well, and nobody is asked, while
     * {@link MessengerContext#maxRequests(int)} receives are active.
     *
     * @param source rank of the sender in the communicator.
     * @param tag    of the message.
     * @param length of the message in bytes. The sender may have said any length: its bytes need not have come.
     * @return a receive that {@link ReceiveRequest#prepare} was called for with this communicator and a buffer, and that is not
     *     in use. It gets the message, whatever source and tag it asks for. Or null, to leave the message to a later receive.
     */
    ReceiveRequest onArrival(int source, int tag, int length);

    /**
     * A short message has come, of which the bytes are here, and no posted receive is for it. Called as {@link #onArrival} is,
     * and before that. A program that has a place for the bytes copies them now, and needs no receive. Not called for messages
     * that are to be answered, for those to the own rank, and for those behind one that was kept.
     *
     * @param source rank of the sender in the communicator.
     * @param tag    of the message.
     * @param buffer with the message: memory that the sender can still write. It may be read during the call, and not be changed.
     * @param offset of the message in it.
     * @param length of the message in bytes.
     * @return true if the message was taken, and is not to be kept. False, the default, to be asked for a receive.
     */
    default boolean onWhole(
        final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        return false;
    }
}
