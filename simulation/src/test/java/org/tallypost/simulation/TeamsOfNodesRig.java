// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntFunction;
import java.util.function.UnaryOperator;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.collectives.Collectives;
import org.tallypost.collectives.CollectivesContext;
import org.tallypost.collectives.ElementType;
import org.tallypost.collectives.Reducers;
import org.tallypost.collectives.Team;
import org.tallypost.collectives.TeamCalls;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.transport.Transport;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;
import org.tallypost.transportaeron.AeronTransport;
import org.tallypost.transportaeron.NodeAddress;
import org.tallypost.transportaeron.Topology;
import org.tallypost.transportaeron.faults.NetworkFaults;

/**
 * Ranks on some nodes, with Aeron between them and nothing simulated; each rank is a thread. For tests of the collectives that
 * need a transport.
 */
abstract class TeamsOfNodesRig
{
    private static final byte[] SECRET = "a secret of the tests, not random".getBytes(StandardCharsets.US_ASCII);
    static final long LIMIT_NS = 180_000_000_000L;
    /** Long, so that no link is taken for lost on a busy machine; a large number of kills wants a shorter one. */
    static final long LIVENESS_NS = Long.getLong("tallypost.livenessMs", 10_000) * 1_000_000;

    @TempDir
    Path directory;

    final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
    /** One for each rank: an endpoint is polled by one thread. */
    private final List<ExecutorService> threads = new ArrayList<>();
    /** Where a node sends to all others at once. */
    IntFunction<NodeAddress> groups = (node) -> null;
    IntFunction<NetworkFaults> faults = (node) -> null;
    /** What stands before a node's transport. */
    UnaryOperator<Transport> transports = UnaryOperator.identity();
    final CollectivesContext collective = new CollectivesContext().joinTimeoutNs(LIMIT_NS).multicastProbeNs(LIMIT_NS);
    /** Hold the ports of the groups for this run. */
    private final List<DatagramSocket> reserved = new ArrayList<>();
    long livenessNs = LIVENESS_NS;
    int[] ranksOfNodes;
    int[] ports;
    Node[] nodes;
    Endpoint[] endpoints;
    Collectives[] collectives;

    static Topology topology(final int[] ports, final int[] ranksOfNodes)
    {
        final List<NodeAddress> addresses = new ArrayList<>();
        Arrays.stream(ports).forEach((port) -> addresses.add(new NodeAddress("127.0.0.1", port)));
        return Topology.blocks(addresses, ranksOfNodes);
    }

    static NodeContext context(final Path directory, final Topology topology, final int node, final NodeAddress group)
    {
        return context(directory, topology, new AeronTransport(topology, node).multicast(group, "127.0.0.1"));
    }

    private static NodeContext context(final Path directory, final Topology topology, final AeronTransport transport)
    {
        return new NodeContext().directory(directory.resolve("node-" + transport.node()).toFile()).groupName("test")
            .rankCount(topology.rankCount()).slotsPerSender(64).checkInvariants(true).deleteOnClose(true)
            .livenessIntervalNs(LIVENESS_NS).maxSendingThreads(64).maxProcesses(16)
            .transport(transport.secret(SECRET).admissionNs(600_000_000_000L));
    }

    /** Nodes with so many ranks, of which the last ones are not in this process. */
    final void launch(final int elsewhere, final int... ranks) throws IOException
    {
        ranksOfNodes = ranks;
        ports = new int[ranks.length];
        final List<DatagramSocket> sockets = new ArrayList<>();
        for (int i = 0; i < ports.length; i++)
        {
            sockets.add(new DatagramSocket(new InetSocketAddress("127.0.0.1", 0)));
            ports[i] = sockets.get(i).getLocalPort();
        }
        CloseHelper.closeAll(sockets);
        final Topology topology = topology(ports, ranks);
        nodes = new Node[ranks.length];
        endpoints = new Endpoint[topology.rankCount()];
        collectives = new Collectives[topology.rankCount()];
        for (int rank = 0; rank < topology.rankCount(); rank++)
        {
            threads.add(Executors.newSingleThreadExecutor());
        }
        for (int node = 0; node < ranks.length - elsewhere; node++)
        {
            launchNode(node);
        }
    }

    final void launchNode(final int node)
    {
        final Topology topology = topology(ports, ranksOfNodes);
        final AeronTransport transport = new AeronTransport(topology, node).faults(faults.apply(node))
            .multicast(groups.apply(node), "127.0.0.1");
        nodes[node] = Node.launch(context(directory, topology, transport).transport(transports.apply(transport))
            .livenessIntervalNs(livenessNs).errorHandler(errors::add));
        for (final int rank : topology.map().ranks(node))
        {
            endpoints[rank] = nodes[node].open(rank);
        }
    }

    @AfterEach
    void close()
    {
        threads.forEach(ExecutorService::shutdownNow);
        threads.clear();
        CloseHelper.closeAll(nodes);
        CloseHelper.closeAll(reserved);
    }

    final int nodeOf(final int rank)
    {
        return topology(ports, ranksOfNodes).nodeOf(rank);
    }

    /** Has each rank that is here do something in a thread of its own, and waits for the results. */
    final List<Long> inEach(final String what, final IntFunction<Callable<Long>> call) throws Exception
    {
        final List<Future<Long>> futures = new ArrayList<>();
        for (int rank = 0; rank < endpoints.length; rank++)
        {
            if (endpoints[rank] != null)
            {
                futures.add(threads.get(rank).submit(call.apply(rank)));
            }
        }
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> what + ": " + futures + ", errors=" + errors);
        final List<Long> results = new ArrayList<>();
        for (final Future<Long> future : futures)
        {
            while (!future.isDone())
            {
                watchdog.idle();
            }
            try
            {
                results.add(future.get());
            }
            catch (final ExecutionException e)
            {
                throw new AssertionError(what + ", errors=" + errors, e);
            }
        }
        return results;
    }

    final void attach() throws Exception
    {
        inEach("attach", (rank) -> () ->
        {
            collectives[rank] = Collectives.attach(nodes[nodeOf(rank)], endpoints[rank], collective);
            return (long)collectives[rank].world().size();
        });
    }

    final TeamCalls calls(final int rank)
    {
        return collectives[rank].world().calls(System.nanoTime() + LIMIT_NS);
    }

    /** Operations that follow from a seed; each rank knows what must come out. */
    final long operations(final int rank, final long seed, final int count)
    {
        final Random random = new Random(seed);
        final int ranks = endpoints.length;
        long result = 0;
        for (int i = 0; i < count && result >= 0; i++)
        {
            final int kind = random.nextInt(6);
            final int root = random.nextInt(ranks);
            final int elements = new int[]{0, 1, 13, 1_000, 9_001}[random.nextInt(5)];
            final UnsafeBuffer in = new UnsafeBuffer(new byte[elements * Long.BYTES]);
            final UnsafeBuffer out = new UnsafeBuffer(new byte[elements * Long.BYTES]);
            for (int j = 0; j < elements; j++)
            {
                in.putLong(j * Long.BYTES, i + (long)j * (rank + 1));
            }
            final long sum = (long)ranks * (ranks + 1) / 2;
            final UnsafeBuffer all = new UnsafeBuffer(new byte[ranks * in.capacity()]);
            final String what = "operation " + i + " of kind " + kind + ", rank=" + rank + ", root=" + root + ", seed=" + seed;
            switch (kind)
            {
                case 0:
                    result = calls(rank).barrier();
                    break;
                case 1:
                    result = calls(rank).broadcast(root, in, 0, in.capacity());
                    check(in, i, root + 1, result, what);
                    break;
                case 2:
                    result = calls(rank).reduce(root, ElementType.LONG, Reducers.SUM, in, 0, out, 0, elements);
                    check(rank == root ? out : new UnsafeBuffer(0, 0), (long)i * ranks, sum, result, what);
                    break;
                case 3:
                    result = calls(rank).scan(ElementType.LONG, Reducers.SUM, false, in, 0, out, 0, elements);
                    check(out, (long)i * (rank + 1), (rank + 1) * (rank + 2L) / 2, result, what);
                    break;
                case 4:
                    result = calls(rank).allGather(in, 0, all, 0, in.capacity());
                    for (int j = 0; j < ranks; j++)
                    {
                        check(new UnsafeBuffer(all, j * in.capacity(), in.capacity()), i, j + 1, result, what);
                    }
                    break;
                default:
                    result = calls(rank).allReduce(ElementType.LONG, Reducers.SUM, in, 0, out, 0, elements);
                    check(out, (long)i * ranks, sum, result, what);
                    break;
            }
        }
        return result;
    }

    private static void check(
        final UnsafeBuffer found, final long first, final long factor, final long result, final String what)
    {
        assertTrue(result >= 0, () -> what + ": " + Team.errorString(result));
        for (int j = 0; j < found.capacity() / Long.BYTES; j++)
        {
            assertEquals(first + j * factor, found.getLong(j * Long.BYTES), what);
        }
    }

    /**
     * An address for multicast that no other run on this machine has. The port stays taken until the test ends: it was free of
     * all other sockets when it was bound, and only sockets that share it knowingly, as those of multicast do, get it too.
     */
    final NodeAddress freeGroup() throws IOException
    {
        final DatagramSocket socket = new DatagramSocket(new InetSocketAddress("127.0.0.1", 0));
        reserved.add(socket);
        // behind the bind: before it, this socket would share the port of another run
        socket.setReuseAddress(true);
        return new NodeAddress("239.255.77.1", socket.getLocalPort());
    }

    final void closeCollectives() throws Exception
    {
        inEach("close", (rank) -> () ->
        {
            collectives[rank].close();
            return 0L;
        });
    }
}
