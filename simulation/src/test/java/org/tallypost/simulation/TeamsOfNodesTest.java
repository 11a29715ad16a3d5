// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
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
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.collectives.AlgorithmBetweenNodes;
import org.tallypost.collectives.AllReduce;
import org.tallypost.collectives.Collectives;
import org.tallypost.collectives.CollectivesContext;
import org.tallypost.collectives.Distribution;
import org.tallypost.collectives.ElementCalls;
import org.tallypost.collectives.ElementType;
import org.tallypost.collectives.RankSet;
import org.tallypost.collectives.Reducers;
import org.tallypost.collectives.Team;
import org.tallypost.collectives.TeamCalls;
import org.tallypost.collectives.TeamMemory;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.node.Node;
import org.tallypost.transportaeron.AeronTransport;
import org.tallypost.transportaeron.NodeAddress;
import org.tallypost.transportaeron.Topology;
import org.tallypost.transportaeron.faults.NetworkFaults;

/** Teams of ranks on two and three nodes, with Aeron between them and nothing simulated; each rank is a thread. */
class TeamsOfNodesTest
{
    private static final byte[] SECRET = "a secret of the tests, not random".getBytes(StandardCharsets.US_ASCII);
    private static final long LIMIT_NS = 180_000_000_000L;

    @TempDir
    private Path directory;

    private final Queue<Throwable> errors = new ConcurrentLinkedQueue<>();
    /** One for each rank: an endpoint is polled by one thread. */
    private final List<ExecutorService> threads = new ArrayList<>();
    /** Where a node sends to all others at once. */
    private IntFunction<NodeAddress> groups = (node) -> null;
    private IntFunction<NetworkFaults> faults = (node) -> null;
    private final CollectivesContext collective = new CollectivesContext().joinTimeoutNs(LIMIT_NS).multicastProbeNs(LIMIT_NS);
    /** Hold the ports of the groups for this run. */
    private final List<DatagramSocket> reserved = new ArrayList<>();
    private int[] ranksOfNodes;
    private int[] ports;
    private Node[] nodes;
    private Endpoint[] endpoints;
    private Collectives[] collectives;

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
            .livenessIntervalNs(10_000_000_000L).maxSendingThreads(64).maxProcesses(16)
            .transport(transport.secret(SECRET).admissionNs(600_000_000_000L));
    }

    /** Nodes with so many ranks, of which the last ones are not in this process. */
    private void launch(final int elsewhere, final int... ranks) throws IOException
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
            final AeronTransport transport = new AeronTransport(topology, node).faults(faults.apply(node))
                .multicast(groups.apply(node), "127.0.0.1");
            nodes[node] = Node.launch(context(directory, topology, transport).errorHandler(errors::add));
            for (final int rank : topology.map().ranks(node))
            {
                endpoints[rank] = nodes[node].open(rank);
            }
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

    private int nodeOf(final int rank)
    {
        return topology(ports, ranksOfNodes).nodeOf(rank);
    }

    /** Has each rank that is here do something in a thread of its own, and waits for the results. */
    private List<Long> inEach(final String what, final IntFunction<Callable<Long>> call) throws Exception
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

    private void attach() throws Exception
    {
        inEach("attach", (rank) -> () ->
        {
            collectives[rank] = Collectives.attach(nodes[nodeOf(rank)], endpoints[rank], collective);
            return (long)collectives[rank].world().size();
        });
    }

    private TeamCalls calls(final int rank)
    {
        return collectives[rank].world().calls(System.nanoTime() + LIMIT_NS);
    }

    /** Operations that follow from a seed; each rank knows what must come out. */
    private long operations(final int rank, final long seed, final int count)
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

    @ParameterizedTest
    @ValueSource(strings = {"1 1", "2 2", "2 1 2", "1 3 1"})
    void shouldDoOperationsOfAllRanks(final String ranks) throws Exception
    {
        launch(0, Arrays.stream(ranks.split(" ")).mapToInt(Integer::parseInt).toArray());
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("TeamsOfNodesTest: -Dtallypost.seed=" + seed);
        attach();
        for (final long result : inEach("operations", (rank) -> () -> operations(rank, seed, 60)))
        {
            assertEquals(59, result, Team.errorString(result));
        }
        assertTrue(errors.isEmpty(), errors::toString);
    }

    /**
     * An address for multicast that no other run on this machine has. The port stays taken until the test ends: it was free of
     * all other sockets when it was bound, and only sockets that share it knowingly, as those of multicast do, get it too.
     */
    private NodeAddress freeGroup() throws IOException
    {
        final DatagramSocket socket = new DatagramSocket(new InetSocketAddress("127.0.0.1", 0));
        reserved.add(socket);
        // behind the bind: before it, this socket would share the port of another run
        socket.setReuseAddress(true);
        return new NodeAddress("239.255.77.1", socket.getLocalPort());
    }

    private void closeCollectives() throws Exception
    {
        inEach("close", (rank) -> () ->
        {
            collectives[rank].close();
            return 0L;
        });
    }

    /** Of what is sent to all nodes at once some is lost, and repaired. */
    @Test
    void shouldBroadcastByMulticast() throws Exception
    {
        final NodeAddress group = freeGroup();
        final long seed = Long.getLong("tallypost.seed", System.nanoTime());
        System.out.println("TeamsOfNodesTest: -Dtallypost.seed=" + seed);
        groups = (node) -> group;
        faults = (node) -> new NetworkFaults(seed + node).loss(0.02);
        collective.algorithmBetweenNodes(AlgorithmBetweenNodes.MULTICAST);
        launch(0, 2, 1, 2);
        attach();
        for (final Collectives each : collectives)
        {
            assertTrue(each.world().hasMulticast(), () -> "errors=" + errors);
        }
        for (final long result : inEach("operations", (rank) -> () -> operations(rank, seed, 25)))
        {
            assertEquals(25, result, Team.errorString(result));
        }
        closeCollectives();
        assertTrue(errors.isEmpty(), errors::toString);
    }

    /** Node 1 hears nothing of what the others send to all: everything goes by messages. */
    @Test
    void shouldDoWithoutMulticastIfANodeHearsNothing() throws Exception
    {
        final NodeAddress[] free = {freeGroup(), freeGroup()};
        groups = (node) -> free[node % 2];
        collective.algorithmBetweenNodes(AlgorithmBetweenNodes.MULTICAST).multicastProbeNs(50_000_000);
        launch(0, 1, 1, 1);
        attach();
        for (final Collectives each : collectives)
        {
            assertFalse(each.world().hasMulticast());
        }
        for (final long result : inEach("operations", (rank) -> () -> operations(rank, 1, 10)))
        {
            assertEquals(10, result, Team.errorString(result));
        }
        closeCollectives();
        assertTrue(errors.isEmpty(), errors::toString);
    }

    /** A node goes in the midst of broadcasts by multicast: those of the others end. */
    @Test
    void shouldEndBroadcastsWhenANodeIsClosed() throws Exception
    {
        final NodeAddress group = freeGroup();
        groups = (node) -> group;
        collective.algorithmBetweenNodes(AlgorithmBetweenNodes.MULTICAST);
        launch(0, 1, 1, 1);
        attach();
        for (final long result : inEach("broadcasts with a node that is closed", (rank) -> () ->
        {
            final UnsafeBuffer data = new UnsafeBuffer(new byte[1 << 20]);
            long found = calls(rank).broadcast(0, data, 0, data.capacity());
            if (rank == 2)
            {
                endpoints[2].close();
                collectives[2].close();
                return Team.MEMBER_GONE;
            }
            while (found >= 0)
            {
                found = calls(rank).broadcast(0, data, 0, data.capacity());
            }
            assertEquals(2, collectives[rank].world().goneMember());
            return found;
        }))
        {
            assertEquals(Team.MEMBER_GONE, result, Team.errorString(result));
        }
        endpoints[2] = null;
        closeCollectives();
    }

    /** Once all is warm, a rank allocates nothing for operations between nodes. */
    @Test
    void shouldAllocateNothingBetweenNodes() throws Exception
    {
        final ThreadMXBean bean = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        launch(0, 1, 1, 1);
        attach();
        final int uses = 250;
        final UnsafeBuffer[] buffers = new UnsafeBuffer[endpoints.length];
        Arrays.setAll(buffers, (rank) -> new UnsafeBuffer(new byte[15_000]));
        long least = Long.MAX_VALUE;
        for (int round = 0; round < 12 && least >= 8 * 4 * uses; round++)
        {
            least = inEach("operations", (rank) -> () ->
            {
                final TeamCalls calls = collectives[rank].world().calls(System.nanoTime() + LIMIT_NS);
                final UnsafeBuffer data = buffers[rank];
                final long before = bean.getThreadAllocatedBytes(Thread.currentThread().getId());
                for (int i = 0; i < uses; i++)
                {
                    calls.barrier();
                    calls.broadcast(i % 3, data, 0, 6_000);
                    calls.allReduce(ElementType.LONG, Reducers.SUM, data, 0, data, 0, 10);
                    calls.allGather(data, 0, data, 9_000, 2_000);
                }
                assertTrue(calls.barrier() >= 0);
                return bean.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
            }).stream().mapToLong((each) -> each).max().getAsLong();
        }
        final long most = least;
        // less than any object for each operation: what a round takes itself
        assertTrue(most < 8 * 4 * uses, () -> "allocated " + most + " bytes in " + 4 * uses + " operations of a rank");
    }

    /** A rank calls something else: all ranks of all nodes are told. */
    @Test
    void shouldTellAllRanksOfAMismatch() throws Exception
    {
        launch(0, 2, 1, 2);
        attach();
        for (final long result : inEach("different calls", (rank) -> () ->
        {
            final UnsafeBuffer data = new UnsafeBuffer(new byte[8]);
            final long first = rank == 3 ? calls(rank).barrier() :
                calls(rank).allReduce(ElementType.LONG, Reducers.SUM, data, 0, data, 0, 1);
            return first < 0 ? first : calls(rank).barrier();
        }))
        {
            assertEquals(Team.MISMATCH, result, Team.errorString(result));
        }
    }

    /** Teams across nodes and within one; what all agree on; portions of lengths that differ. */
    @Test
    void shouldMakeTeamsOfMembersOnSeveralNodes() throws Exception
    {
        launch(0, 2, 2);
        attach();
        for (final long result : inEach("split", (rank) -> () ->
        {
            final Team[] made = new Team[2];
            assertEquals(0, calls(rank).split(rank % 2, -rank, (team) -> made[0] = team));
            assertEquals(RankSet.of(rank % 2, rank % 2 + 2), made[0].ranks());
            assertEquals(rank < 2 ? 1 : 0, made[0].member());
            assertEquals(0, calls(rank).split(rank / 2, 0, (team) -> made[1] = team));
            assertEquals(RankSet.of(rank / 2 * 2, rank / 2 * 2 + 1), made[1].ranks());
            for (final Team team : made)
            {
                final UnsafeBuffer sum = new UnsafeBuffer(new byte[Long.BYTES]);
                sum.putLong(0, 1L << rank);
                final AllReduce reduction = team.newAllReduce(ElementType.LONG, Reducers.SUM);
                reduction.startInPlace(sum, 0, 1);
                assertTrue(reduction.await(System.nanoTime() + LIMIT_NS) >= 0);
                assertEquals(1L << team.rankOf(0) | 1L << team.rankOf(1), sum.getLong(0));
            }
            portionsOfAnyLengths(rank);
            broadcastOfTeamMemory(rank);
            return calls(rank).agree(15 & ~(1 << rank));
        }))
        {
            assertEquals(0, result, Team.errorString(result));
        }
        assertTrue(errors.isEmpty(), errors::toString);
    }

    /** Ranks have data in different byte orders, and one of them wants XDR, or none does. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldGiveEachRankItsByteOrder(final boolean isXdr) throws Exception
    {
        launch(0, 2, 1, 1);
        attach();
        inEach("byte orders", (rank) -> () ->
        {
            final ByteOrder order = rank % 2 == 0 ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
            final Team world = collectives[rank].world();
            final ElementCalls calls = isXdr && rank == 3 ? ElementCalls.ofXdr(world, order) : ElementCalls.of(world, order);
            assertTrue(calls.until(System.nanoTime() + LIMIT_NS).meet() >= 0);
            assertEquals(isXdr, calls.isXdr());
            final UnsafeBuffer own = new UnsafeBuffer(new byte[1_000 * Short.BYTES]);
            final UnsafeBuffer all = new UnsafeBuffer(new byte[4 * own.capacity()]);
            for (int i = 0; i < 1_000; i++)
            {
                own.putShort(i * Short.BYTES, (short)(1_000 * rank + i), order);
            }
            assertTrue(calls.allGather(ElementType.SHORT, own, 0, all, 0, 1_000) >= 0);
            assertTrue(calls.gather(1, ElementType.SHORT, own, 0, rank == 1 ? all : own, 0, 1_000) >= 0);
            for (int i = 0; i < 4_000; i++)
            {
                assertEquals((short)i, all.getShort(i * Short.BYTES, order));
            }
            assertTrue(calls.allReduce(ElementType.SHORT, Reducers.SUM, own, 0, all, 0, 1_000) >= 0);
            assertTrue(calls.broadcast(2, ElementType.SHORT, own, 0, 1_000) >= 0);
            for (int i = 0; i < 1_000; i++)
            {
                assertEquals((short)(6_000 + 4 * i), all.getShort(i * Short.BYTES, order));
                assertEquals((short)(2_000 + i), own.getShort(i * Short.BYTES, order));
            }
            return 0L;
        });
        assertTrue(errors.isEmpty(), errors::toString);
    }

    /** Rank i sends (i + 1)(j + 1) bytes of i to rank j. */
    private void portionsOfAnyLengths(final int rank)
    {
        Distribution sending = Distribution.ascending(endpoints.length, 0);
        Distribution receiving = sending;
        for (int i = 0, sent = 0, received = 0; i < endpoints.length; i++)
        {
            final int length = 1_000 * (rank + 1) * (i + 1);
            sending = sending.range(i, sent, length);
            receiving = receiving.range(i, received, length);
            sent += length;
            received += length;
        }
        final UnsafeBuffer in = new UnsafeBuffer(new byte[sending.extent()]);
        final UnsafeBuffer out = new UnsafeBuffer(new byte[receiving.extent()]);
        in.setMemory(0, in.capacity(), (byte)rank);
        assertTrue(calls(rank).allToAll(in, 0, sending, out, 0, receiving) >= 0);
        for (int i = 0; i < endpoints.length; i++)
        {
            assertEquals(i, out.getByte(receiving.offset(i)));
            assertEquals(i, out.getByte(receiving.offset(i) + receiving.length(i) - 1));
        }
    }

    /** Each node has a file with parts for its ranks. One without room for it fails at all ranks, and leaves nothing. */
    private void broadcastOfTeamMemory(final int rank)
    {
        final Team world = collectives[rank].world();
        if (rank < 2)
        {
            assertThrows(IllegalArgumentException.class, () -> world.allocate(Integer.MAX_VALUE));
        }
        else
        {
            assertThrows(MailboxException.class, () -> world.allocate(8));
        }
        try (TeamMemory memory = world.allocate(100_000 + rank))
        {
            assertEquals(100_000 + rank, memory.buffer().capacity());
            memory.buffer().setMemory(0, 100_000, (byte)rank);
            assertTrue(calls(rank).broadcast(3, memory.buffer(), 0, 100_000) >= 0);
            assertEquals(3, memory.buffer().getByte(99_999));
        }
    }

    /** The ranks of a node close: those of the others end, and are told which one it was. */
    @Test
    void shouldEndWhenANodeIsClosed() throws Exception
    {
        launch(0, 2, 1, 2);
        attach();
        assertEquals(List.of(0L, 0L, 0L, 0L, 0L), inEach("barrier", (rank) -> () -> calls(rank).barrier()));
        for (final long result : inEach("barrier with a node that is closed", (rank) -> () ->
        {
            if (rank == 2)
            {
                nodes[1].close();
                return Team.MEMBER_GONE;
            }
            final long found = calls(rank).barrier();
            assertEquals(2, collectives[rank].world().goneMember());
            return found;
        }))
        {
            assertEquals(Team.MEMBER_GONE, result, Team.errorString(result));
        }
    }

    /**
     * The only process of a node is killed in the midst of barriers, or of broadcasts by multicast. The others go on as a team of
     * those that live. -Dtallypost.kills says how often.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndWhenANodeIsKilled(final boolean isMulticast) throws Exception
    {
        final Random random = new Random(Long.getLong("tallypost.seed", System.nanoTime()));
        final Path all = directory;
        for (int round = Integer.getInteger("tallypost.kills", 1); round > 0; round--)
        {
            directory = Files.createDirectory(all.resolve("round-" + round));
            kill(isMulticast, random.nextInt(10_000_000));
            close();
        }
    }

    private void kill(final boolean isMulticast, final int spins) throws Exception
    {
        final NodeAddress group = isMulticast ? freeGroup() : null;
        groups = (node) -> group;
        collective.algorithmBetweenNodes(isMulticast ? AlgorithmBetweenNodes.MULTICAST : null);
        launch(1, 2, 1, 1);
        try (ForkedJvm process = NodesOfTeamsProcess.start(directory, ports, ranksOfNodes, 2, group))
        {
            attach();
            inEach("first operation", (rank) -> () -> NodesOfTeamsProcess.operation(collectives[rank].world(), isMulticast, 0));
            assertEquals("joined", process.readLine());
            for (final long result : inEach("operations with a node that is killed", (rank) -> () ->
            {
                long found = 0;
                for (int i = 1; found >= 0; i++)
                {
                    if (rank == 0 && i == 2)
                    {
                        // not for a time, but for an amount of work of this process
                        for (int spin = 0; spin < spins; spin++)
                        {
                            Thread.onSpinWait();
                        }
                        process.kill();
                    }
                    found = NodesOfTeamsProcess.operation(collectives[rank].world(), isMulticast, i);
                }
                assertEquals(3, collectives[rank].world().goneMember());
                return found;
            }))
            {
                assertEquals(Team.MEMBER_GONE, result, Team.errorString(result));
            }
            inEach("a team of those that live", (rank) -> () ->
            {
                assertEquals(5, calls(rank).agree(rank == 1 ? 5 : 7));
                final Team[] made = new Team[1];
                assertEquals(0, calls(rank).shrink((team) -> made[0] = team));
                assertEquals(RankSet.of(0, 1, 2), made[0].ranks());
                return made[0].calls(System.nanoTime() + LIMIT_NS).barrier();
            }).forEach((result) -> assertEquals(0, result, Team.errorString(result)));
        }
    }
}
