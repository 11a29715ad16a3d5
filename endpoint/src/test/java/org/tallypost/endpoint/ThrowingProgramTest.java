// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.io.File;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.internal.node.GuardedErrorHandler;
import org.tallypost.endpoint.internal.node.NodeFiles;
import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.endpoint.transport.TransportEvent;
import org.tallypost.endpoint.transport.TransportSettings;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.mailbox.files.MappedFiles;
import org.tallypost.mailbox.process.Registry;
import org.tallypost.node.Node;

/** A program with code that throws, wherever the runtime calls it: the threads of the node go on, and deaths are noticed. */
class ThrowingProgramTest
{
    private static final int FIRST_ENTRY = 384;
    private static final int ENTRY_LENGTH = 128;
    private static final int START_TIME = 16;

    @TempDir
    private Path directory;
    private final AtomicInteger told = new AtomicInteger();
    private final Set<String> tellers = ConcurrentHashMap.newKeySet();

    /** Throws on, and leaves the thread interrupted. */
    private void onError(final Throwable error)
    {
        told.incrementAndGet();
        tellers.add(Thread.currentThread().getName());
        Thread.currentThread().interrupt();
        throw new Defect("error handler");
    }

    /** No exception, as none that a program may throw is any better. */
    private static final class Defect extends Error
    {
        private static final long serialVersionUID = 1;

        Defect(final String message)
        {
            super(message);
        }
    }

    private NodeContext context()
    {
        return new NodeContext().directory(new File(directory.toFile(), "node")).rankCount(IdleTransport.RANKS)
            .maxProcesses(4).maxSendingThreads(8).livenessIntervalNs(4_000_000L).errorHandler(this::onError);
    }

    private static void awaitProofOfDeath(final Node node)
    {
        final Registry registry = local(node).runtime().registry();
        final int doomed = registry.join(System.currentTimeMillis());
        final UnsafeBuffer entries = MappedFiles.map(
            new File(node.context().directory(), NodeFiles.REGISTRY_NAME), FIRST_ENTRY, "registry");
        // its pid is another process's now
        entries.getAndAddLong(FIRST_ENTRY + doomed * ENTRY_LENGTH + START_TIME, 1);
        Watchdog.await("the liveness thread notices a death", () -> registry.liveCount() == 1);
    }

    @Test
    void shouldGoOnNoticingDeathsWhenTheErrorHandlerThrows()
    {
        try (Node node = Node.launch(context()))
        {
            final File group = local(node).runtime().group().file();
            final File away = new File(directory.toFile(), "away");
            assertTrue(group.renameTo(away));
            Watchdog.await("the liveness thread tells that a file was removed", () -> told.get() > 0);
            assertTrue(away.renameTo(group));
            assertTrue(tellers.stream().allMatch((name) -> name.startsWith("tallypost-liveness")), tellers::toString);
            awaitProofOfDeath(node);
        }
    }

    @Test
    void shouldGoOnWhateverTheTransportDoes()
    {
        final AtomicLong cycles = new AtomicLong();
        final AtomicLong idles = new AtomicLong();
        final AtomicLong events = new AtomicLong();
        final AtomicInteger ends = new AtomicInteger();
        final IdleTransport transport = new IdleTransport()
        {
            @Override
            public int doWork()
            {
                cycles.incrementAndGet();
                port().event(new TransportEvent(TransportEvent.Kind.LINK_DOWN, 1, -1, -1, 0, 0, "nothing"));
                throw new Defect("agent");
            }

            @Override
            public void onClose()
            {
                ends.incrementAndGet();
                throw new Defect("agent");
            }
        };
        final TransportSettings settings = new TransportSettings().egressSlots(2048).idleStrategy(new ThrowingIdle(idles))
            .eventHandler((event) ->
            {
                events.incrementAndGet();
                throw new Defect("event handler");
            });
        try (Node node = Node.launch(context().transport(transport).transportSettings(settings)); Endpoint a = node.open(0))
        {
            Watchdog.await("duty cycles go on", () -> cycles.get() > 100 && idles.get() > 100 && events.get() > 100);
            awaitProofOfDeath(node);
            assertFalse(a.isClosed());
            assertEquals(Set.of("tallypost-transport-0"), tellers.stream().filter((name) -> !name.startsWith("tallypost-l"))
                .collect(Collectors.toSet()));
        }
        assertEquals(1, ends.get());
    }

    @Test
    void shouldNoticeDeathsWhenNoTransportCanStart()
    {
        final AtomicInteger starts = new AtomicInteger();
        final IdleTransport transport = new IdleTransport()
        {
            @Override
            public Agent start(final NodePort nodePort)
            {
                starts.incrementAndGet();
                throw new Defect("start");
            }
        };
        final TransportSettings settings = new TransportSettings().egressSlots(2048);
        assertThrows(Defect.class, () -> Node.launch(context().transport(transport).transportSettings(settings)));
        assertEquals(1, starts.get());
        // another process carries the packets at first
        final IdleTransport good = new IdleTransport();
        final Node carrier = Node.launch(context().livenessThread(false).transport(good).transportSettings(settings));
        try (Node node = Node.launch(context().transport(transport).transportSettings(settings)))
        {
            local(carrier).transportHost().close(local(node).cycleLimitNs);
            Watchdog.await("the other one tries to take over", () -> starts.get() > 3);
            carrier.close();
            Watchdog.await("it is alone", () -> local(node).runtime().registry().liveCount() == 1);
            awaitProofOfDeath(node);
        }
        finally
        {
            carrier.close();
        }
    }

    @Test
    void shouldGiveTheCallerOfAPollWhatTheErrorHandlerThrows()
    {
        try (Node node = Node.launch(context().livenessThread(false)); Endpoint a = node.open(0))
        {
            final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
            final int count = 3 * GuardedErrorHandler.BURST;
            int thrown = 0;
            for (int i = 0; i < count; i++)
            {
                Watchdog.await("a message is accepted", () ->
                    a.poll(Fixtures.NOTHING, 1) >= 0 && a.offer(0, 1, message, 0, 8) >= 0);
                Watchdog.await("it is delivered, and the handler throws", () -> isThrowing(a));
                thrown++;
            }
            assertEquals(count, thrown);
            assertEquals(count, told.get(), "each of them is told");
        }
    }

    private static boolean isThrowing(final Endpoint endpoint)
    {
        try
        {
            endpoint.poll((source, tag, buffer, offset, length) ->
            {
                throw new IllegalStateException("message handler");
            }, 10);
            return false;
        }
        catch (final Defect ex)
        {
            return Thread.interrupted();
        }
    }

    private static final class ThrowingIdle implements IdleStrategy
    {
        private final AtomicLong count;

        ThrowingIdle(final AtomicLong count)
        {
            this.count = count;
        }

        @Override
        public void idle(final int work)
        {
            count.incrementAndGet();
            throw new Defect("idle strategy");
        }

        @Override
        public void idle()
        {
            idle(0);
        }

        @Override
        public void reset()
        {
            // nothing is counted
        }
    }
}
