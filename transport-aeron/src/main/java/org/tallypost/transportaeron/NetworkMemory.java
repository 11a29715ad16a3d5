// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import io.aeron.logbuffer.LogBufferDescriptor;
import org.tallypost.endpoint.Flow;
import org.tallypost.transportaeron.internal.driver.WindowSizing;

/**
 * What Aeron keeps for a node of a group of nodes with equally many ranks: streams and their logs, one log for each at
 * either end. An embedded driver reserves all of them when a link begins, so that a full file system cannot end the process.
 *
 * @param streams    that leave the node; as many come in.
 * @param termLength of each log in bytes; a log has three terms.
 * @param logLength  of each log in bytes, as a file.
 */
public record NetworkMemory(int streams, int termLength, long logLength)
{
    private static final int PAGE_LENGTH = 4096;

    /**
     * One stream for each ordered pair of nodes: what {@link AeronTransport} does.
     *
     * @param group of nodes.
     * @return the memory of one of its nodes.
     * @throws IllegalArgumentException if Aeron has no term that is long enough.
     */
    public static NetworkMemory ofNodes(final Group group)
    {
        return of(group, group.nodes - 1, group.ranksPerNode);
    }

    /**
     * One stream for each ordered pair of ranks on different nodes, with the same promise for each: that Aeron never pushes
     * back before the credits do.
     *
     * @param group of nodes.
     * @return the memory of one of its nodes.
     * @throws IllegalArgumentException if Aeron has no term that is long enough.
     */
    public static NetworkMemory ofRanks(final Group group)
    {
        return of(group, group.ranksPerNode * (group.rankCount() - group.ranksPerNode), 1);
    }

    private static NetworkMemory of(final Group group, final int streams, final int ranks)
    {
        final long slots = WindowSizing.creditBound(
            group.flow, group.slotsPerSender, group.creditSlots, group.rankCount(), ranks, ranks);
        final int termLength = WindowSizing.termLength(0, WindowSizing.windowBound(slots, ranks, ranks), 0, 1);
        return new NetworkMemory(streams, termLength, LogBufferDescriptor.computeLogLength(termLength, PAGE_LENGTH));
    }

    /**
     * Logs of both directions.
     *
     * @return bytes of the files, whether or not they were ever used.
     */
    public long bytes()
    {
        return 2 * streams * logLength;
    }

    /**
     * A group of nodes that are all alike.
     *
     * @param flow           of the group.
     * @param slotsPerSender of the group.
     * @param creditSlots    of the group.
     * @param nodes          at least 2.
     * @param ranksPerNode   at least 1.
     */
    public record Group(Flow flow, int slotsPerSender, int creditSlots, int nodes, int ranksPerNode)
    {
        /**
         * Ranks of all nodes.
         *
         * @return their number.
         */
        public int rankCount()
        {
            return nodes * ranksPerNode;
        }
    }
}
