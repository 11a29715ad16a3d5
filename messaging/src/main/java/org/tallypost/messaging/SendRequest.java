// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import org.agrona.DirectBuffer;

/**
 * A send: {@link Messenger#send}, {@link Messenger#sendSynchronous}, or prepared and started any number of times. Its buffer must
 * not change as long as it is active.
 */
public final class SendRequest extends Request
{
    DirectBuffer buffer;
    SendMode mode = SendMode.STANDARD;
    /** It was announced: its bytes are still here. */
    boolean isAnnounced;
    boolean isCancelWanted;
    /** How many times there was no room for it in one run. */
    int refusals;
    /** Of the receive that is to get the bytes. */
    long receiveId;
    /** Bytes that the receive takes. */
    int wanted;
    /** Bytes that have gone. */
    int moved;
    /** The part that goes now; null if none does. */
    DataSend data;

    /** A request that can be used with any messenger. */
    public SendRequest()
    {
    }

    /**
     * Says what the send is for, without starting it: {@link Messenger#start(SendRequest)} does, as often as the program likes.
     *
     * @param sendMode     when it is done.
     * @param communicator of sender and receiver.
     * @param dest         rank of the receiver in it.
     * @param messageTag   at least 0.
     * @param from         buffer that holds the message.
     * @param at           offset of the message in bytes.
     * @param count        length of the message in bytes.
     * @return this.
     * @throws IllegalStateException if it is active, or the communicator was freed.
     * @throws IllegalArgumentException if rank, tag or length cannot be.
     * @throws IndexOutOfBoundsException if the message lies outside its buffer.
     */
    public SendRequest prepare(
        final SendMode sendMode, final Communicator communicator, final int dest, final int messageTag, final DirectBuffer from,
        final int at, final int count)
    {
        checkFree();
        check(communicator, dest, messageTag, 0);
        checkRange(from, at, count);
        mode = sendMode;
        buffer = from;
        fill(communicator, communicator.endpointRank(dest), messageTag, at, count);
        return this;
    }
}
