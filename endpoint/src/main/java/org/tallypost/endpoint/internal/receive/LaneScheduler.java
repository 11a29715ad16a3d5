// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.receive;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.mailbox.LaneHandler;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.lane.LanePoller;
import org.tallypost.mailbox.layout.LaneDescriptor;

/**
 * In which order the lanes of a mailbox are polled, and how much of each at once: a sender with few messages does not wait long
 * for those with many. What was freed goes back whenever a lane says that it is due. For the polling thread.
 */
public final class LaneScheduler implements LaneHandler
{
    /** Most packets of a lane in its turn, between two looks at the ring: what other busy senders have to wait for. */
    private static final int QUANTUM = 16;
    /** The same while another sender sends now and then: it should not have to wait long when it does. */
    private static final int SHORT_QUANTUM = 3;

    private final Mailbox mailbox;
    private final LaneGrants grants;
    private final Deliverer deliverer;
    /** Lane by which something came last; null as long as nothing did. */
    private GrantedLane heard;
    private int turn;
    /**
     * Position of the packet of the ring that was asked for last, how much of its sender's lane may still come before it, and
     * that lane if a claim that is open there comes before it.
     */
    private long heldPosition = -1;
    private int heldLeft;
    private GrantedLane heldBy;
    private boolean isMoreLikely;

    LaneScheduler(final Mailbox mailbox, final LaneGrants grants, final Deliverer deliverer)
    {
        this.mailbox = mailbox;
        this.grants = grants;
        this.deliverer = deliverer;
    }

    /**
     * Delivers from all lanes, each in its turn.
     *
     * @param limit most packets.
     * @return number of packets.
     */
    int poll(final int limit)
    {
        final GrantedLane[] granted = grants.granted();
        final int quantum = isAnyoneQuiet(granted) ? SHORT_QUANTUM : QUANTUM;
        final int most = limit >= quantum * granted.length ? quantum : (limit + granted.length - 1) / granted.length;
        int work = 0;
        isMoreLikely = false;
        for (int i = 0; i < granted.length && work < limit; i++)
        {
            // behind the one that had its turn last
            turn = turn + 1 < granted.length ? turn + 1 : 0;
            final GrantedLane lane = granted[turn];
            final int allowed = Math.min(most, limit - work);
            final int count = goOn(lane, lane.poller.pollBehind(this, allowed), allowed);
            isMoreLikely |= count >= allowed;
            if (count > 0)
            {
                grants.onUsed(lane, count);
                heard = lane;
            }
            work += count;
        }
        return work;
    }

    /** Gives back what a poll has freed, and goes on with it if it has stopped for that; number of packets of the whole poll. */
    private int goOn(final GrantedLane lane, final int polled, final int limit)
    {
        int count = polled;
        while (lane.poller.isDue())
        {
            lane.giveBack();
            count += lane.poller.goOn(this, limit - count);
        }
        return count;
    }

    /** The lanes that senders have. */
    GrantedLane[] granted()
    {
        return grants.granted();
    }

    /** The lane of a sender; null if it has none. */
    GrantedLane lane(final int source)
    {
        return grants.lane(source);
    }

    /** Whether a lane used up its last turn. */
    boolean isMoreLikely()
    {
        return isMoreLikely;
    }

    /** Whether a sender sends now and then: beside a lone lane it may be any other sender, by the ring. */
    private boolean isAnyoneQuiet(final GrantedLane[] granted)
    {
        if (granted.length == 1)
        {
            return grants.isShared();
        }
        boolean isQuiet = false;
        for (final GrantedLane lane : granted)
        {
            isQuiet |= lane.poller.isQuiet();
        }
        return isQuiet;
    }

    /**
     * A packet of the ring comes after what its sender had sent by its lane. An honest sender puts nothing more into the lane as
     * long as that packet is unread, so what is found there comes first.
     *
     * @param source   of the packet.
     * @param position of the packet in the ring.
     * @param most     packets to deliver, 1 or more.
     * @return packets delivered; less than that if the one in the ring is next; their complement if it has to wait for a claim.
     */
    int pollBefore(final int source, final long position, final int most)
    {
        final GrantedLane lane = grants.lane(source);
        if (lane == null)
        {
            return 0;
        }
        heldBefore(position);
        int work = 0;
        int some;
        do
        {
            final int allowed = Math.min(most - work, heldLeft);
            some = goOn(lane, lane.poller.poll(this, allowed), allowed);
            grants.onUsed(lane, some);
            heldLeft -= some;
            work += some;
        }
        while (some > 0 && work < most && heldLeft > 0);
        if (work < most)
        {
            // before the ring shows that it was read behind it
            lane.giveBack();
            return isHeldBy(lane) ? ~work : work;
        }
        return work;
    }

    /** Whether the packet that was asked for last waits for a claim that its sender has left open in its lane. */
    boolean isHeldBy(final GrantedLane lane)
    {
        // nothing was found there, so what is there now was claimed before, and may be settled by now
        final boolean isHeld = heldLeft > 0 && !lane.poller.isVacant();
        heldBy = isHeld ? lane : null;
        return isHeld;
    }

    /** Whether the packet of the ring at a position is still held by a claim. */
    boolean isHeld(final long position)
    {
        return heldBy != null && heldPosition == position && heldBy.poller.isClaimOpen();
    }

    /** How many packets of a lane may still come before the one of the ring at a position. */
    int heldBefore(final long position)
    {
        if (heldPosition != position)
        {
            // a lane holds no more than that: a sender that keeps writing does not keep the ring waiting
            heldPosition = position;
            heldLeft = mailbox.laneSlots() * LaneDescriptor.SHORT_RUNS;
        }
        return heldLeft;
    }

    /** So many of them came. */
    void heldTaken(final int count)
    {
        heldLeft -= count;
    }

    /** Packets of a lane were taken. */
    void onUsed(final GrantedLane lane, final int count)
    {
        if (count > 0)
        {
            grants.onUsed(lane, count);
            heard = lane;
        }
    }

    @Override
    public void onPacket(
        final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
    {
        // a whole message, of a sender that the ledger counts
        if (flags == PacketDescriptor.FLAGS_WHOLE && length >= PacketDescriptor.WORD_LENGTH)
        {
            deliverer.deliver(source, from.getInt(offset + PacketDescriptor.TAG_OFFSET), from,
                offset + PacketDescriptor.WORD_LENGTH, length - PacketDescriptor.WORD_LENGTH);
        }
        else
        {
            deliverer.refuse();
        }
    }

    @Override
    public void onArrival(
        final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
    {
        if (flags == PacketDescriptor.FLAGS_WHOLE && length >= PacketDescriptor.WORD_LENGTH)
        {
            // as late as can be: the sender takes the line back as soon as it looks at it
            deliverer.askForAnswer(source);
        }
        onPacket(type, flags, source, from, offset, length);
    }

    /** Whether something is there to be delivered, now or in a moment. */
    boolean isReady()
    {
        for (final GrantedLane lane : grants.granted())
        {
            if (lane.poller.isUnread())
            {
                return true;
            }
        }
        return false;
    }

    /** Whether the next poll delivers something: not what is left where it is for a moment. */
    boolean isDelivering()
    {
        for (final GrantedLane lane : grants.granted())
        {
            if (lane.poller.isReady())
            {
                return true;
            }
        }
        return false;
    }

    /** The sender that has the lane by which something came last, or {@link LanePoller#NOBODY}. */
    public int lastHeard()
    {
        return heard == null || !grants.isAnyGranted() ? LanePoller.NOBODY : heard.poller.source();
    }

    /** The sender of a short message that one of the next polls delivers first, or {@link LanePoller#NOBODY}. */
    int shortSource()
    {
        for (final GrantedLane lane : grants.granted())
        {
            if (lane.poller.isShortUnread())
            {
                return lane.poller.source();
            }
        }
        return LanePoller.NOBODY;
    }
}
