// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.STATE_OPEN;
import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.TYPE_BEAT;
import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.TYPE_DATA;
import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.TYPE_MEMBER;
import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.TYPE_NUDGE;

import java.util.function.IntConsumer;
import org.agrona.DirectBuffer;
import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.endpoint.transport.NodePortListener;
import org.tallypost.endpoint.transport.PairPort;
import org.tallypost.transportaeron.internal.wire.Drop;
import org.tallypost.transportaeron.internal.wire.Drops;
import org.tallypost.transportaeron.internal.wire.FrameDescriptor;
import org.tallypost.transportaeron.internal.wire.FrameHandler;

/**
 * Where the frames of another node go: packets to mailboxes here, the rest to the books of pairs and to the list of ranks. Those
 * of pairs of high rings go to another one of these. For the agent's thread.
 */
final class IngressFrames implements FrameHandler
{
    private final NodePort port;
    /** Where packets go: the mailboxes of the port, or its high rings. */
    private final PairPort rings;
    /** For the pairs of high rings; null if there are no priorities, or this is it. */
    private final IngressFrames high;
    private final NodePortListener listener;
    private final LinkPairs pairs;
    private final Drops drops;
    /** Hears which streams the other node receives: flags of BEAT frames. */
    private final IntConsumer onBeat;

    /**
     * Of a link.
     *
     * @param highPairs pairs of high rings, null if there are no priorities.
     * @param onBeat    hears which streams the other node receives.
     */
    IngressFrames(
        final NodePort port, final NodePortListener listener, final LinkPairs pairs, final LinkPairs highPairs, final Drops drops,
        final IntConsumer onBeat)
    {
        this(port, port, listener, pairs, drops, onBeat, highPairs == null ? null :
            new IngressFrames(port, port.high(), listener, highPairs, drops, onBeat, null));
    }

    private IngressFrames(
        final NodePort port, final PairPort rings, final NodePortListener listener, final LinkPairs pairs, final Drops drops,
        final IntConsumer onBeat, final IngressFrames high)
    {
        this.rings = rings;
        this.high = high;
        this.onBeat = onBeat;
        this.port = port;
        this.listener = listener;
        this.pairs = pairs;
        this.drops = drops;
    }

    /** The room that is reserved in a mailbox is given up: the same mark covers each claim of this thread. */
    @Override
    public FrameHandler high()
    {
        pairs.release();
        return high;
    }

    /** High rings get few packets: each of them is claimed for by itself. */
    @Override
    public boolean onRunsAhead(
        final int source, final int dest, final int sourceEpoch, final int destEpoch, final int slots)
    {
        return rings == port && pairs.reserve(dest, source, sourceEpoch, destEpoch, slots);
    }

    @Override
    public boolean onNextRun(
        final int flags, final int value, final DirectBuffer buffer, final int offset, final int length)
    {
        return pairs.deliverNext(flags, value, buffer, offset, length);
    }

    @Override
    public void onFrame(
        final int type, final int flags, final int source, final int dest, final int value, final int sourceEpoch,
        final int destEpoch, final DirectBuffer buffer, final int offset, final int length)
    {
        if (type != TYPE_DATA)
        {
            // only in memory that changes meanwhile is anything left; programs are called with no claim open
            pairs.release();
        }
        switch (type)
        {
            case TYPE_DATA:
            case TYPE_NUDGE:
                final boolean isNudge = type == TYPE_NUDGE;
                if (isNudge && (value < 1 || value > FrameDescriptor.MAX_SLOTS))
                {
                    drops.add(Drop.COUNT);
                    break;
                }
                if (pairs.onPacket(dest, source, sourceEpoch, destEpoch, FrameDescriptor.slots(type, value, length),
                    !isNudge && (flags & FrameDescriptor.FLAG_LAST) != 0) &&
                    !rings.deliver(isNudge, flags, source, dest, value, buffer, offset, length))
                {
                    drops.add(Drop.RANK_EPOCH);
                }
                break;
            case TYPE_MEMBER:
                onMember(source, value, flags == STATE_OPEN);
                break;
            case TYPE_BEAT:
                onBeat.accept(flags);
                break;
            default:
                pairs.onControl(type, dest, source, value, sourceEpoch, destEpoch);
                break;
        }
    }

    /** The batch has ended: what was reserved for its runs and not used is given back. */
    void release()
    {
        pairs.release();
    }

    private void onMember(final int peer, final int epoch, final boolean isOpen)
    {
        port.closePeer(peer, listener);
        if (isOpen && epoch != 0)
        {
            port.openPeer(peer, epoch, listener);
        }
    }
}
