// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

/** Services of the ranks of one node, driven by the thread of the test. */
class ServicesFixture
{
    static final Consumer<ServicesContext> DEFAULTS = ServicesContext::toString;
    static final long LATER_NS = 3_600_000_000_000L;

    @TempDir
    Path directory;

    final List<Throwable> errors = new ArrayList<>();
    final List<String> heard = new ArrayList<>();
    Node node;
    Endpoint[] endpoints;
    Services[] ranks;

    /** Writes down what comes of requests. */
    final class Heard implements AnswerListener
    {
        @Override
        public void onAnswer(final long request, final DirectBuffer buffer, final int offset, final int length)
        {
            heard.add(buffer.getStringWithoutLengthAscii(offset, length));
        }

        @Override
        public void onFailed(final long request, final RequestFailure failure)
        {
            heard.add(failure.toString());
        }
    }

    void launch(final int count, final Flow flow, final int slots, final Consumer<ServicesContext> settings)
    {
        node = Node.launch(new NodeContext().directory(new File(directory.toFile(), "node")).groupName("test").rankCount(count)
            .slotsPerSender(slots).creditSlots(2).flow(flow).livenessIntervalNs(100_000_000L).errorHandler((t) ->
            {
                throw new AssertionError("error handler of the node called", t);
            }));
        endpoints = new Endpoint[count];
        ranks = new Services[count];
        for (int rank = 0; rank < count; rank++)
        {
            open(rank, settings);
        }
    }

    void launch(final int count)
    {
        launch(count, Flow.DYNAMIC, 64, DEFAULTS);
    }

    void open(final int rank, final Consumer<ServicesContext> settings)
    {
        endpoints[rank] = node.open(rank);
        final ServicesContext context = new ServicesContext().endpoint(endpoints[rank]).rankCount(endpoints.length)
            .errorHandler(errors::add);
        settings.accept(context);
        ranks[rank] = Services.launch(context);
    }

    void shut(final int rank)
    {
        ranks[rank].close();
        endpoints[rank].close();
        ranks[rank] = null;
    }

    @AfterEach
    void close()
    {
        if (node != null)
        {
            for (int rank = 0; rank < ranks.length; rank++)
            {
                if (ranks[rank] != null)
                {
                    shut(rank);
                }
            }
            node.close();
        }
    }

    int work()
    {
        int work = 0;
        for (final Services each : ranks)
        {
            work += each == null ? 0 : each.doWork();
        }
        return work;
    }

    void drive(final String what, final BooleanSupplier condition)
    {
        final Watchdog watchdog =
            new Watchdog(Watchdog.DEFAULT_LIMIT, () -> what + ": heard=" + heard + ", errors=" + errors);
        while (!condition.getAsBoolean())
        {
            if (work() > 0)
            {
                watchdog.progress();
            }
            else
            {
                watchdog.idle();
            }
        }
    }

    static UnsafeBuffer text(final String text)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[text.length()]);
        buffer.putStringWithoutLengthAscii(0, text);
        return buffer;
    }

    /** Sends a request as soon as that is possible. */
    void request(final int rank, final Service service, final String text, final long deadlineNs)
    {
        final UnsafeBuffer bytes = text(text);
        drive("a request to " + service, () ->
            ranks[rank].request(service, bytes, 0, bytes.capacity(), deadlineNs, new Heard()) >= 0);
    }
}
