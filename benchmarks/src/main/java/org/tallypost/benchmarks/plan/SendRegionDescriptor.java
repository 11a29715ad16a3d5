// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.plan;

import org.agrona.BitUtil;

/**
 * Layout of the region from which the others copy a rank's messages, on {@link MessagePath#REGIONS}.
 *
 * <pre>
 *   offset            length   field
 *   ---------------------------------------------------------------------------------------------------------
 *        0   N x L (of ranks)  receipts: the rank that has copied a message writes the message's number, plus 1
 *        W                     windows: the messages of the rank in all rounds, which overlap
 *        S     message length  spare: a message that is in no window
 * </pre>
 *
 * A receipt takes 8 bytes; W and S are multiples of 8. Receipts of ranks of one process lie side by side: L ranks for each of N
 * processes, rounded up to a line of their own.
 */
public final class SendRegionDescriptor
{
    /** Receipts in lines that no other process writes. */
    private static final int RECEIPTS_OF_LINES = 128 / Long.BYTES;

    private final int[] receiptOffsets;
    private final int windowsOffset;
    private final long spareOffset;
    private final long length;

    /**
     * Lays the region out.
     *
     * @param plan of the run.
     */
    public SendRegionDescriptor(final RunPlan plan)
    {
        receiptOffsets = new int[plan.ranks()];
        int next = 0;
        for (int process = 0; process < plan.processes(); process++)
        {
            for (final int rank : plan.ranksOf(process))
            {
                receiptOffsets[rank] = next++ * Long.BYTES;
            }
            next = BitUtil.align(next, RECEIPTS_OF_LINES);
        }
        windowsOffset = next * Long.BYTES;
        spareOffset = windowsOffset + (long)Sizing.windowsOfRank(plan.ranks()) * Long.BYTES +
            BitUtil.align((long)plan.messageLength(), Long.BYTES);
        length = spareOffset + plan.messageLength();
    }

    /**
     * Where a rank says that it has copied its message.
     *
     * @param rank that has copied.
     * @return offset of a word in the region.
     */
    public int receiptOffset(final int rank)
    {
        return receiptOffsets[rank];
    }

    /**
     * Where the first window begins.
     *
     * @return offset in the region.
     */
    public int windowsOffset()
    {
        return windowsOffset;
    }

    /**
     * Where a message goes that is in no window.
     *
     * @return offset in the region.
     */
    public int spareOffset()
    {
        return Math.toIntExact(spareOffset);
    }

    /**
     * Length of the region.
     *
     * @return bytes.
     */
    public long length()
    {
        return length;
    }
}
