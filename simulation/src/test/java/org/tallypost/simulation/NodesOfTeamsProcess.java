// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.collectives.Collectives;
import org.tallypost.collectives.CollectivesContext;
import org.tallypost.collectives.Team;
import org.tallypost.collectives.TeamCalls;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.node.Node;
import org.tallypost.transportaeron.NodeAddress;

/** A child process with the only rank of a node, which is in barriers or broadcasts until it is killed. */
final class NodesOfTeamsProcess
{
    private static final int LENGTH = 1 << 18;
    private static final long LIMIT_NS = 180_000_000_000L;

    private NodesOfTeamsProcess()
    {
    }

    /** Multicast to a group; null for none. */
    static ForkedJvm start(
        final Path directory, final int[] ports, final int[] ranksOfNodes, final int node, final NodeAddress group)
    {
        return ForkedJvm.startWith(List.of("-Dtallypost.livenessMs=" + Long.getLong("tallypost.livenessMs", 10_000)),
            NodesOfTeamsProcess.class, directory, node, Arrays.toString(ports), Arrays.toString(ranksOfNodes),
            group == null ? "" : group.host(), group == null ? 0 : group.port());
    }

    /** What all members do: a barrier, or a broadcast of many pieces from one after the other. */
    static long operation(final Team team, final boolean isBroadcast, final int index)
    {
        final TeamCalls calls = team.calls(System.nanoTime() + LIMIT_NS);
        return isBroadcast ?
            calls.broadcast(index % team.size(), new UnsafeBuffer(new byte[LENGTH]), 0, LENGTH) : calls.barrier();
    }

    static int[] numbers(final String text)
    {
        return Arrays.stream(text.substring(1, text.length() - 1).split(", ")).mapToInt(Integer::parseInt).toArray();
    }

    /**
     * Does operations.
     *
     * @param arguments directory, node, ports and numbers of ranks of all nodes, address and port for multicast.
     */
    public static void main(final String[] arguments)
    {
        final int index = Integer.parseInt(arguments[1]);
        final int[] ranks = numbers(arguments[3]);
        final int rank = Arrays.stream(ranks).limit(index).sum();
        final NodeAddress group =
            arguments[4].isEmpty() ? null : new NodeAddress(arguments[4], Integer.parseInt(arguments[5]));
        try (Node node = Node.launch(TeamsOfNodesRig.context(
            Path.of(arguments[0]), TeamsOfNodesRig.topology(numbers(arguments[2]), ranks), index, group));
            Endpoint endpoint = node.open(rank);
            Collectives collectives = Collectives.attach(
                node, endpoint, new CollectivesContext().joinTimeoutNs(LIMIT_NS).multicastProbeNs(LIMIT_NS)))
        {
            final Team world = collectives.world();
            long result = operation(world, group != null, 0);
            System.out.println("joined");
            for (int i = 1; result >= 0; i++)
            {
                result = operation(world, group != null, i);
            }
            System.out.println(Team.errorString(result));
        }
    }
}
