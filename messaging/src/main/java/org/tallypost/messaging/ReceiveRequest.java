// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import org.agrona.MutableDirectBuffer;

/**
 * A receive: {@link Messenger#receive}, or prepared and started any number of times. Its buffer belongs to the messenger as long
 * as it is active.
 */
public final class ReceiveRequest extends Request
{
    MutableDirectBuffer buffer;
    /** Of the message, in the endpoint's group. */
    int matchedSource;
    int matchedTag;
    int messageLength;
    /** Of the send that waits for an answer. */
    long sendId;
    /** The bytes are still with the sender. */
    boolean isAnnounced;
    /** Bytes of an announced message that fit into the buffer. */
    int wanted;
    /** Bytes of an announced message that are here. */
    int received;

    /** A request that can be used with any messenger. */
    public ReceiveRequest()
    {
    }

    /**
     * Says what the receive is for, without starting it: {@link Messenger#start(ReceiveRequest)} does.
     *
     * @param communicator of sender and receiver.
     * @param source       rank of the sender in it, or {@link Communicator#ANY_SOURCE}.
     * @param messageTag   at least 0, or {@link Communicator#ANY_TAG}.
     * @param to           buffer that gets the message.
     * @param at           offset of the message in bytes.
     * @param capacity     most bytes that are written.
     * @return this.
     * @throws IllegalStateException if it is active, or the communicator was freed.
     * @throws IllegalArgumentException if rank, tag or capacity cannot be.
     * @throws IndexOutOfBoundsException if the room lies outside its buffer.
     */
    public ReceiveRequest prepare(
        final Communicator communicator, final int source, final int messageTag, final MutableDirectBuffer to, final int at,
        final int capacity)
    {
        checkFree();
        final boolean isAny = source == Communicator.ANY_SOURCE;
        check(communicator, isAny ? 0 : source, messageTag, Communicator.ANY_TAG);
        checkRange(to, at, capacity);
        buffer = to;
        clear();
        fill(communicator, isAny ? source : communicator.endpointRank(source), messageTag, at, capacity);
        return this;
    }

    /** It has no message. */
    void clear()
    {
        matchedSource = Communicator.ANY_SOURCE;
        matchedTag = Communicator.ANY_TAG;
        messageLength = 0;
    }

    /**
     * From where the message came.
     *
     * @return rank in the request's communicator; {@link Communicator#ANY_SOURCE} if no message was matched.
     */
    public int source()
    {
        return matchedSource < 0 ? Communicator.ANY_SOURCE : communicator.rankOf(matchedSource);
    }

    /**
     * Tag of the message.
     *
     * @return the tag; {@link Communicator#ANY_TAG} if no message was matched.
     */
    public int tag()
    {
        return matchedTag;
    }

    /**
     * Bytes that the message has put into the buffer.
     *
     * @return at most the capacity of the receive; 0 if no message was received.
     */
    public int length()
    {
        return result == RequestResult.SUCCESS || result == RequestResult.TRUNCATED ? Math.min(messageLength, length) : 0;
    }

    /**
     * Length that the message had when it was sent, more than {@link #length()} if it was truncated.
     *
     * @return in bytes; 0 if no message was matched.
     */
    public int messageLength()
    {
        return messageLength;
    }

    void match(final int source, final int messageTag, final int lengthOfMessage)
    {
        matchedSource = source;
        matchedTag = messageTag;
        messageLength = lengthOfMessage;
        wanted = Math.min(lengthOfMessage, length);
        received = 0;
    }
}
