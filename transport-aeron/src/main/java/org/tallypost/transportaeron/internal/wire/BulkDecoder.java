// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.wire;

import org.agrona.DirectBuffer;

/**
 * Takes frames of the bulk stream of one node apart, in sequence. The bytes come from a network: nothing of them is believed
 * before it is checked. For one thread.
 */
public final class BulkDecoder
{
    /** The frame was refused; the link stays. */
    public static final int REFUSED = -1;
    /** Something is missing or malformed: the link cannot go on. */
    public static final int BROKEN = -2;

    private final int ownNode;
    private final int peerNode;
    private final int groupHash;
    private final int maxLength;
    private final Drops drops;
    private int receiverEpoch;
    private int senderEpoch;
    private int nextSequence;
    private boolean isOpen;

    /**
     * A decoder without a link: it refuses everything until {@link #open}.
     *
     * @param ownNode   index of this node.
     * @param peerNode  index of the other node.
     * @param groupHash of the group's terms.
     * @param mtuLength of the stream in bytes.
     * @param drops     to count in.
     */
    public BulkDecoder(final int ownNode, final int peerNode, final int groupHash, final int mtuLength, final Drops drops)
    {
        this.ownNode = ownNode;
        this.peerNode = peerNode;
        this.groupHash = groupHash;
        this.drops = drops;
        maxLength = BulkDescriptor.HEADER_LENGTH + BulkEncoder.maxBytes(mtuLength);
    }

    /** A link was made: only frames with both of its epochs are taken, from sequence 0 on. */
    public void open(final int ownEpoch, final int peerEpoch)
    {
        receiverEpoch = ownEpoch;
        senderEpoch = peerEpoch;
        nextSequence = 0;
        isOpen = true;
    }

    /** The link is down. */
    public void close()
    {
        isOpen = false;
    }

    /**
     * Reads a frame.
     *
     * @param frame to be filled.
     * @return 1, {@link #REFUSED} or {@link #BROKEN}.
     */
    public int decode(final DirectBuffer buffer, final int offset, final int length, final BulkFrame frame)
    {
        final Drop reason = checkHeader(buffer, offset, length);
        if (reason != null)
        {
            drops.add(reason);
            return REFUSED;
        }
        final int ahead = BatchDescriptor.sequence(buffer, offset) - nextSequence;
        if (ahead < 0)
        {
            drops.add(Drop.REPEATED);
            return REFUSED;
        }
        final Drop fault = ahead > 0 ? Drop.GAP : BulkDescriptor.get(buffer, offset, length, frame);
        if (fault != null)
        {
            drops.add(fault);
            isOpen = false;
            return BROKEN;
        }
        nextSequence++;
        return 1;
    }

    private Drop checkHeader(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length < BulkDescriptor.HEADER_LENGTH || offset < 0 || offset > buffer.capacity() - length)
        {
            return Drop.TRUNCATED;
        }
        if (length > maxLength)
        {
            return Drop.OVERSIZED;
        }
        if (BatchDescriptor.version(buffer, offset) != BatchDescriptor.VERSION)
        {
            return Drop.VERSION;
        }
        if (BatchDescriptor.kind(buffer, offset) != BatchDescriptor.KIND_BULK || BatchDescriptor.zero(buffer, offset) != 0)
        {
            return Drop.KIND;
        }
        if (BatchDescriptor.sourceNode(buffer, offset) != peerNode || BatchDescriptor.destNode(buffer, offset) != ownNode)
        {
            return Drop.NODE;
        }
        if (BatchDescriptor.groupHash(buffer, offset) != groupHash)
        {
            return Drop.GROUP;
        }
        return !isOpen || BatchDescriptor.receiverEpoch(buffer, offset) != receiverEpoch ||
            BatchDescriptor.senderEpoch(buffer, offset) != senderEpoch ? Drop.LINK_EPOCH : null;
    }
}
