// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.jmh;

import java.io.File;
import java.util.concurrent.TimeUnit;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.node.Node;

/**
 * What a message costs from offer to handler, credits and ledger included, with few and with many open senders in a group
 * of 1,026 ranks. One thread drives all of them.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = {"--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED", "-Xmx2g"})
public class EndpointBenchmark
{
    /** Messages sent, then polled. */
    private static final int BATCH = 1024;

    /** A node with one receiver, rank 0, and its senders. */
    @State(Scope.Thread)
    public static class Group implements MessageListener
    {
        /** Open senders. */
        @Param({"1", "1024"})
        public int senders;

        /** How many of them send, in turns; 0 means all. */
        @Param("0")
        public int active;

        /** Bytes of a message. */
        @Param("32")
        public int length;

        /** Flow control. */
        @Param("DYNAMIC")
        public Flow flow;

        /** Ranks of the group, open or not: they share the mailbox's slots. */
        @Param("1026")
        public int ranks;

        /** Bytes of a message's first part; negative if messages have one part only. */
        int headLength = -1;
        private final UnsafeBuffer head = new UnsafeBuffer(new byte[Endpoint.MAX_RUN_LENGTH]);
        private final UnsafeBuffer message = new UnsafeBuffer(new byte[Endpoint.MAX_RUN_LENGTH]);
        private File directory;
        private Node node;
        private Endpoint receiver;
        private Endpoint[] endpoints;
        private int sending;
        private int next;
        private int sent;
        private int received;
        private long sum;

        /** Opens the ranks and lets every sender connect. */
        @Setup(Level.Trial)
        public void setUp()
        {
            directory = ScratchDirectory.create();
            node = Node.launch(new NodeContext().directory(directory).rankCount(ranks).slotsPerSender(8).flow(flow)
                .livenessThread(false));
            receiver = node.open(0);
            endpoints = new Endpoint[senders];
            for (int sender = 0; sender < senders; sender++)
            {
                endpoints[sender] = node.open(sender + 1);
            }
            sending = active == 0 ? senders : active;
            sendAndReceive(sending);
        }

        /** The same without JMH's parameters, for dynamic flow control. */
        void setUp(final int rankCount, final int openSenders, final int activeSenders)
        {
            ranks = rankCount;
            senders = openSenders;
            active = activeSenders;
            length = 32;
            flow = Flow.DYNAMIC;
            setUp();
        }

        /** Closes the node and removes its files. */
        @TearDown(Level.Trial)
        public void tearDown()
        {
            node.close();
            ScratchDirectory.delete(directory);
        }

        @Override
        public void onMessage(
            final int source, final int tag, final DirectBuffer buffer, final int offset, final int size)
        {
            sum += buffer.getByte(offset);
            received++;
        }

        /** One message of as many bytes, in one part or two. */
        private long offer(final Endpoint from)
        {
            return headLength < 0 ? from.offer(0, 1, message, 0, length) :
                from.offer(0, 1, head, 0, headLength, message, 0, length - headLength);
        }

        /**
         * Senders take turns; one that has no credit makes the receiver poll.
         *
         * @return how often that was.
         */
        int send(final int count)
        {
            int refused = 0;
            final int untilSent = sent + count;
            while (sent != untilSent)
            {
                if (offer(endpoints[next]) >= 0)
                {
                    sent++;
                    next = next + 1 == sending ? 0 : next + 1;
                }
                else
                {
                    refused++;
                    receiver.poll(this, BATCH);
                }
            }
            return refused;
        }

        int receive()
        {
            while (received != sent)
            {
                receiver.poll(this, BATCH);
            }
            return received;
        }

        /** A poll that finds nothing: the senders are shown all that was read before, and have its credits back. */
        void settle()
        {
            receiver.poll(this, BATCH);
        }

        int sendAndReceive(final int count)
        {
            send(count);
            return receive();
        }
    }

    /** The same, with messages of two parts. */
    @State(Scope.Thread)
    public static class TwoParts extends Group
    {
        private static final int HEAD_LENGTH = 16;

        /** After the endpoints have connected. */
        @Setup(Level.Trial)
        public void divide()
        {
            headLength = Math.min(HEAD_LENGTH, length);
        }
    }

    /** The same, with a batch sent before each measured call. */
    @State(Scope.Thread)
    public static class Filled extends Group
    {
        private static final int ROUNDS = 100_000;

        /** Sends a batch. */
        @Setup(Level.Invocation)
        public void fill()
        {
            fill(BATCH);
        }

        /** Sends messages; at first until so much credit has moved to the senders that all of them are out at once. */
        void fill(final int messages)
        {
            int refused = 0;
            for (int i = 0; i < ROUNDS; i++)
            {
                settle();
                refused = send(messages);
                if (refused == 0)
                {
                    return;
                }
                receive();
            }
            throw new IllegalStateException(messages + " messages were never out at once: rounds=" + ROUNDS +
                ", refused in the last one=" + refused);
        }
    }

    /**
     * Offer and poll.
     *
     * @param group of the endpoints.
     * @return messages received.
     */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int offerAndPoll(final Group group)
    {
        return group.sendAndReceive(BATCH);
    }

    /**
     * Offer and poll of messages in two parts, the first of 16 bytes.
     *
     * @param group of the endpoints.
     * @return messages received.
     */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int offerTwoPartsAndPoll(final TwoParts group)
    {
        return group.sendAndReceive(BATCH);
    }

    /**
     * Polling alone: the batch is sent before each call, outside the measured time.
     *
     * @param group of the endpoints.
     * @return messages received.
     */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public int poll(final Filled group)
    {
        return group.receive();
    }

    /**
     * An offer that is refused at once, because the destination was never open.
     *
     * @param group of the endpoints.
     * @return NOT_CONNECTED.
     */
    @Benchmark
    public long offerRefused(final Group group)
    {
        return group.endpoints[0].offer(group.ranks - 1, 1, group.message, 0, group.length);
    }

    /**
     * A look at an empty mailbox.
     *
     * @param group of the endpoints.
     * @return 0.
     */
    @Benchmark
    public int emptyPoll(final Group group)
    {
        return group.receiver.poll(group, 1);
    }
}
