// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import java.nio.file.Path;
import java.util.Arrays;
import org.tallypost.collectives.Collectives;
import org.tallypost.collectives.CollectivesContext;
import org.tallypost.collectives.Team;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.node.Node;

/** A child process with the only rank of a node, which is in barriers until it is killed. */
final class NodesOfTeamsProcess
{
    private NodesOfTeamsProcess()
    {
    }

    static ForkedJvm start(final Path directory, final int[] ports, final int[] ranksOfNodes, final int node)
    {
        return ForkedJvm.start(NodesOfTeamsProcess.class, directory, node, Arrays.toString(ports), Arrays.toString(ranksOfNodes));
    }

    private static int[] numbers(final String text)
    {
        return Arrays.stream(text.substring(1, text.length() - 1).split(", ")).mapToInt(Integer::parseInt).toArray();
    }

    /**
     * Does barriers.
     *
     * @param arguments directory, node, ports and numbers of ranks of all nodes.
     */
    public static void main(final String[] arguments)
    {
        final int index = Integer.parseInt(arguments[1]);
        final int[] ranks = numbers(arguments[3]);
        final int rank = Arrays.stream(ranks).limit(index).sum();
        try (Node node = Node.launch(TeamsOfNodesTest.context(
            Path.of(arguments[0]), TeamsOfNodesTest.topology(numbers(arguments[2]), ranks), index));
            Endpoint endpoint = node.open(rank);
            Collectives collectives = Collectives.attach(node, endpoint, new CollectivesContext()))
        {
            final Team world = collectives.world();
            long result = world.barrier();
            System.out.println("joined");
            while (result >= 0)
            {
                result = world.barrier();
            }
            System.out.println(Team.errorString(result));
        }
    }
}
