// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.flow;

import java.io.File;
import java.nio.file.Path;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.CloseHelper;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.CompositeAgent;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.node.Node;

/** A stream from rank 0 to rank 1 of a node of its own, with a thread for both ends. */
final class StreamFixture implements AutoCloseable
{
    final Node node;
    final Endpoint from;
    final Endpoint to;
    final MessageSubscriber<Long> subscriber;
    final MessagePublisher<Long> publisher;
    final AtomicReference<Throwable> failure = new AtomicReference<>();
    private AgentRunner runner;

    StreamFixture(final Path directory, final int length)
    {
        node = Node.launch(new NodeContext().directory(new File(directory.toFile(), "node")).groupName("flow").rankCount(2)
            .maxSendingThreads(16).livenessThread(false).deleteOnClose(true));
        from = node.open(0);
        to = node.open(1);
        subscriber = new MessageSubscriber<>(from, 1, new NumberCodec(length), 16);
        publisher = new MessagePublisher<>(to, 0, new NumberCodec(length));
    }

    StreamFixture start()
    {
        runner = new AgentRunner(from.newIdleStrategy(to), (thrown) -> failure.compareAndSet(null, thrown), null,
            new CompositeAgent(subscriber, publisher));
        AgentRunner.startOnThread(runner);
        return this;
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(runner, node);
        if (failure.get() != null)
        {
            throw new AssertionError(failure.get());
        }
    }

    /** Numbers from 0 on, as many as are asked for; without a thread of its own. */
    static Flow.Publisher<Long> numbers(final long count)
    {
        return (to) -> to.onSubscribe(new Flow.Subscription()
        {
            private long next;
            private long requested;
            private boolean isEmitting;
            private boolean isOver;

            @Override
            public void request(final long n)
            {
                requested += n;
                if (isEmitting)
                {
                    return;
                }
                isEmitting = true;
                while (!isOver && requested > 0 && next < count)
                {
                    requested--;
                    to.onNext(next++);
                }
                isEmitting = false;
                if (next == count && !isOver)
                {
                    isOver = true;
                    to.onComplete();
                }
            }

            @Override
            public void cancel()
            {
                isOver = true;
            }
        });
    }
}
