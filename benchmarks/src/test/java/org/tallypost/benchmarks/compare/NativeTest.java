// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.tallypost.benchmarks.harness.Booking;
import org.tallypost.benchmarks.harness.TeamException;
import org.tallypost.benchmarks.harness.TurnTaker;
import org.tallypost.endpoint.Flow;

/** What needs Open MPI or UCX is skipped where they are not installed; what they print was recorded. */
@Tag("once")
class NativeTest
{
    private static final String PATH = System.getenv("PATH");
    private static final String UCX_LATENCY = """
        iterations,50.0_percentile_lat,avg_lat,overall_lat,avg_bw,overall_bw,avg_mr,overall_mr
        80000,0.115,0.188,0.167,41.97,45.78,126778,6002384
        """;
    private static final String UCX_RATE = """
        iterations,50.0_percentile_lat,avg_lat,overall_lat,avg_bw,overall_bw,avg_mr,overall_mr
        400000,0.060,0.058,0.057,131.53,133.75,17241379,17530000
        """;

    @TempDir
    private File directory;

    private static TeamSpec team(final TransportKind kind, final Mode mode, final int length, final int producers)
    {
        return CompareFixture.team(CompareFixture.TIMEOUT_MS, null, new LinkSpec(
            kind, mode, Scope.PROCESSES, length, producers, 1024, Flow.DYNAMIC, AeronDriver.EMBEDDED));
    }

    @Test
    void shouldReadWhatUcxPrints() throws TeamException
    {
        final Booking trip = UcxTaker.parse(UCX_LATENCY, Mode.RTT);
        assertEquals(80_000, trip.messages());
        assertEquals(334, (double)trip.countedNs() / trip.messages(), 1e-3, "both ways, over all");
        final Booking rate = UcxTaker.parse(UCX_RATE, Mode.RATE);
        assertEquals(17_530_000, rate.messages() * 1e9 / rate.countedNs(), 1_000);
        assertEquals(256, UcxTaker.parse(" 256,0.060,281.512,281.512,3552.25,3552.25,3552,3552\n", Mode.BANDWIDTH).messages());
        assertThrows(TeamException.class, () -> UcxTaker.parse("Failed\n", Mode.RTT));
    }

    @Test
    void shouldAskForRanksAndYieldingAsNeeded()
    {
        final MpiProgram program = new MpiProgram("mpi", directory, Path.of("mpirun"), Path.of("mpicc"), 2);
        final List<String> pair = program.command(2, MpiProgram.arguments(team(TransportKind.OPEN_MPI, Mode.RTT, 8, 1)));
        assertEquals(List.of("mpirun", "-np", "2", "--bind-to", "none"), pair.subList(0, 5));
        assertEquals(List.of("none", "0", "0", "0", "0", "rtt", "8", "2", "0", "0"), pair.subList(6, pair.size()));
        final List<String> eight = program.command(8, List.of("alltoall"));
        assertEquals("8", eight.get(2));
        assertEquals("--oversubscribe", eight.get(5));
    }

    @Test
    void shouldTellHowToGetWhatIsMissing()
    {
        final String nowhere = directory.getPath();
        assertTrue(NativePrograms.whyNot(TransportKind.OPEN_MPI, nowhere).contains("openmpi-bin, libopenmpi-dev and gcc"));
        assertTrue(NativePrograms.whyNot(TransportKind.UCX, null).contains("ucx-utils"));
        assertNull(NativePrograms.whyNot(TransportKind.RAW, nowhere));
    }

    @Test
    void shouldEndProgramsThatDoNotEnd() throws IOException, InterruptedException
    {
        final Process process = NativeProgram.start(List.of("sh", "-c", "sleep 600 & wait"), Map.of(), directory, "long");
        final NativeProgram.Outcome outcome = NativeProgram.await(process, directory, "long", 300);
        assertEquals("timeout: no end after 300 ms", outcome.failure());
        assertTrue(process.onExit().join().exitValue() != 0);
        final List<String> failing = List.of("sh", "-c", "echo ---; echo no way >&2; exit 3");
        final Process bad = NativeProgram.start(failing, Map.of(), directory, "bad");
        assertEquals("exit code 3: no way", NativeProgram.await(bad, directory, "bad", 60_000).failure());
    }

    @ParameterizedTest
    @CsvSource({ "RTT, 8, 1", "RTT, 2048, 1", "RATE, 48, 1", "RATE, 2048, 2", "ALLTOALL, 2048, 4",
        "LATENCY, 1024, 1", "LATENCY, 1048576, 1", "BANDWIDTH, 1024, 1", "BANDWIDTH, 16777216, 1" })
    void shouldMeasureOpenMpi(final Mode mode, final int length, final int producers)
        throws IOException, InterruptedException, TeamException
    {
        final String why = NativePrograms.whyNot(TransportKind.OPEN_MPI, PATH);
        assumeTrue(why == null, why);
        measure(TransportKind.OPEN_MPI, team(TransportKind.OPEN_MPI, mode, length, producers));
    }

    @ParameterizedTest
    @EnumSource(value = Mode.class, names = { "RTT", "RATE" })
    void shouldMeasureOpenMpiBesideReceivesThatNoMessageIsFor(final Mode mode)
        throws IOException, InterruptedException, TeamException
    {
        final String why = NativePrograms.whyNot(TransportKind.OPEN_MPI_NO_CMA, PATH);
        assumeTrue(why == null, why);
        final TeamSpec spec = team(TransportKind.OPEN_MPI_NO_CMA, mode, 8, 1);
        measure(TransportKind.OPEN_MPI_NO_CMA, CompareFixture.team(CompareFixture.TIMEOUT_MS, null,
            CompareFixture.beside(spec.cells().get(1), new Beside(500, true))));
    }

    @ParameterizedTest
    @EnumSource(value = Mode.class, names = { "RTT", "RATE", "LATENCY", "BANDWIDTH" })
    void shouldMeasureUcx(final Mode mode) throws IOException, InterruptedException, TeamException
    {
        final String why = NativePrograms.whyNot(TransportKind.UCX, PATH);
        assumeTrue(why == null, why);
        measure(TransportKind.UCX, team(TransportKind.UCX, mode, mode.isBulk() ? 1 << 20 : 48, 1));
    }

    private void measure(final TransportKind kind, final TeamSpec spec) throws IOException, InterruptedException, TeamException
    {
        final File own = Files.createDirectory(directory.toPath().resolve("own")).toFile();
        final NativePrograms programs = new NativePrograms(PATH, directory, Runtime.getRuntime().availableProcessors());
        try (TurnTaker taker = programs.start(kind, kind.label(), spec, own))
        {
            taker.awaitReady();
            // few: its processes spin, and on a busy machine each message waits until the other one has its turn
            for (int i = 0; i < 2; i++)
            {
                final int messages = spec.cells().get(1).length() > 65_536 ? 2 : 100;
                final Booking booking = taker.turn(1, spec.parties(), messages, 0, 0).get(0);
                assertEquals(0, booking.wrong());
                assertTrue(booking.countedNs() > 0 && booking.messages() > 0, booking::toString);
                if (spec.cells().get(1).mode() == Mode.ALLTOALL)
                {
                    assertEquals(booking.messages(), Times.of(List.of(booking.detail())).count());
                }
            }
        }
        assertFalse(own.exists(), "something is left");
    }
}
