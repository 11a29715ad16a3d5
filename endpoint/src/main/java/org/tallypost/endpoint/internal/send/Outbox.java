// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.send;

import static org.tallypost.endpoint.Endpoint.NO_CREDIT;
import static org.tallypost.endpoint.Endpoint.TOO_LONG;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.agrona.DirectBuffer;
import org.agrona.UnsafeApi;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.internal.layout.Checks;
import org.tallypost.endpoint.internal.layout.ClaimState;
import org.tallypost.endpoint.internal.layout.CounterWords;
import org.tallypost.endpoint.internal.layout.CountersDescriptor;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.layout.PayloadCopy;
import org.tallypost.endpoint.internal.node.Group;
import org.tallypost.endpoint.internal.node.NodeRuntime;
import org.tallypost.endpoint.internal.wake.Wakeups;

/**
 * The sending side of an endpoint: to which receivers it is connected, and which way a message goes there. Any number of threads,
 * without locks: a thread's own state is its claim mark, everything shared is an atomic word.
 */
public final class Outbox implements ClaimState.Owner
{
    private static final VarHandle PRIMARY;

    static
    {
        try
        {
            PRIMARY = MethodHandles.lookup().findVarHandle(Outbox.class, "primary", SendingThread.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private final SendingThreads threads;
    private final Wakeups wakeups;
    private final Group group;
    private final long rankWordsAddress;
    private final int rank;
    private final int epoch;
    private final boolean creditless;
    private final int maxOfferSlots;
    private final CounterWords counters;
    private final Stalls stalls;
    private final Peer[] peers;
    private final Receivers receivers;
    private final SenderLanes lanes;
    private final RingWriter ring;
    private SendingThread primary;

    public Outbox(
        final NodeRuntime node,
        final SendingThreads threads,
        final Wakeups wakeups,
        final int rank,
        final int epoch,
        final CounterWords counters,
        final LinesAhead ahead,
        final Connector connector)
    {
        this.threads = threads;
        this.wakeups = wakeups;
        this.rank = rank;
        this.epoch = epoch;
        this.counters = counters;
        stalls = new Stalls(rank, counters, node.mailboxes().firstId());
        group = node.group();
        rankWordsAddress = group.rankWordsAddress();
        final NodeContext context = node.context();
        final int ranks = context.rankCount();
        final int dataRegion = (context.slotsPerSender() - context.creditSlots()) * ranks;
        creditless = context.flow() == Flow.NONE;
        ring = new RingWriter(rank, creditless);
        maxOfferSlots = context.longestRunSlots();
        peers = new Peer[ranks];
        lanes = new SenderLanes(node, threads, rank, dataRegion, maxOfferSlots, creditless, counters, ahead);
        receivers = new Receivers(node, connector, lanes, dataRegion, peers);
    }

    public long offer(final int dest, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        PayloadCopy.checkRange(buffer, offset, length);
        final Peer known = peers[dest];
        final LaneSender lane = known == null ? null : known.lane;
        final long position = lane == null ? LaneSender.BY_RING : lane.offerShort(rankWord(dest), tag, buffer, offset, length);
        return position < 0 ? offerOther(known, lane, dest, tag, buffer, offset, length) : position;
    }

    private long offerOther(
        final Peer known,
        final LaneSender lane,
        final int dest,
        final int tag,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        if (length > Endpoint.MAX_RUN_LENGTH)
        {
            return TOO_LONG;
        }
        if (lane != null)
        {
            final long result = lane.offer(rankWord(dest), tag, buffer, offset, length);
            if (result != LaneSender.BY_RING)
            {
                return result >= 0 && known.stalls == 0 ? result : settled(known, PacketDescriptor.slots(length), result);
            }
        }
        if (known != null && known.isRemote && known.rankWord == rankWord(dest) && !known.isLossUntold)
        {
            final long result = known.offerDirect(this, tag, buffer, offset, length);
            if (result >= 0)
            {
                stalls.settle(known);
                return result;
            }
        }
        final SendingThread sender = sender();
        final Peer peer = resolve(sender, dest);
        return peer == null ? sender.blocked : offerByRing(sender, peer, dest, tag, buffer, offset, length);
    }

    /** Of a rank that was checked: by address, since a buffer's accesses take twice the instructions. */
    long rankWord(final int dest)
    {
        return UnsafeApi.getLong(rankWordsAddress + (long)dest * Long.BYTES);
    }

    /** Notes that a message or a batch of so many slots did not go by its lane at once, or went at last. */
    long settled(final Peer peer, final int slots, final long result)
    {
        if (result >= 0)
        {
            stalls.settle(peer);
            return result;
        }
        if (result == LaneSender.UNCREDITED)
        {
            // credits that come by the lane just now wake nobody
            sender().awaitNews();
            return refused(sender(), peer, slots, NO_CREDIT);
        }
        stalls.begin(peer);
        // there is no room in the lane, and nobody is told when there is
        sender().awaitNews();
        return result;
    }

    private long offerByRing(
        final SendingThread sender,
        final Peer peer,
        final int dest,
        final int tag,
        final DirectBuffer buffer,
        final int offset,
        final int length)
    {
        final int slots = PacketDescriptor.slots(length);
        final long position = ringTo(sender, peer).send(sender, peer, slots, dest, tag, buffer, offset, length);
        if (position < 0)
        {
            return refused(sender, peer, slots, position);
        }
        final long result = sentByRing(sender, peer, position, slots);
        accept(sender, peer, 1, length);
        return result;
    }

    public long tryClaim(final int dest, final int tag, final int length, final ClaimState claim)
    {
        if (length < 0)
        {
            throw new IllegalArgumentException("length is negative: found=" + length);
        }
        if (claim.isOpen())
        {
            throw new IllegalStateException("this claim is open: commit or abort it first, or nobody can");
        }
        if (length > Endpoint.MAX_RUN_LENGTH)
        {
            return TOO_LONG;
        }
        final int slots = PacketDescriptor.slots(length);
        final Peer known = peers[dest];
        final LaneSender lane = known == null ? null : known.lane;
        if (lane != null)
        {
            final long result = lane.tryClaim(rankWord(dest), tag, length, this, claim);
            if (result != LaneSender.BY_RING)
            {
                return result >= 0 && known.stalls == 0 ? result : settled(known, slots, result);
            }
        }
        final SendingThread sender = sender();
        final Peer peer = resolve(sender, dest);
        if (peer == null)
        {
            return sender.blocked;
        }
        if (peer.isRemote)
        {
            final long result = peer.claimAside(this, sender, tag, length, claim);
            return result < 0 ? refused(sender, peer, slots, result) : result;
        }
        final long position = ringTo(sender, peer).open(this, sender, peer, slots, tag, length, claim);
        if (position < 0)
        {
            return refused(sender, peer, slots, position);
        }
        stalls.settle(peer);
        return sentByRing(sender, peer, position, slots);
    }

    /**
     * Notes a run that went by the ring.
     *
     * @return what the send returns if it was the last of its message.
     */
    public long sentByRing(final SendingThread sender, final Peer peer, final long position, final int slots)
    {
        // never negative, whatever somebody wrote into the write position
        final long end = (position + slots) & Long.MAX_VALUE;
        peer.lastPosition = end;
        lanes.sentByRing(sender, peer, end, sender == primary);
        final LaneSender lane = peer.lane;
        return lane == null ? peer.position(end, 0) : lane.position(end);
    }

    /** The way by the ring to a peer: credits in hand for a lane go where it takes them from. */
    public RingWriter ringTo(final SendingThread sender, final Peer peer)
    {
        lanes.beforeRing(sender, peer);
        return ring;
    }

    /** Credits at hand for a long message; all it may want when there are none to count. */
    int creditsFor(final SendingThread sender, final Peer peer)
    {
        lanes.beforeRing(sender, peer);
        if (creditless)
        {
            return Math.min(PacketDescriptor.RUN_SLOTS, maxOfferSlots);
        }
        final long word = peer.creditWord();
        return peer.isOurs(word) ? peer.credits(word) : 0;
    }

    /** Slots that the word of a pair has credits for now, 0 without a connection. Any thread; changes nothing. */
    public int creditsAtHand(final int dest)
    {
        final Peer peer = peers[dest];
        if (peer == null || peer.rankWord != group.rankWord(dest))
        {
            return 0;
        }
        if (creditless)
        {
            return maxOfferSlots;
        }
        final long word = peer.creditWord();
        return peer.isOurs(word) ? peer.credits(word) : 0;
    }

    /**
     * Whether a receiver without lanes has taken what a send returned a position for, or is gone. Any thread; changes nothing.
     */
    public boolean isTaken(final int dest, final long position)
    {
        final Peer peer = peers[dest];
        return peer == null || peer.rankWord != group.rankWordAcquire(dest) || peer.isTaken(position);
    }

    /** Whether the receiver counts this endpoint among its senders. */
    boolean isOpen(final Peer peer)
    {
        return creditless || peer.isOurs(peer.creditWord());
    }

    public RingWriter ring()
    {
        return ring;
    }

    public Stalls stalls()
    {
        return stalls;
    }

    boolean isCreditless()
    {
        return creditless;
    }

    /** Refuses what is no rank of the group. */
    public void checkRank(final int dest)
    {
        Checks.range("rank", dest, 0, peers.length - 1);
    }

    public Peer[] peers()
    {
        return peers;
    }

    public int rank()
    {
        return rank;
    }

    /**
     * The peer to which a message may go: it is connected, perhaps by this call.
     *
     * @return null if there is none: what is returned then is in {@link SendingThread#blocked}.
     */
    Peer resolve(final SendingThread sender, final int dest)
    {
        final Peer peer = connected(dest);
        return peer != null ? peer : resolveAnew(sender, dest);
    }

    private Peer resolveAnew(final SendingThread sender, final int dest)
    {
        sender.awaitNews();
        final long code = connect(dest);
        sender.blocked = code;
        return code == NO_CREDIT ? connected(dest) : null;
    }

    /**
     * The peer.
     *
     * @return null if it is not connected.
     */
    Peer connected(final int dest)
    {
        final Peer peer = peers[dest];
        return peer != null && peer.rankWord == group.rankWord(dest) && !ring.isClosed() && !peer.isLossUntold ? peer : null;
    }

    /**
     * Connects to a destination if it can be.
     *
     * @return NO_CREDIT if it is connected now: try again at once or later; else the reason why not.
     */
    long connect(final int dest)
    {
        return receivers.connect(this, dest);
    }

    /** As {@link Receivers#letGoOfDeleted}. */
    public boolean letGoOfDeleted()
    {
        return receivers.letGoOfDeleted();
    }

    long refused(final SendingThread sender, final Peer peer, final int slots, final long code)
    {
        if (code == NO_CREDIT)
        {
            if (slots > maxOfferSlots)
            {
                return TOO_LONG;
            }
            stalls.begin(peer);
            peer.refusedSlots = slots;
            lanes.refusedByRing(sender, peer);
            nudge(sender, peer, slots);
        }
        return sender.refused(peer, code, !creditless);
    }

    /**
     * Credits for slots that were freed wait at the receiver until its threshold is reached. If everything of ours was
     * read and the run still does not fit the credits, nothing but another packet of ours can bring them: an empty one.
     */
    private void nudge(final SendingThread sender, final Peer peer, final int slots)
    {
        if (creditless || SenderLanes.isUnread(sender, peer) && !SenderLanes.isLost(peer) || peer.isUnread())
        {
            return;
        }
        // what is in hand for a lane counts as well
        lanes.beforeRing(sender, peer);
        final long word = peer.creditWord();
        final int credits = peer.credits(word);
        if (peer.isOurs(word) && credits > 0 && credits < slots)
        {
            final int paid = peer.nudgeSlots(credits);
            final long position = ringTo(sender, peer).nudge(sender, peer, paid);
            if (position >= 0)
            {
                sentByRing(sender, peer, position, paid);
                counters.add(CountersDescriptor.NUDGES_OFFSET, 1);
            }
        }
    }

    /** Books a message that is out as a whole. */
    void accept(final SendingThread sender, final Peer peer, final int messages, final long bytes)
    {
        stalls.settle(peer);
        count(sender, messages, bytes);
    }

    /** For a thread that may have no claim mark: the message is out, and there may be no mark left. */
    @Override
    public void countSent(final int length)
    {
        final SendingThread first = primary;
        count(first != null && first.thread == Thread.currentThread() ? first : null, 1, length);
    }

    /** Where the calling thread counts what it sends past the ring: 0 if it has no word of its own for that. */
    public long directCounts()
    {
        return sender() == primary ? lanes.countsOfFirstThread() : 0;
    }

    /** Counts such messages. */
    public void countDirect(final long address, final int messages, final int bytes)
    {
        if (address != 0)
        {
            if (LaneCounts.sent(address, messages, bytes) < 0)
            {
                lanes.countsOfFirstThread();
            }
        }
        else
        {
            count(sender(), messages, bytes);
        }
    }

    private void count(final SendingThread sender, final int messages, final long bytes)
    {
        if (sender != null && sender == primary)
        {
            counters.addPlain(CountersDescriptor.SENT_OFFSET, messages);
            counters.addPlain(CountersDescriptor.BYTES_SENT_OFFSET, bytes);
        }
        else
        {
            counters.add(CountersDescriptor.SENT_SHARED_OFFSET, messages);
            counters.add(CountersDescriptor.BYTES_SENT_SHARED_OFFSET, bytes);
        }
    }

    /** The calling thread's mark: at hand for the first thread that sends, looked up for others. */
    public SendingThread sender()
    {
        final SendingThread first = primary;
        return first != null && first.thread == Thread.currentThread() ? first : otherSender(first);
    }

    private SendingThread otherSender(final SendingThread first)
    {
        final SendingThread mine = threads.mine();
        if (first == null || !first.thread.isAlive())
        {
            PRIMARY.compareAndSet(this, first, mine);
        }
        return mine;
    }

    /** Nothing is sent any more; what lanes have in hand is given back, or left where it is. */
    public void close(final boolean isGivenBack)
    {
        ring.close();
        lanes.close(isGivenBack);
        receivers.clear();
    }

    /** Gives lanes back that their receivers want back. Any thread. */
    public void endRecalledLanes()
    {
        lanes.endRecalled();
    }

    Wakeups wakeups()
    {
        return wakeups;
    }

    public boolean isClosed()
    {
        return ring.isClosed();
    }

    /** Whether a rank is open or not as it was when its word was read. */
    public boolean isSameRank(final int dest, final long word)
    {
        return group.rankWord(dest) == word;
    }

    /** The peer as control packets need it: an incarnation that was lost is not told here. */
    public Peer connectedForControl(final int dest)
    {
        final Peer known = peers[dest];
        return known != null && known.rankWord == group.rankWord(dest) ? known : receivers.connectForControl(this, dest);
    }
}
