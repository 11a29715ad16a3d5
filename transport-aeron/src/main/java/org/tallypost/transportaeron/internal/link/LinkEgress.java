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

    private final NodePort port;
    private final long leaseNs;
    private final BatchAssembler assembler;
    private final PairEgress low;
    /** Null if there are no priorities. */
    private final PairEgress high;
    private final MemberFrames members;
    private final BeatFrames beats;
    private final Stalls stalls = new Stalls();
    private boolean isUp;
    private long repeatNs;
    private long leaseEndNs;
    /** Batches that had left when the last duty cycle had sent. */
    private long batchesBefore;

    LinkEgress(
        final AeronSettings settings, final NodePort port, final NodePortListener listener, final int peerNode,
        final int groupHash, final LinkPairs pairs, final LinkPairs highPairs, final BatchSink sink)
    {
        this.port = port;
        beats = new BeatFrames(port.settings().livenessIntervalNs());
        leaseNs = port.settings().isFlowDynamic() ? port.settings().transportSettings().creditLeaseNs() : 0;
        assembler = new BatchAssembler(settings.node(), peerNode, groupHash,
            BatchDescriptor.maxLength(settings.mtuLength(port.settings(), settings.node(), peerNode)), sink);
        low = new PairEgress(port, listener, peerNode, pairs, assembler);
        high = highPairs == null ? null : new PairEgress(port.high(), listener.high(), peerNode, highPairs, assembler);
        members = new MemberFrames(settings.map(), settings.node());
    }

    /** A link begins. */
    void open(final int ownEpoch, final int peerEpoch, final long nowNs)
    {
        isUp = true;
        assembler.open(peerEpoch, ownEpoch);
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
     * @param nowNs        the time.
     * @param lastSequence of the batches that came from the other node.
     * @param isBulkHere   whether the other node's bulk stream has come.
     * @return 0 if there was nothing.
     */
    int send(final long nowNs, final int lastSequence, final boolean isBulkHere)
    {
        int work = high == null ? 0 : high.drain();
        work += low.drain();
        if (isUp)
        {
            // a full batch that left in this duty cycle, or since the one before, lets what is in hand wait for the next cycle
            final boolean isFlushed = assembler.batchCount() == batchesBefore;
            work += tell(nowNs);
            beats.tell(assembler, nowNs, lastSequence, isBulkHere);
            work += isFlushed ? Math.max(0, assembler.flush()) : assembler.pendingFrames();
        }
        batchesBefore = assembler.batchCount();
        stalls.endCycle(nowNs, isUp, assembler.refusedCount());
        return work;
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
            work += high == null ? 0 : high.pairs().tellDue(assembler, nowNs);
            work += low.pairs().tellDue(assembler, nowNs);
        }
        return work;
    }

    private int tellMembers()
    {
        return members.tell(assembler, low.pairs(), high == null ? null : high.pairs());
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

    long batchCount()
    {
        return assembler.batchCount();
    }

    long frameCount()
    {
        return assembler.frameCount();
    }

    Stalls stalls()
    {
        return stalls;
    }

    EgressRuns runs()
    {
        return low.runs();
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
        return !isUp || assembler.pendingFrames() == 0 && !members.isDue() && low.isQuiet() && (high == null || high.isQuiet());
    }

    @Override
    public String toString()
    {
        return "batches sent=" + assembler.batchCount() + ", frames sent=" + assembler.frameCount() + ", refused=" +
            assembler.refusedCount();
    }
}
