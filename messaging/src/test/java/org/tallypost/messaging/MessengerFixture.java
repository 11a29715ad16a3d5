// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.File;
import java.nio.file.Path;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

/** Messengers of one node, driven by the thread of the test. */
class MessengerFixture
{
    static final int ANY = Communicator.ANY_SOURCE;
    static final Consumer<MessengerContext> DEFAULTS = MessengerContext::toString;

    @TempDir
    Path directory;

    /** 0 for no priorities; {@code -Dtallypost.highSlots=8} runs all of these tests with them. */
    int highSlots = Integer.getInteger("tallypost.highSlots", 0);
    Node node;
    Messenger[] messengers;
    Endpoint[] endpoints;

    static NodeContext context(final Path directory, final Flow flow, final int ranks, final int slots)
    {
        return new NodeContext().directory(new File(directory.toFile(), "node")).groupName("test").rankCount(ranks)
            .slotsPerSender(slots).flow(flow).livenessIntervalNs(100_000_000L).maxSendingThreads(64)
            .maxProcesses(64).errorHandler((t) ->
            {
                throw new AssertionError("error handler called", t);
            });
    }

    void launch(final int ranks)
    {
        launch(Flow.DYNAMIC, ranks, 64, DEFAULTS);
    }

    void launch(final Flow flow, final int ranks, final int slots, final Consumer<MessengerContext> settings)
    {
        node = Node.launch(context(directory, flow, ranks, slots).highSlots(highSlots));
        endpoints = new Endpoint[ranks];
        messengers = new Messenger[ranks];
        for (int i = 0; i < ranks; i++)
        {
            open(i, settings);
        }
    }

    void open(final int rank, final Consumer<MessengerContext> settings)
    {
        endpoints[rank] = node.open(rank);
        final MessengerContext context = new MessengerContext().endpoint(endpoints[rank]).rankCount(endpoints.length);
        settings.accept(context);
        messengers[rank] = Messenger.launch(context);
    }

    @AfterEach
    void close()
    {
        if (node != null)
        {
            for (int i = 0; i < messengers.length; i++)
            {
                if (messengers[i] != null)
                {
                    messengers[i].close();
                    endpoints[i].close();
                }
            }
            node.close();
        }
    }

    /** Lets all that are open work until a condition holds. */
    void drive(final String what, final BooleanSupplier condition)
    {
        final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> what);
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

    int work()
    {
        int work = 0;
        for (int i = 0; i < messengers.length; i++)
        {
            if (messengers[i] != null && !endpoints[i].isClosed())
            {
                work += messengers[i].doWork();
            }
        }
        return work;
    }

    void await(final Request... requests)
    {
        drive("requests " + java.util.Arrays.toString(requests), () -> Requests.allDone(requests));
    }

    static void fill(final MutableDirectBuffer buffer, final int offset, final int length, final long salt)
    {
        for (int i = 0; i < length; i++)
        {
            buffer.putByte(offset + i, (byte)(salt * 31 + i * 7 + (i >> 8)));
        }
    }

    static void check(final DirectBuffer buffer, final int offset, final int length, final long salt)
    {
        for (int i = 0; i < length; i++)
        {
            if (buffer.getByte(offset + i) != (byte)(salt * 31 + i * 7 + (i >> 8)))
            {
                assertEquals((byte)(salt * 31 + i * 7 + (i >> 8)), buffer.getByte(offset + i), "byte " + i + " of " + length);
            }
        }
    }

    static UnsafeBuffer bytes(final int length, final long salt)
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[length]);
        fill(buffer, 0, length, salt);
        return buffer;
    }

    static UnsafeBuffer room(final int length)
    {
        return new UnsafeBuffer(new byte[length]);
    }
}
