// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import java.io.File;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.tallypost.mailbox.ForkedJvm;

/** A child process with a {@link Load}, until it is killed. Says "ready" when its ranks are open. */
public final class LoadProcess
{
    private static final long PARK_NS = 200_000;

    private LoadProcess()
    {
    }

    static ForkedJvm start(
        final File directory, final Topology topology, final int node, final long intervalNs, final String driver,
        final boolean carry, final int highSlots, final File books, final int... ranks)
    {
        return ForkedJvm.start(LoadProcess.class, directory, topology.address(0).port(), topology.address(1).port(),
            topology.rankCount(), topology.map().rankCount(0), node, intervalNs, driver == null ? "-" : driver, carry, highSlots,
            books, Arrays.toString(ranks).replaceAll("[^0-9,]", ""));
    }

    /**
     * Sends and receives.
     *
     * @param arguments directory, ports of the two nodes, ranks, those of node 0, own node, liveness interval, driver's
     *                  directory or "-", whether to carry packets, slots of high rings, books, own ranks.
     */
    public static void main(final String[] arguments)
    {
        final int rankCount = Integer.parseInt(arguments[3]);
        final int first = Integer.parseInt(arguments[4]);
        final Topology topology = Topology.blocks(
            List.of(new NodeAddress("127.0.0.1", Integer.parseInt(arguments[1])),
            new NodeAddress("127.0.0.1", Integer.parseInt(arguments[2]))), new int[]{first, rankCount - first});
        final int[] ranks = Arrays.stream(arguments[11].split(",")).filter((text) -> !text.isEmpty())
            .mapToInt(Integer::parseInt).toArray();
        try (Books books = new Books(new File(arguments[10]), rankCount, false);
            Load load = new Load(new File(arguments[0]), topology, Integer.parseInt(arguments[5]),
                Long.parseLong(arguments[6]), "-".equals(arguments[7]) ? null : arguments[7],
                Boolean.parseBoolean(arguments[8]), Integer.parseInt(arguments[9]), books, ranks))
        {
            System.out.println("ready");
            while (!Thread.currentThread().isInterrupted())
            {
                if (load.turn() == 0)
                {
                    LockSupport.parkNanos(PARK_NS);
                }
            }
        }
    }
}
