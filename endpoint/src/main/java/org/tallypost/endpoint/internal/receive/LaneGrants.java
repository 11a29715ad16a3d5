// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.receive;

import java.util.Arrays;
import java.util.function.IntPredicate;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.creditprotocol.LanePolicy;
import org.tallypost.endpoint.internal.flight.FlightEvents;
import org.tallypost.endpoint.internal.layout.CounterWords;
import org.tallypost.endpoint.internal.layout.CountersDescriptor;
import org.tallypost.endpoint.internal.layout.LaneWord;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.node.RemoteNodes;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ProcessIdentity;
import org.tallypost.mailbox.process.Registry;

/**
 * Which senders have an express lane of a mailbox, which get one, and which have to give it back: the receiver's half of
 * {@link LaneWord}. For the polling thread.
 *
 * <p>A lane is another place for what a sender has credits for, nothing else: the ledger counts its slots as those of the
 * ring. A sender uses its lane only when nothing of it is unread in the ring, and marks a message in the ring if some of its
 * lane come first (docs/design/lanes.md).
 */
public final class LaneGrants
{
    /** How often one lane is asked for before another is: some ten thousand packets of senders that want one. */
    private static final int MAX_ASKS = 256;

    private final int rank;
    private final UnsafeBuffer buffer;
    private final Registry registry;
    private final CreditDesk desk;
    /** Null if there is one node. */
    private final RemoteNodes remote;
    private final LanePolicy policy;
    private final GrantedLane[] lanes;
    /** Whether senders other than one holder could be kept waiting. */
    private final boolean isShared;
    private final IntPredicate onItsWay = this::isOnItsWay;
    /** Lane of each source, plus one. */
    private final byte[] laneOf;
    private GrantedLane[] granted = {};
    private int grantCount;
    private int inspected;

    public LaneGrants(
        final Mailbox mailbox, final Registry registry, final CreditDesk desk, final RemoteNodes remote, final int mostGiven)
    {
        this.remote = remote;
        this.registry = registry;
        this.desk = desk;
        rank = mailbox.id();
        buffer = mailbox.buffer();
        isShared = mailbox.sources() > 2;
        policy = new LanePolicy(mailbox.lanes());
        lanes = new GrantedLane[mailbox.lanes()];
        Arrays.setAll(lanes, (i) -> new GrantedLane(mailbox, i, desk, mostGiven));
        laneOf = new byte[lanes.length == 0 ? 0 : mailbox.sources()];
    }

    /** Whether a sender has a lane. */
    public boolean isAnyGranted()
    {
        return granted.length > 0;
    }

    /** The lanes that senders have. */
    GrantedLane[] granted()
    {
        return granted;
    }

    /** Whether senders other than one holder could be kept waiting. */
    boolean isShared()
    {
        return isShared;
    }

    /** Packets have come by a lane. */
    void onUsed(final GrantedLane lane, final int packets)
    {
        policy.onLane(lane.index, packets);
    }

    /** Credits of a sender are wanted. With one other rank in the group all of them may be in hand for its lane. */
    void recallFrom(final int sender)
    {
        final GrantedLane lane = lane(sender);
        if (!isShared && lane != null && !lane.isRecalled && lane.poller.inHand() > 0)
        {
            // nothing is booked here, because a booking may be what wants them: a lane without a holder is taken back later
            lane.isRecalled = true;
            lane.isWanted = true;
            buffer.compareAndSetLong(wordOffset(sender), lane.word(LaneWord.HELD), lane.word(LaneWord.RECALLED));
        }
    }

    /** A packet came by the ring: its sender may have earned a lane. */
    public void onRing(final int source, final Membership membership)
    {
        if (lanes.length > 0 && policy.onRing(source) && laneOf[source] == 0 && membership.isJoined(source) &&
            (remote == null || !remote.isRemote(source)))
        {
            final GrantedLane free = freeLane();
            final int worse = free != null ? LanePolicy.NONE : policy.review(onItsWay);
            if (free != null)
            {
                grant(free, source, membership.epoch(source));
            }
            else if (worse != LanePolicy.NONE)
            {
                lanes[worse].asks++;
                recall(lanes[worse]);
            }
        }
    }

    /** Whether there is no sense in asking: what was asked for is waited for, but not if its holder's process stands still. */
    private boolean isOnItsWay(final int lane)
    {
        return lanes[lane].isLost || lanes[lane].asks > MAX_ASKS;
    }

    private GrantedLane freeLane()
    {
        for (final GrantedLane lane : lanes)
        {
            if (lane.isLost && lane.holder.probe() == ProcessIdentity.Liveness.DEAD)
            {
                regain(lane);
            }
            if (!lane.isGranted() && !lane.isLost)
            {
                return lane;
            }
        }
        return null;
    }

    private void grant(final GrantedLane lane, final int source, final int epoch)
    {
        final long owner = buffer.getLongVolatile(
            MailboxDescriptor.sourceLineOffset(source) + PacketDescriptor.PAIR_OWNER_OFFSET);
        if (!registry.isLive((int)owner, (int)(owner >>> 32)))
        {
            return;
        }
        noteReturn(buffer.getLongVolatile(wordOffset(source)));
        lane.holder = registry.identity((int)owner);
        lane.grant = LaneWord.of(++grantCount, epoch, LaneWord.GRANTED, lane.index);
        lane.isRecalled = false;
        lane.isWanted = false;
        lane.asks = 0;
        laneOf[source] = (byte)(lane.index + 1);
        lane.poller.grant(source);
        policy.onGranted(lane.index);
        listGranted();
        FlightEvents.lane(rank, source, lane.index, "granted");
        // SYNC POINT lane-granted
        buffer.putLongVolatile(wordOffset(source), lane.grant);
    }

    private void listGranted()
    {
        int count = 0;
        final GrantedLane[] found = new GrantedLane[lanes.length];
        for (final GrantedLane lane : lanes)
        {
            if (lane.isGranted())
            {
                found[count++] = lane;
            }
        }
        granted = Arrays.copyOf(found, count);
    }

    private static int wordOffset(final int source)
    {
        return MailboxDescriptor.sourceLineOffset(source) + LaneWord.OFFSET;
    }

    private void recall(final GrantedLane lane)
    {
        final int offset = wordOffset(lane.poller.source());
        lane.isRecalled = true;
        FlightEvents.lane(rank, lane.poller.source(), lane.index, "recalled");
        // read first, as in Group.leave
        if (buffer.getLongVolatile(offset) == lane.grant && buffer.compareAndSetLong(offset, lane.grant, LaneWord.NONE))
        {
            free(lane);
        }
        else
        {
            buffer.compareAndSetLong(offset, lane.word(LaneWord.HELD), lane.word(LaneWord.RECALLED));
        }
    }

    /** The lane of a source is to come back, if it has one: something in it is damaged. Between two bookings. */
    void takeBack(final int source)
    {
        final GrantedLane lane = lane(source);
        if (lane != null && !lane.isRecalled)
        {
            recall(lane);
        }
    }

    /** Asks for all lanes back. */
    public void recallAll()
    {
        for (final GrantedLane lane : granted)
        {
            if (!lane.isRecalled)
            {
                recall(lane);
            }
        }
    }

    /** Now and then: claims that are open, of senders that are gone, are passed. What lies behind them is delivered. */
    void passClaims(final Membership membership)
    {
        for (final GrantedLane lane : granted)
        {
            if (lane.poller.isClaimOpen() && !membership.isSourceAlive(lane.poller.source()) && lane.poller.passClaim())
            {
                lane.giveBack();
            }
        }
    }

    /** Now and then: was a lane given back? Are the words what they have to be? */
    public void tend()
    {
        for (final GrantedLane lane : granted)
        {
            final int offset = wordOffset(lane.poller.source());
            // SYNC POINT lane-returned
            final long word = buffer.getLongVolatile(offset);
            if (word == lane.word(LaneWord.RETURNED))
            {
                if (lane.poller.isVacant())
                {
                    final int source = lane.poller.source();
                    buffer.putLongVolatile(offset, LaneWord.NONE);
                    free(lane);
                    final int unused = lane.unused();
                    if (unused > 0 || lane.isWanted)
                    {
                        desk.onLaneReturned(source, unused, lane.isWanted);
                    }
                }
            }
            else if (word != lane.grant && word != lane.word(LaneWord.HELD) && word != lane.word(LaneWord.RECALLED))
            {
                // damaged: the sender stops when it finds this, or has stopped and says so again
                lane.isRecalled = true;
                buffer.compareAndSetLong(offset, word, lane.word(LaneWord.RECALLED));
            }
            else if (lane.isRecalled && LaneWord.state(word) != LaneWord.RECALLED)
            {
                recall(lane);
            }
        }
    }

    /** A lane that was lost may be granted again: no thread writes there any more. */
    private static void regain(final GrantedLane lane)
    {
        lane.isLost = false;
        lane.poller.free();
    }

    /** If a word says that a holder which was declared gone has stopped, as it does when it wakes up. */
    private void noteReturn(final long word)
    {
        for (final GrantedLane lane : lanes)
        {
            if (lane.isLost && word == lane.word(LaneWord.RETURNED))
            {
                regain(lane);
            }
        }
    }

    /**
     * Looks at the word of the next source. Without a lane it has to be NONE: a damaged one could let two senders write in the
     * same lane for good.
     */
    private void inspect()
    {
        inspected = inspected + 1 < laneOf.length ? inspected + 1 : 0;
        final int offset = wordOffset(inspected);
        if (laneOf[inspected] == 0)
        {
            final long word = buffer.getLongVolatile(offset);
            if (LaneWord.state(word) == LaneWord.RETURNED)
            {
                noteReturn(word);
                buffer.compareAndSetLong(offset, word, LaneWord.NONE);
            }
            else if (LaneWord.state(word) == LaneWord.GRANTED || LaneWord.state(word) == LaneWord.HELD)
            {
                buffer.compareAndSetLong(offset, word, LaneWord.with(word, LaneWord.RECALLED));
            }
        }
    }

    private void free(final GrantedLane lane)
    {
        lane.isRecalled = true;
        FlightEvents.lane(rank, lane.poller.source(), lane.index, "returned");
        lane.giveBack();
        laneOf[lane.poller.source()] = 0;
        lane.poller.free();
        listGranted();
    }

    /**
     * Puts published positions right if something else wrote them: the holder would take the lane for full for ever, and the
     * former holder for unread.
     */
    void repair()
    {
        if (lanes.length > 0)
        {
            inspect();
            for (final GrantedLane lane : lanes)
            {
                lane.poller.repairReadPosition();
            }
        }
    }

    /** Whether all that a source sent by its lane is read and booked, and no claim is open there. */
    boolean isDrained(final int source)
    {
        final GrantedLane lane = lane(source);
        return lane == null || lane.poller.isSettled() && lane.poller.isVacant();
    }

    /** A source is gone and all it sent is read: its lane is free, unless it may still be alive and write there. */
    void release(final int source)
    {
        final GrantedLane lane = lane(source);
        if (lane == null)
        {
            return;
        }
        final int offset = wordOffset(source);
        final long word = buffer.getLongVolatile(offset);
        lane.isLost = word != lane.word(LaneWord.RETURNED) &&
            !buffer.compareAndSetLong(offset, lane.grant, LaneWord.NONE) &&
            lane.holder.probe() != ProcessIdentity.Liveness.DEAD;
        buffer.putLongVolatile(offset, LaneWord.NONE);
        free(lane);
    }

    /** The lane of a source, or null. */
    GrantedLane lane(final int source)
    {
        final int number = laneOf.length == 0 ? 0 : laneOf[source];
        return number == 0 ? null : lanes[number - 1];
    }

    /** What a source has in hand if nothing of it is unread; read it before asking that. */
    public int inHand(final int source)
    {
        final GrantedLane lane = lane(source);
        return lane == null ? 0 : lane.poller.inHand();
    }

    /** Headers refused. */
    long corruptCount()
    {
        long count = 0;
        for (final GrantedLane lane : lanes)
        {
            count += lane.poller.corruptCount();
        }
        return count;
    }

    /** What the consumers of lanes do now, for the counters. */
    void publish(final CounterWords counters)
    {
        int owning = 0;
        int trailing = 0;
        for (final GrantedLane lane : granted)
        {
            owning += lane.poller.isOwning() ? 1 : 0;
            trailing += lane.poller.isTrailing() ? 1 : 0;
        }
        counters.set(CountersDescriptor.LANES_OFFSET, granted.length);
        counters.set(CountersDescriptor.OWNING_LANES_OFFSET, owning);
        counters.set(CountersDescriptor.TRAILING_LANES_OFFSET, trailing);
    }
}
