// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import org.agrona.DirectBuffer;

/**
 * Sends a message of up to 16 MiB, whatever the credits: as much as there are credits for at once, the rest in further
 * runs as credits come (the thesis's eager send, section 5.2). So it is never stuck on a message that is longer than what
 * a sender may hold, and messages to other destinations go on meanwhile.
 *
 * <pre>
 *   long result = send.start(dest, tag, buffer, 0, length);
 *   while (result == Endpoint.NO_CREDIT)
 *   {
 *       idle.idle(endpoint.poll(handler, 10));
 *       result = send.progress();
 *   }
 * </pre>
 *
 * What is thrown while a run is written, as by the program's memory, ends the message: the receiver drops what it has of it.
 *
 * <p>Reusable, allocation-free, <b>for one thread at a time</b>. While a message is under way, offers to the same destination go
 * between its parts, and so do the parts of other handles' messages. So a message that was sent later may arrive earlier; what is
 * sent after {@link #start} or {@link #progress()} has returned a position arrives behind it. To fix the order of two messages,
 * start the next one when the previous one is through. A handle leaves credits to an offer that was refused for want of them, at
 * every other {@link #progress()}.
 *
 * <p>At most {@value #MAX_OPEN} messages in several parts of an endpoint are under way to one destination. A further one waits in
 * its {@link #progress()}, which returns NO_CREDIT, until another one is through.
 */
public abstract class LongSend
{
    /** Most messages in several parts that are under way from one endpoint to one destination. */
    public static final int MAX_OPEN = 8;

    /** For implementations. */
    protected LongSend()
    {
    }

    /**
     * Begins a message. The buffer must not change until the message is out or given up.
     *
     * @param to        rank of the receiver.
     * @param messageTag handed to the receiver.
     * @param from      buffer that holds the message.
     * @param at        offset of the message in bytes.
     * @param count     length of the message in bytes, at most {@link Endpoint#MAX_MESSAGE_LENGTH}.
     * @return a position &gt;= 0 if all of it is out; {@link Endpoint#NO_CREDIT} if the rest waits for {@link #progress()};
     *         {@link Endpoint#PEER_GONE}, {@link Endpoint#NOT_CONNECTED}, {@link Endpoint#CLOSED} or
     *         {@link Endpoint#TOO_LONG} if it was not started.
     * @throws IllegalStateException if the handle is active.
     * @throws IndexOutOfBoundsException if the message lies outside its buffer.
     * @throws IllegalArgumentException if there is no such rank.
     * @throws org.tallypost.mailbox.files.MailboxException as {@link Endpoint#offer(int, int, DirectBuffer, int, int)}.
     */
    public abstract long start(int to, int messageTag, DirectBuffer from, int at, int count);

    /**
     * Begins a message of two parts, of which the receiver gets one message. Neither buffer may change until the message is out
     * or given up. Otherwise as {@link #start(int, int, DirectBuffer, int, int)}.
     *
     * @param to          rank of the receiver.
     * @param messageTag  handed to the receiver.
     * @param first       buffer that holds the first part.
     * @param firstAt     offset of the first part in bytes.
     * @param firstCount  length of the first part in bytes.
     * @param second      buffer that holds the second part; it may be the same.
     * @param secondAt    offset of the second part in bytes.
     * @param secondCount length of the second part in bytes; both together at most {@link Endpoint#MAX_MESSAGE_LENGTH}.
     * @return as {@link #start(int, int, DirectBuffer, int, int)}.
     * @throws IllegalStateException if the handle is active.
     * @throws IndexOutOfBoundsException if a part lies outside its buffer.
     * @throws IllegalArgumentException if there is no such rank.
     * @throws org.tallypost.mailbox.files.MailboxException as {@link Endpoint#offer(int, int, DirectBuffer, int, int)}.
     */
    public abstract long start(
        int to, int messageTag, DirectBuffer first, int firstAt, int firstCount,
        DirectBuffer second, int secondAt, int secondCount);

    /**
     * Sends what there are credits for now.
     *
     * @return a position &gt;= 0 when all of the message is out; {@link Endpoint#NO_CREDIT} if the rest waits; another code
     *         if the receiver is gone or this endpoint was closed: then the handle is free again and the receiver, if it
     *         lives, drops the part that it has.
     * @throws IllegalStateException if nothing is under way.
     * @throws org.tallypost.mailbox.files.MailboxException as {@link Endpoint#offer(int, int, DirectBuffer, int, int)}: the
     *         message stays under way, for a thread that may send.
     */
    public abstract long progress();

    /**
     * Whether a message is under way.
     *
     * @return true from a {@link #start} that returned NO_CREDIT until it is out, lost or given up.
     */
    public abstract boolean isActive();

    /** Gives the message up. The receiver drops what it has of it when the next message in several parts of this pair begins. */
    public abstract void abort();
}
