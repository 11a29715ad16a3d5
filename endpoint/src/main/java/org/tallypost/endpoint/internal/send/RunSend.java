// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.send;

import static org.tallypost.endpoint.Endpoint.NOT_CONNECTED;
import static org.tallypost.endpoint.Endpoint.NO_CREDIT;
import static org.tallypost.endpoint.Endpoint.PEER_GONE;
import static org.tallypost.endpoint.Endpoint.TOO_LONG;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.FIRST_LENGTH;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.FLAG_FIRST;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.FLAG_LAST;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.WORD_LENGTH;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.LongSend;
import org.tallypost.endpoint.SendListener;
import org.tallypost.endpoint.internal.layout.Checks;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.layout.PayloadCopy;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * A message that goes in several runs, as credits come. {@link LongSend} says what its methods mean. Each run but the first says
 * which message it is of by a number, so that runs of other messages, and short messages, may come between.
 *
 * <p>It would take all credits for itself. So if a short message was refused since the last attempt, it leaves as many as that
 * one lacked, at every other attempt at most: so both get on.
 */
public final class RunSend extends LongSend
{
    private final Outbox outbox;
    /** The first part of a message of two. */
    private DirectBuffer head;
    /** Null while nothing is under way, also if an Error has ended the message. */
    DirectBuffer buffer;
    private Peer peer;
    private int dest;
    private int tag;
    private int headOffset;
    private int headLength;
    private int offset;
    /** Of both parts. */
    private int length;
    private int sent;
    /** Of the message among those under way to the receiver; negative until it is one of several runs. */
    int number;
    private boolean isAfterGivenUp;
    private boolean hasYielded;
    /** What may be unread, and sent by one call, in slots. */
    private int mostSlots = Integer.MAX_VALUE;

    public RunSend(final Outbox outbox)
    {
        this.outbox = outbox;
    }

    @Override
    public long start(final int to, final int messageTag, final DirectBuffer from, final int at, final int count)
    {
        checkFree();
        PayloadCopy.checkRange(from, at, count);
        return begin(to, messageTag, null, 0, 0, from, at, count);
    }

    @Override
    public long start(
        final int to, final int messageTag, final DirectBuffer first, final int firstAt, final int firstCount,
        final DirectBuffer second, final int secondAt, final int secondCount)
    {
        checkFree();
        PayloadCopy.checkRange(first, firstAt, firstCount);
        PayloadCopy.checkRange(second, secondAt, secondCount);
        return begin(to, messageTag, first, firstAt, firstCount, second, secondAt, secondCount);
    }

    private long begin(
        final int to, final int messageTag, final DirectBuffer first, final int firstAt, final int firstCount,
        final DirectBuffer second, final int secondAt, final int secondCount)
    {
        if ((long)firstCount + secondCount > Endpoint.MAX_MESSAGE_LENGTH)
        {
            return TOO_LONG;
        }
        Checks.rank(to, outbox.peers().length);
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
        head = first;
        headOffset = firstAt;
        headLength = firstCount;
        buffer = second;
        offset = secondAt;
        length = firstCount + secondCount;
        sent = 0;
        number = -1;
        hasYielded = false;
        peer = null;
        final long result = progress();
        final Peer current = outbox.connected(to);
        if (result == NO_CREDIT && current != null)
        {
            outbox.stalls().begin(current);
        }
        return result;
    }

    private void checkFree()
    {
        if (isActive())
        {
            throw new IllegalStateException("a message to rank " + dest + " is under way with this handle: sent=" + sent +
                " of " + length + " bytes; call progress() or abort()");
        }
    }

    @Override
    public long progress()
    {
        if (!isActive())
        {
            throw new IllegalStateException("nothing is under way: call start() first");
        }
        final Peer current = outbox.connected(dest);
        if (current == null || peer != null && peer != current)
        {
            return lost();
        }
        peer = current;
        return sendRuns();
    }

    /** From now on, as {@link SendListener#mostUnread}. */
    void limitUnread(final int bytes)
    {
        mostSlots = bytes == Integer.MAX_VALUE ? bytes : bytes / MailboxDescriptor.SLOT_LENGTH;
    }

    private long sendRuns()
    {
        final SendingThread sender = outbox.sender();
        final int spared = sparedSlots();
        int sentSlots = 0;
        long result = NO_CREDIT;
        while (result == NO_CREDIT)
        {
            final int credits = outbox.creditsFor(sender, peer);
            final int slots = Math.min(wantedSlots(), credits - spared);
            if (slots <= 0)
            {
                // where there is nothing, nothing was left
                hasYielded |= spared > 0 && credits > 0;
                return outbox.isOpen(peer) ? sender.refused(peer, NO_CREDIT, !outbox.isCreditless()) : shutOut();
            }
            if (mostSlots != Integer.MAX_VALUE && isHeldBack(sentSlots, slots))
            {
                // nobody is told when the receiver has read further
                sender.awaitNews();
                return NO_CREDIT;
            }
            if (sent == 0 && isLast(slots))
            {
                // in one run, after all
                close(isAfterGivenUp);
            }
            else if (number < 0 && !open())
            {
                // perhaps it is this thread's last message that an Error has ended
                sender.finishLeft();
                sender.awaitNews();
                return NO_CREDIT;
            }
            final long position = sendRun(sender, slots);
            if (position < 0)
            {
                return position == NO_CREDIT ? sender.refused(peer, NO_CREDIT, !outbox.isCreditless()) : shutOut();
            }
            sentSlots += slots;
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

    /**
     * Credits that are left to a short message that lacked them. A handle that has left some before goes on now: that message has
     * had its chance. Until then all handles leave them, so that none takes what another one has left.
     */
    private int sparedSlots()
    {
        if (hasYielded)
        {
            hasYielded = false;
            peer.refusedSlots = 0;
        }
        else if (peer.refusedSlots > 0 && outbox.isCreditless())
        {
            // without credits there are none to leave, but room
            hasYielded = true;
            return PacketDescriptor.RUN_SLOTS;
        }
        return peer.refusedSlots;
    }

    /** Whether a run of so many slots would leave too much unread, or be too much behind what this call has sent. */
    private boolean isHeldBack(final int sentSlots, final int slots)
    {
        return !peer.isRemote && (sentSlots > 0 && sentSlots + slots > mostSlots ||
            peer.isUnread() && peer.unreadSlots() + slots > mostSlots);
    }

    /** Makes it one of the messages in several runs that are under way; false if there are too many. */
    private boolean open()
    {
        final int opened = peer.openMessage();
        if (opened < 0)
        {
            return false;
        }
        number = opened & PacketDescriptor.NUMBER_MASK;
        isAfterGivenUp = opened != number;
        return true;
    }

    /** It is none of those any more. */
    private void close(final boolean isGivenUp)
    {
        if (number >= 0)
        {
            peer.closeMessage(number, isGivenUp);
            number = -1;
        }
    }

    /** Whether a run of so many slots takes all the rest. */
    private boolean isLast(final int slots)
    {
        return length - sent <= MailboxDescriptor.payloadLength(slots) - WORD_LENGTH;
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
        final boolean last = isLast(slots);
        final int head = first && !last ? FIRST_LENGTH : WORD_LENGTH;
        final int part = Math.min(length - sent, MailboxDescriptor.payloadLength(slots) - head);
        final int flags = (first ? FLAG_FIRST : 0) | (last ? FLAG_LAST : 0);
        final long position = outbox.ringTo(sender, peer).sendPart(sender, peer, slots, dest, this, flags,
            first ? tag : PacketDescriptor.furtherRun(number, sent), first && !last ? firstWord() : -1L, part);
        sent += position < 0 ? 0 : part;
        return position;
    }

    /** What the first of several runs says of its message. */
    private long firstWord()
    {
        return (long)(number | (isAfterGivenUp ? PacketDescriptor.FLAG_GIVEN_UP : 0)) << Integer.SIZE | length;
    }

    /** Copies what comes next of the message. */
    void copyPart(final UnsafeBuffer to, final int at, final int part)
    {
        final int ofHead = Math.min(Math.max(headLength - sent, 0), part);
        if (ofHead > 0)
        {
            to.putBytes(at, head, headOffset + sent, ofHead);
        }
        if (ofHead < part)
        {
            to.putBytes(at + ofHead, buffer, offset + sent + ofHead - headLength, part - ofHead);
        }
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
        close(sent > 0 ? sent < length : isAfterGivenUp);
        peer = null;
        head = null;
        buffer = null;
    }

    /** Bytes that are out of the message that is under way, or was last. */
    int sent()
    {
        return sent;
    }

    @Override
    public boolean isActive()
    {
        return buffer != null;
    }

    @Override
    public void abort()
    {
        if (isActive())
        {
            free();
        }
    }
}
