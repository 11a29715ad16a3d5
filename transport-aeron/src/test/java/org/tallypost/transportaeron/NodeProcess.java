// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import java.io.File;
import java.util.List;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.node.Node;

/** A child process that holds one rank of a node and polls it until it is killed. Says "ready" when the rank is open. */
public final class NodeProcess
{
    private NodeProcess()
    {
    }

    static ForkedJvm start(final File directory, final Topology topology, final int rank, final long livenessNs)
    {
        return start(directory, topology, rank, livenessNs, 0);
    }

    static ForkedJvm start(
        final File directory, final Topology topology, final int rank, final long livenessNs, final int highSlots)
    {
        return ForkedJvm.start(NodeProcess.class, directory, topology.address(0).port(), topology.address(1).port(),
            topology.rankCount(), rank, livenessNs, highSlots);
    }

    /**
     * Opens a rank of node 1; rank 0 alone is on node 0.
     *
     * @param arguments directory, ports of the two nodes, ranks, own rank, liveness interval, slots of the high rings.
     */
    public static void main(final String[] arguments)
    {
        final int ranks = Integer.parseInt(arguments[3]);
        final Topology topology = Topology.blocks(
            List.of(new NodeAddress("127.0.0.1", Integer.parseInt(arguments[1])),
            new NodeAddress("127.0.0.1", Integer.parseInt(arguments[2]))), new int[]{1, ranks - 1});
        final Node node = Node.launch(new NodeContext()
            .directory(new File(arguments[0]))
            .groupName("test")
            .rankCount(ranks)
            .slotsPerSender(16)
            .highSlots(Integer.parseInt(arguments[6]))
            .maxSendingThreads(64)
            .maxProcesses(16)
            .livenessIntervalNs(Long.parseLong(arguments[5]))
            .transport(new AeronTransport(topology, 1).secret(NodesRig.SECRET)));
        final Endpoint endpoint = node.open(Integer.parseInt(arguments[4]));
        System.out.println("ready");
        while (true)
        {
            if (endpoint.poll((source, tag, buffer, offset, length) -> {}, 16) == 0)
            {
                Thread.yield();
            }
        }
    }
}
