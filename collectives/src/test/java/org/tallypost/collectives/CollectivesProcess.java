// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.nio.file.Path;
import java.util.List;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.node.Node;

/**
 * A child process that is one rank: it does operations by a seed, says so, and says how that ended, and when. If a member was
 * gone, it comes to the next team of all ranks, as long as it is told to.
 */
final class CollectivesProcess
{
    private CollectivesProcess()
    {
    }

    static ForkedJvm start(final Path directory, final int ranks, final int rank, final long seed, final int operations,
        final Algorithm algorithm, final int teams)
    {
        // the inputs of all members, twice
        final int heapMib = 64 + (int)((2L + ranks) * RandomCalls.length(ranks) >> 20) * 2;
        return ForkedJvm.startWith(List.of("-Xmx" + heapMib + "m", "-Dtallypost.length=" + RandomCalls.MAX_LENGTH),
            CollectivesProcess.class, directory, ranks, rank, seed, operations, String.valueOf(algorithm), teams);
    }

    /**
     * Does operations.
     *
     * @param arguments directory, ranks, rank, seed, number of operations, algorithm or null, number of teams in turn.
     */
    public static void main(final String[] arguments)
    {
        final int ranks = Integer.parseInt(arguments[1]);
        try (Node node = Node.launch(CollectivesTest.context(Path.of(arguments[0]), ranks));
            Endpoint endpoint = node.open(Integer.parseInt(arguments[2])))
        {
            for (int teams = Integer.parseInt(arguments[6]); teams > 0; teams--)
            {
                run(node, endpoint, ranks, Long.parseLong(arguments[3]) + teams, arguments);
            }
        }
    }

    private static void run(
        final Node node, final Endpoint endpoint, final int ranks, final long seed, final String[] arguments)
    {
        final Algorithm algorithm = "null".equals(arguments[5]) ? null : Algorithm.valueOf(arguments[5]);
        try (Collectives collectives = Collectives.attach(node, endpoint, new CollectivesContext().algorithm(algorithm)))
        {
            final Team world = collectives.world();
            try (TeamMemory memory = world.allocate(RandomCalls.length(ranks)))
            {
                // behind the allocation, which throws if a member is killed meanwhile
                System.out.println("joined");
                final long result = RandomCalls.run(world, memory, seed, Integer.parseInt(arguments[4]));
                final long endNs = System.nanoTime();
                System.out.println(result < 0 ? Team.errorString(result) + " " + world.goneMember() : "done " + result);
                if (result < 0)
                {
                    System.out.println(Team.errorString(world.barrier()));
                    System.out.println(endNs);
                }
            }
        }
    }
}
