// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.receive;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.internal.layout.LaneWord;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.lane.LanePoller;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ProcessIdentity;

/**
 * One express lane, as its receiver sees it: its consumer, its holder, and the credits that go back by it. For the polling
 * thread; {@link LaneGrants} changes its state.
 */
final class GrantedLane
{
    final int index;
    final LanePoller poller;
    /** Word of the pair when the lane was granted last. */
    long grant;
    /** Process of the holder. */
    ProcessIdentity holder;
    /** Whether it is to come back. */
    boolean isRecalled;
    /** Recalled for the sake of what is in hand. */
    boolean isWanted;
    /** How often other senders have asked for it. */
    int asks;
    /** A holder that was declared gone without proof may still write there. */
    boolean isLost;

    private final UnsafeBuffer buffer;
    private final CreditDesk desk;
    /** Credits that a holder may have by its lane, unread or in hand: what no other sender gets while it does not use them. */
    private final int mostGiven;

    GrantedLane(final Mailbox mailbox, final int index, final CreditDesk desk, final int mostGiven)
    {
        this.index = index;
        this.desk = desk;
        this.mostGiven = Math.min(mostGiven, mailbox.laneSlots());
        buffer = mailbox.buffer();
        poller = new LanePoller(mailbox, index);
    }

    /** Whether a sender has it. */
    boolean isGranted()
    {
        return poller.source() != LanePoller.NOBODY;
    }

    /** What was freed goes into the books, and what goes back by the lane is published together with what was read. */
    void giveBack()
    {
        final int most = poller.isSettled() ? 0 : mayTake();
        final int freed = poller.takeFreed();
        try
        {
            if (freed > 0)
            {
                desk.onLaneFreed(poller.source(), freed, most);
            }
        }
        finally
        {
            // also what was booked before an Error has ended it
            poller.publish(desk.takeByLane());
        }
    }

    /**
     * How many credits the holder can be given by its lane now: none if it is to give the lane back, or sleeps until credits
     * come, which only those in its word end.
     */
    private int mayTake()
    {
        if (isRecalled || buffer.getLongVolatile(
            MailboxDescriptor.sourceLineOffset(poller.source()) + PacketDescriptor.AWAITED_OFFSET) != 0)
        {
            return 0;
        }
        // a damaged position is no reason to give more, or less than nothing
        return (int)Math.max(0, mostGiven - Math.max(0, poller.outstanding()));
    }

    /** What was given after its last holder's last look; behind its end. */
    int unused()
    {
        return Math.min(mostGiven, poller.inHand());
    }

    /** The word that its holder has in a state of {@link LaneWord}. */
    long word(final int state)
    {
        return LaneWord.with(grant, state);
    }
}
