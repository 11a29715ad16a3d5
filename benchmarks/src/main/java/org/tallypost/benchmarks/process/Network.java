// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.process;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.benchmarks.plan.NodePlan;
import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.Way;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.transportaeron.AeronTransport;
import org.tallypost.transportaeron.NodeAddress;
import org.tallypost.transportaeron.Topology;
import org.tallypost.transportaeron.faults.NetworkFaults;

/**
 * The network between the nodes of a run, as one worker sees it.
 */
final class Network
{
    /** Workers share cores with one another: silence for a second means nothing. */
    private static final long LIVENESS_NS = 30_000_000_000L;

    private final int node;
    private final Topology topology;
    private final AeronTransport transport;
    private final NetworkFaults faults;

    Network(final RunPlan plan, final Way way, final int process)
    {
        final NodePlan nodes = plan.nodes();
        node = plan.nodeOf(process);
        final int first = plan.ways().indexOf(way) * nodes.count();
        final List<NodeAddress> addresses = new ArrayList<>();
        for (int i = 0; i < nodes.count(); i++)
        {
            addresses.add(new NodeAddress(nodes.addresses().get(i), nodes.ports().get(first + i)));
        }
        topology = new Topology(
            addresses, IntStream.range(0, plan.ranks()).map(rank -> plan.nodeOf(plan.processOf(rank))).toArray());
        faults = nodes.hasFaults() ?
            new NetworkFaults(nodes.seed() + node).loss(nodes.loss()).duplicates(nodes.duplicates())
                .reordering(nodes.reordering()) : null;
        transport = new AeronTransport(topology, node).secret(nodes.secret().getBytes(StandardCharsets.US_ASCII)).faults(faults);
    }

    void configure(final NodeContext context)
    {
        context.transport(transport).livenessIntervalNs(LIVENESS_NS);
    }

    /** Every rank greets every rank of other nodes, and is greeted by it. */
    void connect(final List<Endpoint> endpoints, final Runnable turn)
    {
        final UnsafeBuffer nothing = new UnsafeBuffer(new byte[0]);
        final int[] elsewhere = IntStream.range(0, topology.rankCount()).filter(rank -> topology.nodeOf(rank) != node).toArray();
        final int[] greeted = new int[endpoints.size()];
        final int[] heard = new int[endpoints.size()];
        int missing = 2 * elsewhere.length * endpoints.size();
        while (missing > 0)
        {
            turn.run();
            for (int i = 0; i < greeted.length; i++)
            {
                final int self = i;
                final int before = heard[i];
                endpoints.get(i).poll((source, tag, buffer, offset, length) -> heard[self]++, elsewhere.length);
                missing -= heard[i] - before;
                while (greeted[i] < elsewhere.length && endpoints.get(i).offer(elsewhere[greeted[i]], 0, nothing, 0, 0) >= 0)
                {
                    greeted[i]++;
                    missing--;
                }
            }
            Thread.yield();
        }
    }

    /** What was counted here, or null if another process carried the node's packets. */
    String counts()
    {
        final String links = transport.counts();
        return links == null ? null : "node " + node + ": " + links + (faults == null ? "" : "; faults: " + faults);
    }
}
