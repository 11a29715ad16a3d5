// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.plan;

import java.util.List;

/**
 * The nodes of a run: on this machine, with directories of their own, and with network namespaces or loopback ports.
 *
 * @param count      nodes.
 * @param addresses  of the nodes; empty if there is one.
 * @param namespaces names of their network namespaces; empty if they share the machine's network.
 * @param place      where the nodes are, in words.
 * @param ports      UDP ports, one for each node and flow control; empty if there is one node.
 * @param secret     of the group, in hexadecimal; empty if there is one node.
 * @param loss       share of the datagrams that are lost.
 * @param duplicates share of the datagrams that arrive twice.
 * @param reordering share of the datagrams that arrive behind later ones.
 * @param seed       of the faults.
 */
public record NodePlan(
    int count,
    List<String> addresses,
    List<String> namespaces,
    String place,
    List<Integer> ports,
    String secret,
    double loss,
    double duplicates,
    double reordering,
    long seed)
{
    /** One node: no network. */
    public static final NodePlan ONE = new NodePlan(1, List.of(), List.of(), "", List.of(), "", 0, 0, 0, 0);

    /**
     * Are there faults?
     *
     * @return true if any share is not 0.
     */
    public boolean hasFaults()
    {
        return loss > 0 || duplicates > 0 || reordering > 0;
    }
}
