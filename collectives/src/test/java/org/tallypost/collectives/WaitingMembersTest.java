// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

/**
 * Members that wait for one that does not come sleep: counted are the times that their threads give the processor away, and the
 * processor time that they take between two of these. A thread that spins gives nothing away, and one that spins between its
 * sleeps takes too much for ever.
 */
class WaitingMembersTest
{
    /** Sleeps of each thread that are counted. */
    private static final long SLEEPS = 40;
    /** Processor time for a sleep that is a hundredth of its 5 ms would do; this is a tenth. */
    private static final long MOST_NS = 500_000;

    @TempDir
    private Path directory;

    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    private static Path status()
    {
        try
        {
            return Path.of("/proc").resolve(Files.readSymbolicLink(Path.of("/proc/thread-self"))).resolve("status");
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** How often a thread has given the processor away, and waited. */
    private static long sleeps(final Path status)
    {
        try
        {
            return Files.readAllLines(status).stream().filter((line) -> line.startsWith("voluntary_ctxt_switches:"))
                .mapToLong((line) -> Long.parseLong(line.substring(line.indexOf(':') + 1).trim())).sum();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** A barrier, and a broadcast without its root, in a team with as many members as processors or more. */
    @ParameterizedTest
    @CsvSource({"2, 200, false", "4, 0, false", "3, 200, true"})
    void shouldUseNoProcessorWhileAMemberDoesNotCome(final int ranks, final int looks, final boolean isBroadcast)
        throws InterruptedException
    {
        final ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        final AtomicBoolean isCounted = new AtomicBoolean();
        final AtomicReferenceArray<Path> status = new AtomicReferenceArray<>(ranks);
        final List<Thread> threads = new ArrayList<>();
        try (Node node = Node.launch(CollectivesTest.context(directory, ranks)))
        {
            for (int rank = 0; rank < ranks; rank++)
            {
                final Endpoint endpoint = node.open(rank);
                threads.add(new Thread(() -> member(node, endpoint, looks, isBroadcast, isCounted, status), "rank " + rank));
                threads.get(rank).start();
            }
            for (int rank = 0; rank < ranks - 1; rank++)
            {
                final int index = rank;
                Watchdog.await("rank " + rank + " in its operation", () -> status.get(index) != null || failure.get() != null);
                assertNull(failure.get(), () -> failure.get().toString());
                awaitSleeps(status.get(rank), "the first sleep", 1);
                final long threadId = threads.get(rank).getId();
                // code that was not run before, and a machine that counts time in which it had no processor, take more at first
                Watchdog.await("rank " + rank + " of " + ranks + ", looks=" + looks + ", takes less than " + MOST_NS +
                    " ns of the processor for each of " + SLEEPS + " sleeps",
                    () -> timeOfSleep(bean, threadId, status.get(index)) < MOST_NS);
            }
            isCounted.set(true);
            Watchdog.awaitEnds(threads, failure);
        }
    }

    /** Processor time of a thread for each of its next sleeps, in nanoseconds. */
    private static long timeOfSleep(final ThreadMXBean bean, final long threadId, final Path status)
    {
        final long beginNs = bean.getThreadCpuTime(threadId);
        final long slept = awaitSleeps(status, SLEEPS + " sleeps", SLEEPS);
        final long eachNs = (bean.getThreadCpuTime(threadId) - beginNs) / slept;
        System.out.println("WaitingMembersTest: " + slept + " sleeps, processor time for each " + eachNs / 1_000 + " us");
        return eachNs;
    }

    /** How often a thread has slept until it had slept so often. */
    private static long awaitSleeps(final Path status, final String what, final long count)
    {
        final long before = sleeps(status);
        Watchdog.await(what, () -> sleeps(status) - before >= count);
        return sleeps(status) - before;
    }

    private void member(
        final Node node, final Endpoint endpoint, final int looks, final boolean isBroadcast, final AtomicBoolean isCounted,
        final AtomicReferenceArray<Path> status)
    {
        final CollectivesContext context = new CollectivesContext().maxLooks(looks);
        try (Collectives collectives = Collectives.attach(node, endpoint, context))
        {
            final Team world = collectives.world();
            final int late = world.size() - 1;
            assertTrue(world.barrier() >= 0);
            if (endpoint.rank() == late)
            {
                Watchdog.await("what is counted", () -> isCounted.get() || failure.get() != null);
            }
            status.set(endpoint.rank(), status());
            assertEquals(1, isBroadcast ? world.calls().broadcast(late, Calls.buffer(), 0, 8) : world.barrier());
        }
        catch (final Throwable t)
        {
            failure.compareAndSet(null, t);
            endpoint.close();
        }
    }
}
