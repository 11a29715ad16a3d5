// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.process;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.collectives.AlgorithmBetweenNodes;
import org.tallypost.collectives.Collectives;
import org.tallypost.collectives.CollectivesContext;
import org.tallypost.collectives.Team;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.node.Node;
import org.tallypost.transportaeron.AeronTransport;
import org.tallypost.transportaeron.NodeAddress;
import org.tallypost.transportaeron.Topology;

/**
 * A child process with the only rank of a node in a network namespace. It does broadcasts by multicast and checks what has come,
 * and then goes on until one fails.
 */
final class TeamInNamespaceProcess
{
    /** Broadcasts that have to arrive whole. */
    static final int BROADCASTS = 6;
    private static final int PORT = 40_300;
    private static final NodeAddress GROUP = new NodeAddress("239.255.77.3", PORT + 1);
    private static final int LENGTH = 200_000;
    private static final int MTU_LENGTH = 1_408;
    private static final long LIMIT_NS = TimeUnit.SECONDS.toNanos(150);
    /** So long has a link to be silent, but for an eighth, before its node is taken for gone. */
    private static final long LIVENESS_NS = TimeUnit.SECONDS.toNanos(6);

    private TeamInNamespaceProcess()
    {
    }

    static ForkedJvm start(final List<String> prefix, final Path directory, final int nodes, final int node)
    {
        return ForkedJvm.startFromShell(prefix, "exec \"$@\"", TeamInNamespaceProcess.class, directory, nodes, node);
    }

    /**
     * Does broadcasts.
     *
     * @param arguments directory, number of nodes, and which one this is.
     */
    public static void main(final String[] arguments)
    {
        final int nodes = Integer.parseInt(arguments[1]);
        final int node = Integer.parseInt(arguments[2]);
        final List<NodeAddress> addresses = new ArrayList<>();
        final int[] ranks = new int[nodes];
        Arrays.fill(ranks, 1);
        for (int i = 0; i < nodes; i++)
        {
            addresses.add(new NodeAddress(Namespaces.address(i), PORT));
        }
        final Topology topology = Topology.blocks(addresses, ranks);
        final AeronTransport transport = new AeronTransport(topology, node).mtuLength(MTU_LENGTH)
            .multicast(GROUP, Namespaces.address(node));
        final NodeContext context = new NodeContext().directory(Path.of(arguments[0], "node-" + node).toFile())
            .groupName("test").rankCount(nodes).deleteOnClose(true).livenessIntervalNs(LIVENESS_NS)
            .transport(transport.secret("a secret of the tests, not random".getBytes(StandardCharsets.US_ASCII)));
        final CollectivesContext collective = new CollectivesContext().joinTimeoutNs(LIMIT_NS).multicastProbeNs(LIMIT_NS)
            .algorithmBetweenNodes(AlgorithmBetweenNodes.MULTICAST);
        try (Node launched = Node.launch(context);
            Endpoint endpoint = launched.open(node);
            Collectives collectives = Collectives.attach(launched, endpoint, collective))
        {
            final Team world = collectives.world();
            System.out.println("multicast " + world.hasMulticast());
            final UnsafeBuffer data = new UnsafeBuffer(new byte[LENGTH]);
            long result = 0;
            for (int i = 0; result >= 0; i++)
            {
                if (i == BROADCASTS)
                {
                    System.out.println("whole " + i);
                }
                result = broadcast(world, data, i);
            }
            System.out.println(Team.errorString(result) + " " + world.goneMember());
        }
    }

    private static long broadcast(final Team world, final UnsafeBuffer data, final int number)
    {
        final int root = number % world.size();
        final boolean isRoot = root == world.member();
        for (int at = 0; at < LENGTH; at += Integer.BYTES)
        {
            data.putInt(at, isRoot ? content(number, at) : -1);
        }
        final long result = world.calls(System.nanoTime() + LIMIT_NS).broadcast(root, data, 0, LENGTH);
        for (int at = 0; at < LENGTH && result >= 0; at += Integer.BYTES)
        {
            if (data.getInt(at) != content(number, at))
            {
                throw new AssertionError("broadcast " + number + " of rank " + root + ": found=" + data.getInt(at) +
                    " at " + at + ", expected=" + content(number, at));
            }
        }
        return result;
    }

    private static int content(final int number, final int at)
    {
        return number * 1_000_003 + at;
    }
}
