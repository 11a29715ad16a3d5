// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.nio.ByteBuffer;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.ManyToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.tallypost.adapters.agrona.EndpointRingBuffer;
import org.tallypost.adapters.blocking.BlockingEndpoint;
import org.tallypost.adapters.flow.ItemCodec;
import org.tallypost.adapters.flow.MessagePublisher;
import org.tallypost.adapters.flow.MessageSubscriber;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.node.Node;

/** One turn of each adapter, from rank 0 to rank 1 of a node of its own, and of what it is held against, in this JVM. */
final class AdapterRuns
{
    private static final int LENGTH = 64;
    private static final int CAPACITY = 1024;
    /** Of both rings, as those of {@code compare}: that of ManyToOneRingBuffer, and that of a mailbox. */
    private static final int RING_LENGTH = 1 << 16;
    private static final int RANKS = 2;
    private static final int SLOT_LENGTH = 64;
    private static final int READ_LIMIT = 256;
    private static final int TAG = 1;

    private AdapterRuns()
    {
    }

    static Node node(final File directory)
    {
        return Node.launch(new NodeContext().directory(directory).groupName("adapters").rankCount(RANKS)
            .slotsPerSender(RING_LENGTH / RANKS / SLOT_LENGTH).deleteOnClose(true));
    }

    static AgentRunner start(final Agent agent, final Endpoint endpoint, final Arrivals arrivals)
    {
        final AgentRunner runner = new AgentRunner(endpoint.newIdleStrategy(), arrivals::fail, null, agent);
        AgentRunner.startOnThread(runner);
        return runner;
    }

    static double agrona(final Arrivals arrivals, final File directory, final int timeoutS)
        throws InterruptedException, TimeoutException
    {
        try (Node node = node(directory))
        {
            return ring(new EndpointRingBuffer(node.open(0), 1), new EndpointRingBuffer(node.open(1), 1), arrivals, timeoutS);
        }
    }

    static double manyToOne(final Arrivals arrivals, final File directory, final int timeoutS)
        throws InterruptedException, TimeoutException
    {
        final RingBuffer ring = new ManyToOneRingBuffer(new UnsafeBuffer(ByteBuffer.allocateDirect(
            RING_LENGTH + RingBufferDescriptor.TRAILER_LENGTH)));
        return ring(ring, ring, arrivals, timeoutS);
    }

    private static double ring(final RingBuffer to, final RingBuffer from, final Arrivals arrivals, final int timeoutS)
        throws InterruptedException, TimeoutException
    {
        try (AdapterThreads threads = new AdapterThreads(arrivals))
        {
            threads.start("consumer", () ->
            {
                int spins = 0;
                while (!arrivals.isOver() && !Thread.currentThread().isInterrupted())
                {
                    spins = from.read((type, buffer, offset, length) -> arrivals.one(), READ_LIMIT) > 0 ? 0 :
                        AdapterThreads.idle(spins);
                }
            });
            threads.start("producer", () ->
            {
                final UnsafeBuffer message = new UnsafeBuffer(ByteBuffer.allocateDirect(LENGTH));
                for (int i = 0; i < arrivals.total; i++)
                {
                    message.putInt(0, i);
                    int spins = 0;
                    while (!to.write(TAG, message, 0, LENGTH) && !Thread.currentThread().isInterrupted())
                    {
                        spins = AdapterThreads.idle(spins);
                    }
                }
            });
            return arrivals.await(timeoutS);
        }
    }

    static double blocking(final Arrivals arrivals, final File directory, final int timeoutS)
        throws InterruptedException, TimeoutException
    {
        try (Node node = node(directory);
            BlockingEndpoint from = new BlockingEndpoint(node.open(0), CAPACITY);
            BlockingEndpoint to = new BlockingEndpoint(node.open(1), CAPACITY))
        {
            return blocking((message) -> from.send(1, TAG, message), to::receive, arrivals, timeoutS);
        }
    }

    static double arrayQueue(final Arrivals arrivals, final File directory, final int timeoutS)
        throws InterruptedException, TimeoutException
    {
        final ArrayBlockingQueue<byte[]> queue = new ArrayBlockingQueue<>(CAPACITY);
        return blocking((message) -> queue.put(message.clone()), queue::take, arrivals, timeoutS);
    }

    /** Sends a message, and waits for room. */
    private interface Put
    {
        void put(byte[] message) throws InterruptedException;
    }

    private static double blocking(
        final Put put, final AdapterThreads.Body take, final Arrivals arrivals, final int timeoutS)
        throws InterruptedException, TimeoutException
    {
        try (AdapterThreads threads = new AdapterThreads(arrivals))
        {
            threads.start("consumer", () ->
            {
                for (int i = 0; i < arrivals.total; i++)
                {
                    take.run();
                    arrivals.one();
                }
            });
            threads.start("producer", () ->
            {
                final byte[] message = new byte[LENGTH];
                for (int i = 0; i < arrivals.total; i++)
                {
                    put.put(message);
                }
            });
            return arrivals.await(timeoutS);
        }
    }

    /** The agents run as long as they are open. */
    @SuppressWarnings("try")
    static double flow(final Arrivals arrivals, final File directory, final int timeoutS)
        throws InterruptedException, TimeoutException
    {
        try (Node node = node(directory))
        {
            final Endpoint from = node.open(0);
            final Endpoint to = node.open(1);
            final MessageSubscriber<Long> sender = new MessageSubscriber<>(from, 1, new LongCodec());
            final MessagePublisher<Long> receiver = new MessagePublisher<>(to, 0, new LongCodec());
            receiver.subscribe(new CountingSubscriber(arrivals));
            try (AgentRunner receiving = start(receiver, to, arrivals); AgentRunner sending = start(sender, from, arrivals))
            {
                sender.onSubscribe(new Numbers(sender, arrivals.total));
                return arrivals.await(timeoutS);
            }
        }
    }

    static double submission(final Arrivals arrivals, final File directory, final int timeoutS)
        throws InterruptedException, TimeoutException
    {
        try (SubmissionPublisher<Long> publisher = new SubmissionPublisher<>();
            AdapterThreads threads = new AdapterThreads(arrivals))
        {
            publisher.subscribe(new CountingSubscriber(arrivals));
            threads.start("producer", () ->
            {
                for (long i = 0; i < arrivals.total && !arrivals.isOver(); i++)
                {
                    // with a limit of time, because a submit without one is not interrupted
                    publisher.offer(i, timeoutS, TimeUnit.SECONDS, null);
                }
            });
            return arrivals.await(timeoutS);
        }
    }

    /** Items of a message's length. */
    private static final class LongCodec implements ItemCodec<Long>
    {
        @Override
        public int encode(final Long item, final MutableDirectBuffer buffer)
        {
            buffer.putLong(0, item);
            buffer.putLong(LENGTH - BitUtil.SIZE_OF_LONG, item);
            return LENGTH;
        }

        @Override
        public Long decode(final DirectBuffer buffer, final int offset, final int length)
        {
            return buffer.getLong(offset);
        }
    }

    /** Counts, by requests without a bound. */
    private record CountingSubscriber(Arrivals arrivals) implements Flow.Subscriber<Long>
    {
        @Override
        public void onSubscribe(final Flow.Subscription subscription)
        {
            subscription.request(Long.MAX_VALUE);
        }

        @Override
        public void onNext(final Long item)
        {
            arrivals.one();
        }

        @Override
        public void onError(final Throwable thrown)
        {
            arrivals.fail(thrown);
        }

        @Override
        public void onComplete()
        {
        }
    }

    /** Emits numbers as they are requested, by the thread that requests. */
    private static final class Numbers implements Flow.Subscription
    {
        private final Flow.Subscriber<? super Long> to;
        private final long count;
        private long next;
        private long requested;
        private boolean isEmitting;

        private Numbers(final Flow.Subscriber<? super Long> to, final long count)
        {
            this.to = to;
            this.count = count;
        }

        @Override
        public void request(final long n)
        {
            requested += n;
            if (!isEmitting)
            {
                isEmitting = true;
                while (requested > 0 && next < count)
                {
                    requested--;
                    to.onNext(next++);
                }
                isEmitting = false;
            }
        }

        @Override
        public void cancel()
        {
            next = count;
        }
    }
}
