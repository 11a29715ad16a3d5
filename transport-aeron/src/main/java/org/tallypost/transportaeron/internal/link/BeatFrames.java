// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.TYPE_BEAT;

import org.tallypost.transportaeron.internal.wire.BatchAssembler;

/** Tells the other node by a stream that this one is alive, and which of its other streams have come. For the agent's thread. */
final class BeatFrames
{
    static final int PER_INTERVAL = 4;

    private final long periodNs;
    private long dueNs;
    /** Of which of its streams the other node was told: flags of the frame. */
    private int told;

    BeatFrames(final long intervalNs)
    {
        periodNs = intervalNs / PER_INTERVAL;
    }

    /** A link begins: the other node knows nothing. */
    void begin(final long nowNs)
    {
        dueNs = nowNs;
        told = 0;
    }

    /**
     * Tells now and then that this node is alive, and at once that a stream has come.
     *
     * @param lastSequence of the batches that came from the other node by its stream of this kind.
     * @param here         which of the other node's further streams have come: flags of the frame.
     */
    void tell(final BatchAssembler assembler, final long nowNs, final int lastSequence, final int here)
    {
        if ((nowNs - dueNs >= 0 || (here & ~told) != 0) &&
            assembler.appendControl(TYPE_BEAT, here, 0, 0, lastSequence, 0, 0))
        {
            dueNs = nowNs + periodNs;
            told = here;
        }
    }
}
