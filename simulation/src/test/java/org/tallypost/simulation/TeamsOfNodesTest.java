// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.simulation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.collectives.AlgorithmBetweenNodes;
import org.tallypost.collectives.AllReduce;
import org.tallypost.collectives.Distribution;
import org.tallypost.collectives.ElementCalls;
import org.tallypost.collectives.ElementType;
import org.tallypost.collectives.RankSet;
import org.tallypost.collectives.Reducers;
import org.tallypost.collectives.Team;
import org.tallypost.collectives.TeamCalls;
import org.tallypost.collectives.TeamMemory;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.transportaeron.NodeAddress;

/** Teams of ranks on two and three nodes. */
@Tag("once")
class TeamsOfNodesTest extends TeamsOfNodesRig
{
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

    /** Once all is warm, a rank allocates nothing for operations between nodes. */
    @Test
    void shouldAllocateNothingBetweenNodes() throws Exception
    {
        final ThreadMXBean bean = (ThreadMXBean)ManagementFactory.getThreadMXBean();
        launch(0, 1, 1, 1);
        attach();
        final int uses = 100;
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

    /** In each of several teams a rank calls something else: all ranks of all nodes are told, and the other teams go on. */
    @Test
    void shouldTellAllRanksOfAMismatch() throws Exception
    {
        launch(0, 2, 1, 2);
        attach();
        final List<String> differences = List.of("kind", "root", "type", "count", "reducer");
        final Team[][] teams = new Team[endpoints.length][differences.size()];
        for (int i = 0; i < differences.size(); i++)
        {
            final int index = i;
            inEach("team " + i, (rank) -> () -> calls(rank).split(0, rank, (made) -> teams[rank][index] = made));
        }
        for (int i = 0; i < differences.size(); i++)
        {
            final int index = i;
            for (final long result : inEach("another " + differences.get(i), (rank) -> () ->
            {
                final TeamCalls calls = teams[rank][index].calls(System.nanoTime() + LIMIT_NS);
                final long first = call(calls, rank == 3 ? differences.get(index) : "");
                final long result = first < 0 ? first : calls.barrier();
                assertTrue(teams[rank][index].goneMember() >= 0, differences.get(index));
                return result;
            }))
            {
                assertEquals(Team.MISMATCH, result, () -> differences.get(index) + ": " + Team.errorString(result));
            }
        }
        inEach("barrier", (rank) -> () -> calls(rank).barrier())
            .forEach((result) -> assertTrue(result >= 0, Team.errorString(result)));
    }

    /** A reduction to rank 2, or what differs from it. */
    private static long call(final TeamCalls calls, final String difference)
    {
        final UnsafeBuffer in = new UnsafeBuffer(new byte[16]);
        final UnsafeBuffer out = new UnsafeBuffer(new byte[16]);
        return "kind".equals(difference) ? calls.barrier() : calls.reduce("root".equals(difference) ? 1 : 2,
            "type".equals(difference) ? ElementType.DOUBLE : ElementType.LONG,
            "reducer".equals(difference) ? Reducers.MAX : Reducers.SUM, in, 0, out, 0, "count".equals(difference) ? 2 : 1);
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
     * The process that carries the packets of a node is killed. It has no rank, but all messages that were under way are lost:
     * each side takes the other one for gone, and makes a team of its own. Over the next link all meet again.
     */
    @Test
    void shouldEndWhenTheCarrierOfANodeIsKilled() throws Exception
    {
        livenessNs = Math.min(livenessNs, 3_000_000_000L);
        launch(1, 1, 2);
        try (ForkedJvm carrier = CarryingProcess.start(directory, ports, ranksOfNodes, 1, livenessNs))
        {
            assertEquals("ready", carrier.readLine().split(":")[0]);
            launchNode(1);
            attach();
            for (final long result : inEach("operations while the carrier is killed", (rank) -> () ->
            {
                long found = 0;
                for (int i = 0; found >= 0; i++)
                {
                    if (rank == 0 && i == 100)
                    {
                        carrier.kill();
                    }
                    found = calls(rank).barrier();
                }
                assertEquals(rank == 0, collectives[rank].world().goneMember() != 0);
                return found;
            }))
            {
                assertEquals(Team.MEMBER_GONE, result, Team.errorString(result));
            }
        }
        inEach("teams of one side", (rank) -> () ->
        {
            final Team[] made = new Team[1];
            assertEquals(0, calls(rank).shrink((team) -> made[0] = team));
            assertEquals(rank == 0 ? RankSet.of(0) : RankSet.of(1, 2), made[0].ranks());
            return made[0].calls(System.nanoTime() + LIMIT_NS).barrier();
        }).forEach((result) -> assertEquals(0, result, Team.errorString(result)));
        closeCollectives();
        attach();
        assertEquals(List.of(0L, 0L, 0L), inEach("barrier over the next link", (rank) -> () -> calls(rank).barrier()));
    }

    /**
     * The only process of a node is killed in the midst of barriers, or of broadcasts by multicast. The others go on as a team of
     * those that live. -Dtallypost.kills says how often, half of them each way. When they had their results is printed and not
     * wanted: on a busy machine a thread has no turn for long.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldEndWhenANodeIsKilled(final boolean isMulticast) throws Exception
    {
        final Random random = new Random(Long.getLong("tallypost.seed", System.nanoTime()));
        final Path all = directory;
        final List<Long> delaysNs = new ArrayList<>();
        for (int round = (Integer.getInteger("tallypost.kills", 2) + 1) / 2; round > 0; round--)
        {
            directory = Files.createDirectory(all.resolve("round-" + round));
            delaysNs.addAll(kill(isMulticast, random.nextInt(10_000_000)));
            close();
        }
        Collections.sort(delaysNs);
        System.out.println("TeamsOfNodesTest: node killed, multicast=" + isMulticast + ": " + delaysNs.size() +
            " results of members, ms after the kill: median " + delaysNs.get(delaysNs.size() / 2) / 1_000_000 + ", longest " +
            delaysNs.get(delaysNs.size() - 1) / 1_000_000 + "; within the liveness interval of " + LIVENESS_NS / 1_000_000 +
            " ms and a second: " + delaysNs.stream().filter((each) -> each <= LIVENESS_NS + 1_000_000_000L).count());
    }

    /** How long it took from the kill until each rank had its result. */
    private List<Long> kill(final boolean isMulticast, final int spins) throws Exception
    {
        final NodeAddress group = isMulticast ? freeGroup() : null;
        groups = (node) -> group;
        collective.algorithmBetweenNodes(isMulticast ? AlgorithmBetweenNodes.MULTICAST : null);
        launch(1, 2, 1, 1);
        final AtomicLong killNs = new AtomicLong();
        final AtomicLongArray endNs = new AtomicLongArray(endpoints.length - 1);
        final CompletableFuture<?>[] kill = new CompletableFuture<?>[1];
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
                        killNs.set(System.nanoTime());
                        // a member does not wait until the system has ended the process
                        kill[0] = CompletableFuture.runAsync(process::kill);
                    }
                    found = NodesOfTeamsProcess.operation(collectives[rank].world(), isMulticast, i);
                }
                endNs.set(rank, System.nanoTime());
                assertEquals(3, collectives[rank].world().goneMember());
                return found;
            }))
            {
                assertEquals(Team.MEMBER_GONE, result, Team.errorString(result));
            }
            kill[0].join();
            inEach("a team of those that live", (rank) -> () ->
            {
                assertEquals(5, calls(rank).agree(rank == 1 ? 5 : 7));
                final Team[] made = new Team[1];
                assertEquals(0, calls(rank).shrink((team) -> made[0] = team));
                assertEquals(RankSet.of(0, 1, 2), made[0].ranks());
                return made[0].calls(System.nanoTime() + LIMIT_NS).barrier();
            }).forEach((result) -> assertEquals(0, result, Team.errorString(result)));
        }
        return IntStream.range(0, endNs.length()).mapToObj((rank) -> Math.max(0, endNs.get(rank) - killNs.get())).toList();
    }
}
