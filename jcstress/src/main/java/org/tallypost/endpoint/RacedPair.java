// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.endpoint;

import java.io.File;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.internal.credit.CreditWords;
import org.tallypost.endpoint.internal.layout.CounterWords;
import org.tallypost.endpoint.internal.layout.CreditWord;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.layout.LaneWord;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.local.LocalNode;
import org.tallypost.endpoint.internal.receive.CreditDesk;
import org.tallypost.endpoint.internal.receive.LaneGrants;
import org.tallypost.endpoint.internal.receive.Membership;
import org.tallypost.endpoint.internal.send.Peer;
import org.tallypost.jcstress.Mapped;
import org.tallypost.mailbox.LaneHandler;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.MailboxPoller;
import org.tallypost.mailbox.PacketHandler;
import org.tallypost.mailbox.lane.Lane;
import org.tallypost.mailbox.lane.LanePoller;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ClaimMark;

/**
 * A sender and a receiver with the parts of an endpoint that meet in shared memory, in a node of their own; used for race after
 * race. Rank 0 sends, rank 1 receives.
 */
final class RacedPair implements PacketHandler
{
    static final int SENDER = 0;
    static final int RECEIVER = 1;
    static final int RUN_SLOTS = 3;
    static final int MAX_CREDITS = 64;

    private static final int RING_SLOTS = 4;
    private static final int LANE_SLOTS = 8;
    private static final long PAINT = 0x5A5A_5A5A_5A5A_5A5AL;
    private static final int NUMBER_SHIFT = 8;
    private static final int LANE_PACKETS = 1 << 10;
    private static final ConcurrentLinkedQueue<RacedPair> FREE = new ConcurrentLinkedQueue<>();
    private static final LaneHandler LANE_READER = new LaneHandler()
    {
        @Override
        public void onPacket(
            final int type, final int flags, final int source, final UnsafeBuffer buffer, final int offset, final int length)
        {
            // what was in it does not matter
        }
    };

    final LocalNode node;
    final Mailbox mailbox;
    final MailboxPoller poller;
    final CreditWords words;
    final Membership membership;
    final LaneGrants lanes;
    final LanePoller lanePoller;
    /** Never sent by: it says where the slots are. */
    private final Lane lanePlaces;
    final ClaimMark mark;
    final CounterWords counters;
    final int line = MailboxDescriptor.sourceLineOffset(SENDER);
    Peer peer;
    /** What the receiver does when it is given a message, and when its slots are free. */
    Runnable whenDelivered = () -> {};
    Runnable whenFreed = () -> {};
    boolean isGone;
    private int epoch;
    private long sent;
    private long received;
    private int delivered;
    private int damaged;
    private int grants;
    private boolean isSound = true;

    private RacedPair(final File directory)
    {
        final File nodeDirectory = new File(directory, "node");
        node = LocalNode.launch(new NodeContext().directory(nodeDirectory).groupName("races").rankCount(2).slotsPerSender(8)
            .livenessThread(false).maxProcesses(1).maxSendingThreads(4));
        mailbox = Mailbox.create(
            new File(nodeDirectory, "raced"), RECEIVER, 1, 2, RING_SLOTS, RUN_SLOTS, 1, LANE_SLOTS);
        poller = new MailboxPoller(mailbox);
        words = new CreditWords(node.runtime(), node.wakeups(), mailbox);
        lanes = new LaneGrants(mailbox, node.runtime().registry(),
            new CreditDesk(node.runtime(), node.wakeups(), mailbox, null), null, LANE_SLOTS);
        lanePoller = new LanePoller(mailbox, 0);
        lanePlaces = new Lane(mailbox, 0);
        membership = new Membership(node.runtime(), RECEIVER, 1, mailbox, poller, null, lanes, (source) -> isGone = true);
        membership.openPairs();
        final int process = node.runtime().process();
        mark = node.runtime().registry().takeMark(process, node.runtime().incarnation());
        counters = node.runtime().group().counters(SENDER);
        enter();
    }

    static RacedPair take()
    {
        final RacedPair free = FREE.poll();
        return free == null ? Mapped.inNewDirectory(RacedPair::new) : free;
    }

    /** The sender opens its rank, and the receiver lets it in. */
    void enter()
    {
        final long owner = node.runtime().ownerWord();
        node.runtime().group().open(SENDER, ++epoch, PacketDescriptor.process(owner),
            PacketDescriptor.incarnation(owner));
        membership.update();
        if (!membership.isJoined(SENDER))
        {
            throw new IllegalStateException("the receiver does not let the sender in");
        }
        peer = new Peer(mailbox, GroupDescriptor.rankWord(1, GroupDescriptor.STATE_OPEN), SENDER, epoch, MAX_CREDITS);
        peer.introduce(owner);
        isGone = false;
    }

    /** The sender's rank is not open any more. */
    void leave()
    {
        node.runtime().group().close(SENDER, epoch);
    }

    int epoch()
    {
        return epoch;
    }

    void setEpoch(final int epochValue)
    {
        epoch = epochValue;
    }

    /** Credits in the word of the pair. */
    int credits()
    {
        return CreditWord.credits(peer.creditWord());
    }

    /** Sets the credits while no other thread looks. */
    void setCredits(final int credits)
    {
        CreditWord.set(mailbox.buffer(), line, epoch, credits);
    }

    /** Takes credits as a message does; false if there are too few, or the pair is closed. */
    boolean withdraw(final int credits)
    {
        final long word = peer.creditWord();
        return peer.refusal(word, credits) == 0 && peer.withdraw(word, credits) == credits;
    }

    /** Sends a message, with the order of an endpoint's: mark, credits, claim, payload, header. */
    boolean send(final int slots)
    {
        mark.intend(peer.claimKey, slots);
        if (!withdraw(slots))
        {
            mark.clear();
            return false;
        }
        claimAndPublish(slots);
        return true;
    }

    void claimAndPublish(final int slots)
    {
        publish(mark, mailbox.claim(mark, slots), slots);
    }

    void publish(final ClaimMark ofThread, final long position)
    {
        publish(ofThread, position, 1);
    }

    private void publish(final ClaimMark ofThread, final long position, final int slots)
    {
        fill(mailbox.payloadOffset(position), slots);
        mailbox.publish(ofThread, position, PacketDescriptor.TYPE_DATA, 0, MailboxDescriptor.payloadLength(slots), SENDER);
    }

    private void fill(final int offset, final int slots)
    {
        final long number = ++sent;
        for (int i = 0; i < MailboxDescriptor.payloadLength(slots); i += Long.BYTES)
        {
            mailbox.buffer().putLong(offset + i, number << NUMBER_SHIFT | i / Long.BYTES);
        }
    }

    int poll(final int limit)
    {
        return poller.poll(this, limit);
    }

    @Override
    public void onPacket(
        final int type, final int flags, final int source, final UnsafeBuffer buffer, final int offset, final int length)
    {
        whenDelivered.run();
        received++;
        delivered++;
        boolean isWhole = length > 0;
        for (int i = 0; i < length; i += Long.BYTES)
        {
            isWhole &= buffer.getLong(offset + i) == (received << NUMBER_SHIFT | i / Long.BYTES);
        }
        damaged += isWhole ? 0 : 1;
    }

    @Override
    public void onFreed(final int type, final int source, final int slots)
    {
        whenFreed.run();
    }

    int delivered()
    {
        return delivered;
    }

    int damaged()
    {
        return damaged;
    }

    /** Lets the sender earn a lane, and returns its word. */
    long earnLane()
    {
        int left = LANE_PACKETS;
        while (!lanes.isAnyGranted() && left-- > 0)
        {
            lanes.onRing(SENDER, membership);
        }
        return peer.laneWord();
    }

    /**
     * Reads what is left.
     *
     * @return whether something was lost, torn or delivered twice: 0 or 1.
     */
    int settle()
    {
        while (poll(RING_SLOTS) > 0)
        {
            // on to the next
        }
        final int result = damaged > 0 || received != sent ? 1 : 0;
        received = sent;
        delivered = 0;
        damaged = 0;
        isSound = result == 0;
        return result;
    }

    /** Grants the lane without asking which sender has earned it, and returns its word. */
    long grantLane()
    {
        lanePoller.grant(SENDER);
        final long word = LaneWord.of(++grants, epoch, LaneWord.GRANTED, 0);
        mailbox.buffer().putLongVolatile(line + LaneWord.OFFSET, word);
        return word;
    }

    /** Reads some of the lane, and gives what was freed back by it. */
    void pollLaneAndGive()
    {
        pollLane(true);
        lanePoller.publish(lanePoller.takeFreed());
    }

    /** Reads what is left in the lane; the number of messages. */
    int drainLane()
    {
        int count = 0;
        int some;
        do
        {
            some = pollLane(false);
            count += some;
        }
        while (some > 0);
        return count;
    }

    private int pollLane(final boolean isGiving)
    {
        int count = lanePoller.poll(LANE_READER, LANE_SLOTS);
        while (lanePoller.isDue())
        {
            final int freed = lanePoller.takeFreed();
            lanePoller.publish(isGiving ? freed : 0);
            count += lanePoller.goOn(LANE_READER, LANE_SLOTS - count);
        }
        return count;
    }

    /** Writes into all of a lane that is read and was given back, where never is a header. */
    void paintLane()
    {
        for (int slot = 0; slot < LANE_SLOTS; slot++)
        {
            mailbox.buffer().putLong(lanePlaces.payloadOffset(slot), PAINT);
        }
    }

    /** Whether no other thread has written there since. */
    boolean isLanePainted()
    {
        boolean isPainted = true;
        for (int slot = 0; slot < LANE_SLOTS; slot++)
        {
            isPainted &= mailbox.buffer().getLong(lanePlaces.payloadOffset(slot)) == PAINT;
        }
        return isPainted;
    }

    /** Reads what is left in the lane, and takes it back. */
    void freeLane()
    {
        drainLane();
        lanePoller.free();
        mailbox.buffer().putLongVolatile(line + LaneWord.OFFSET, LaneWord.NONE);
    }

    /** For the next race, unless a wrong one has left a mess. */
    void giveBack()
    {
        if (isSound)
        {
            FREE.add(this);
        }
    }
}
