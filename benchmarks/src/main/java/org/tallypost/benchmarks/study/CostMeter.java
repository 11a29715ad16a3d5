// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.collectives.AlgorithmBetweenNodes;
import org.tallypost.collectives.Barrier;
import org.tallypost.collectives.Broadcast;
import org.tallypost.collectives.CollectivesContext;
import org.tallypost.collectives.CostProfile;
import org.tallypost.collectives.ElementType;
import org.tallypost.collectives.MeasuredTime;
import org.tallypost.collectives.Reducers;
import org.tallypost.collectives.Team;

/**
 * Measures what moving and reducing data costs here: the parameters of a {@link CostProfile}. Each figure is the median of some
 * rounds.
 */
public final class CostMeter
{
    private static final int ROUNDS = 15;
    private static final int WARM_UP_ROUNDS = 5;
    /** Loops over memory run as long before they are timed: until then they are compiled. */
    private static final long WARM_UP_NS = 300_000_000;
    private static final int EXCHANGES = 2_000;
    private static final int LINES = 64;
    /** Words of a long that keep two lines apart, and what is fetched beside them. */
    private static final int STRIDE = 32;
    private static final int NEAR_LENGTH = 64 * 1024;
    private static final int FAR_LENGTH = 64 << 20;
    private static final int FAR_PIECE = 64 * 1024;
    private static final int MESSAGES = 15;
    private static final int LONG_MESSAGES = 3;
    private static final int MESSAGE_LENGTH = 128 * 1024;

    private final File parent;
    private final CollectiveThreads threads;

    /**
     * With a place for the files of a node.
     *
     * @param parent an existing directory.
     */
    public CostMeter(final File parent)
    {
        this.parent = parent;
        threads = new CollectiveThreads(parent);
    }

    /** A loop, timed. */
    @FunctionalInterface
    private interface Round
    {
        double nanos();
    }

    /**
     * Measures what moving and reducing data costs, then operations by each algorithm.
     *
     * @param members numbers of members of a team.
     * @param lengths of portions, in bytes, multiples of 8.
     * @param rounds  turns of each algorithm.
     * @return the profile.
     * @throws IOException if there is no room for a node's files.
     * @throws InterruptedException if the calling thread was interrupted.
     */
    public CostProfile measure(final List<Integer> members, final List<Integer> lengths, final int rounds)
        throws IOException, InterruptedException
    {
        final CostProfile costs = parameters();
        final CollectiveTimes times = new CollectiveTimes(parent, rounds);
        final List<MeasuredTime> measured = new ArrayList<>();
        for (final int count : members)
        {
            times.measure(count, List.of(CollectiveCall.values()), List.of(lengths)).get(0)
                .forEach((time) -> measured.addAll(time.toProfile()));
        }
        return costs.with(measured);
    }

    /**
     * Measures what moving and reducing data costs, and no operations.
     *
     * @return the profile.
     * @throws IOException if there is no room for a node's files.
     * @throws InterruptedException if the calling thread was interrupted.
     */
    CostProfile parameters() throws IOException, InterruptedException
    {
        final int processors = Runtime.getRuntime().availableProcessors();
        final double[] lines = lines();
        final double step = barrierNs(1);
        final double crowded = barrierNs(2 * processors);
        final double[] messages = messages();
        final UnsafeBuffer from = new UnsafeBuffer(new byte[FAR_LENGTH]);
        final UnsafeBuffer to = new UnsafeBuffer(new byte[FAR_LENGTH]);
        from.setMemory(0, FAR_LENGTH, (byte)1);
        to.setMemory(0, FAR_LENGTH, (byte)2);
        return CostProfile.measured(
            lines[0], lines[1], Math.max(1, step), Math.max(lines[0], crowded - lines[0]),
            perKib(to, from, NEAR_LENGTH, false), perKib(to, from, FAR_LENGTH, false),
            perKib(to, from, NEAR_LENGTH, true), perKib(to, from, FAR_LENGTH, true), messages[0], messages[1]);
    }

    /**
     * A message to another node, and a KiB of it: two nodes of this machine broadcast to each other by turns, a few bytes and
     * many. Each broadcast is one message in the cost model.
     */
    private double[] messages() throws IOException, InterruptedException
    {
        final double[] found = new double[2];
        threads.runOnNodes(2, new CollectivesContext().algorithmBetweenNodes(AlgorithmBetweenNodes.BINOMIAL), (team) ->
        {
            final double few = broadcastNs(team, Long.BYTES, MESSAGES);
            final double many = broadcastNs(team, MESSAGE_LENGTH, LONG_MESSAGES);
            if (team.member() == 0)
            {
                found[0] = Math.max(1, few);
                found[1] = Math.max(0.001, (many - few) * 1024 / (MESSAGE_LENGTH - Long.BYTES));
            }
        });
        return found;
    }

    private static double broadcastNs(final Team team, final int length, final int count)
    {
        final Broadcast broadcast = team.newBroadcast();
        final UnsafeBuffer data = new UnsafeBuffer(new byte[length]);
        final long[] ways = new long[count];
        return median(() ->
        {
            for (int i = 0; i < count; i++)
            {
                final long startNs = System.nanoTime();
                for (int root = 0; root < 2; root++)
                {
                    broadcast.start(root, data, 0, length);
                    CollectiveThreads.require(broadcast.await());
                }
                ways[i] = System.nanoTime() - startNs;
            }
            // the median: in some of them other programs had the processor
            Arrays.sort(ways);
            return ways[count / 2] / 2.0;
        });
    }

    private static double median(final Round round)
    {
        final double[] found = new double[ROUNDS];
        for (int i = -WARM_UP_ROUNDS; i < ROUNDS; i++)
        {
            final double nanos = round.nanos();
            if (i >= 0)
            {
                found[i] = nanos;
            }
        }
        Arrays.sort(found);
        return found[ROUNDS / 2];
    }

    /** Nanoseconds for a KiB: over and over in a cache, or once through memory. */
    private static double perKib(final UnsafeBuffer to, final UnsafeBuffer from, final int length, final boolean isReduction)
    {
        final int repeats = Math.max(1, (4 << 20) / length);
        final Round round = () ->
        {
            final long startNs = System.nanoTime();
            for (int i = 0; i < repeats; i++)
            {
                for (int at = 0; at < length; at += FAR_PIECE)
                {
                    if (isReduction)
                    {
                        Reducers.SUM.reduce(ElementType.LONG, to, at, from, at, FAR_PIECE / Long.BYTES);
                    }
                    else
                    {
                        to.putBytes(at, from, at, FAR_PIECE);
                    }
                }
            }
            return (System.nanoTime() - startNs) * 1024.0 / repeats / length;
        };
        final long beginNs = System.nanoTime();
        while (System.nanoTime() - beginNs < WARM_UP_NS)
        {
            round.nanos();
        }
        return Math.max(0.001, median(round));
    }

    /** A line's way to another core and back, halved; and reading a further line that was written there. */
    static double[] lines() throws InterruptedException
    {
        final AtomicLongArray words = new AtomicLongArray((LINES + 3) * STRIDE);
        final long end = (long)(ROUNDS + WARM_UP_ROUNDS) * EXCHANGES;
        final Thread other = new Thread(() ->
        {
            for (long i = 1; i <= end; i++)
            {
                if (!await(words, STRIDE, i))
                {
                    return;
                }
                if (i % EXCHANGES == 0)
                {
                    for (int line = 0; line < LINES; line++)
                    {
                        words.lazySet((line + 3) * STRIDE, i);
                    }
                }
                words.set(2 * STRIDE, i);
            }
        }, "lines");
        other.start();
        final double[] next = new double[ROUNDS + WARM_UP_ROUNDS];
        final long[] ways = new long[EXCHANGES];
        final AtomicReference<long[]> at = new AtomicReference<>(new long[1]);
        final double way;
        try
        {
            way = median(() ->
            {
                final long[] count = at.get();
                for (int i = 0; i < EXCHANGES; i++)
                {
                    final long startNs = System.nanoTime();
                    words.set(STRIDE, ++count[0]);
                    await(words, 2 * STRIDE, count[0]);
                    ways[i] = System.nanoTime() - startNs;
                }
                final long readNs = System.nanoTime();
                long sum = 0;
                for (int line = 0; line < LINES; line++)
                {
                    sum += words.get((line + 3) * STRIDE);
                }
                next[(int)(count[0] / EXCHANGES) - 1] = sum == 0 ? 0 : (double)(System.nanoTime() - readNs) / LINES;
                // the median: in some of them other programs had the processor
                Arrays.sort(ways);
                return ways[EXCHANGES / 2] / 2.0;
            });
        }
        finally
        {
            words.set(0, 1);
            other.join();
        }
        Arrays.sort(next);
        return new double[]{Math.max(1, way), Math.max(1, next[next.length / 2])};
    }

    /** The first word ends the wait. */
    private static boolean await(final AtomicLongArray words, final int at, final long expected)
    {
        int looks = 0;
        while (words.get(at) < expected)
        {
            if (++looks % 1_000 == 0)
            {
                // the other thread may need this processor
                Thread.yield();
                if (words.get(0) != 0)
                {
                    return false;
                }
            }
        }
        return true;
    }

    private double barrierNs(final int ranks) throws IOException, InterruptedException
    {
        final double[] found = new double[1];
        threads.run(ranks, new CollectivesContext(), (team) ->
        {
            final Barrier barrier = team.newBarrier();
            final int count = ranks == 1 ? 100_000 : 300;
            final double nanos = median(() ->
            {
                final long startNs = System.nanoTime();
                for (int i = 0; i < count; i++)
                {
                    barrier.start();
                    CollectiveThreads.require(barrier.await());
                }
                return (double)(System.nanoTime() - startNs) / count;
            });
            if (team.member() == 0)
            {
                found[0] = nanos;
            }
        });
        return found[0];
    }
}
