// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.jmh;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.agrona.CloseHelper;
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
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ClaimMark;
import org.tallypost.mailbox.process.Registry;
import org.tallypost.node.Node;

/**
 * How many messages a second a receiver reads while one, two or three threads send to it as fast as they can. The measured
 * thread is the receiver: what it has not read does not count.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 2, jvmArgsAppend = {"--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED"})
public class RateBenchmark
{
    /** Messages of a call. */
    private static final int MESSAGES = 1024;

    /** What both levels have in common. */
    @State(Scope.Thread)
    public abstract static class Stream
    {
        /** Bytes of a message. */
        @Param({"8", "48", "2048"})
        public int length;

        /** Threads that send. */
        @Param({"1", "2", "3"})
        public int producers;

        /** Slots of the mailbox of 64 bytes, shared by all senders. */
        @Param("4096")
        public int slots;

        private final List<Partner> partners = new ArrayList<>();
        private Patience patience;
        private File directory;

        /** Makes the files and starts the senders. */
        @Setup(Level.Trial)
        public void setUp()
        {
            final int threads = producers + 1;
            patience = new Patience(threads);
            directory = ScratchDirectory.create();
            open(directory);
            for (int i = 0; i < producers; i++)
            {
                final int producer = i;
                partners.add(new Partner("producer-" + i, threads, () -> send(producer)));
            }
        }

        /** Stops the senders and removes the files. */
        @TearDown(Level.Trial)
        public void tearDown()
        {
            try
            {
                CloseHelper.closeAll(partners);
            }
            finally
            {
                close();
                ScratchDirectory.delete(directory);
            }
        }

        abstract void open(File in);

        void close()
        {
        }

        abstract boolean send(int producer);

        /** Returns the number of messages read. */
        abstract int poll(int limit);

        final int receive()
        {
            int left = MESSAGES;
            while (left > 0)
            {
                final int count = poll(left);
                left -= count;
                if (count > 0)
                {
                    patience.reset();
                }
                else if (patience.miss())
                {
                    partners.forEach(Partner::check);
                }
            }
            return left;
        }
    }

    /** A mailbox, with windows instead of credits. */
    @State(Scope.Thread)
    public static class ToMailbox extends Stream
    {
        /** Messages of one claim. */
        @Param({"1", "8"})
        public int batch;

        private MailboxSender[] senders;
        private MailboxReceiver receiver;

        @Override
        void open(final File in)
        {
            final int window = slots / producers;
            final int runSlots = MailboxDescriptor.slots(length);
            if (runSlots * batch > window)
            {
                throw new IllegalArgumentException("a batch does not fit a sender's share of the mailbox: found " +
                    runSlots * batch + " slots, expected at most " + window);
            }
            final Registry registry = Registry.create(new File(in, "registry"), 1, producers);
            final int process = registry.join(System.currentTimeMillis());
            final Mailbox mailbox = Mailbox.create(new File(in, "mailbox"), 0, 1, producers, slots, runSlots);
            receiver = new MailboxReceiver(mailbox, window);
            senders = new MailboxSender[producers];
            for (int i = 0; i < producers; i++)
            {
                final ClaimMark mark = registry.takeMark(process, registry.incarnation(process));
                senders[i] = new MailboxSender(mailbox, mark, i, length, window);
            }
        }

        @Override
        boolean send(final int producer)
        {
            return senders[producer].send(batch);
        }

        @Override
        int poll(final int limit)
        {
            return receiver.poll(limit);
        }
    }

    /** An endpoint that receives, and one endpoint for each sending thread. */
    @State(Scope.Thread)
    public static class ToEndpoint extends Stream implements MessageListener
    {
        /** Flow control. */
        @Param("DYNAMIC")
        public Flow flow;

        private Node node;
        private Endpoint receiver;
        private Endpoint[] senders;
        private UnsafeBuffer[] messages;
        private int taken;
        private long sum;

        @Override
        void open(final File in)
        {
            final int ranks = producers + 1;
            node = Node.launch(new NodeContext().directory(new File(in, "node")).rankCount(ranks)
                .slotsPerSender(slots / ranks).flow(flow).livenessThread(false));
            receiver = node.open(0);
            senders = new Endpoint[producers];
            messages = new UnsafeBuffer[producers];
            for (int i = 0; i < producers; i++)
            {
                senders[i] = node.open(i + 1);
                messages[i] = Payload.create(length);
            }
        }

        @Override
        void close()
        {
            node.close();
        }

        @Override
        boolean send(final int producer)
        {
            return senders[producer].offer(0, 1, messages[producer], 0, length) >= 0;
        }

        @Override
        int poll(final int limit)
        {
            taken = 0;
            receiver.poll(this, limit);
            return taken;
        }

        @Override
        public void onMessage(
            final int source, final int tag, final DirectBuffer buffer, final int offset, final int size)
        {
            sum += Payload.read(buffer, offset, size);
            taken++;
        }
    }

    /**
     * Claim, write, publish, poll.
     *
     * @param stream of messages.
     * @return 0.
     */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public int mailbox(final ToMailbox stream)
    {
        return stream.receive();
    }

    /**
     * Offer to handler, with credits and ledger.
     *
     * @param stream of messages.
     * @return 0.
     */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public int endpoint(final ToEndpoint stream)
    {
        return stream.receive();
    }
}
