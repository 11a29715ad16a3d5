// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.tallypost.collectives.Collectives;
import org.tallypost.collectives.CollectivesContext;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.node.Node;
import org.tallypost.transportaeron.NodeAddress;
import org.tallypost.transportaeron.Topology;

/** A child process with one rank of one node or several: it does what a seed says, and then what differs from the others. */
final class MixedCollectivesProcess
{
    static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(170);

    private MixedCollectivesProcess()
    {
    }

    /** With as many operations. */
    static ForkedJvm start(
        final Path directory, final int[] ports, final int[] ranksOfNodes, final NodeAddress group, final int rank,
        final long seed, final int operations)
    {
        final String full = "-D" + CallsThatDiffer.FULL + "=" + Boolean.getBoolean(CallsThatDiffer.FULL);
        return ForkedJvm.startWith(List.of("-Xmx192m", "-Dtallypost.livenessMs=60000", full), MixedCollectivesProcess.class,
            directory, Arrays.toString(ports), Arrays.toString(ranksOfNodes), group == null ? "" : group.host(),
            group == null ? 0 : group.port(), rank, seed, operations);
    }

    /**
     * Does operations.
     *
     * @param arguments directory, ports and numbers of ranks of all nodes, address and port for multicast, rank, seed, number of
     *                  operations.
     */
    public static void main(final String[] arguments)
    {
        final int[] ranksOfNodes = NodesOfTeamsProcess.numbers(arguments[2]);
        final Topology topology = TeamsOfNodesRig.topology(NodesOfTeamsProcess.numbers(arguments[1]), ranksOfNodes);
        final NodeAddress group =
            arguments[3].isEmpty() ? null : new NodeAddress(arguments[3], Integer.parseInt(arguments[4]));
        final int rank = Integer.parseInt(arguments[5]);
        final long seed = Long.parseLong(arguments[6]);
        final int operations = Integer.parseInt(arguments[7]);
        final NodeContext context =
            TeamsOfNodesRig.context(Path.of(arguments[0]), topology, topology.nodeOf(rank), group);
        if (ranksOfNodes.length == 1)
        {
            context.transport(null);
        }
        try (Node node = Node.launch(context);
            Endpoint endpoint = node.open(rank);
            Collectives collectives = Collectives.attach(
                node, endpoint, new CollectivesContext().joinTimeoutNs(LIMIT_NS).multicastProbeNs(LIMIT_NS)))
        {
            collectives.world();
            System.out.println("joined");
            new MixedCollectives(collectives, rank, topology::nodeOf, seed, LIMIT_NS)
                .run(operations, (done) -> System.out.println(done));
            System.out.println("done");
            CallsThatDiffer.run(collectives.world(), seed, LIMIT_NS, System.out::println);
            System.out.println("told");
        }
    }
}
