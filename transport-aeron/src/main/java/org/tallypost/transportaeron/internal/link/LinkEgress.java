// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.endpoint.transport.NodePortListener;
import org.tallypost.transportaeron.internal.driver.AeronSettings;
import org.tallypost.transportaeron.internal.wire.BatchAssembler;
import org.tallypost.transportaeron.internal.wire.BatchDescriptor;
import org.tallypost.transportaeron.internal.wire.BatchSink;

/**
 * The sending half of a link: what ranks here have for the other node, that of high priority first, and behind it what there is
 * to tell of pairs, of ranks, and that this node is alive. For the agent's thread.
 */
final class LinkEgress
{
    static final long REPEAT_NS = 100_000_000L;
    /** Runs that are taken from a ring in a duty cycle. */
    private static final int DRAIN_LIMIT = 256;
    /** As many of low priority between two looks at the ring of high priority. */
    private static final int PIECE_LIMIT = 64;

    private final NodePort port;
    private final long leaseNs;
    private final BatchAssembler assembler;
    /** Null if there is no high stream. */
    private final BatchAssembler highAssembler;
    private final StreamOrder order;
    private final PairEgress low;
    /** Null if there are no priorities. */
    private final PairEgress high;
    private final MemberFrames members;
    private final BeatFrames beats;
    /** By the high stream. */
    private final BeatFrames highBeats;
    private final Stalls stalls = new Stalls();
    private boolean isUp;
    private long repeatNs;
    private long leaseEndNs;
    /** Batches that had left when the last duty cycle had sent. */
    private long batchesBefore;

    LinkEgress(
        final AeronSettings settings, final NodePort port, final NodePortListener listener, final int peerNode,
        final int groupHash, final LinkPairs pairs, final LinkPairs highPairs, final BatchSink sink,
        final EgressStream highStream)
    {
        this.port = port;
        beats = new BeatFrames(port.settings().livenessIntervalNs());
        highBeats = new BeatFrames(port.settings().livenessIntervalNs());
        leaseNs = port.settings().isFlowDynamic() ? port.settings().transportSettings().creditLeaseNs() : 0;
        assembler = new BatchAssembler(settings.node(), peerNode, groupHash,
            BatchDescriptor.maxLength(settings.mtuLength(port.settings(), settings.node(), peerNode)), sink);
        highAssembler = highStream == null ? null : new BatchAssembler(settings.node(), peerNode, groupHash,
            BatchDescriptor.maxLength(settings.highMtuLength(port.settings(), settings.node(), peerNode)), highStream);
        order = new StreamOrder(assembler, highAssembler, highStream == null ? () -> false : highStream::isConnected);
        low = new PairEgress(port, listener, peerNode, pairs, assembler);
        high = highPairs == null ? null : new PairEgress(port.high(), listener.high(), peerNode, highPairs, assembler);
        members = new MemberFrames(settings.map(), settings.node());
    }

    /** A link begins, with the first batch of each stream. */
    void open(final int ownEpoch, final int peerEpoch, final long firstBatch, final long nowNs)
    {
        isUp = true;
        assembler.open(peerEpoch, ownEpoch, firstBatch);
        if (highAssembler != null)
        {
            highAssembler.open(peerEpoch, ownEpoch, firstBatch);
            high.use(assembler);
        }
        order.open(nowNs);
        leaseEndNs = nowNs + leaseNs;
        beats.begin(nowNs);
        repeatNs = nowNs + REPEAT_NS;
        members.begin(port);
    }

    /** The link is over: what waits for a batch is gone. */
    void close()
    {
        isUp = false;
        low.clear();
        if (high != null)
        {
            high.clear();
        }
    }

    /**
     * What is to go out.
     *
     * @param nowNs    the time.
     * @param ingress  what came from the other node.
     * @param here     which of the other node's further streams have come: flags of a BEAT frame.
     * @return 0 if there was nothing.
     */
    int send(final long nowNs, final LinkIngress ingress, final int here)
    {
        if (isUp && order.split())
        {
            high.use(highAssembler);
            highBeats.begin(nowNs);
        }
        int work = drain();
        if (isUp)
        {
            // a full batch that left in this duty cycle, or since the one before, lets what is in hand wait for the next cycle
            final boolean isFlushed = assembler.batchCount() == batchesBefore;
            work += tell(nowNs);
            beats.tell(assembler, nowNs, ingress.lastSequence(), here);
            work += order.isSplit() ? flushHigh(nowNs, ingress) : 0;
            work += isFlushed ? Math.max(0, assembler.flush()) : assembler.pendingFrames();
        }
        batchesBefore = assembler.batchCount();
        stalls.endCycle(nowNs, isUp, assembler.refusedCount() + (highAssembler == null ? 0 : highAssembler.refusedCount()));
        return work;
    }

    /** Takes from the rings: what is of high priority first, and again between pieces of the other. */
    private int drain()
    {
        if (high == null)
        {
            return low.drain(DRAIN_LIMIT);
        }
        int work = drainHigh();
        int piece = PIECE_LIMIT;
        for (int left = DRAIN_LIMIT; left > 0 && piece == PIECE_LIMIT; left -= PIECE_LIMIT)
        {
            piece = low.drain(PIECE_LIMIT);
            work += piece + drainHigh();
        }
        return work;
    }

    private int drainHigh()
    {
        return order.release() ? high.drain(DRAIN_LIMIT) : 0;
    }

    /** What is of high priority waits for no company. */
    private int flushHigh(final long nowNs, final LinkIngress ingress)
    {
        highBeats.tell(highAssembler, nowNs, ingress.lastHighSequence(), 0);
        return Math.max(0, highAssembler.flush());
    }

    /** Tells what there is to tell of pairs and ranks, behind the data. */
    private int tell(final long nowNs)
    {
        int work = 0;
        final int keep = port.settings().creditSlots();
        low.pairs().answer(keep);
        if (isClear())
        {
            work += members.isDue() ? tellMembers() : 0;
            if (nowNs - repeatNs >= 0)
            {
                repeatNs = nowNs + REPEAT_NS;
                low.pairs().repeat();
                if (high != null)
                {
                    high.pairs().repeat();
                }
            }
            if (leaseNs > 0 && nowNs - leaseEndNs >= 0)
            {
                leaseEndNs = nowNs + leaseNs;
                low.pairs().endLeases(keep);
            }
            work += high == null || !order.release() ? 0 : high.pairs().tellDue(order.way(), nowNs);
            work += low.pairs().tellDue(assembler, nowNs);
        }
        return work;
    }

    private int tellMembers()
    {
        return members.tell(assembler, order, low.pairs(), high == null ? null : high.pairs());
    }

    /** Whether nothing that was taken from a ring waits for room in a batch. */
    private boolean isClear()
    {
        return low.isClear() && (high == null || high.isClear());
    }

    void onLocalRank(final int local, final int epoch, final boolean isOpen)
    {
        if (isUp && members.isUntold(local))
        {
            // each change is told in its turn
            tellMembers();
        }
        members.note(local, epoch, isOpen);
    }

    /** The other node receives this one's high stream. */
    void onHighReceived()
    {
        order.onReceived();
    }

    /** Whether there is a high stream of which the other node has not said for so long that it has come. */
    boolean isHighLate(final long nowNs, final long limitNs)
    {
        return isUp && order.isLate(nowNs, limitNs);
    }

    /** While this node stood still it could not hear anything. */
    void pause(final long pauseNs)
    {
        order.pause(pauseNs);
    }

    /** Batches of all streams of messages. */
    long batchCount()
    {
        return assembler.batchCount() + highBatchCount();
    }

    /** Messages and other frames of all streams of messages. */
    long frameCount()
    {
        return assembler.frameCount() + highFrameCount();
    }

    /** Batches of the high stream. */
    long highBatchCount()
    {
        return highAssembler == null ? 0 : highAssembler.batchCount();
    }

    /** Messages and other frames of the high stream. */
    long highFrameCount()
    {
        return highAssembler == null ? 0 : highAssembler.frameCount();
    }

    Stalls stalls()
    {
        return stalls;
    }

    EgressRuns runs()
    {
        return low.runs();
    }

    LinkPairs pairs()
    {
        return low.pairs();
    }

    /** Pairs of high rings; null if there are no priorities. */
    LinkPairs highPairs()
    {
        return high == null ? null : high.pairs();
    }

    /** For messages of high priority; there is none without priorities. */
    EgressRuns highRuns()
    {
        return high.runs();
    }

    /** Whether all that was sent to the other node has arrived there, as far as it can be known. */
    boolean isQuiet()
    {
        return !isUp || assembler.pendingFrames() == 0 && (highAssembler == null || highAssembler.pendingFrames() == 0) &&
            !members.isDue() && low.isQuiet() && (high == null || high.isQuiet());
    }

    @Override
    public String toString()
    {
        return "batches sent=" + batchCount() + ", frames sent=" + frameCount() + ", refused=" + assembler.refusedCount() +
            (highAssembler == null ? "" : ", high batches sent=" + highBatchCount() + ", high frames sent=" + highFrameCount() +
                ", high refused=" + highAssembler.refusedCount());
    }
}
