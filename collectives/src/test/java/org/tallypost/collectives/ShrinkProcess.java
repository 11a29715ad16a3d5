// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import java.nio.file.Path;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.node.Node;

/**
 * A child process that is one rank: it does operations by a seed, without an end. Each time a member is gone it agrees with the
 * others, goes on in a team of those that live, and says so, with the times at which it was told and began, until it is alone.
 */
final class ShrinkProcess
{
    private ShrinkProcess()
    {
    }

    static ForkedJvm start(final Path directory, final int ranks, final int rank, final long seed)
    {
        return ForkedJvm.start(ShrinkProcess.class, directory, ranks, rank, seed);
    }

    /**
     * Does operations.
     *
     * @param arguments directory, ranks, rank, seed.
     */
    public static void main(final String[] arguments)
    {
        final int ranks = Integer.parseInt(arguments[1]);
        final int rank = Integer.parseInt(arguments[2]);
        try (Node node = Node.launch(CollectivesTest.context(Path.of(arguments[0]), ranks));
            Endpoint endpoint = node.open(rank);
            Collectives collectives = Collectives.attach(node, endpoint, new CollectivesContext()))
        {
            final Team[] team = {collectives.world()};
            System.out.println("joined");
            while (team[0].size() > 1)
            {
                final long beganNs = System.nanoTime();
                final long result = RandomCalls.run(team[0], Long.parseLong(arguments[3]) + team[0].view(), Integer.MAX_VALUE);
                final long toldNs = System.nanoTime();
                final Team old = team[0];
                final long flags = old.agree(Integer.MAX_VALUE & ~(1 << rank));
                final long shrunk = old.shrink((made) -> team[0] = made);
                System.out.println(Team.errorString(result).split(":")[0] + " agreed " + flags + " " +
                    Team.errorString(shrunk) + " " + team[0].ranks() + " view " + team[0].view());
                System.out.println(toldNs + " " + beganNs);
                old.close();
            }
        }
    }
}
