// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.schedule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs schedules in a model in which a message arrives as soon as it is sent, and counts messages of each pair. */
class ScheduleTest
{
    private static final int ROUNDS = 5;

    /** What one process does in all rounds, and how far it is. */
    private static final class Script implements Steps
    {
        private final int rank;
        private final Queue<Runnable> steps = new ArrayDeque<>();
        private final Map<String, Integer> underWay;
        private final Map<String, Integer> sent;
        private final List<String> expected = new ArrayList<>();
        private boolean isWaiting;

        Script(final Schedule schedule, final int rank, final Map<String, Integer> underWay, final Map<String, Integer> sent)
        {
            this.rank = rank;
            this.underWay = underWay;
            this.sent = sent;
            IntStream.range(0, schedule.rounds()).forEach((round) -> schedule.round(rank, round, this));
        }

        @Override
        public void send(final int peer, final int length)
        {
            assertTrue(peer != rank && length >= 0, () -> rank + " sends " + length + " bytes to " + peer);
            steps.add(() ->
            {
                underWay.merge(rank + ">" + peer, 1, Integer::sum);
                sent.merge(rank + ">" + peer, 1, Integer::sum);
            });
        }

        @Override
        public void receive(final int peer)
        {
            steps.add(() -> expected.add(peer + ">" + rank));
        }

        @Override
        public void waitSends()
        {
            // what is sent is on its way
        }

        @Override
        public void waitAll()
        {
            steps.add(() -> isWaiting = true);
        }

        /** Goes on as far as it can. */
        boolean advance()
        {
            boolean hasMoved = expected.removeIf((pair) -> underWay.merge(pair, 0, Integer::sum) > 0 &&
                underWay.merge(pair, -1, Integer::sum) >= 0);
            isWaiting &= !expected.isEmpty();
            while (!isWaiting && !steps.isEmpty())
            {
                steps.remove().run();
                isWaiting &= !expected.isEmpty();
                hasMoved = true;
            }
            return hasMoved;
        }
    }

    /** Runs until nothing moves, and returns how many messages each pair had. */
    private static Map<String, Integer> run(final Schedule schedule)
    {
        final Map<String, Integer> underWay = new TreeMap<>();
        final Map<String, Integer> sent = new TreeMap<>();
        final List<Script> scripts = IntStream.range(0, schedule.processes())
            .mapToObj((rank) -> new Script(schedule, rank, underWay, sent)).toList();
        boolean hasMoved;
        do
        {
            hasMoved = false;
            for (final Script script : scripts)
            {
                hasMoved |= script.advance();
            }
        }
        while (hasMoved);
        scripts.forEach((script) -> assertTrue(script.steps.isEmpty() && script.expected.isEmpty(),
            () -> script.rank + " waits for " + script.expected + " in " + schedule));
        assertTrue(underWay.values().stream().allMatch((count) -> count == 0), () -> "never received: " + underWay);
        return sent;
    }

    private static int messages(final Schedule schedule)
    {
        return run(schedule).values().stream().mapToInt(Integer::intValue).sum();
    }

    @ParameterizedTest
    @ValueSource(ints = { 2, 3, 5, 8, 13, 32 })
    void shouldReceiveWhatIsSentAndEnd(final int n)
    {
        final int tree = ROUNDS * (n - 1);
        assertEquals(ROUNDS * n * (32 - Integer.numberOfLeadingZeros(n - 1)), messages(new Barrier(n, ROUNDS)));
        assertEquals(2 * tree, messages(new Barrier(n, ROUNDS, true)));
        Stream.of(false, true).forEach((flag) ->
        {
            assertEquals(tree, messages(new Broadcast(n, 8, ROUNDS, flag)));
            assertEquals(tree, messages(new Scatter(n, 8, ROUNDS, flag)));
            assertEquals(tree, messages(new Scatterv(n, 8, ROUNDS, 2, flag)));
            assertEquals(ROUNDS * n * (flag ? 2 : 1), messages(new Ring(n, 8, ROUNDS, flag)));
            assertEquals(tree * n, messages(new Alltoall(n, n, ROUNDS, 8, flag)));
        });
        assertEquals(tree * n, messages(new Pairwise(n, n, 8, ROUNDS)));
        assertEquals(tree * n, run(new Pairwise(n, n, 8, 1)).size() * ROUNDS, "each pair has a message");
    }

    @Test
    void shouldDoubleAndPlayPingPong()
    {
        assertEquals(ROUNDS * 16 * 4, messages(new Doubling(16, 8, ROUNDS, true)));
        assertThrows(IllegalArgumentException.class, () -> new Doubling(12, 8, ROUNDS, false));
        assertEquals(Map.of("0>2", ROUNDS, "1>3", ROUNDS, "2>0", ROUNDS, "3>1", ROUNDS), run(new PingPong(4, ROUNDS, 8)));
    }
}
