// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.activemessages.ActiveMessagesCounters.Counter;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

/** Active messages of the ranks of one node, driven by the thread of the test. */
class ActiveMessagesFixture
{
    static final Consumer<ActiveMessagesContext> DEFAULTS = ActiveMessagesContext::toString;

    private static final int CONNECT = 255;

    @TempDir
    Path directory;

    final List<Throwable> errors = new ArrayList<>();
    final List<String> failures = new ArrayList<>();
    /** 0 for no priorities; {@code -Dtallypost.highSlots=8} runs all of these tests with them. */
    int highSlots = Integer.getInteger("tallypost.highSlots", 0);
    Node node;
    Endpoint[] endpoints;
    ActiveMessages[] ranks;

    static NodeContext context(final Path directory, final Flow flow, final int ranks, final int slots)
    {
        return new NodeContext().directory(new File(directory.toFile(), "node")).groupName("test").rankCount(ranks)
            .slotsPerSender(slots).creditSlots(Math.min(2, slots / 2)).flow(flow).livenessIntervalNs(100_000_000L)
            .errorHandler((t) ->
            {
                throw new AssertionError("error handler of the node called", t);
            });
    }

    void launch(final int count)
    {
        launch(Flow.DYNAMIC, count, 64, DEFAULTS);
    }

    void launch(final Flow flow, final int count, final int slots, final Consumer<ActiveMessagesContext> settings)
    {
        node = Node.launch(context(directory, flow, count, slots).highSlots(highSlots));
        endpoints = new Endpoint[count];
        ranks = new ActiveMessages[count];
        for (int rank = 0; rank < count; rank++)
        {
            open(rank, settings);
        }
    }

    void open(final int rank, final Consumer<ActiveMessagesContext> settings)
    {
        endpoints[rank] = node.open(rank);
        final ActiveMessagesContext context = new ActiveMessagesContext().endpoint(endpoints[rank]).rankCount(endpoints.length)
            .errorHandler(errors::add)
            .failureListener((dest, handler, failure) -> failures.add(rank + ">" + dest + ":" + handler + " " + failure));
        settings.accept(context);
        ranks[rank] = ActiveMessages.launch(context);
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
                    ranks[rank].close();
                    endpoints[rank].close();
                }
            }
            node.close();
        }
    }

    int work()
    {
        int work = 0;
        for (int rank = 0; rank < ranks.length; rank++)
        {
            if (ranks[rank] != null && !endpoints[rank].isClosed())
            {
                work += ranks[rank].doWork();
            }
        }
        return work;
    }

    void drive(final String what, final BooleanSupplier condition)
    {
        final Watchdog watchdog =
            new Watchdog(Watchdog.DEFAULT_LIMIT, () -> what + ": failures=" + failures + ", errors=" + errors);
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

    /** Lets a rank get the credits that it has for another one. */
    void connect(final int rank, final int dest)
    {
        ranks[dest].onRequest(CONNECT, (token, a, b, c, d, e) ->
        {
        });
        for (int i = 0; i < 20; i++)
        {
            drive("room", () -> ranks[rank].tryRequest(dest, CONNECT, 0, 0, 0, 0, 0) == 0);
        }
        drive("connection", () -> ranks[rank].unanswered() == 0 && work() == 0);
        ranks[dest].onRequest(CONNECT, null);
    }

    void assertCount(final long expected, final int rank, final Counter counter)
    {
        assertEquals(expected, ranks[rank].counters().get(counter), counter + " of rank " + rank);
    }
}
