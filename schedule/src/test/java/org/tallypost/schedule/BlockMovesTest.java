// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.function.BiConsumer;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The algorithms with blocks that are texts: to reduce is to put one behind the other, so an operand that is missing, twice there
 * or in the wrong place is seen. Processes get on in an order of chance.
 */
class BlockMovesTest
{
    private final long seed = Long.getLong("tallypost.seed", System.nanoTime());
    private final Random random = new Random(seed);

    @RegisterExtension
    private final TestExecutionExceptionHandler teller = (context, failure) ->
    {
        System.out.println("BlockMovesTest: -Dtallypost.seed=" + seed);
        throw failure;
    };

    /** One process: its moves, and the blocks that it has. */
    private static final class Process implements Moves
    {
        private final int me;
        private final String[] blocks;
        private final Map<String, Queue<Message>> wires;
        private final List<List<Runnable>> groups = new ArrayList<>();
        private final Set<Integer> heard = new HashSet<>();
        private final Set<String> ofGroup = new HashSet<>();
        private List<Runnable> group = new ArrayList<>();
        private boolean isBlocked;
        private int messages;

        Process(final int me, final String[] blocks, final Map<String, Queue<Message>> wires)
        {
            this.me = me;
            this.blocks = blocks;
            this.wires = wires;
            heard.add(me);
        }

        private Queue<Message> wire(final int from, final int to)
        {
            return wires.computeIfAbsent(from + ">" + to, (key) -> new ArrayDeque<>());
        }

        private void once(final String what)
        {
            assertTrue(ofGroup.add(what), () -> me + ": " + what + " twice between two waits");
        }

        @Override
        public void send(final int peer, final int first, final int count)
        {
            once("send to " + peer);
            messages++;
            group.add(() -> wire(me, peer).add(new Message(List.of(blocks).subList(first, first + count), heard)));
        }

        @Override
        public void receive(final int peer, final int first, final int count)
        {
            once("receive from " + peer);
            group.add(() -> take(peer, first, count, (at, text) -> blocks[at] = text));
        }

        @Override
        public void reduce(final int peer, final int first, final int count, final boolean isBefore)
        {
            once("receive from " + peer);
            group.add(() -> take(peer, first, count,
                (at, text) -> blocks[at] = isBefore ? text + blocks[at] : blocks[at] + text));
        }

        private void take(final int peer, final int first, final int count, final BiConsumer<Integer, String> put)
        {
            final Message message = wire(peer, me).poll();
            isBlocked = message == null;
            if (message != null)
            {
                heard.addAll(message.heard);
                assertEquals(count, message.blocks.size(), () -> peer + " to " + me);
                for (int i = 0; i < count; i++)
                {
                    put.accept(first + i, message.blocks.get(i));
                }
            }
        }

        @Override
        public void fold(final int from, final int to, final boolean isBefore)
        {
            once("fold");
            group.add(() -> blocks[to] = isBefore ? blocks[from] + blocks[to] : blocks[to] + blocks[from]);
        }

        @Override
        public void waitAll()
        {
            groups.add(group);
            group = new ArrayList<>();
            ofGroup.clear();
        }

        /** Does one move, the sends of a group first. Whether there was one that could be done. */
        private boolean step()
        {
            while (!groups.isEmpty() && groups.get(0).isEmpty())
            {
                groups.remove(0);
            }
            for (int i = 0; !groups.isEmpty() && i < groups.get(0).size(); i++)
            {
                isBlocked = false;
                groups.get(0).get(i).run();
                if (!isBlocked)
                {
                    groups.get(0).remove(i);
                    return true;
                }
            }
            return false;
        }
    }

    /** Blocks, and which processes the sender has heard of. */
    private static final class Message
    {
        private final List<String> blocks;
        private final Set<Integer> heard;

        Message(final List<String> blocks, final Set<Integer> heard)
        {
            this.blocks = new ArrayList<>(blocks);
            this.heard = new HashSet<>(heard);
        }
    }

    private interface Algorithm
    {
        void moves(int me, Moves to);
    }

    private interface Blocks
    {
        String of(int process, int block);
    }

    private Process[] run(final int p, final int blocks, final Blocks before, final Algorithm algorithm)
    {
        final Map<String, Queue<Message>> wires = new HashMap<>();
        final Process[] all = new Process[p];
        for (int i = 0; i < p; i++)
        {
            final String[] own = new String[blocks];
            for (int block = 0; block < blocks; block++)
            {
                own[block] = before.of(i, block);
            }
            all[i] = new Process(i, own, wires);
            algorithm.moves(i, all[i]);
            assertTrue(all[i].group.isEmpty(), "the last move is followed by a wait");
        }
        for (int stuck = 0; stuck < 20 * p;)
        {
            stuck = all[random.nextInt(p)].step() ? 0 : stuck + 1;
        }
        // chance may have left one out for long
        for (boolean isMoving = true; isMoving;)
        {
            isMoving = false;
            for (final Process process : all)
            {
                isMoving |= process.step();
            }
        }
        for (final Process process : all)
        {
            assertTrue(process.groups.isEmpty(), "process " + process.me + " of " + p + " hangs, seed=" + seed);
        }
        wires.forEach((name, wire) -> assertTrue(wire.isEmpty(), "left on " + name));
        return all;
    }

    private static String own(final int process, final int block)
    {
        return "[" + process + "." + block + "]";
    }

    private static String reduced(final int first, final int end, final int block)
    {
        final StringBuilder text = new StringBuilder();
        for (int i = first; i < end; i++)
        {
            text.append(own(i, block));
        }
        return text.toString();
    }

    private static int log2(final int p)
    {
        return Integer.SIZE - Integer.numberOfLeadingZeros(p - 1);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 17})
    void shouldHaveAllWaitForAllInABarrier(final int p)
    {
        final Process[] all = run(p, 1, (i, block) -> "", (me, to) -> BlockMoves.barrier(p, me, to));
        for (final Process process : all)
        {
            assertEquals(p, process.heard.size());
            assertEquals(p == 1 ? 0 : log2(p), process.messages);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 17})
    void shouldBroadcast(final int p)
    {
        for (int root = 0; root < p; root++)
        {
            final int from = root;
            for (int blocks = 1; blocks < 5; blocks += 3)
            {
                final int count = blocks;
                final List<Algorithm> algorithms = List.of(
                    (me, to) -> BlockMoves.linearBroadcast(p, from, me, count, to),
                    (me, to) -> BlockMoves.binomialBroadcast(p, from, me, count, to),
                    (me, to) -> BlockMoves.chainBroadcast(p, from, me, count, to));
                for (final Algorithm algorithm : algorithms)
                {
                    for (final Process process : run(p, blocks, BlockMovesTest::own, algorithm))
                    {
                        for (int block = 0; block < blocks; block++)
                        {
                            assertEquals(own(root, block), process.blocks[block]);
                        }
                    }
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 17})
    void shouldReduce(final int p)
    {
        for (int root = 0; root < p; root++)
        {
            final int to = root;
            final Process[] ordered =
                run(p, 2, BlockMovesTest::own, (me, moves) -> BlockMoves.binomialReduce(p, to, me, 2, true, moves));
            assertEquals(reduced(0, p, 1), ordered[root].blocks[1]);
            final Process[] any =
                run(p, 2, BlockMovesTest::own, (me, moves) -> BlockMoves.binomialReduce(p, to, me, 2, false, moves));
            assertAll(p, 1, any[root].blocks[1]);
        }
        for (final Process process : run(p, 2, BlockMovesTest::own, (me, to) -> BlockMoves.doublingAllReduce(p, me, 2, to)))
        {
            assertEquals(reduced(0, p, 0), process.blocks[0]);
            assertEquals(reduced(0, p, 1), process.blocks[1]);
        }
        final Process[] scattered = run(p, p, BlockMovesTest::own, (me, to) -> BlockMoves.ringReduceScatter(p, me, to));
        for (int i = 0; i < p; i++)
        {
            assertAll(p, i, scattered[i].blocks[i]);
        }
    }

    /** Each operand once, in some order. */
    private static void assertAll(final int p, final int block, final String found)
    {
        assertEquals(reduced(0, p, block).length(), found.length());
        for (int i = 0; i < p; i++)
        {
            assertTrue(found.contains(own(i, block)), found);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 17})
    void shouldGatherAndScatter(final int p)
    {
        for (int root = 0; root < p; root++)
        {
            final int at = root;
            final List<Algorithm> scatters = List.of(
                (me, to) -> BlockMoves.linearScatter(p, at, me, false, to),
                (me, to) -> BlockMoves.binomialScatter(p, at, me, false, to));
            for (final Algorithm scatter : scatters)
            {
                final Process[] all = run(p, p, BlockMovesTest::own, scatter);
                for (int i = 0; i < p; i++)
                {
                    assertEquals(own(root, i), all[i].blocks[i]);
                }
            }
            final List<Algorithm> gathers = List.of(
                (me, to) -> BlockMoves.linearScatter(p, at, me, true, to),
                (me, to) -> BlockMoves.binomialScatter(p, at, me, true, to));
            for (final Algorithm gather : gathers)
            {
                final Process[] all = run(p, p, BlockMovesTest::own, gather);
                for (int i = 0; i < p; i++)
                {
                    assertEquals(own(i, i), all[root].blocks[i]);
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 17})
    void shouldGiveAllToAll(final int p)
    {
        final List<Algorithm> gathers = new ArrayList<>(List.of((me, to) -> BlockMoves.ringAllGather(p, me, to)));
        if (Integer.bitCount(p) == 1)
        {
            gathers.add((me, to) -> BlockMoves.doublingAllGather(p, me, to));
        }
        else
        {
            assertThrows(IllegalArgumentException.class, () -> BlockMoves.doublingAllGather(p, 0, null));
        }
        for (final Algorithm gather : gathers)
        {
            for (final Process process : run(p, p, BlockMovesTest::own, gather))
            {
                for (int i = 0; i < p; i++)
                {
                    assertEquals(own(i, i), process.blocks[i]);
                }
            }
        }
        final Process[] all = run(p, 2 * p, BlockMovesTest::own, (me, to) -> BlockMoves.pairwiseAllToAll(p, me, to));
        for (int i = 0; i < p; i++)
        {
            for (int peer = 0; peer < p; peer++)
            {
                assertEquals(peer == i ? own(i, p + i) : own(peer, i), all[i].blocks[p + peer]);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 13, 16, 17})
    void shouldScan(final int p)
    {
        final List<Algorithm> scans = List.of(
            (me, to) -> BlockMoves.linearScan(p, me, to), (me, to) -> BlockMoves.doublingScan(p, me, to));
        for (final Algorithm scan : scans)
        {
            final Process[] all = run(p, 3, (i, block) -> block == 0 ? own(i, 0) : "", scan);
            for (int i = 0; i < p; i++)
            {
                assertEquals(reduced(0, i + 1, 0), all[i].blocks[0]);
                assertEquals(reduced(0, i, 0), all[i].blocks[1]);
            }
        }
    }
}
