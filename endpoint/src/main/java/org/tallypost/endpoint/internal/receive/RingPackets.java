// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.receive;

import static org.tallypost.endpoint.internal.layout.PacketDescriptor.FLAGS_WHOLE;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.FLAG_AFTER_LANE;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.MAX_PIGGYBACK;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.PIGGYBACK_OFFSET;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.TAG_OFFSET;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.WORD_LENGTH;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.mailbox.MailboxPoller;
import org.tallypost.mailbox.PacketHandler;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * What comes by the ring: messages, whole or in runs, credits in packets, and slots that are free behind each packet. For the
 * polling thread.
 */
final class RingPackets implements PacketHandler
{
    private final Deliverer deliverer;
    private final LongMessages messages;
    private final CreditDesk desk;
    private final LaneGrants grants;
    private final Membership membership;
    private final LaneScheduler lanes;
    private final MailboxPoller poller;
    private int controlValue;
    private boolean isControlSound;
    /** Bytes of messages in several runs that come behind the one at hand. */
    private int missing;

    RingPackets(
        final Deliverer deliverer,
        final LongMessages messages,
        final CreditDesk desk,
        final LaneGrants grants,
        final Membership membership,
        final LaneScheduler lanes,
        final MailboxPoller poller)
    {
        this.deliverer = deliverer;
        this.messages = messages;
        this.desk = desk;
        this.grants = grants;
        this.membership = membership;
        this.lanes = lanes;
        this.poller = poller;
    }

    /** What lies in the sender's lane comes before a packet that says so. */
    @Override
    public int onHeld(final int source, final int most)
    {
        return lanes.pollBefore(source, poller.position(), most);
    }

    @Override
    public void onPacket(
        final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
    {
        if (type == PacketDescriptor.TYPE_DATA)
        {
            if (isRefused(source, length))
            {
                deliverer.refuse();
                return;
            }
            onData(flags & ~FLAG_AFTER_LANE, source, from, offset, length);
        }
        else
        {
            isControlSound = length >= PacketDescriptor.CONTROL_LENGTH;
            controlValue = isControlSound ? from.getInt(offset) : 0;
        }
    }

    /** Whether a data packet is too short, or of a sender that the ledger does not count any more. */
    private boolean isRefused(final int source, final int length)
    {
        return length < WORD_LENGTH || desk.isGone(source);
    }

    private void onData(final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
    {
        final int value = from.getInt(offset + TAG_OFFSET);
        desk.onPiggyback(source, from.getShort(offset + PIGGYBACK_OFFSET) & MAX_PIGGYBACK);
        if (flags == FLAGS_WHOLE)
        {
            deliverer.deliver(source, value, from, offset + WORD_LENGTH, length - WORD_LENGTH);
        }
        else
        {
            missing = messages.onRun(flags, source, value, from, offset, length);
        }
    }

    /** Whether a packet, as it is shown and left where it is, is a whole message. */
    boolean isWhole(final int type, final int flags, final int source, final int length)
    {
        return type == PacketDescriptor.TYPE_DATA && (flags & ~FLAG_AFTER_LANE) == FLAGS_WHOLE && !isRefused(source, length);
    }

    /** Whether it completes a message that is being put together; it is appended if so. */
    boolean isEndOfMessage(
        final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
    {
        return type == PacketDescriptor.TYPE_DATA && !isRefused(source, length) && messages.isEndOfMessage(
            flags & ~FLAG_AFTER_LANE, source, from.getInt(offset + TAG_OFFSET), from, offset + WORD_LENGTH, length - WORD_LENGTH);
    }

    /** Delivers the message that is complete now. */
    void deliverWhole(final int source)
    {
        messages.deliverWhole(source);
    }

    /** The run that completed it is left where it is. */
    void takeBackEnd(final int length)
    {
        messages.takeBackEnd(length - WORD_LENGTH);
    }

    /** A run is taken; its message was delivered before. */
    void onTaken(final int flags, final int source, final UnsafeBuffer from, final int offset)
    {
        desk.onPiggyback(source, from.getShort(offset + PIGGYBACK_OFFSET) & MAX_PIGGYBACK);
        if ((flags & ~FLAG_AFTER_LANE) != FLAGS_WHOLE)
        {
            messages.taken(source);
        }
    }

    @Override
    public void onFreed(final int type, final int source, final int slots)
    {
        grants.onRing(source, membership);
        switch (type)
        {
            case PacketDescriptor.TYPE_DATA:
                desk.onRetrieved(source, slots, missing == 0 ? 0 : MailboxDescriptor.slots(missing + WORD_LENGTH));
                missing = 0;
                break;
            case PacketDescriptor.TYPE_NUDGE:
                desk.onNudge(source, slots);
                break;
            case MailboxDescriptor.TYPE_ABORTED:
                desk.onRetrieved(source, slots, 0);
                break;
            default:
                desk.onControl(type, source, isControlSound, controlValue);
                break;
        }
    }
}
