// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.driver;

import io.aeron.logbuffer.LogBufferDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import org.agrona.BitUtil;
import org.tallypost.endpoint.Flow;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.transportaeron.internal.wire.BatchDescriptor;
import org.tallypost.transportaeron.internal.wire.FrameDescriptor;

/**
 * How much may be under way from one node to another, and how long the terms of Aeron's log have to be so that it never
 * refuses what credits allow: a publication takes what its sender has not sent yet up to half a term.
 *
 * <p>The worst case counts: every credit that the sending node's ranks can hold is in use, and every slot travels alone, in
 * an Aeron message of its own. Under dynamic flow control one node's ranks may hold all there is.
 */
public final class WindowSizing
{
    /** Bytes in Aeron's log of a batch of one frame of one slot. */
    static final int LONE_SLOT_LENGTH = BitUtil.align(
        DataHeaderFlyweight.HEADER_LENGTH + BatchDescriptor.BATCH_HEADER_LENGTH + MailboxDescriptor.SLOT_LENGTH,
        io.aeron.logbuffer.FrameDescriptor.FRAME_ALIGNMENT);
    /** Control frames of a pair that can wait at a time: one of each kind, both directions of the pair. */
    private static final int CONTROL_FRAMES_PER_PAIR = 4;

    private WindowSizing()
    {
    }

    /**
     * Slots that the ranks of one node may fill in the mailboxes of another one at a time.
     *
     * @param flow           of the group; {@link Flow#NONE} has no bound.
     * @param slotsPerSender S.
     * @param creditSlots    k.
     * @param rankCount      of the group.
     * @param senders        ranks of the sending node.
     * @param receivers      ranks of the receiving node.
     * @return their number.
     * @throws IllegalArgumentException if there is no bound.
     */
    public static long creditBound(
        final Flow flow, final int slotsPerSender, final int creditSlots, final int rankCount, final int senders,
        final int receivers)
    {
        final long share = slotsPerSender - creditSlots;
        switch (flow)
        {
            case STATIC:
                return share * senders * receivers;
            case DYNAMIC:
                // when all others are gone, also the static slots of those are free for the taking
                return senders == 0 ? 0 : share * rankCount * receivers;
            default:
                throw new IllegalArgumentException("flow NONE bounds nothing between nodes: choose STATIC or DYNAMIC");
        }
    }

    /** Bytes of Aeron's log that these slots can take, with the control frames of all pairs. */
    public static long windowBound(final long slots, final int senders, final int receivers)
    {
        final long control = (long)senders * receivers * CONTROL_FRAMES_PER_PAIR * FrameDescriptor.HEADER_LENGTH;
        return slots * LONE_SLOT_LENGTH + control + LONE_SLOT_LENGTH;
    }

    /**
     * The term length to use.
     *
     * @param configured    by the user, a power of two, or 0 for the shortest that will do.
     * @param windowBound   in bytes.
     * @param ownNode       for the message.
     * @param peerNode      for the message.
     * @return the length in bytes.
     * @throws IllegalArgumentException if the window would be shorter than the bound; it names what to change.
     */
    public static int termLength(final int configured, final long windowBound, final int ownNode, final int peerNode)
    {
        final long needed = Math.max(
            LogBufferDescriptor.TERM_MIN_LENGTH, Long.highestOneBit(Math.max(1, 2 * windowBound - 1)) << 1);
        if (configured != 0 && Integer.bitCount(configured) != 1)
        {
            throw new IllegalArgumentException("termLength is no power of two: found=" + configured);
        }
        final boolean isTooMuch = needed > LogBufferDescriptor.TERM_MAX_LENGTH;
        if (isTooMuch || configured != 0 && configured < needed)
        {
            throw new IllegalArgumentException("credits allow more between two nodes than Aeron's window holds: from node " +
                ownNode + " to node " + peerNode + ", found termLength=" +
                (configured == 0 ? LogBufferDescriptor.TERM_MAX_LENGTH : configured) + " with a window of half of it, expected " +
                "at least termLength=" + needed + " for " + windowBound + " bytes under way; " + (isTooMuch ?
                "lower slotsPerSender, or put fewer ranks on a node" : "raise termLength, or lower slotsPerSender"));
        }
        return configured == 0 ? (int)needed : configured;
    }
}
