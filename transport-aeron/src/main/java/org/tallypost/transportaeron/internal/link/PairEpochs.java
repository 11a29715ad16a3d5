// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import org.tallypost.transportaeron.internal.wire.FrameDescriptor;

/**
 * Which incarnations of the two ranks a pair's counts belong to. A frame that names others comes from before one of them was
 * restarted, or from one that is mistaken.
 */
final class PairEpochs
{
    private static final int OPEN = 1;

    private final int[] epochs;
    private final byte[] states;

    PairEpochs(final int pairs)
    {
        epochs = new int[pairs];
        states = new byte[pairs];
    }

    void open(final int pair, final int sourceEpoch, final int destEpoch)
    {
        epochs[pair] = pack(sourceEpoch, destEpoch);
        states[pair] = OPEN;
    }

    void close(final int pair)
    {
        states[pair] = 0;
    }

    boolean isOpen(final int pair)
    {
        return states[pair] == OPEN;
    }

    /** Whether the pair is open in these incarnations; only their low 16 bits count. */
    boolean fits(final int pair, final int sourceEpoch, final int destEpoch)
    {
        return states[pair] == OPEN && epochs[pair] == pack(sourceEpoch, destEpoch);
    }

    private static int pack(final int sourceEpoch, final int destEpoch)
    {
        return (destEpoch & FrameDescriptor.EPOCH_MASK) << Short.SIZE | sourceEpoch & FrameDescriptor.EPOCH_MASK;
    }
}
