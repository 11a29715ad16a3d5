// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.BufferUtil;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.benchmarks.harness.TemporaryDirectory;
import org.tallypost.benchmarks.harness.TurnOrder;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageProfile;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.messaging.rma.CrossMemory;
import org.tallypost.node.Node;

/**
 * Measures the ways of a message within a node: two threads of this process, and two ranks for each way. The ways take turns of
 * some milliseconds in a random order; a turn is some messages, one after the other, each with an answer without bytes.
 */
final class BulkMeter
{
    private static final long TURN_NS = 5_000_000;
    private static final long WARM_UP_NS = 300_000_000;
    private static final int MAX_MESSAGES = 10_000;
    private static final Turn END = new Turn(null, 0, 0);

    private final File parent;
    private final int rounds;
    private final long seed;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final BlockingQueue<Turn> turns = new ArrayBlockingQueue<>(1);
    private int maxLength;
    private UnsafeBuffer shared;

    /** What both threads do next. */
    private record Turn(BulkWay way, int length, int messages)
    {
    }

    /** A thread's sides of all ways. */
    private final class Parties implements AutoCloseable
    {
        private final Map<BulkWay, BulkParty> all = new EnumMap<>(BulkWay.class);

        Parties(final Node node, final boolean isSender)
        {
            try
            {
                for (final BulkWay way : ways())
                {
                    all.put(way, way == BulkWay.RAW ?
                        new RawBulkParty(shared, new UnsafeBuffer(BufferUtil.allocateDirectAligned(maxLength, 128)),
                        () -> failure.get() != null) : new MatchedBulkParty(node, way, isSender, maxLength));
                }
            }
            catch (final RuntimeException | Error e)
            {
                close();
                throw e;
            }
        }

        BulkParty of(final BulkWay way)
        {
            return all.get(way);
        }

        @Override
        public void close()
        {
            CloseHelper.closeAll(all.values());
        }
    }

    /**
     * A meter.
     *
     * @param parent existing directory for the node's files.
     * @param rounds in which each way has its turn, for each length.
     * @param seed   of the order of turns.
     */
    BulkMeter(final File parent, final int rounds, final long seed)
    {
        this.parent = parent;
        this.rounds = rounds;
        this.seed = seed;
    }

    /** All that this machine has. */
    static List<BulkWay> ways()
    {
        final List<BulkWay> ways = new ArrayList<>(List.of(BulkWay.values()));
        if (CrossMemory.whyNot() != null)
        {
            ways.remove(BulkWay.CROSS);
        }
        return ways;
    }

    /** Whether a message of this length can go that way. */
    static boolean isPossible(final BulkWay way, final int length)
    {
        return way != BulkWay.EAGER || length <= Endpoint.MAX_RUN_LENGTH;
    }

    /**
     * Measures all.
     *
     * @param lengths in bytes, multiples of 8.
     * @return the figures.
     * @throws IOException if there is no room for a node's files, or a thread has failed.
     * @throws InterruptedException if the calling thread was interrupted.
     */
    BulkFigures measure(final List<Integer> lengths) throws IOException, InterruptedException
    {
        maxLength = Collections.max(lengths);
        shared = new UnsafeBuffer(BufferUtil.allocateDirectAligned(RawBulkParty.MESSAGE_OFFSET + maxLength, 4096));
        final BulkFigures figures = new BulkFigures(rounds);
        final TemporaryDirectory directory = TemporaryDirectory.create(parent, "tallypost-bench-");
        // with a length of 0 the kernel copies whatever comes; the other ways have their own limits
        final NodeContext context = new NodeContext().directory(new File(directory.file(), "node")).groupName("bulk")
            .rankCount(2 * BulkWay.values().length).deleteOnClose(true)
            .messageProfile(MessageProfile.of(Endpoint.MAX_RUN_LENGTH, 0, 0));
        try (Node node = Node.launch(context))
        {
            final Thread receiver = new Thread(() -> receive(node), "bulk receiver");
            receiver.start();
            try (Parties parties = new Parties(node, true))
            {
                send(parties, lengths, figures);
            }
            catch (final RuntimeException | Error e)
            {
                // what the receiver had was the cause, if it had something
                failure.compareAndSet(null, e);
            }
            finally
            {
                turns.clear();
                turns.put(END);
                receiver.join();
            }
        }
        finally
        {
            directory.close();
        }
        if (failure.get() != null)
        {
            throw new IOException("a thread has failed: " + failure.get(), failure.get());
        }
        return figures;
    }

    private void receive(final Node node)
    {
        long sum = 0;
        try (Parties parties = new Parties(node, false))
        {
            for (Turn turn = turns.take(); turn != END; turn = turns.take())
            {
                final BulkParty party = parties.of(turn.way);
                for (int i = 0; i < turn.messages; i++)
                {
                    party.answer(turn.length);
                }
                sum += party.sum();
            }
            final long asked = parties.all.values().stream()
                .mapToLong((party) -> party instanceof MatchedBulkParty matched ? matched.refused() : 0).sum();
            if (asked > 0 || sum == 0)
            {
                throw new IllegalStateException("messages that did not go their way: " + asked);
            }
        }
        catch (final InterruptedException | RuntimeException | Error e)
        {
            failure.compareAndSet(null, e);
        }
    }

    private void send(final Parties parties, final List<Integer> lengths, final BulkFigures figures) throws InterruptedException
    {
        for (final BulkWay way : parties.all.keySet())
        {
            final long startNs = System.nanoTime();
            do
            {
                turn(parties, way, lengths.get(0), MAX_MESSAGES / 10);
            }
            while (System.nanoTime() - startNs < WARM_UP_NS);
        }
        for (final int length : lengths)
        {
            final BulkWay[] ways = parties.all.keySet().stream().filter((way) -> isPossible(way, length)).toArray(BulkWay[]::new);
            final int[] numbers = new int[ways.length];
            final int[] messages = new int[ways.length];
            for (int i = 0; i < ways.length; i++)
            {
                numbers[i] = i;
                final double first = turn(parties, ways[i], length, 1);
                final double each = Math.min(first, turn(parties, ways[i], length, count(first)));
                messages[i] = count(each);
            }
            final TurnOrder order = new TurnOrder(seed + length, new int[0], numbers);
            for (int round = 0; round < rounds; round++)
            {
                for (final int i : order.next())
                {
                    figures.put(ways[i], length, round, turn(parties, ways[i], length, messages[i]));
                }
            }
        }
        parties.all.forEach((way, party) ->
        {
            final long others = party instanceof MatchedBulkParty matched ? party.number() - matched.taken() : 0;
            if (others > 0 && way == BulkWay.EAGER)
            {
                figures.note(way.label() + ": " + others + " of " + party.number() +
                    " messages were announced, as there were no credits for a while");
            }
            else if (others != 0)
            {
                throw new IllegalStateException(way.label() + ": " + others + " of " + party.number() +
                    " messages did not go by this way, expected 0");
            }
        });
    }

    private static int count(final double each)
    {
        return (int)Math.max(1, Math.min(MAX_MESSAGES, TURN_NS / each));
    }

    /** Nanoseconds for a message with its answer. One more goes before: the receiver may have to be woken. */
    private double turn(final Parties parties, final BulkWay way, final int length, final int messages)
        throws InterruptedException
    {
        turns.put(new Turn(way, length, messages + 1));
        final BulkParty party = parties.of(way);
        party.send(length);
        final long startNs = System.nanoTime();
        for (int i = 0; i < messages; i++)
        {
            party.send(length);
        }
        return (double)(System.nanoTime() - startNs) / messages;
    }
}
