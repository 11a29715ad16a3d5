// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.benchmarks.harness.PartyProcess;
import org.tallypost.benchmarks.harness.Role;
import org.tallypost.endpoint.Flow;

@Tag("once")
class TransportProcessTest
{
    private static final int MESSAGES = 1_200;

    @TempDir
    private File directory;

    private List<Role.Measured> turns(final LinkSpec... cells) throws InterruptedException, ExecutionException
    {
        return CompareFixture.turns(CompareFixture.team(CompareFixture.TIMEOUT_MS, cells), directory, MESSAGES);
    }

    static List<TransportKind> betweenThreads()
    {
        return TransportKind.all().stream().filter((kind) ->
            kind.whyNot(Mode.RTT, Scope.THREADS, 1) == null && kind.whyNot(Mode.RATE, Scope.THREADS, 1) == null).toList();
    }

    @ParameterizedTest
    @MethodSource("betweenThreads")
    void shouldCarryRoundTripsAndStreamsInTheSameProcess(final TransportKind kind)
        throws InterruptedException, ExecutionException
    {
        final int producers = kind.whyNot(Scope.THREADS, 2) == null ? 2 : 1;
        final List<Role.Measured> found = turns(CompareFixture.spec(kind, Mode.RTT, 48, 1),
            CompareFixture.spec(kind, Mode.RATE, 2048, producers), CompareFixture.spec(kind, Mode.RATE, 8, 1));
        assertEquals(3, found.size());
        found.forEach((measured) ->
        {
            assertEquals(0, measured.wrong());
            assertTrue(measured.messages() > 0 && measured.messages() <= MESSAGES, measured::toString);
            assertTrue(measured.countedNs() > 0, measured::toString);
        });
    }

    @ParameterizedTest
    @EnumSource(value = TransportKind.class, names = {
        "TALLYPOST_ENDPOINT", "TALLYPOST_MESSAGING", "AGRONA_ONE_TO_ONE", "AGRONA_MANY_TO_ONE", "AERON_IPC", "JCTOOLS_SPSC",
        "DISRUPTOR" })
    void shouldCarryLongMessages(final TransportKind kind) throws InterruptedException, ExecutionException
    {
        final Settings settings = CompareFixture.settings(Mode.RTT, kind);
        final List<LinkSpec> cells = List.of(settings.spec(new Group(Mode.RTT, 65_536, 1), new Contestant(kind)),
            settings.spec(new Group(Mode.RATE, 65_536, 1), new Contestant(kind)),
            settings.spec(new Group(Mode.RATE, 4_096, 1), new Contestant(kind)));
        assertEquals(16_384, cells.get(0).slots());
        CompareFixture.turns(CompareFixture.team(CompareFixture.TIMEOUT_MS, cells.toArray(new LinkSpec[0])), directory, 100)
            .forEach((measured) ->
            {
                assertEquals(0, measured.wrong());
                assertTrue(measured.messages() > 0, measured::toString);
            });
    }

    @ParameterizedTest
    @EnumSource(Flow.class)
    void shouldCarryAStreamUnderEveryFlowControl(final Flow flow) throws InterruptedException, ExecutionException
    {
        final LinkSpec spec = new LinkSpec(
            TransportKind.TALLYPOST_ENDPOINT, Mode.RATE, Scope.THREADS, 8, 1, 256, flow, AeronDriver.EMBEDDED);
        assertEquals(0, turns(spec).get(0).wrong());
    }

    @ParameterizedTest
    @ValueSource(ints = { 2, 8 })
    void shouldCarryBatches(final int batch) throws InterruptedException, ExecutionException
    {
        final LinkSpec spec = new LinkSpec(TransportKind.TALLYPOST_ENDPOINT, Mode.RATE, Scope.THREADS, 48, 2, 256, Flow.DYNAMIC,
            AeronDriver.EMBEDDED, false, false, batch, NetworkTurns.MTU_LENGTH, 1, null);
        final Role.Measured measured = turns(spec).get(0);
        assertEquals(0, measured.wrong());
        assertTrue(measured.messages() > 0);
    }

    @ParameterizedTest
    @EnumSource(value = TransportKind.class, names = { "TALLYPOST_ENDPOINT", "AGRONA_MANY_TO_ONE", "AERON_IPC", "DISRUPTOR" })
    void shouldTimeMessagesThatAreDueAndBursts(final TransportKind kind) throws InterruptedException, ExecutionException
    {
        final LinkSpec load = CompareFixture.spec(kind, Mode.LOAD, 48, 1);
        final LinkSpec burst = new LinkSpec(kind, Mode.BURST, Scope.THREADS, 48, 1, 256, Flow.DYNAMIC, AeronDriver.EMBEDDED,
            false, false, 1, NetworkTurns.MTU_LENGTH, 32, null);
        final List<Role.Measured> found = CompareFixture.turns(
            new TeamSpec(List.of(load, burst), 0, 60_000, CompareFixture.TIMEOUT_MS, true), directory, 640, 1_000);
        for (final Role.Measured measured : found)
        {
            assertEquals(0, measured.wrong());
            final Times times = Times.of(List.of(measured.detail(), measured.detail()));
            assertEquals(2 * measured.messages(), times.count());
            assertTrue(times.p50() > 0 && times.p50() <= times.p99() && times.p99() <= times.p999() &&
                times.p999() <= times.max(), times::toString);
        }
        assertEquals(576, found.get(0).messages(), "a tenth does not count");
        assertEquals(18, found.get(1).messages(), "of 20 bursts");
    }

    @ParameterizedTest
    @ValueSource(ints = { 8, 2048, 20_000 })
    void shouldMatchMessagesBesideReceivesThatNoneIsFor(final int length) throws InterruptedException, ExecutionException
    {
        final List<LinkSpec> cells = new ArrayList<>();
        for (final LinkSpec each : List.of(CompareFixture.spec(TransportKind.TALLYPOST_MESSAGING, Mode.RTT, length, 1),
            CompareFixture.spec(TransportKind.TALLYPOST_MESSAGING, Mode.RATE, length, 1),
            CompareFixture.spec(TransportKind.TALLYPOST_MESSAGING, Mode.RATE, length, 2)))
        {
            cells.add(each);
            cells.add(CompareFixture.beside(each, new Beside(300, true)));
        }
        turns(cells.toArray(new LinkSpec[0])).forEach((measured) ->
        {
            assertEquals(0, measured.wrong());
            assertTrue(measured.messages() > 0 && measured.countedNs() > 0, measured::toString);
        });
    }

    @ParameterizedTest
    @EnumSource(value = TransportKind.class, names = {
        "RAW", "TALLYPOST_MESSAGING", "TALLYPOST_MESSAGING_REGIONS", "TALLYPOST_REGIONS", "TALLYPOST_LOANS", "AERON_IPC" })
    void shouldCarryBulkAndFindDamage(final TransportKind kind) throws InterruptedException, ExecutionException
    {
        final List<LinkSpec> cells = new ArrayList<>();
        for (final int length : List.of(8, 1024, 100_000, 1 << 21))
        {
            cells.add(CompareFixture.spec(kind, Mode.LATENCY, length, 1));
            cells.add(CompareFixture.spec(kind, Mode.BANDWIDTH, length, 1));
        }
        CompareFixture.turns(CompareFixture.team(CompareFixture.TIMEOUT_MS, cells.toArray(new LinkSpec[0])), directory, 40)
            .forEach((measured) ->
            {
                assertEquals(0, measured.wrong());
                assertTrue(measured.messages() > 0 && measured.countedNs() > 0, measured::toString);
            });
        for (final Mode mode : List.of(Mode.LATENCY, Mode.BANDWIDTH))
        {
            final LinkSpec damaged = CompareFixture.corrupt(CompareFixture.spec(kind, mode, 10_000, 1));
            final File own = new File(directory, mode.label());
            assertTrue(own.mkdir());
            assertTrue(CompareFixture.turns(new TeamSpec(List.of(damaged), 0, 60_000, CompareFixture.TIMEOUT_MS, true), own, 40)
                .get(0).wrong() > 0, "no message was found to be wrong");
        }
    }

    @Test
    void shouldLendMessagesOfAllLengths() throws InterruptedException, ExecutionException
    {
        final LinkSpec spec = CompareFixture.spec(TransportKind.TALLYPOST_LOANS, Mode.LOAN, 1 << 20, 1);
        final LinkSpec shorter = CompareFixture.spec(TransportKind.TALLYPOST_LOANS_48, Mode.LOAN, 1 << 20, 1);
        assertEquals(48, Transport.messageLength(shorter));
        final List<Role.Measured> found = CompareFixture.turns(CompareFixture.team(CompareFixture.TIMEOUT_MS, spec,
            CompareFixture.spec(TransportKind.TALLYPOST_LOANS, Mode.LOAN, 8, 1), shorter, CompareFixture.corrupt(spec)),
            directory, 40);
        assertEquals(List.of(0L, 0L, 0L), found.subList(0, 3).stream().map(Role.Measured::wrong).toList());
        assertTrue(found.get(3).wrong() > 0, "no message was found to be wrong");
        found.forEach((measured) -> assertTrue(measured.messages() > 0 && measured.countedNs() > 0, measured::toString));
    }

    @ParameterizedTest
    @EnumSource(value = TransportKind.class, names = { "TALLYPOST_MESSAGING_BESIDE", "TALLYPOST_MESSAGING_REGIONS_BESIDE" })
    void shouldCarryShortMessagesDuringLongOnes(final TransportKind kind) throws InterruptedException, ExecutionException
    {
        final Role.Measured found = CompareFixture.turns(CompareFixture.team(CompareFixture.TIMEOUT_MS,
            CompareFixture.spec(kind, Mode.RTT, 48, 1)), directory, 400).get(0);
        assertEquals(0, found.wrong());
        assertTrue(found.messages() > 0 && found.countedNs() > 0, found::toString);
    }

    @ParameterizedTest
    @EnumSource(value = TransportKind.class, names = { "RAW", "TALLYPOST_PUT", "TALLYPOST_GET" })
    void shouldCarryWords(final TransportKind kind) throws InterruptedException, ExecutionException
    {
        final Role.Measured found = CompareFixture.turns(CompareFixture.team(CompareFixture.TIMEOUT_MS,
            CompareFixture.spec(kind, Mode.WORD, 8, 1)), directory, 40).get(0);
        assertEquals(0, found.wrong());
        assertTrue(found.messages() > 0 && found.countedNs() > 0, found::toString);
    }

    @Test
    void shouldCarryAnAlltoall() throws InterruptedException, ExecutionException
    {
        final LinkSpec spec = CompareFixture.spec(TransportKind.TALLYPOST_ENDPOINT, Mode.ALLTOALL, 2048, 3);
        assertEquals(3, spec.parties());
        final Role.Measured measured =
            CompareFixture.turns(CompareFixture.team(CompareFixture.TIMEOUT_MS, spec), directory, 20).get(0);
        assertEquals(18, measured.messages());
        assertEquals(0, measured.wrong());
        assertEquals(18, Times.of(List.of(measured.detail())).count());
    }

    @Test
    void shouldReadTimesThatAreToldOneByOne()
    {
        final Times times = Times.of(List.of("ns:100,300", "ns:200"));
        assertEquals(List.of(200L, 300L, 3L), List.of(times.p50(), times.max(), times.count()));
        assertThrows(IllegalArgumentException.class, () -> Times.of(List.of("ns:1,two")));
    }

    @ParameterizedTest
    @EnumSource(value = Mode.class, names = { "RTT", "RATE" })
    void shouldFindDamage(final Mode mode) throws InterruptedException, ExecutionException
    {
        final LinkSpec spec = CompareFixture.corrupt(CompareFixture.spec(TransportKind.AGRONA_MANY_TO_ONE, mode, 48, 1));
        // turns may be cut off where there are no cores: the damaged message is the thousandth
        assertTrue(CompareFixture.turns(new TeamSpec(List.of(spec), 0, 60_000, CompareFixture.TIMEOUT_MS, true), directory,
            MESSAGES).get(0).wrong() > 0, "no message was found to be wrong");
    }

    /** An older build knows nothing of such receives: it is not told of them unless there are some. */
    @Test
    void shouldBeToldOfReceivesBeside() throws IOException
    {
        final LinkSpec spec = CompareFixture.beside(
            CompareFixture.spec(TransportKind.TALLYPOST_MESSAGING, Mode.RTT, 8, 1), new Beside(3, true));
        CompareFixture.team(7, spec).write(directory);
        final String json = Files.readString(directory.toPath().resolve("team.json"));
        assertTrue(json.contains("\"beside\":{\"posted\":3,\"wildcard\":true}"), json);
        assertEquals(List.of(spec), TeamSpec.read(directory).cells());
        assertEquals(Beside.NOTHING, CompareFixture.beside(spec, null).others());
    }

    /** If the form changes, {@link PartyProcess#VERSION} has to change as well: the processes may be of another build. */
    @Test
    void shouldBeToldWhatItsVersionSays() throws IOException
    {
        assertEquals(1, PartyProcess.VERSION);
        CompareFixture.team(7, CompareFixture.spec(TransportKind.RAW, Mode.RTT, 8, 1), null).write(directory);
        assertEquals("{'cells':[{'transport':'RAW','mode':'RTT','scope':'THREADS','length':8,'producers':1,'slots':256," +
            "'flow':'DYNAMIC','aeronDriver':'EMBEDDED','exclusive':false,'corrupt':false,'batch':1,'mtuLength':" +
            NetworkTurns.MTU_LENGTH + ",'burst':1},null],'slowPercent':0.0,'turnMs':2,'timeoutMs':7,'isMixed':true}",
            Files.readString(directory.toPath().resolve("team.json")).replace('"', '\''));
    }

    @Test
    void shouldSayWhatDoesNotFit()
    {
        final LinkSpec spec = new LinkSpec(
            TransportKind.TALLYPOST_MAILBOX, Mode.RATE, Scope.THREADS, 2048, 1, 16, Flow.DYNAMIC, AeronDriver.EMBEDDED);
        assertEquals("a message of 2048 bytes takes 33 slots: found 16 slots for each sender",
            assertThrows(IllegalArgumentException.class, () -> turns(spec)).getMessage());
    }

    @Test
    void shouldGiveUpInTime()
    {
        final LinkSpec spec = CompareFixture.spec(TransportKind.RAW, Mode.RTT, 8, 1);
        final Throwable cause = assertThrows(ExecutionException.class, () ->
            CompareFixture.turns(CompareFixture.team(0, spec), directory, Integer.MAX_VALUE)).getCause();
        assertTrue(cause.getMessage().startsWith("timeout: party "), cause::toString);
    }

    @Test
    void shouldGiveAllTransportsBetweenNodesTheSameThreads()
    {
        for (final AeronDriver driver : AeronDriver.values())
        {
            for (final TransportKind kind : List.of(TransportKind.TALLYPOST_ENDPOINT, TransportKind.AERON_UDP))
            {
                final LinkSpec spec = new LinkSpec(kind, Mode.RTT, Scope.NETWORK, 48, 1, 1024, Flow.DYNAMIC, driver);
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
        final LinkSpec embedded = CompareFixture.spec(TransportKind.AERON_IPC, Mode.RTT, 8, 1);
        final LinkSpec separate = new LinkSpec(
            embedded.transport(), embedded.mode(), embedded.scope(), 8, 1, 256, embedded.flow(), AeronDriver.SEPARATE);
        assertTrue(embedded.isDriverInvoked(2), "there is no core for its thread");
        assertFalse(embedded.isOversubscribed(2));
        assertFalse(embedded.isDriverInvoked(3));
        assertFalse(embedded.isOversubscribed(3));
        assertTrue(separate.isOversubscribed(2));
        assertFalse(separate.isOversubscribed(3));
        assertFalse(separate.isDriverInvoked(2));
    }
}
