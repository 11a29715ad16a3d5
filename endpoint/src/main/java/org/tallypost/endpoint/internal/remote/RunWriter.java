// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.remote;

import org.agrona.DirectBuffer;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.layout.PayloadCopy;
import org.tallypost.endpoint.internal.send.SendingThread;
import org.tallypost.endpoint.internal.send.SendingThreads;
import org.tallypost.endpoint.transport.PairListener;
import org.tallypost.endpoint.transport.RankMap;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * Writes what came from other nodes into mailboxes, as a sending thread of this process. Several runs of a pair take one claim,
 * which the thread's mark covers until the last of them is published: if the process dies before, the receiver skips what is
 * left, as of a batch. If the thread alone ends, what is left is given up ({@link SendingThread}). For the transport's thread.
 */
final class RunWriter
{
    private final SendingThreads threads;
    private final UnreadNudges nudges;
    /** What a mailbox's number is beyond its rank. */
    private final int firstId;
    private SendingThread writing;
    private Mailbox reserved;
    private int reservedSender;
    private long reservedPosition;
    private int reservedSlots;

    /**
     * A writer.
     *
     * @param threads   of this process.
     * @param map       of all ranks.
     * @param node      this one.
     * @param mailboxes of the ranks here, as they come and go.
     * @param firstId   number of the first rank's mailbox.
     */
    RunWriter(
        final SendingThreads threads, final RankMap map, final int node, final Mailbox[] mailboxes, final int firstId)
    {
        this.firstId = firstId;
        this.threads = threads;
        nudges = new UnreadNudges(map, node, mailboxes);
    }

    /** The thread that does the transport's work now, with its mark: another one may have taken it over. */
    private SendingThread writing()
    {
        if (writing == null || writing.thread != Thread.currentThread())
        {
            writing = threads.mine();
        }
        return writing;
    }

    /** Claims room for the next runs of a sender that has paid for all of them. */
    void reserve(final Mailbox mailbox, final int sender, final int slots)
    {
        release();
        reservedPosition = claim(mailbox, sender, slots);
        reserved = mailbox;
        reservedSender = sender;
        reservedSlots = slots;
    }

    private long claim(final Mailbox mailbox, final int sender, final int slots)
    {
        final SendingThread by = writing();
        by.finishLeft();
        try
        {
            if (by.box != mailbox)
            {
                by.box = mailbox;
            }
            by.boxSource = sender;
            by.mark.intend(mailbox.claimKey(), slots);
            return mailbox.claim(by.mark, slots);
        }
        catch (final Throwable t)
        {
            by.leftPeer = null;
            by.isLeft = true;
            by.finishLeft();
            throw t;
        }
    }

    /** Writes a run into the room that was claimed for its sender, or claims for it alone. */
    void write(
        final Mailbox mailbox, final boolean isNudge, final int flags, final int sender, final int value,
        final DirectBuffer buffer, final int offset, final int length)
    {
        final int payload = isNudge ? MailboxDescriptor.payloadLength(value) : length + PacketDescriptor.WORD_LENGTH;
        final int slots = MailboxDescriptor.slots(payload);
        final int left = take(mailbox, sender, slots);
        final long position = left < 0 ? claim(mailbox, sender, slots) : reservedPosition;
        try
        {
            if (isNudge)
            {
                // before it is published: one that an Error keeps from that is passed over by the receiver, as if it were read
                nudges.add(mailbox.id() - firstId, sender, position + slots);
            }
            else
            {
                final int at = mailbox.payloadOffset(position);
                PayloadCopy.copy(mailbox.buffer(), at + PacketDescriptor.WORD_LENGTH, buffer, offset, length);
                mailbox.buffer().putLong(at, value & 0xFFFF_FFFFL);
            }
            final int type = isNudge ? PacketDescriptor.TYPE_NUDGE : PacketDescriptor.TYPE_DATA;
            if (left > 0)
            {
                mailbox.settle(writing.mark, position, type, flags, payload, sender);
                reservedPosition += slots;
                reservedSlots = left;
            }
            else
            {
                // of several, the last: a receiver that reads it has read those before
                reserved = null;
                mailbox.publish(writing.mark, position, type, flags, payload, sender);
            }
        }
        catch (final Throwable t)
        {
            // all that was claimed and is not published
            reserved = null;
            writing.leftPeer = null;
            writing.isLeft = true;
            writing.finishLeft();
            throw t;
        }
    }

    /** Writes a run into the room that was claimed; false if there is none, or too little. */
    boolean writeNext(
        final int flags, final int value, final DirectBuffer buffer, final int offset, final int length)
    {
        if (reserved == null || PacketDescriptor.slots(length) > reservedSlots)
        {
            return false;
        }
        write(reserved, false, flags, reservedSender, value, buffer, offset, length);
        return true;
    }

    /** Slots of the claimed room that are left after a run, negative if the run has no place there. */
    private int take(final Mailbox mailbox, final int sender, final int slots)
    {
        if (reserved == null)
        {
            return -1;
        }
        if (reserved != mailbox || reservedSender != sender || slots > reservedSlots)
        {
            release();
            return -1;
        }
        return reservedSlots - slots;
    }

    /** What was claimed and is not used is passed over by the receiver. */
    void release()
    {
        final Mailbox mailbox = reserved;
        if (mailbox == null)
        {
            return;
        }
        reserved = null;
        if (!writing.thread.isAlive())
        {
            threads.finishDead(writing);
            return;
        }
        while (reservedSlots > 0)
        {
            final int slots = Math.min(reservedSlots, mailbox.runSlots());
            mailbox.settle(writing.mark, reservedPosition, MailboxDescriptor.TYPE_ABORTED, 0,
                MailboxDescriptor.payloadLength(slots), reservedSender);
            reservedPosition += slots;
            reservedSlots -= slots;
        }
        mailbox.finish(writing.mark);
    }

    /** Tells which nudges were read since they were written; returns the number of pairs. */
    int pollNudges(final PairListener to)
    {
        return nudges.poll(to);
    }

    /** A pair begins anew. */
    void forgetNudges(final int local, final int peer)
    {
        nudges.forget(local, peer);
    }

    /** Writes a compulsory response. */
    void respond(final Mailbox mailbox, final int sender, final int credits)
    {
        release();
        final long position = claim(mailbox, sender, 1);
        mailbox.buffer().putInt(mailbox.payloadOffset(position), credits - 1);
        mailbox.publish(writing.mark, position, PacketDescriptor.TYPE_RESPONSE, 0, PacketDescriptor.CONTROL_LENGTH, sender);
    }
}
