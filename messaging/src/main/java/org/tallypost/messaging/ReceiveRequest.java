// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import java.util.Objects;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.messaging.rma.LoanedMessage;
import org.tallypost.messaging.rma.RegionMemory;

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
    /** The work for it threw: it ends as soon as its sender has heard of it. */
    boolean isFailed;
    /** Bytes of an announced message that fit into the buffer. */
    int wanted;
    /** Bytes of an announced message that are here. */
    int received;
    /** Gets the message in place of a buffer; null if there is a buffer. */
    LoanedMessage loaned;
    /** Has the memory of such a message until all of it is there; null if there never was one. */
    LoanedMessage coming;
    /** The same memory, to be written. */
    UnsafeBuffer view;
    /** Where the message lies at its sender; null if that is not known, or the bytes are here. */
    PlacedMessage placed;
    /** That its sender may put the bytes into; null if there is none. */
    StagingArea area;

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
        loaned = null;
        clear();
        fill(communicator, isAny ? source : communicator.endpointRank(source), messageTag, at, capacity);
        return this;
    }

    /**
     * Says that the receive wants its message in memory that is lent: that of its sender if the sender lends it, else memory of
     * the own rank, into which it is copied. There the program reads it in place, and releases it. If the own region memory has
     * no room for it, the message is cut to no bytes ({@link RequestResult#TRUNCATED}). A message without bytes leaves the handle
     * free. The messenger needs a {@link MessengerContext#regionMemory}.
     *
     * @param communicator of sender and receiver.
     * @param source       rank of the sender in it, or {@link Communicator#ANY_SOURCE}.
     * @param messageTag   at least 0, or {@link Communicator#ANY_TAG}.
     * @param message      that holds none, and gets the message when the request is done. From the start of the receive to its
     *                     end no other receive takes the handle, and it attaches to nothing.
     * @return this.
     * @throws IllegalStateException if it is active, or the communicator was freed.
     * @throws IllegalArgumentException if rank or tag cannot be.
     */
    public ReceiveRequest prepareLoaned(
        final Communicator communicator, final int source, final int messageTag, final LoanedMessage message)
    {
        view = view == null ? new UnsafeBuffer(0, 0) : view;
        coming = coming == null ? new LoanedMessage() : coming;
        prepare(communicator, source, messageTag, view, 0, 0);
        loaned = Objects.requireNonNull(message);
        return this;
    }

    /** Whether the message lies in a loan, and the program wants that. */
    boolean isHandedOver()
    {
        return placed != null && placed.isLoan() && loaned != null;
    }

    /** There is room for all of the message. */
    void takeAll()
    {
        length = messageLength;
        wanted = messageLength;
    }

    /** Whether there is room for the next bytes: the buffer of a region that was closed has none. */
    boolean hasRoom(final int count)
    {
        return buffer.capacity() - offset - received >= count;
    }

    /** The same. Looked at here, as the buffer's own checks can be switched off. */
    void checkRoom(final int count)
    {
        if (count > 0 && !hasRoom(count))
        {
            throw new IndexOutOfBoundsException("the buffer of a receive has become shorter: found=" + buffer.capacity() +
                ", expected=" + (offset + received + count) + ", " + this);
        }
    }

    /** Misuse: what the handle holds would be lost. */
    void checkLoaned(final RegionMemory memory)
    {
        if (loaned != null && memory == null)
        {
            throw new IllegalStateException("a receive of a loan needs region memory: set MessengerContext.regionMemory");
        }
        if (loaned != null)
        {
            loaned.checkFree();
        }
    }

    /** The receive begins: no other one gets the handle. */
    void holdLoaned()
    {
        if (loaned != null)
        {
            loaned.enterReceive(this);
        }
    }

    /** It has no message. */
    void clear()
    {
        matchedSource = Communicator.ANY_SOURCE;
        matchedTag = Communicator.ANY_TAG;
        messageLength = 0;
        isFailed = false;
        if (loaned != null)
        {
            buffer = view;
            length = 0;
        }
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
