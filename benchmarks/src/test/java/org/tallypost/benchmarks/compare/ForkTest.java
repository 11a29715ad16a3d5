// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.tallypost.endpoint.Flow;

class ForkTest
{
    @TempDir
    private File directory;

    private ForkResult run(final ForkSpec spec)
    {
        return new Fork(spec, directory, 0).run();
    }

    static List<TransportKind> betweenThreads()
    {
        return TransportKind.all().stream().filter((kind) -> kind.whyNot(Scope.THREADS, 1) == null).toList();
    }

    @ParameterizedTest
    @MethodSource("betweenThreads")
    void shouldCarryRoundTrips(final TransportKind kind)
    {
        final ForkResult result = run(CompareFixture.spec(kind, Mode.RTT, 48, 1, false));
        assertNull(result.failure());
        assertEquals(0, result.wrong());
        assertEquals(1, result.runs().size());
        assertTrue(result.runs().get(0).messages() > 0);
        assertTrue(result.runs().get(0).p50Ns() > 0);
        assertTrue(result.runs().get(0).before().value() > 0);
        assertTrue(result.probes().allMatch((probe) -> probe.workNs() > 0));
    }

    @ParameterizedTest
    @MethodSource("betweenThreads")
    void shouldCarryAStream(final TransportKind kind)
    {
        final int producers = kind.whyNot(Scope.THREADS, 2) == null ? 2 : 1;
        final ForkResult result = run(CompareFixture.spec(kind, Mode.RATE, 2048, producers, false));
        assertNull(result.failure());
        assertEquals(0, result.wrong());
        assertTrue(result.runs().get(0).figure() > 0);
        assertTrue(result.bufferBytes() > 0);
    }

    @ParameterizedTest
    @EnumSource(Flow.class)
    void shouldCarryAStreamUnderEveryFlowControl(final Flow flow)
    {
        final ForkSpec spec = new ForkSpec(TransportKind.TALLYPOST_ENDPOINT, Mode.RATE, Scope.THREADS, 8, 1, 256, 2, 1, 1, 1,
            CompareFixture.STATES, flow, AeronDriver.EMBEDDED, false, false, CompareFixture.TIMEOUT_MS);
        final ForkResult result = run(spec);
        assertNull(result.failure());
        assertEquals(0, result.wrong());
    }

    @ParameterizedTest
    @ValueSource(ints = { 2, 8 })
    void shouldCarryBatches(final int batch)
    {
        final ForkSpec spec = new ForkSpec(TransportKind.TALLYPOST_ENDPOINT, Mode.RATE, Scope.THREADS, 48, 2, 256, 2, 1, 1, 1,
            CompareFixture.STATES, Flow.DYNAMIC, AeronDriver.EMBEDDED, false, false, CompareFixture.TIMEOUT_MS, batch,
            NetworkTurns.MTU_LENGTH);
        final ForkResult result = run(spec);
        assertNull(result.failure());
        assertEquals(0, result.wrong());
    }

    @ParameterizedTest
    @EnumSource(value = Mode.class, names = { "RTT", "RATE" })
    void shouldFindDamage(final Mode mode)
    {
        // as many warm-up runs as it takes to come to the damaged message, however slow the machine is
        final ForkSpec spec = new ForkSpec(TransportKind.AGRONA_MANY_TO_ONE, mode, Scope.THREADS, 48, 1, 256, 2, 40, 1, 1,
            CompareFixture.STATES, Flow.DYNAMIC, AeronDriver.EMBEDDED, false, true, CompareFixture.TIMEOUT_MS);
        final ForkResult result = run(spec);
        assertNull(result.failure());
        assertTrue(result.wrong() > 0, "no message was found to be wrong");
    }

    @ParameterizedTest
    @CsvSource({ "EMBEDDED, RTT, true", "EMBEDDED, RATE, true", "SEPARATE, RTT, false", "SEPARATE, RATE, true" })
    void shouldRunAeronBetweenProcessesWhereverItsDriverIs(
        final AeronDriver aeronDriver, final Mode mode, final boolean isExclusive) throws IOException, InterruptedException
    {
        final ForkSpec spec = new ForkSpec(TransportKind.AERON_IPC_CLAIM, mode, Scope.PROCESSES, 2048, 1, 256, 2, 1, 1, 1,
            MachineStates.AUTO, Flow.DYNAMIC, aeronDriver, isExclusive, false, CompareFixture.TIMEOUT_MS);
        try (JvmForkRunner runner = new JvmForkRunner(directory))
        {
            final ForkResult result = runner.run(spec);
            assertNull(result.failure());
            assertEquals(0, result.wrong());
            assertTrue(result.runs().get(0).messages() > 0);
        }
        assertArrayEquals(new String[0], directory.list());
    }

    @ParameterizedTest
    @CsvSource({
        "RAW, RATE, EMBEDDED, 2048", "TALLYPOST_ENDPOINT, RTT, EMBEDDED, 48", "TALLYPOST_BATCH, RATE, EMBEDDED, 48",
        "AERON_UDP, RTT, SEPARATE, 48", "AERON_UDP_PACKED, RATE, EMBEDDED, 48" })
    void shouldCarryMessagesBetweenNodes(
        final TransportKind kind, final Mode mode, final AeronDriver driver, final int length)
        throws IOException, InterruptedException
    {
        final ForkSpec spec = new ForkSpec(kind, mode, Scope.NETWORK, length, 1, 1024, 2, 1, 1, 1,
            MachineStates.AUTO, Flow.DYNAMIC, driver, false, false, CompareFixture.TIMEOUT_MS);
        try (JvmForkRunner runner = new JvmForkRunner(directory))
        {
            final ForkResult result = runner.run(spec);
            assertNull(result.failure());
            assertEquals(0, result.wrong());
            assertTrue(result.runs().get(0).messages() > 0);
            assertTrue(result.runs().get(0).probe() > 0);
        }
        assertArrayEquals(new String[0], directory.list());
    }

    @ParameterizedTest
    @EnumSource(value = TransportKind.class, names = { "RAW", "TALLYPOST_ENDPOINT", "AERON_UDP" })
    void shouldCarryMessagesInShortDatagrams(final TransportKind kind) throws IOException, InterruptedException
    {
        final ForkSpec spec = new ForkSpec(kind, Mode.RATE, Scope.NETWORK, 48, 1, 1024, 2, 1, 1, 1,
            MachineStates.AUTO, Flow.DYNAMIC, AeronDriver.EMBEDDED, false, false, CompareFixture.TIMEOUT_MS, 1, 1408);
        try (JvmForkRunner runner = new JvmForkRunner(directory))
        {
            final ForkResult result = runner.run(spec);
            assertNull(result.failure());
            assertEquals(0, result.wrong());
            assertTrue(result.runs().get(0).messages() > 0);
        }
    }

    @Test
    void shouldGiveAllTransportsBetweenNodesTheSameThreads()
    {
        for (final AeronDriver driver : AeronDriver.values())
        {
            for (final TransportKind kind : List.of(TransportKind.TALLYPOST_ENDPOINT, TransportKind.AERON_UDP))
            {
                final ForkSpec spec = new ForkSpec(kind, Mode.RTT, Scope.NETWORK, 48, 1, 1024, 2, 1, 1, 1, MachineStates.AUTO,
                    Flow.DYNAMIC, driver, false, false, CompareFixture.TIMEOUT_MS);
                final boolean isInvoked = driver == AeronDriver.EMBEDDED;
                assertEquals(isInvoked, spec.isDriverInvoked(3));
                assertEquals(!isInvoked, spec.isOversubscribed(3));
                assertFalse(spec.isDriverInvoked(4));
                assertFalse(spec.isOversubscribed(4));
            }
        }
    }

    @Test
    void shouldCountTheDriverAmongTheThreads()
    {
        final ForkSpec embedded = CompareFixture.spec(TransportKind.AERON_IPC, Mode.RTT, 8, 1, false);
        final ForkSpec separate = new ForkSpec(embedded.transport(), embedded.mode(), embedded.scope(), 8, 1, 256, 2, 1, 1, 1,
            embedded.states(), embedded.flow(), AeronDriver.SEPARATE, false, false, embedded.timeoutMs());
        assertTrue(embedded.isDriverInvoked(2), "there is no core for its thread");
        assertFalse(embedded.isOversubscribed(2));
        assertFalse(embedded.isDriverInvoked(3));
        assertFalse(embedded.isOversubscribed(3));
        assertTrue(separate.isOversubscribed(2));
        assertFalse(separate.isOversubscribed(3));
        assertFalse(separate.isDriverInvoked(2));
    }

    @Test
    void shouldSayWhatDoesNotFit()
    {
        final ForkSpec spec = new ForkSpec(TransportKind.TALLYPOST_MAILBOX, Mode.RATE, Scope.THREADS, 2048, 1, 16, 2, 1, 1, 1,
            CompareFixture.STATES, Flow.DYNAMIC, AeronDriver.EMBEDDED, false, false, CompareFixture.TIMEOUT_MS);
        assertEquals("IllegalArgumentException: a message of 2048 bytes takes 33 slots: found 16 slots for each sender",
            run(spec).failure());
    }

    @Test
    void shouldGiveUpInTime()
    {
        final ForkSpec spec = new ForkSpec(TransportKind.RAW, Mode.RTT, Scope.THREADS, 8, 1, 16, 60_000, 0, 1, 1,
            CompareFixture.STATES, Flow.DYNAMIC, AeronDriver.EMBEDDED, false, false, 0);
        final String failure = run(spec).failure();
        assertNotNull(failure);
        assertTrue(failure.startsWith("timeout: party "), failure);
    }

    @Test
    void shouldRunInProcessesAndLeaveNothing() throws IOException, InterruptedException
    {
        final ForkSpec threads = CompareFixture.spec(TransportKind.TALLYPOST_ENDPOINT, Mode.RATE, 48, 1, false);
        final ForkSpec spec = new ForkSpec(threads.transport(), threads.mode(), Scope.PROCESSES, threads.length(), 1,
            threads.slots(), 2, 1, 1, 1, threads.states(), threads.flow(), threads.aeronDriver(), false, false,
            threads.timeoutMs());
        final ForkSpec broken = new ForkSpec(TransportKind.TALLYPOST_MAILBOX, threads.mode(), Scope.PROCESSES, 2048, 1,
            16, 2, 1, 1, 1, threads.states(), threads.flow(), threads.aeronDriver(), false, false, threads.timeoutMs());
        final List<ProcessHandle> before = ProcessHandle.current().children().toList();
        try (JvmForkRunner runner = new JvmForkRunner(directory))
        {
            final ForkResult result = runner.run(spec);
            assertNull(result.failure());
            assertEquals(0, result.wrong());
            assertTrue(result.runs().get(0).figure() > 0);
            final String failure = runner.run(broken).failure();
            assertNotNull(failure);
            assertTrue(failure.contains("takes 33 slots"), failure);
        }
        assertArrayEquals(new String[0], directory.list());
        final List<ProcessHandle> after = ProcessHandle.current().children().filter(ProcessHandle::isAlive).toList();
        assertTrue(before.containsAll(after), "child processes are left: " + after);
    }
}
