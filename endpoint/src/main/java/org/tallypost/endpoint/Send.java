// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.tallypost.endpoint.Endpoint.NOT_CONNECTED;
import static org.tallypost.endpoint.Endpoint.NO_CREDIT;
import static org.tallypost.endpoint.Endpoint.PEER_GONE;
import static org.tallypost.endpoint.Endpoint.TOO_LONG;
import static org.tallypost.endpoint.PacketDescriptor.FIRST_LENGTH;
import static org.tallypost.endpoint.PacketDescriptor.FLAG_FIRST;
import static org.tallypost.endpoint.PacketDescriptor.FLAG_LAST;
import static org.tallypost.endpoint.PacketDescriptor.WORD_LENGTH;

import org.agrona.DirectBuffer;
import org.tallypost.mailbox.MailboxDescriptor;

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
 * <p>Reusable, allocation-free, <b>for one thread at a time</b>. Messages of one thread to one destination keep the order in
 * which they got hold of the pair. While one Send is in the middle of a message, offers to the same destination return
 * {@link Endpoint#BUSY}, and another Send waits in its {@link #progress()}, which returns NO_CREDIT. To fix the order of two,
 * start the next one when the previous one is through. Short messages that must not wait for long ones go to another rank of the
 * receiver.
 */
public final class Send
{
    private final Outbox outbox;
    private DirectBuffer buffer;
    private Peer peer;
    /** Also set to false if an Error has ended the message. */
    boolean active;
    private int dest;
    private int tag;
    private int offset;
    private int length;
    private int sent;

    Send(final Outbox outbox)
    {
        this.outbox = outbox;
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
     * @throws org.tallypost.mailbox.MailboxException as {@link Endpoint#offer(int, int, DirectBuffer, int, int)}.
     */
    public long start(final int to, final int messageTag, final DirectBuffer from, final int at, final int count)
    {
        if (active)
        {
            throw new IllegalStateException("a message to rank " + dest + " is under way with this handle: sent=" + sent +
                " of " + length + " bytes; call progress() or abort()");
        }
        PayloadCopy.checkRange(from, at, count);
        if (count > Endpoint.MAX_MESSAGE_LENGTH)
        {
            return TOO_LONG;
        }
        ResultCodes.checkRank(to, outbox.peers().length);
        if (outbox.connected(to) == null)
        {
            outbox.sender().awaitNews();
            final long code = outbox.connect(to);
            if (code != NO_CREDIT)
            {
                return code;
            }
        }
        // may throw: before anything has happened
        outbox.sender();
        dest = to;
        tag = messageTag;
        buffer = from;
        offset = at;
        length = count;
        sent = 0;
        peer = null;
        active = true;
        final long result = progress();
        final Peer current = outbox.connected(to);
        if (result == NO_CREDIT && current != null)
        {
            outbox.stalls().begin(current);
        }
        return result;
    }

    /**
     * Sends what there are credits for now.
     *
     * @return a position &gt;= 0 when all of the message is out; {@link Endpoint#NO_CREDIT} if the rest waits; another code
     *         if the receiver is gone or this endpoint was closed: then the handle is free again and the receiver, if it
     *         lives, drops the part that it has.
     * @throws IllegalStateException if nothing is under way.
     * @throws org.tallypost.mailbox.MailboxException as {@link Endpoint#offer(int, int, DirectBuffer, int, int)}: the message
     *         stays under way, for a thread that may send.
     */
    public long progress()
    {
        if (!active)
        {
            throw new IllegalStateException("nothing is under way: call start() first");
        }
        final Peer current = outbox.connected(dest);
        if (current == null || peer != null && peer != current)
        {
            return lost();
        }
        if (peer == null)
        {
            if (!current.acquire(this))
            {
                // perhaps it is this thread's last Send that an Error has ended
                outbox.sender().finishLeft();
                outbox.sender().awaitNews();
                return NO_CREDIT;
            }
            peer = current;
        }
        return sendRuns();
    }

    private long sendRuns()
    {
        final SendingThread sender = outbox.sender();
        long result = NO_CREDIT;
        while (result == NO_CREDIT)
        {
            final int wanted = wantedSlots();
            final int slots = Math.min(wanted, outbox.creditsFor(sender, peer));
            if (slots <= 0)
            {
                return outbox.isOpen(peer) ? sender.refused(peer, NO_CREDIT, true) : shutOut();
            }
            final long position = sendRun(sender, slots);
            if (position < 0)
            {
                return position == NO_CREDIT ? sender.refused(peer, NO_CREDIT, !outbox.isCreditless()) : shutOut();
            }
            final long end = outbox.sentByRing(sender, peer, position, slots);
            if (sent == length)
            {
                result = end;
            }
        }
        outbox.accept(sender, peer, 1, length);
        free();
        return result;
    }

    /** Slots of the run that would take all the rest, or the longest one. */
    private int wantedSlots()
    {
        final int rest = length - sent;
        if (rest <= Endpoint.MAX_RUN_LENGTH)
        {
            return MailboxDescriptor.slots(rest + WORD_LENGTH);
        }
        return PacketDescriptor.RUN_SLOTS;
    }

    private long sendRun(final SendingThread sender, final int slots)
    {
        final boolean first = sent == 0;
        final boolean last = length - sent <= MailboxDescriptor.payloadLength(slots) - WORD_LENGTH;
        final int head = first && !last ? FIRST_LENGTH : WORD_LENGTH;
        final int part = Math.min(length - sent, MailboxDescriptor.payloadLength(slots) - head);
        final int flags = (first ? FLAG_FIRST : 0) | (last ? FLAG_LAST : 0);
        final long position = outbox.ringTo(sender, peer).sendPart(sender, peer, slots, dest, this, flags, first ? tag : sent,
            first && !last ? length : -1, buffer, offset + sent, part);
        sent += position < 0 ? 0 : part;
        return position;
    }

    /** The receiver has closed the pair, or this endpoint is closed: what is there of the message is worth nothing. */
    private long shutOut()
    {
        final boolean begun = sent > 0;
        final long code = lost();
        return code == PEER_GONE && !begun && outbox.connected(dest) != null ? NOT_CONNECTED : code;
    }

    private long lost()
    {
        free();
        if (outbox.connected(dest) != null)
        {
            return PEER_GONE;
        }
        final long code = outbox.connect(dest);
        return code == NO_CREDIT ? PEER_GONE : code;
    }

    private void free()
    {
        if (peer != null)
        {
            peer.release(this);
            peer = null;
        }
        active = false;
        buffer = null;
    }

    /**
     * Whether a message is under way.
     *
     * @return true from a {@link #start} that returned NO_CREDIT until it is out, lost or given up.
     */
    public boolean isActive()
    {
        return active;
    }

    /** Gives the message up. The receiver drops what it has of it when the next message of this pair begins. */
    public void abort()
    {
        if (active)
        {
            free();
        }
    }
}
