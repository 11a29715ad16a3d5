// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.receive;

import static org.tallypost.endpoint.internal.layout.PacketDescriptor.MAX_PIGGYBACK;

import java.util.function.IntConsumer;
import org.tallypost.creditprotocol.Ledger;
import org.tallypost.creditprotocol.LedgerActions;
import org.tallypost.endpoint.CreditReturn;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.internal.credit.CreditWords;
import org.tallypost.endpoint.internal.credit.Ledgers;
import org.tallypost.endpoint.internal.credit.Members;
import org.tallypost.endpoint.internal.flight.FlightEvents;
import org.tallypost.endpoint.internal.layout.CounterWords;
import org.tallypost.endpoint.internal.layout.CountersDescriptor;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.node.NodeRuntime;
import org.tallypost.endpoint.internal.send.ControlSender;
import org.tallypost.endpoint.internal.wake.Wakeups;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.lane.LanePoller;

/**
 * Where a receiver books the slots that were freed, and gives credits for them: by the word of a pair, by its lane, or in
 * packets. For the polling thread.
 *
 * <p>Freed slots of the ring ({@link #onRetrieved}) are paid for at once, by the word or by a packet. Those of a lane
 * ({@link #onLaneFreed}) are paid for by the lane as far as its holder may have it; the caller publishes that
 * ({@link #takeByLane}). What goes beyond goes by the word.
 */
public final class CreditDesk implements LedgerActions
{
    /** Null without flow control. */
    private final Ledger ledger;
    private final CreditWords words;
    /** Null if credits do not travel in packets. */
    private final PacketReturn packets;
    private final int rank;
    private Members membership;
    private IntConsumer laneRecall;
    /** Of one call of {@link #onLaneFreed}: the holder of the lane, and how many credits may still go by it. */
    private int holder = LanePoller.NOBODY;
    private int mayTake;
    /** Credits of that call that go by the lane, until they are taken. */
    private int byLane;
    private long refused;
    private long responses;
    /** Credits stolen, as far as the flight recorder was told. */
    private long stolen;

    public CreditDesk(final NodeRuntime node, final Wakeups wakeups, final Mailbox mailbox, final ControlSender control)
    {
        final NodeContext context = node.context();
        rank = mailbox.id() - node.mailboxes().firstId();
        words = new CreditWords(node, wakeups, mailbox);
        ledger = Ledgers.create(context, this);
        packets = ledger == null || context.creditReturn() == CreditReturn.DIRECT ? null : new PacketReturn(context, control);
    }

    /**
     * Before anything is booked. Not in the constructor: lanes and members are made with this desk and its ledger, since a lane
     * books what it has freed, and a booking may call a lane back or ask whether a sender is let in.
     *
     * @param senders    which senders are let in.
     * @param recallLane recalls the lane of a sender, so that credits in hand come back.
     */
    void begin(final Members senders, final IntConsumer recallLane)
    {
        membership = senders;
        laneRecall = recallLane;
    }

    /** The account of all senders, null without flow control. */
    Ledger ledger()
    {
        return ledger;
    }

    /** Whether credits go by the words of the mailbox, and lanes: not in packets. */
    boolean isDirect()
    {
        return ledger != null && packets == null;
    }

    /** Whether a sender counts for the ledger as gone. */
    boolean isGone(final int source)
    {
        return ledger != null && ledger.isGone(source);
    }

    /** Credits have come with a data packet of the ring, if they do. */
    void onPiggyback(final int source, final int credits)
    {
        if (packets != null && credits > 0 && !packets.onCredits(source, credits))
        {
            refused++;
        }
    }

    /**
     * Slots of the ring are free that a data packet or an aborted run had filled.
     *
     * @param announced slots that the sender says are still to come of the same message.
     */
    void onRetrieved(final int source, final int slots, final int announced)
    {
        if (ledger != null && !ledger.onRetrieved(source, slots, announced))
        {
            refused++;
        }
    }

    /** A nudge is freed: its sender was refused for want of credits. */
    void onNudge(final int source, final int slots)
    {
        if (ledger != null && !ledger.onNudgeRetrieved(source, slots))
        {
            refused++;
        }
    }

    /**
     * The slot of a control packet is free, or of one of an unknown type.
     *
     * @param isWhole whether there is a value.
     */
    void onControl(final int type, final int source, final boolean isWhole, final int value)
    {
        if (ledger != null)
        {
            responses += type == PacketDescriptor.TYPE_RESPONSE ? 1 : 0;
            refused += isWhole && isSound(type, source, value) ? 0 : 1;
        }
    }

    private boolean isSound(final int type, final int source, final int value)
    {
        switch (type)
        {
            case PacketDescriptor.TYPE_CREDIT:
                return packets != null && value > 0 && packets.onCredits(source, value);
            case PacketDescriptor.TYPE_REQUEST:
                return packets != null && onRequest(source);
            case PacketDescriptor.TYPE_RESPONSE:
                return (packets != null || words.isRemote(source)) && ledger.onResponseRetrieved(source, value);
            default:
                return false;
        }
    }

    private boolean onRequest(final int source)
    {
        final boolean isAccepted = ledger.onRequestRetrieved(source);
        if (isAccepted)
        {
            packets.onRequest(source);
        }
        return isAccepted;
    }

    /**
     * Slots of a lane were freed. What goes back for them goes by the lane as far as it may, below the threshold as well
     * ({@link Ledger#piggyback}). The caller takes and publishes that, also if an Error has ended this: {@link #takeByLane}.
     *
     * @param source that has the lane.
     * @param slots  freed.
     * @param most   credits that may go by the lane.
     */
    void onLaneFreed(final int source, final int slots, final int most)
    {
        byLane = 0;
        if (ledger == null)
        {
            return;
        }
        holder = source;
        mayTake = most;
        try
        {
            refused += ledger.onRetrieved(source, slots) ? 0 : 1;
            giveByLane(ledger.piggyback(source, mayTake));
            if (packets == null && membership.isJoined(source))
            {
                // what the lane may take is not all that its holder may have
                ledger.grow(source);
            }
        }
        finally
        {
            holder = LanePoller.NOBODY;
        }
    }

    /** Takes the credits that go by the lane for the slots that were booked last. */
    int takeByLane()
    {
        final int credits = byLane;
        byLane = 0;
        return credits;
    }

    private void giveByLane(final int credits)
    {
        byLane += credits;
        mayTake -= credits;
    }

    /** A lane is free again: as {@link CreditWords#onLaneReturned}. */
    void onLaneReturned(final int source, final int unused, final boolean isWanted)
    {
        refused += ledger == null || words.onLaneReturned(source, unused, isWanted, ledger, membership) ? 0 : 1;
    }

    /** Credits that a data packet to a sender takes along. */
    int piggyback(final int dest, final int epoch)
    {
        return ledger == null || countedEpoch(dest) != epoch ? 0 : ledger.piggyback(dest, MAX_PIGGYBACK);
    }

    /** Incarnation of a sender that the ledger counts, 0 while there is none. */
    int countedEpoch(final int source)
    {
        return membership.isJoined(source) ? membership.epoch(source) : 0;
    }

    /** A sender is gone: no packet goes to it any more. */
    void forget(final int source)
    {
        if (packets != null)
        {
            packets.forget(source);
        }
    }

    /** Whether a packet of credits waits for its way into a sender's mailbox. */
    boolean isOwing()
    {
        return packets != null && packets.isOwing();
    }

    /** Now and then: sends what was owed, as far as that goes. */
    void payOwed()
    {
        if (isOwing())
        {
            packets.payOwed();
        }
    }

    @Override
    public void grant(final int sender, final int credits)
    {
        if (packets != null)
        {
            packets.grant(sender, credits);
            return;
        }
        final int some = sender == holder ? Math.min(credits, mayTake) : 0;
        giveByLane(some);
        if (some < credits)
        {
            words.grant(sender, credits - some);
        }
    }

    @Override
    public int revoke(final int victim, final int keep)
    {
        if (packets != null)
        {
            return packets.revoke(victim);
        }
        laneRecall.accept(victim);
        final int revoked = words.revoke(victim, keep, ledger.currentCredits(victim), membership);
        FlightEvents.revocation(rank, victim, revoked);
        return revoked;
    }

    /** What could not be booked as it was said. */
    long refusedCount()
    {
        return refused;
    }

    void publish(final CounterWords counters)
    {
        counters.set(CountersDescriptor.RESPONSES_OFFSET, responses);
        if (ledger != null)
        {
            counters.set(CountersDescriptor.CREDIT_PACKETS_OFFSET, ledger.creditPackets());
            counters.set(CountersDescriptor.CREDITS_STOLEN_OFFSET, ledger.creditsStolen());
            if (ledger.creditsStolen() != stolen)
            {
                FlightEvents.steal(rank, ledger.creditsStolen() - stolen);
                stolen = ledger.creditsStolen();
            }
            counters.set(CountersDescriptor.REQUESTS_OFFSET, ledger.requests());
            counters.set(CountersDescriptor.REVOKED_OFFSET, ledger.revoked());
        }
    }
}
