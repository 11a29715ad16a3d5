// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.nio.file.Path;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.node.Node;

/** A child process that is one rank: it does operations by a seed, says so, and says how that ended. */
final class CollectivesProcess
{
    private CollectivesProcess()
    {
    }

    static ForkedJvm start(final Path directory, final int ranks, final int rank, final long seed, final int operations,
        final Algorithm algorithm)
    {
        return ForkedJvm.start(CollectivesProcess.class, directory, ranks, rank, seed, operations, String.valueOf(algorithm));
    }

    /**
     * Does operations.
     *
     * @param arguments directory, ranks, rank, seed, number of operations, algorithm or null.
     */
    public static void main(final String[] arguments)
    {
        final int ranks = Integer.parseInt(arguments[1]);
        final Algorithm algorithm = "null".equals(arguments[5]) ? null : Algorithm.valueOf(arguments[5]);
        try (Node node = Node.launch(CollectivesTest.context(Path.of(arguments[0]), ranks));
            Endpoint endpoint = node.open(Integer.parseInt(arguments[2]));
            Collectives collectives = Collectives.attach(node, endpoint, new CollectivesContext().algorithm(algorithm)))
        {
            final Team world = collectives.world();
            final TeamMemory memory = world.allocate(RandomCalls.length(ranks));
            // behind the allocation, which throws if a member is killed meanwhile
            System.out.println("joined");
            final long result = RandomCalls.run(world, memory, Long.parseLong(arguments[3]), Integer.parseInt(arguments[4]));
            System.out.println(result < 0 ? Team.errorString(result) + " " + world.goneMember() : "done " + result);
            if (result < 0)
            {
                System.out.println(Team.errorString(world.barrier()));
            }
        }
    }
}
