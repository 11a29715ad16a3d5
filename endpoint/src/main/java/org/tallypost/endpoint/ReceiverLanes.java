// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import java.util.Arrays;
import java.util.function.IntPredicate;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.creditprotocol.LanePolicy;
import org.tallypost.mailbox.LaneDescriptor;
import org.tallypost.mailbox.LaneHandler;
import org.tallypost.mailbox.LanePoller;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.MailboxDescriptor;
import org.tallypost.mailbox.ProcessIdentity;
import org.tallypost.mailbox.Registry;

/**
 * The express lanes of a mailbox, as its receiver sees them: who has one, what came by them, and who loses his. For the
 * polling thread.
 *
 * <p>A lane is another place for what a sender has credits for, nothing else: the ledger counts its slots as those of the
 * ring. A sender uses its lane only when nothing of it is unread in the ring, and marks a message in the ring if some of its
 * lane come first (docs/design/lanes.md).
 */
final class ReceiverLanes implements LaneHandler
{
    /** Most packets of a lane in its turn, between two looks at the ring: what others who are as busy have to wait for. */
    private static final int QUANTUM = 16;
    /** The same while somebody else sends now and then: he should not have to wait long when he does. */
    private static final int SHORT_QUANTUM = 3;
    /** How often one lane is asked for before another is: some ten thousand packets of those who want one. */
    private static final int MAX_ASKS = 256;

    private final Mailbox mailbox;
    private final UnsafeBuffer buffer;
    private final Registry registry;
    private final Inbox inbox;
    private final CreditDesk desk;
    /** Null if there is one node. */
    private final RemoteNodes remote;
    private final LanePolicy policy;
    private final LanePoller[] lanes;
    private final long[] grants;
    private final ProcessIdentity[] holders;
    private final boolean[] recalled;
    /** Recalled for the sake of what is in hand. */
    private final boolean[] wanted;
    private final int[] asks;
    /** A holder that was declared gone without proof may still write there. */
    private final boolean[] lost;
    /** Whether there is somebody else who could be kept waiting. */
    private final boolean isShared;
    /** Credits that a holder may have by its lane, unread or in hand: what no other sender gets while it does not use them. */
    private final int mostGiven;
    private final IntPredicate onItsWay = this::isOnItsWay;
    /** Lane of each source, plus one. */
    private final byte[] laneOf;
    private int[] active = {};
    /** Lane by which something came last. */
    private int heard;
    private int turn;
    /** Position of the packet of the ring that was asked for last, and how much of its sender's lane may still come before it. */
    private long heldPosition = -1;
    private int heldLeft;
    private boolean isMoreLikely;
    private int grantCount;
    private int inspected;

    ReceiverLanes(
        final Mailbox mailbox,
        final Registry registry,
        final Inbox inbox,
        final CreditDesk desk,
        final RemoteNodes remote,
        final int mostGiven)
    {
        this.mostGiven = Math.min(mostGiven, mailbox.laneSlots());
        this.remote = remote;
        this.mailbox = mailbox;
        this.registry = registry;
        this.inbox = inbox;
        this.desk = desk;
        buffer = mailbox.buffer();
        isShared = mailbox.sources() > 2;
        policy = new LanePolicy(mailbox.lanes());
        lanes = new LanePoller[mailbox.lanes()];
        Arrays.setAll(lanes, (i) -> new LanePoller(mailbox, i));
        grants = new long[lanes.length];
        holders = new ProcessIdentity[lanes.length];
        recalled = new boolean[lanes.length];
        wanted = new boolean[lanes.length];
        asks = new int[lanes.length];
        lost = new boolean[lanes.length];
        laneOf = new byte[lanes.length == 0 ? 0 : mailbox.sources()];
    }

    /** Whether somebody has a lane. */
    boolean isAnyGranted()
    {
        return active.length > 0;
    }

    /**
     * Delivers from all lanes, each in its turn.
     *
     * @param limit most packets.
     * @return number of packets.
     */
    int poll(final int limit)
    {
        final int[] granted = active;
        final int quantum = isAnyoneQuiet(granted) ? SHORT_QUANTUM : QUANTUM;
        final int most = limit >= quantum * granted.length ? quantum : (limit + granted.length - 1) / granted.length;
        int work = 0;
        isMoreLikely = false;
        for (int i = 0; i < granted.length && work < limit; i++)
        {
            // behind the one that had its turn last
            turn = turn + 1 < granted.length ? turn + 1 : 0;
            final int lane = granted[turn];
            final int allowed = Math.min(most, limit - work);
            final int count = goOn(lane, lanes[lane].pollBehind(this, allowed), allowed);
            isMoreLikely |= count >= allowed;
            if (count > 0)
            {
                policy.onLane(lane, count);
                heard = lane;
            }
            work += count;
        }
        return work;
    }

    /** Gives back what a poll has freed, and goes on with it if it has stopped for that; number of packets of the whole poll. */
    private int goOn(final int lane, final int polled, final int limit)
    {
        int count = polled;
        while (lanes[lane].isDue())
        {
            giveBack(lane);
            count += lanes[lane].goOn(this, limit - count);
        }
        return count;
    }

    /** What a lane has freed goes into the books, and what goes back by it is published together with what was read. */
    private void giveBack(final int lane)
    {
        final int most = lanes[lane].isSettled() ? 0 : mayTake(lane);
        final int freed = lanes[lane].takeFreed();
        try
        {
            if (freed > 0)
            {
                desk.onLaneFreed(lanes[lane].source(), freed, most);
            }
        }
        finally
        {
            // also what was booked before an Error has ended it
            lanes[lane].publish(desk.takeByLane());
        }
    }

    /** Whether a lane used up its last turn. */
    boolean isMoreLikely()
    {
        return isMoreLikely;
    }

    /** Whether there is somebody who sends now and then: beside a lone lane it may be any other sender, by the ring. */
    private boolean isAnyoneQuiet(final int[] granted)
    {
        if (granted.length == 1)
        {
            return isShared;
        }
        boolean isQuiet = false;
        for (final int lane : granted)
        {
            isQuiet |= lanes[lane].isQuiet();
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
     * @return packets delivered; less than that if the one in the ring is next.
     */
    int pollBefore(final int source, final long position, final int most)
    {
        final int lane = lane(source);
        if (lane < 0)
        {
            return 0;
        }
        if (heldPosition != position)
        {
            // a lane holds no more than that: a sender that keeps writing does not keep the ring waiting
            heldPosition = position;
            heldLeft = mailbox.laneSlots() * LaneDescriptor.SHORT_RUNS;
        }
        int work = 0;
        int some;
        do
        {
            final int allowed = Math.min(most - work, heldLeft);
            some = goOn(lane, lanes[lane].poll(this, allowed), allowed);
            policy.onLane(lane, some);
            heldLeft -= some;
            work += some;
        }
        while (some > 0 && work < most && heldLeft > 0);
        if (work < most)
        {
            // before the ring shows that it was read behind it
            giveBack(lane);
        }
        return work;
    }

    @Override
    public void onPacket(
        final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
    {
        // a whole message, of a sender whom the ledger counts
        if (flags == PacketDescriptor.FLAGS_WHOLE && length >= PacketDescriptor.WORD_LENGTH)
        {
            inbox.deliver(source, from.getInt(offset + PacketDescriptor.TAG_OFFSET), from,
                offset + PacketDescriptor.WORD_LENGTH, length - PacketDescriptor.WORD_LENGTH);
        }
        else
        {
            inbox.refuse();
        }
    }

    @Override
    public void onArrival(
        final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
    {
        if (flags == PacketDescriptor.FLAGS_WHOLE && length >= PacketDescriptor.WORD_LENGTH)
        {
            // as late as can be: the sender takes the line back as soon as it looks at it
            inbox.askForAnswer(source);
        }
        onPacket(type, flags, source, from, offset, length);
    }

    /**
     * How many credits the holder of a lane can be given by it now: none if it is to give the lane back, or sleeps until credits
     * come, which only those in its word end.
     */
    private int mayTake(final int lane)
    {
        if (recalled[lane] || buffer.getLongVolatile(
            MailboxDescriptor.sourceLineOffset(lanes[lane].source()) + PacketDescriptor.AWAITED_OFFSET) != 0)
        {
            return 0;
        }
        // a damaged position is no reason to give more, or less than nothing
        return (int)Math.max(0, mostGiven - Math.max(0, lanes[lane].outstanding()));
    }

    /** Credits are wanted of a sender. Where only one sends from elsewhere all of them may be in hand for its lane. */
    void recallFrom(final int sender)
    {
        final int lane = lane(sender);
        if (!isShared && lane >= 0 && !recalled[lane] && lanes[lane].inHand() > 0)
        {
            // nothing is booked here, where a booking may be what wants them: a lane that nobody holds is taken back later
            recalled[lane] = true;
            wanted[lane] = true;
            buffer.compareAndSetLong(
                wordOffset(sender), LaneWord.with(grants[lane], LaneWord.HELD), LaneWord.with(grants[lane], LaneWord.RECALLED));
        }
    }

    /** A packet came by the ring: its sender may have earned a lane. */
    void onRing(final int source, final Membership membership)
    {
        if (lanes.length > 0 && policy.onRing(source) && laneOf[source] == 0 && membership.isJoined(source) &&
            (remote == null || !remote.isRemote(source)))
        {
            final int free = freeLane();
            final int worse = free >= 0 ? LanePolicy.NONE : policy.review(onItsWay);
            if (free >= 0)
            {
                grant(free, source, membership.epoch(source));
            }
            else if (worse != LanePolicy.NONE)
            {
                asks[worse]++;
                recall(worse);
            }
        }
    }

    /** Whether there is no sense in asking: what was asked for is waited for, but not if its holder's process stands still. */
    private boolean isOnItsWay(final int lane)
    {
        return lost[lane] || asks[lane] > MAX_ASKS;
    }

    private int freeLane()
    {
        for (int lane = 0; lane < lanes.length; lane++)
        {
            if (lost[lane] && holders[lane].probe() == ProcessIdentity.Liveness.DEAD)
            {
                regain(lane);
            }
            if (lanes[lane].source() == LanePoller.NOBODY && !lost[lane])
            {
                return lane;
            }
        }
        return -1;
    }

    private void grant(final int lane, final int source, final int epoch)
    {
        final long owner = buffer.getLongVolatile(
            MailboxDescriptor.sourceLineOffset(source) + PacketDescriptor.PAIR_OWNER_OFFSET);
        if (!registry.isLive((int)owner, (int)(owner >>> 32)))
        {
            return;
        }
        noteReturn(buffer.getLongVolatile(wordOffset(source)));
        holders[lane] = registry.identity((int)owner);
        grants[lane] = LaneWord.of(++grantCount, epoch, LaneWord.GRANTED, lane);
        recalled[lane] = false;
        wanted[lane] = false;
        asks[lane] = 0;
        laneOf[source] = (byte)(lane + 1);
        lanes[lane].grant(source);
        policy.onGranted(lane);
        activate();
        // SYNC POINT lane-granted
        buffer.putLongVolatile(wordOffset(source), grants[lane]);
    }

    private void activate()
    {
        int count = 0;
        final int[] granted = new int[lanes.length];
        for (int lane = 0; lane < lanes.length; lane++)
        {
            if (lanes[lane].source() != LanePoller.NOBODY)
            {
                granted[count++] = lane;
            }
        }
        active = Arrays.copyOf(granted, count);
    }

    private static int wordOffset(final int source)
    {
        return MailboxDescriptor.sourceLineOffset(source) + LaneWord.OFFSET;
    }

    private void recall(final int lane)
    {
        final int offset = wordOffset(lanes[lane].source());
        recalled[lane] = true;
        // read first, as in Group.leave
        if (buffer.getLongVolatile(offset) == grants[lane] && buffer.compareAndSetLong(offset, grants[lane], LaneWord.NONE))
        {
            free(lane);
        }
        else
        {
            buffer.compareAndSetLong(
                offset, LaneWord.with(grants[lane], LaneWord.HELD), LaneWord.with(grants[lane], LaneWord.RECALLED));
        }
    }

    /** The lane of a source is to come back, if it has one: something in it is damaged. Between two bookings. */
    void takeBack(final int source)
    {
        final int lane = lane(source);
        if (lane >= 0 && !recalled[lane])
        {
            recall(lane);
        }
    }

    /** Whether something is there to be delivered, now or in a moment. */
    boolean isReady()
    {
        for (final int lane : active)
        {
            if (lanes[lane].isUnread())
            {
                return true;
            }
        }
        return false;
    }

    /** Whether the next poll delivers something: not what is left where it is for a moment. */
    boolean isDelivering()
    {
        for (final int lane : active)
        {
            if (lanes[lane].isReady())
            {
                return true;
            }
        }
        return false;
    }

    /** Who has the lane by which something came last, or {@link LanePoller#NOBODY}. */
    int lastHeard()
    {
        return active.length == 0 ? LanePoller.NOBODY : lanes[heard].source();
    }

    /** Who has sent a short message that one of the next polls delivers first, or {@link LanePoller#NOBODY}. */
    int shortSource()
    {
        for (final int lane : active)
        {
            if (lanes[lane].isShortUnread())
            {
                return lanes[lane].source();
            }
        }
        return LanePoller.NOBODY;
    }

    /** Asks for all lanes back. */
    void recallAll()
    {
        for (final int lane : active)
        {
            if (!recalled[lane])
            {
                recall(lane);
            }
        }
    }

    /** Now and then: has somebody given a lane back? Are the words what they have to be? */
    void tend()
    {
        for (final int lane : active)
        {
            final int offset = wordOffset(lanes[lane].source());
            // SYNC POINT lane-returned
            final long word = buffer.getLongVolatile(offset);
            if (word == LaneWord.with(grants[lane], LaneWord.RETURNED))
            {
                if (!lanes[lane].isUnread())
                {
                    final int source = lanes[lane].source();
                    buffer.putLongVolatile(offset, LaneWord.NONE);
                    free(lane);
                    // given after its last look
                    final int unused = Math.min(mostGiven, lanes[lane].inHand());
                    if (unused > 0 || wanted[lane])
                    {
                        desk.onLaneReturned(source, unused, wanted[lane]);
                    }
                }
            }
            else if (word != grants[lane] && word != LaneWord.with(grants[lane], LaneWord.HELD) &&
                word != LaneWord.with(grants[lane], LaneWord.RECALLED))
            {
                // damaged: the sender stops when it finds this, or has stopped and says so again
                recalled[lane] = true;
                buffer.compareAndSetLong(offset, word, LaneWord.with(grants[lane], LaneWord.RECALLED));
            }
            else if (recalled[lane] && LaneWord.state(word) != LaneWord.RECALLED)
            {
                recall(lane);
            }
        }
    }

    /** A lane that was lost may be given again: nobody writes there any more. */
    private void regain(final int lane)
    {
        lost[lane] = false;
        lanes[lane].free();
    }

    /** If a word says that a holder which was declared gone has stopped, as it does when it wakes up. */
    private void noteReturn(final long word)
    {
        for (int lane = 0; lane < lanes.length; lane++)
        {
            if (lost[lane] && word == LaneWord.with(grants[lane], LaneWord.RETURNED))
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

    private void free(final int lane)
    {
        recalled[lane] = true;
        giveBack(lane);
        laneOf[lanes[lane].source()] = 0;
        lanes[lane].free();
        activate();
    }

    /**
     * Puts published positions right if something else wrote them: the holder would take the lane for full for ever, and the one
     * before it for unread.
     */
    void repair()
    {
        if (lanes.length > 0)
        {
            inspect();
            for (final LanePoller lane : lanes)
            {
                lane.repairReadPosition();
            }
        }
    }

    /** Whether all that a source sent by its lane is read and booked. */
    boolean isDrained(final int source)
    {
        final int lane = lane(source);
        return lane < 0 || lanes[lane].isSettled() && !lanes[lane].isUnread();
    }

    /** A source is gone and all it sent is read: its lane is free, unless it may still be alive and write there. */
    void release(final int source)
    {
        final int lane = lane(source);
        if (lane < 0)
        {
            return;
        }
        final int offset = wordOffset(source);
        final long word = buffer.getLongVolatile(offset);
        lost[lane] = word != LaneWord.with(grants[lane], LaneWord.RETURNED) &&
            !buffer.compareAndSetLong(offset, grants[lane], LaneWord.NONE) &&
            holders[lane].probe() != ProcessIdentity.Liveness.DEAD;
        buffer.putLongVolatile(offset, LaneWord.NONE);
        free(lane);
    }

    private int lane(final int source)
    {
        return laneOf.length == 0 ? -1 : laneOf[source] - 1;
    }

    /** What a source has in hand if nothing of it is unread; read it before asking that. */
    int inHand(final int source)
    {
        final int lane = lane(source);
        return lane < 0 ? 0 : lanes[lane].inHand();
    }

    /** Headers refused. */
    long corruptCount()
    {
        long count = 0;
        for (final LanePoller lane : lanes)
        {
            count += lane.corruptCount();
        }
        return count;
    }

    /** What the consumers of lanes do now, for those who look at counters. */
    void publish(final CounterWords counters)
    {
        int owning = 0;
        int trailing = 0;
        for (final int lane : active)
        {
            owning += lanes[lane].isOwning() ? 1 : 0;
            trailing += lanes[lane].isTrailing() ? 1 : 0;
        }
        counters.set(CountersDescriptor.LANES_OFFSET, active.length);
        counters.set(CountersDescriptor.OWNING_LANES_OFFSET, owning);
        counters.set(CountersDescriptor.TRAILING_LANES_OFFSET, trailing);
    }
}
