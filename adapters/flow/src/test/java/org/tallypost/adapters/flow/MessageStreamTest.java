// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.flow;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

/** A stream between ranks: what is requested comes, once and in order, and each side learns why it has ended. */
class MessageStreamTest
{
    @TempDir
    private Path directory;

    /** Requests what it is told to, and checks the order. */
    private static class Reader implements Flow.Subscriber<Long>
    {
        private final long first;
        private final long further;
        final AtomicLong received = new AtomicLong();
        volatile Flow.Subscription subscription;
        volatile boolean isComplete;
        volatile Throwable failure;

        Reader(final long first, final long further)
        {
            this.first = first;
            this.further = further;
        }

        @Override
        public void onSubscribe(final Flow.Subscription its)
        {
            subscription = its;
            if (first > 0)
            {
                its.request(first);
            }
        }

        @Override
        public void onNext(final Long item)
        {
            assertEquals(received.getAndIncrement(), item);
            if (further > 0)
            {
                subscription.request(further);
            }
        }

        @Override
        public void onError(final Throwable thrown)
        {
            failure = thrown;
        }

        @Override
        public void onComplete()
        {
            isComplete = true;
        }

        boolean isOver()
        {
            return isComplete || failure != null;
        }
    }

    private static CompletableFuture<Void> sent(final StreamFixture stream)
    {
        return stream.subscriber.whenSent().toCompletableFuture();
    }

    private static void awaitEnd(final Reader reader)
    {
        Watchdog.await("the end of the stream: received=" + reader.received, reader::isOver);
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 200, 2_048, 40_000})
    void shouldDeliverAllItemsWhole(final int length)
    {
        final long items = 1_000;
        try (StreamFixture stream = new StreamFixture(directory, length).start())
        {
            final Reader reader = new Reader(3, 1);
            StreamFixture.numbers(items).subscribe(stream.subscriber);
            stream.publisher.subscribe(reader);
            awaitEnd(reader);
            assertNull(reader.failure);
            assertEquals(items, reader.received.get());
            Watchdog.await("that the sender knows", sent(stream)::isDone);
            assertFalse(sent(stream).isCompletedExceptionally());
        }
    }

    @Test
    void shouldTakeWhatAPublisherOfTheLibrarySends()
    {
        final SubmissionPublisher<Long> submission = new SubmissionPublisher<>();
        try (StreamFixture stream = new StreamFixture(directory, 8).start())
        {
            final Reader reader = new Reader(Long.MAX_VALUE, 0);
            stream.publisher.subscribe(reader);
            submission.subscribe(stream.subscriber);
            for (long item = 0; item < 1_000; item++)
            {
                submission.submit(item);
            }
            submission.close();
            awaitEnd(reader);
            assertNull(reader.failure);
            assertEquals(1_000, reader.received.get());
        }
    }

    @Test
    void shouldHoldTheSenderUntilItemsAreRequested()
    {
        try (StreamFixture stream = new StreamFixture(directory, 200).start())
        {
            final Reader reader = new Reader(5, 0);
            final AtomicLong produced = new AtomicLong();
            final long items = 10_000;
            StreamFixture.numbers(items).subscribe(new Flow.Subscriber<>()
            {
                @Override
                public void onSubscribe(final Flow.Subscription its)
                {
                    stream.subscriber.onSubscribe(its);
                }

                @Override
                public void onNext(final Long item)
                {
                    produced.incrementAndGet();
                    stream.subscriber.onNext(item);
                }

                @Override
                public void onError(final Throwable thrown)
                {
                    stream.subscriber.onError(thrown);
                }

                @Override
                public void onComplete()
                {
                    stream.subscriber.onComplete();
                }
            });
            stream.publisher.subscribe(reader);
            // the sender may stall before the reader has had its turn
            Watchdog.await("a stall of the sender, and what was requested",
                () -> stream.from.counters().stalls() > 0 && reader.received.get() >= 5);
            assertEquals(5, reader.received.get());
            assertTrue(produced.get() < items, "what is not requested stays where it is");
            reader.subscription.request(items);
            awaitEnd(reader);
            assertEquals(items, reader.received.get());
        }
    }

    @Test
    void shouldCompleteWithoutARequest()
    {
        try (StreamFixture stream = new StreamFixture(directory, 8).start())
        {
            final Reader reader = new Reader(0, 0);
            StreamFixture.numbers(0).subscribe(stream.subscriber);
            stream.publisher.subscribe(reader);
            stream.subscriber.onComplete();
            awaitEnd(reader);
            assertTrue(reader.isComplete);
        }
    }

    @Test
    void shouldCancelThePublisherOfTheOtherSide()
    {
        try (StreamFixture stream = new StreamFixture(directory, 8).start())
        {
            final Reader reader = new Reader(3, 1);
            StreamFixture.numbers(Long.MAX_VALUE).subscribe(stream.subscriber);
            stream.publisher.subscribe(reader);
            Watchdog.await("some items", () -> reader.received.get() > 100);
            reader.subscription.cancel();
            Watchdog.await("that the sender hears of it", sent(stream)::isDone);
            assertFalse(sent(stream).isCompletedExceptionally());
            assertFalse(reader.isOver(), "it has cancelled");
        }
    }

    @Test
    void shouldSayWhyThePublisherHasFailed()
    {
        try (StreamFixture stream = new StreamFixture(directory, 8).start())
        {
            final Reader reader = new Reader(3, 1);
            stream.publisher.subscribe(reader);
            stream.subscriber.onError(new IllegalStateException("planted"));
            awaitEnd(reader);
            assertInstanceOf(StreamFailedException.class, reader.failure);
            assertTrue(reader.failure.getMessage().contains("planted"), reader.failure::getMessage);
            assertTrue(sent(stream).isCompletedExceptionally());
        }
    }

    @Test
    void shouldEndAStreamWithAnItemThatCannotBeEncoded()
    {
        try (StreamFixture stream = new StreamFixture(directory, 8).start();
            SubmissionPublisher<Long> submission = new SubmissionPublisher<>())
        {
            final Reader reader = new Reader(3, 1);
            stream.publisher.subscribe(reader);
            submission.subscribe(stream.subscriber);
            submission.submit(0L);
            submission.submit(Long.MIN_VALUE);
            awaitEnd(reader);
            assertTrue(reader.failure.getMessage().contains("no such item"), reader.failure::getMessage);
            assertEquals(1, reader.received.get());
            Watchdog.await("that the publisher is cancelled", () -> submission.getNumberOfSubscribers() == 0);
        }
    }

    @Test
    void shouldEndAStreamWithAnItemThatCannotBeDecoded()
    {
        try (StreamFixture stream = new StreamFixture(directory, 8).start();
            SubmissionPublisher<Long> submission = new SubmissionPublisher<>())
        {
            final Reader reader = new Reader(3, 1);
            stream.publisher.subscribe(reader);
            submission.subscribe(stream.subscriber);
            submission.submit(0L);
            submission.submit(Long.MIN_VALUE + 1);
            awaitEnd(reader);
            assertInstanceOf(IllegalStateException.class, reader.failure);
            Watchdog.await("that the publisher is cancelled", () -> submission.getNumberOfSubscribers() == 0);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 100})
    void shouldTellTheSubscriberThatTheSenderIsGone(final long requested)
    {
        try (StreamFixture stream = new StreamFixture(directory, 8).start())
        {
            final Reader reader = new Reader(requested, 0);
            stream.publisher.subscribe(reader);
            Watchdog.await("the subscription", () -> reader.subscription != null);
            stream.from.close();
            awaitEnd(reader);
            assertInstanceOf(StreamFailedException.class, reader.failure);
            assertTrue(reader.failure.getMessage().contains("gone"), reader.failure::getMessage);
            Watchdog.await("that the sender knows", sent(stream)::isDone);
            assertTrue(sent(stream).isCompletedExceptionally());
        }
    }

    @Test
    void shouldCancelThePublisherIfTheReceiverIsGone()
    {
        try (StreamFixture stream = new StreamFixture(directory, 8).start();
            SubmissionPublisher<Long> submission = new SubmissionPublisher<>())
        {
            final Reader reader = new Reader(3, 1);
            stream.publisher.subscribe(reader);
            submission.subscribe(stream.subscriber);
            submission.submit(0L);
            Watchdog.await("the first item", () -> reader.received.get() == 1);
            stream.to.close();
            final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "that the sender knows");
            while (!sent(stream).isDone())
            {
                submission.offer(1L, null);
                watchdog.idle();
            }
            assertTrue(sent(stream).isCompletedExceptionally());
            Watchdog.await("that the publisher is cancelled", () -> submission.getNumberOfSubscribers() == 0);
            awaitEnd(reader);
            assertInstanceOf(StreamFailedException.class, reader.failure);
        }
    }

    /** Another sender that never rests has the credits that such an item would need at once. */
    @Test
    void shouldSendItemsOfMoreThanAShareBesideABusySender()
    {
        try (Node node = Node.launch(new NodeContext().directory(new File(directory.toFile(), "small")).groupName("flow")
            .rankCount(3).slotsPerSender(16).maxSendingThreads(16).livenessThread(false).deleteOnClose(true)))
        {
            final MessageSubscriber<Long> sender = new MessageSubscriber<>(
                node.open(0), 1, new NumberCodec(Endpoint.MAX_RUN_LENGTH), 16);
            final MessagePublisher<Long> receiver = new MessagePublisher<>(
                node.open(1), 0, new NumberCodec(Endpoint.MAX_RUN_LENGTH));
            final Reader reader = new Reader(Long.MAX_VALUE, 0);
            receiver.subscribe(reader);
            final Endpoint busy = node.open(2);
            final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
            final int[] sent = new int[1];
            Watchdog.await("items beside a busy sender", () ->
            {
                for (int i = 0; i < 100 && !reader.isOver(); i++)
                {
                    while (busy.offer(1, 9, message, 0, 8) >= 0)
                    {
                        // it has all that there is
                        sent[0]++;
                    }
                    if (sent[0] > 1_000)
                    {
                        sent[0] = Integer.MIN_VALUE;
                        StreamFixture.numbers(3).subscribe(sender);
                    }
                    sender.doWork();
                    receiver.doWork();
                }
                return reader.isOver();
            });
            assertNull(reader.failure);
            assertEquals(3, reader.received.get());
        }
    }

    @Test
    void shouldServeOneSubscriber()
    {
        try (StreamFixture stream = new StreamFixture(directory, 8).start())
        {
            stream.publisher.subscribe(new Reader(1, 1));
            final Reader second = new Reader(1, 1);
            stream.publisher.subscribe(second);
            assertInstanceOf(IllegalStateException.class, second.failure);
        }
    }

    @Test
    void shouldRefuseWhatIsNoStream()
    {
        try (StreamFixture stream = new StreamFixture(directory, 8))
        {
            assertThrows(IllegalArgumentException.class, () -> new MessagePublisher<>(stream.to, 2, ItemCodec.BYTES));
            assertThrows(IllegalArgumentException.class, () -> new MessageSubscriber<>(stream.from, 2, ItemCodec.BYTES));
            assertThrows(IllegalArgumentException.class, () -> new MessageSubscriber<>(stream.from, 1, ItemCodec.BYTES, 0));
        }
    }
}
