// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.receive;

import static org.tallypost.endpoint.internal.layout.PacketDescriptor.FLAGS_WHOLE;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.FLAG_AFTER_LANE;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.TAG_OFFSET;
import static org.tallypost.endpoint.internal.layout.PacketDescriptor.WORD_LENGTH;

import java.util.Objects;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.ControlledMessageListener;
import org.tallypost.endpoint.ControlledMessageListener.Action;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.mailbox.LaneHandler;
import org.tallypost.mailbox.MailboxPoller;
import org.tallypost.mailbox.PacketHandler;

/**
 * A poll in which the listener decides about each message. A run is shown where it lies; only if its message is taken does the
 * consumer of the ring, or of the lane, go on behind it, as in any poll. What is no message, such as credits in packets and the
 * first runs of a long message, is not shown. For the polling thread.
 */
final class ControlledPoll implements PacketHandler, MessageListener
{
    /** Most runs of a lane, or of the ring, in its turn. */
    private static final int QUANTUM = 16;

    private final RingPackets ring;
    private final Deliverer deliverer;
    private final MailboxPoller poller;
    private final LaneScheduler lanes;
    /** Most runs of one poll that are no messages: one ring of them. */
    private final int mostOthers;
    private final LaneHandler laneShown = this::onLaneShown;
    private final LaneHandler laneTaken = this::onLaneTaken;
    private final PacketHandler ringTaken = new RingTaken();

    private ControlledMessageListener listener;
    private Action action = Action.CONTINUE;
    /** Whether the run at hand is a message, or ends one, that was shown to its listener. */
    private boolean isShown;
    /** What has ended the poll; null while it goes on. */
    private End end;
    private int left;
    private int others;
    /** Runs that this poll has taken. */
    private int work;
    private int turn;
    private boolean isRingsTurn;

    private enum End
    {
        LIMIT, LISTENER
    }

    /** Of a run of the ring that is taken. */
    private final class RingTaken implements PacketHandler
    {
        @Override
        public void onPacket(
            final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
        {
            if (isShown)
            {
                ring.onTaken(flags, source, from, offset);
            }
            else
            {
                ring.onPacket(type, flags, source, from, offset, length);
            }
        }

        @Override
        public void onFreed(final int type, final int source, final int slots)
        {
            ring.onFreed(type, source, slots);
        }
    }

    ControlledPoll(
        final RingPackets ring,
        final Deliverer deliverer,
        final MailboxPoller poller,
        final LaneScheduler lanes,
        final int mostOthers)
    {
        this.ring = ring;
        this.deliverer = deliverer;
        this.poller = poller;
        this.lanes = lanes;
        this.mostOthers = mostOthers;
    }

    /** The listener of the poll that begins; null when it is over. */
    void listener(final ControlledMessageListener to)
    {
        listener = to;
    }

    /**
     * The lanes and the ring by turns, and the other one first at each poll: a message that is left does not keep the others
     * waiting.
     *
     * @param limit most messages.
     * @return number of runs that were taken.
     */
    int poll(final int limit)
    {
        left = limit;
        others = mostOthers;
        end = limit <= 0 ? End.LIMIT : null;
        isRingsTurn = !isRingsTurn;
        work = 0;
        if (isRingsTurn)
        {
            pollRing();
        }
        int before = -1;
        while (end == null && work > before)
        {
            before = work;
            pollLanes();
            pollRing();
        }
        return work;
    }

    /** Whether the last poll is over because its listener said so. */
    boolean isEndedByListener()
    {
        return end == End.LISTENER;
    }

    private void pollLanes()
    {
        final GrantedLane[] granted = lanes.granted();
        for (int i = 0; i < granted.length && end == null; i++)
        {
            turn = turn + 1 < granted.length ? turn + 1 : 0;
            pollLane(granted[turn], QUANTUM);
        }
    }

    private int pollLane(final GrantedLane lane, final int most)
    {
        final int before = work;
        boolean isThere = true;
        while (isThere && work - before < most && end == null)
        {
            isThere = takeFromLane(lane);
        }
        lanes.onUsed(lane, work - before);
        return work - before;
    }

    /** Whether a run was there: it was taken, or is left and the poll is over. */
    private boolean takeFromLane(final GrantedLane lane)
    {
        giveBackIfDue(lane);
        begin();
        boolean isThere = false;
        try
        {
            isThere = lane.poller.peek(laneShown);
        }
        finally
        {
            // also if an error handler has thrown: what was shown counts as taken
            if ((isThere || isShown) && action != Action.ABORT)
            {
                // a closed slot may have been passed
                giveBackIfDue(lane);
                isThere = lane.poller.poll(laneTaken, 1) > 0;
                end();
            }
            giveBackIfDue(lane);
        }
        return isThere;
    }

    private static void giveBackIfDue(final GrantedLane lane)
    {
        if (lane.poller.isDue())
        {
            lane.giveBack();
        }
    }

    private void pollRing()
    {
        final int before = work;
        boolean isThere = true;
        while (isThere && work - before < QUANTUM && end == null)
        {
            isThere = takeFromRing();
        }
    }

    private boolean takeFromRing()
    {
        begin();
        boolean isThere = false;
        try
        {
            isThere = poller.peek(this, FLAG_AFTER_LANE);
        }
        finally
        {
            if ((isThere || isShown) && action != Action.ABORT)
            {
                isThere = poller.poll(ringTaken, 1) > 0;
                end();
            }
        }
        return isThere;
    }

    private void begin()
    {
        isShown = false;
        action = Action.CONTINUE;
    }

    /** A run was taken. */
    private void end()
    {
        work++;
        left -= isShown ? 1 : 0;
        others -= isShown ? 0 : 1;
        end = action == Action.BREAK ? End.LISTENER : left == 0 || others == 0 ? End.LIMIT : null;
    }

    /** What a sender had sent by its lane comes before the run of the ring. */
    @Override
    public int onHeld(final int source, final int most)
    {
        final GrantedLane lane = lanes.lane(source);
        if (lane == null)
        {
            return 0;
        }
        // a lane holds no more than that: a sender that keeps writing does not keep the ring waiting
        final int held = lanes.heldBefore(poller.position());
        try
        {
            lanes.heldTaken(pollLane(lane, held));
        }
        finally
        {
            begin();
        }
        if (end != null)
        {
            return most;
        }
        // before the ring shows that it was read behind it
        lane.giveBack();
        return lanes.isHeldBy(lane) ? ~0 : 0;
    }

    /** A run of the ring is shown. */
    @Override
    public void onPacket(
        final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
    {
        if (ring.isWhole(type, flags, source, length))
        {
            isShown = true;
            deliverer.deliver(source, from.getInt(offset + TAG_OFFSET), from, offset + WORD_LENGTH, length - WORD_LENGTH);
        }
        else if (ring.isEndOfMessage(type, flags, source, from, offset, length))
        {
            isShown = true;
            ring.deliverWhole(source);
            if (action == Action.ABORT)
            {
                ring.takeBackEnd(length);
            }
        }
    }

    @Override
    public void onFreed(final int type, final int source, final int slots)
    {
        throw new IllegalStateException("a run that was shown is not free");
    }

    private void onLaneShown(
        final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
    {
        if (flags == FLAGS_WHOLE && length >= WORD_LENGTH)
        {
            isShown = true;
            lanes.onPacket(type, flags, source, from, offset, length);
        }
    }

    private void onLaneTaken(
        final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
    {
        if (!isShown)
        {
            deliverer.refuse();
        }
    }

    /** What has no channel. */
    @Override
    public void onMessage(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        action = Objects.requireNonNull(listener.onMessage(source, tag, buffer, offset, length), "action");
        if (action == Action.ABORT)
        {
            end = End.LISTENER;
            deliverer.takeBack(length);
        }
    }
}
