// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.plan;

import java.util.List;

/**
 * The nodes of a run: on this machine, with loopback ports and directories of their own.
 *
 * @param count      nodes.
 * @param ports      UDP ports, one for each node and flow control; empty if there is one node.
 * @param secret     of the group, in hexadecimal; empty if there is one node.
 * @param loss       share of the datagrams that are lost.
 * @param duplicates share of the datagrams that arrive twice.
 * @param reordering share of the datagrams that arrive behind later ones.
 * @param seed       of the faults.
 */
public record NodePlan(
    int count, List<Integer> ports, String secret, double loss, double duplicates, double reordering, long seed)
{
    /** One node: no network. */
    public static final NodePlan ONE = new NodePlan(1, List.of(), "", 0, 0, 0, 0);

    /**
     * Are there faults?
     *
     * @return true if any share is not 0.
     */
    public boolean isFaulty()
    {
        return loss > 0 || duplicates > 0 || reordering > 0;
    }
}
