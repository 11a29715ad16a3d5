// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.FLAG_BULK;
import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.TYPE_BEAT;

import org.tallypost.transportaeron.internal.wire.BatchAssembler;

/** Tells the other node that this one is alive, and that its bulk stream has come. For the agent's thread. */
final class BeatFrames
{
    static final int PER_INTERVAL = 4;

    private final long periodNs;
    private long dueNs;
    /** Whether the other node was told of its bulk stream. */
    private boolean isBulkTold;

    BeatFrames(final long intervalNs)
    {
        periodNs = intervalNs / PER_INTERVAL;
    }

    /** A link begins: the other node knows nothing. */
    void begin(final long nowNs)
    {
        dueNs = nowNs;
        isBulkTold = false;
    }

    /**
     * Tells now and then that this node is alive, and at once that the bulk stream has come.
     *
     * @param lastSequence of the batches that came from the other node.
     * @param isBulkHere   whether the other node's bulk stream has come.
     */
    void tell(final BatchAssembler assembler, final long nowNs, final int lastSequence, final boolean isBulkHere)
    {
        if ((nowNs - dueNs >= 0 || isBulkHere && !isBulkTold) &&
            assembler.appendControl(TYPE_BEAT, isBulkHere ? FLAG_BULK : 0, 0, 0, lastSequence, 0, 0))
        {
            dueNs = nowNs + periodNs;
            isBulkTold = isBulkHere;
        }
    }
}
