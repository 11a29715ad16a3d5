// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.send;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.internal.layout.CounterWords;
import org.tallypost.endpoint.internal.layout.LaneWord;
import org.tallypost.endpoint.internal.node.NodeRuntime;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.files.MailboxException;

/**
 * The express lanes that an endpoint's threads hold in other mailboxes: takes those that are offered to it, and ends them
 * when the receiver wants one back, when a second thread sends to the same receiver, and when the endpoint closes.
 *
 * <p>A lane is for one thread: two that send by turns would have to look for each other's credits. A thread takes a lane
 * only after a number of messages in a row were its own, four times as many after each time that another came between.
 */
public final class SenderLanes
{
    public static final int STREAK = 32;
    private static final int MAX_STREAK = 1 << 24;
    /** Share of a mailbox's data region that may be in the hands of all holders of its lanes together. */
    private static final int HAND_SHARE = 4;
    /** How long a thread that sends, or looks after the node, waits for the holder of a lane in the midst of a message. */
    private static final long END_LIMIT_NS = TimeUnit.MILLISECONDS.toNanos(10);
    /** How long an endpoint that closes waits for all of them. */
    private static final long CLOSE_LIMIT_NS = TimeUnit.SECONDS.toNanos(1);

    private final NodeRuntime node;
    private final SendingThreads threads;
    private final int rank;
    private final int dataRegion;
    private final int maxOfferSlots;
    private final boolean creditless;
    private final CounterWords counters;
    private final LaneCounts firstCounts;
    private final LinesAhead ahead;
    private final List<Peer> holding = new ArrayList<>();
    private boolean closed;

    SenderLanes(
        final NodeRuntime node,
        final SendingThreads threads,
        final int rank,
        final int dataRegion,
        final int maxOfferSlots,
        final boolean creditless,
        final CounterWords counters,
        final LinesAhead ahead)
    {
        this.node = node;
        this.threads = threads;
        this.counters = counters;
        this.ahead = ahead;
        firstCounts = new LaneCounts(counters, true);
        this.rank = rank;
        this.dataRegion = dataRegion;
        this.maxOfferSlots = maxOfferSlots;
        this.creditless = creditless;
    }

    /** Credits that the holder of a lane may have in hand, in slots. */
    public static int chunk(final int dataRegion, final Mailbox mailbox)
    {
        final int share = dataRegion / (HAND_SHARE * Math.max(1, mailbox.lanes()));
        return Math.max(1, Math.min(share, Math.min(LaneSender.MAX_CHUNK, mailbox.laneSlots())));
    }

    /**
     * Credits that a receiver gives by a lane, at most, unread ones included. They cannot be taken back at once: with quotas of
     * their own, or from one other rank, they are nobody else's; else they are what may be in hand.
     */
    public static int mostGiven(final NodeContext context, final Mailbox mailbox)
    {
        return context.flow() == Flow.STATIC || mailbox.sources() <= 2 ? mailbox.laneSlots() :
            chunk((context.slotsPerSender() - context.creditSlots()) * context.rankCount(), mailbox);
    }

    /** Where the first thread counts; what is there is added to the counters proper. */
    long countsOfFirstThread()
    {
        firstCounts.settle();
        return firstCounts.address();
    }

    /** Before a run goes by the ring: credits in hand go where it takes them from. */
    void beforeRing(final SendingThread sender, final Peer peer)
    {
        final LaneSender lane = peer.lane;
        if (lane != null && (lane.holder != sender || !lane.beforeRing()))
        {
            end(peer, lane, sender, lane.holder != sender);
        }
        else if (peer.isRemote)
        {
            peer.beforeRing();
        }
    }

    /**
     * After a run went by the ring.
     *
     * @param end           of the run.
     * @param isFirstThread whether the counters have words of this thread's own.
     */
    void sentByRing(final SendingThread sender, final Peer peer, final long end, final boolean isFirstThread)
    {
        final LaneSender lane = peer.lane;
        if (lane != null)
        {
            // another may hold one by now, and this run says nothing for it
            if (lane.holder == sender)
            {
                lane.sentByRing(end);
            }
        }
        else if (peer.lastSender != sender)
        {
            peer.lastSender = sender;
            peer.streak = 0;
        }
        else if (peer.streak >= peer.neededStreak || ++peer.streak >= peer.neededStreak)
        {
            // counted no further: it may be long until there is a lane
            lookForLane(sender, peer, end, isFirstThread);
        }
    }

    /** There were no credits for a run in the ring. */
    void refusedByRing(final SendingThread sender, final Peer peer)
    {
        final LaneSender lane = peer.lane;
        if (lane != null && lane.holder == sender)
        {
            lane.refusedByRing();
        }
    }

    private void lookForLane(final SendingThread sender, final Peer peer, final long end, final boolean isFirstThread)
    {
        if (peer.mailbox.lanes() == 0)
        {
            // of a ring to another node: its pairs have no lane word
            return;
        }
        final long word = peer.laneWord();
        final int state = LaneWord.state(word);
        if (state == LaneWord.GRANTED)
        {
            hold(sender, peer, word, end, isFirstThread ? firstCounts : new LaneCounts(counters, false));
        }
        else if (state == LaneWord.RECALLED || state == LaneWord.HELD)
        {
            // nobody holds it here: the word was damaged when it was given back, or an Error came while it was taken
            giveBackAgain(peer, word);
        }
    }

    private synchronized void hold(
        final SendingThread sender, final Peer peer, final long word, final long end, final LaneCounts counts)
    {
        if (!closed && peer.lane == null && LaneWord.lane(word) < peer.mailbox.lanes() && peer.holdLane(word))
        {
            peer.lane = new LaneSender(sender, peer, rank, LaneWord.with(word, LaneWord.HELD), chunk(dataRegion, peer.mailbox),
                maxOfferSlots, creditless, counts, ahead, end);
            peer.laneThread = sender.thread;
            holding.add(peer);
        }
    }

    private synchronized void giveBackAgain(final Peer peer, final long word)
    {
        if (peer.lane == null && peer.laneWord() == word)
        {
            peer.returnLane(word);
        }
    }

    /** A holder that stays in the midst of a message is waited for once: later it is only looked whether it is out. */
    private void end(final Peer peer, final LaneSender lane, final SendingThread by, final boolean isContended)
    {
        end(peer, lane, by, isContended, lane.isShutForAll() ? 0 : END_LIMIT_NS);
    }

    /** False if the lane is its holder's still, which is in the midst of a message: it ends the lane itself, or a later look. */
    private synchronized boolean end(
        final Peer peer, final LaneSender lane, final SendingThread by, final boolean isContended, final long limitNs)
    {
        if (peer.lane != lane)
        {
            return true;
        }
        if (!lane.end(by, limitNs))
        {
            return false;
        }
        if (isContended)
        {
            peer.neededStreak = Math.min(MAX_STREAK, peer.neededStreak << 2);
        }
        peer.laneSlots += lane.sentSlots();
        peer.formerLane = lane;
        peer.streak = 0;
        peer.lane = null;
        peer.laneThread = null;
        holding.remove(peer);
        return true;
    }

    /** Whether some of what this thread sent by a lane may be unread: a run in the ring has to say so. */
    static boolean isUnread(final SendingThread sender, final Peer peer)
    {
        final LaneSender lane = peer.lane;
        if (lane != null)
        {
            return lane.holder == sender && !lane.isRead();
        }
        final LaneSender former = peer.formerLane;
        if (former == null)
        {
            return false;
        }
        if (former.isRead())
        {
            peer.formerLane = null;
            return false;
        }
        return true;
    }

    /** Now and then: what looks unread comes from damage, and would be waited for in vain. */
    static boolean isLost(final Peer peer)
    {
        final LaneSender lane = peer.lane;
        final LaneSender last = lane == null ? peer.formerLane : lane;
        return (++peer.refusals & Peer.REFUSAL_MASK) == 0 && last != null && last.isLost();
    }

    /**
     * Gives back what receivers want back from threads that send nothing just now, and what threads have that have ended, or
     * that an Error took out of a lane. Any thread, now and then.
     */
    void endRecalled()
    {
        for (final Peer peer : held())
        {
            final LaneSender lane = peer.lane;
            if (lane != null && (lane.isRecalled() || lane.isShutForAll() || !lane.thread.isAlive()))
            {
                end(peer, lane, sender(), false);
            }
        }
    }

    /**
     * None is taken any more, and all are given back.
     *
     * @param isGivenBack false if nothing is to be given back: lanes are not used any more, that is all.
     */
    void close(final boolean isGivenBack)
    {
        synchronized (this)
        {
            closed = true;
        }
        final long endNs = System.nanoTime() + CLOSE_LIMIT_NS;
        for (final Peer peer : held())
        {
            final LaneSender lane = peer.lane;
            if (lane != null && !isGivenBack)
            {
                lane.abandon();
            }
            else if (lane != null && !end(peer, lane, sender(), false, Math.max(0, endNs - System.nanoTime())))
            {
                node.errors().onError(new MailboxException("a lane is left to a thread in the midst of a message, " +
                    "which has not ended within " + TimeUnit.NANOSECONDS.toMillis(CLOSE_LIMIT_NS) + " ms: rank=" + rank +
                    ", thread=" + lane.thread.getName() + ", file=" + peer.mailbox.file() + "; its receiver does without the " +
                    "lane until this process ends; if the thread was stopped let it go on"));
            }
        }
    }

    /** The calling thread, with its mark. A lane has to end even if there is none left. */
    private SendingThread sender()
    {
        try
        {
            return threads.mine();
        }
        catch (final MailboxException ex)
        {
            return null;
        }
    }

    private synchronized List<Peer> held()
    {
        return holding.isEmpty() ? List.of() : List.copyOf(holding);
    }

    /** A peer that was lost. If only the word was damaged that said so, it wants its lane back. */
    void forget(final SendingThread sender, final Peer peer)
    {
        final LaneSender lane = peer.lane;
        if (lane != null)
        {
            end(peer, lane, sender, false);
        }
    }

    /** The same, by a thread that may have no mark. */
    void forget(final Peer peer)
    {
        final LaneSender lane = peer.lane;
        if (lane != null)
        {
            end(peer, lane, sender(), false);
        }
    }
}
