// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import org.tallypost.endpoint.transport.PairListener;
import org.tallypost.endpoint.transport.PairPort;
import org.tallypost.transportaeron.internal.wire.BatchAssembler;

/**
 * What the sending half of a link has for the pairs of one priority: the rings from which it takes runs, what of these waits for
 * room in a batch, and the counts that are to be told. For the agent's thread.
 */
final class PairEgress
{
    private final PairPort port;
    private final PairListener listener;
    private final int peerNode;
    private final LinkPairs pairs;
    private BatchAssembler assembler;
    private final FrameStash stash = new FrameStash();
    private final EgressRuns runs;

    PairEgress(
        final PairPort port, final PairListener listener, final int peerNode, final LinkPairs pairs,
        final BatchAssembler assembler)
    {
        this.port = port;
        this.listener = listener;
        this.peerNode = peerNode;
        this.pairs = pairs;
        this.assembler = assembler;
        runs = new EgressRuns(pairs, assembler, stash);
    }

    /** What is taken from now on goes by another stream; nothing of what went before may be in hand. */
    void use(final BatchAssembler other)
    {
        assembler = other;
        runs.use(other);
    }

    /**
     * Hands on what waits, and then what lies in the ring.
     *
     * @param limit most runs.
     * @return the number of runs taken from the ring.
     */
    int drain(final int limit)
    {
        return stash.isEmpty() || stash.drainTo(assembler) > 0 && stash.isEmpty() ?
            port.drain(peerNode, listener, limit) : 0;
    }

    /** Whether nothing that was taken from the ring waits. */
    boolean isClear()
    {
        return stash.isEmpty();
    }

    /** The link is over: what waits is gone. */
    void clear()
    {
        stash.clear();
    }

    EgressRuns runs()
    {
        return runs;
    }

    LinkPairs pairs()
    {
        return pairs;
    }

    /** Whether all that was sent to the other node has arrived there, as far as it can be known. */
    boolean isQuiet()
    {
        return stash.isEmpty() && pairs.isQuiet() && port.unacknowledged(peerNode) == 0;
    }
}
