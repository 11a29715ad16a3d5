// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.node.Node;

/** A child process that carries the packets of a node, and has none of its ranks. */
final class CarryingProcess
{
    private CarryingProcess()
    {
    }

    static ForkedJvm start(
        final Path directory, final int[] ports, final int[] ranksOfNodes, final int node, final long livenessNs)
    {
        return ForkedJvm.startWith(List.of("-Dtallypost.livenessMs=" + livenessNs / 1_000_000), CarryingProcess.class,
            directory, node, Arrays.toString(ports), Arrays.toString(ranksOfNodes));
    }

    /**
     * Carries packets until its input ends.
     *
     * @param arguments directory, node, ports and numbers of ranks of all nodes.
     * @throws IOException if the input fails.
     */
    public static void main(final String[] arguments) throws IOException
    {
        try (Node node = Node.launch(TeamsOfNodesRig.context(Path.of(arguments[0]),
            TeamsOfNodesRig.topology(NodesOfTeamsProcess.numbers(arguments[2]), NodesOfTeamsProcess.numbers(arguments[3])),
            Integer.parseInt(arguments[1]), null)))
        {
            System.out.println("ready: " + node);
            while (System.in.read() >= 0)
            {
                Thread.onSpinWait();
            }
        }
    }
}
