// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.tallypost.endpoint.Flow;

/** What needs Open MPI or UCX is skipped where they are not installed; what they print was recorded. */
class NativeTest
{
    private static final String PATH = System.getenv("PATH");
    private static final String MPI_OUTPUT = """
        RUN 128.311 131.092 128.311 131.092 352.412 371.000 561.000 1302.000 113504 0.9991
        RUN 129.010 127.554 129.010 127.554 348.020 370.000 541.000 981.000 114930 1.0000
        WRONG 0
        """;
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

    private static ForkSpec spec(
        final TransportKind kind, final Mode mode, final int length, final int producers, final boolean corrupt)
    {
        return new ForkSpec(kind, mode, Scope.PROCESSES, length, producers, 1024, 2, 1, 1, 1, MachineStates.AUTO, Flow.DYNAMIC,
            AeronDriver.EMBEDDED, false, corrupt, CompareFixture.TIMEOUT_MS);
    }

    @Test
    void shouldReadWhatTheMpiProgramPrints()
    {
        final ForkResult result = MpiRunner.parse(MPI_OUTPUT);
        assertNull(result.failure());
        assertEquals(0, result.wrong());
        assertEquals(new ForkResult.Run(
            new Probe(128.311, 128.311, 0), new Probe(131.092, 131.092, 0), 352.412,
            371, 561, 1302, 113_504, 0.9991), result.runs().get(0));
        assertEquals(2, result.runs().size());
        assertEquals(3, MpiRunner.parse(MPI_OUTPUT.replace("WRONG 0", "WRONG 3")).wrong());
        assertEquals("the program did not come to its end", MpiRunner.parse(MPI_OUTPUT.replace("WRONG 0", "")).failure());
    }

    @Test
    void shouldReadWhatUcxPrints()
    {
        final ForkResult.Run trip = UcxRunner.parse(UCX_LATENCY, Mode.RTT).runs().get(0);
        assertEquals(334, trip.figure(), 1e-9, "both ways, over all");
        assertEquals(230, trip.p50Ns(), 1e-9);
        assertTrue(Double.isNaN(trip.p99Ns()), "it does not tell");
        assertEquals(80_000, trip.messages());
        assertEquals(17_530_000, UcxRunner.parse(UCX_RATE, Mode.RATE).runs().get(0).figure());
        assertEquals("ucx_perftest printed no figures", UcxRunner.parse("Failed\n", Mode.RTT).failure());
    }

    @Test
    void shouldAskForRanksAndYieldingAsNeeded()
    {
        final MpiRunner runner = new MpiRunner(directory, Path.of("mpirun"), Path.of("mpicc"), 2);
        final List<String> pair = runner.command(spec(TransportKind.OPEN_MPI, Mode.RTT, 8, 1, false));
        assertEquals(List.of("mpirun", "-np", "2", "--bind-to", "none"), pair.subList(0, 5));
        final String limit = Integer.toString(CompareFixture.TIMEOUT_MS / 1_000 + 2);
        assertEquals(
            List.of("rtt", "8", "2", "1", "1", "1", "0.000", "0.000", "0.000", limit), pair.subList(6, pair.size()));
        final List<String> eight = runner.command(spec(TransportKind.OPEN_MPI, Mode.ALLTOALL, 2048, 8, false));
        assertEquals("8", eight.get(2));
        assertEquals("--oversubscribe", eight.get(5));
    }

    @Test
    void shouldTellHowToGetWhatIsMissing()
    {
        final String nowhere = directory.getPath();
        assertTrue(Runners.whyNot(TransportKind.OPEN_MPI, nowhere).contains("openmpi-bin, libopenmpi-dev and gcc"));
        assertTrue(Runners.whyNot(TransportKind.UCX, null).contains("ucx-utils"));
        assertNull(Runners.whyNot(TransportKind.RAW, nowhere));
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
    @CsvSource({ "RTT, 8, 1", "RTT, 2048, 1", "RATE, 48, 1", "RATE, 2048, 2", "ALLTOALL, 2048, 4" })
    void shouldMeasureOpenMpi(final Mode mode, final int length, final int producers) throws IOException, InterruptedException
    {
        final String why = Runners.whyNot(TransportKind.OPEN_MPI, PATH);
        assumeTrue(why == null, why);
        measure(spec(TransportKind.OPEN_MPI, mode, length, producers, false));
    }

    @ParameterizedTest
    @EnumSource(value = Mode.class, names = { "RTT", "RATE" })
    void shouldMeasureUcx(final Mode mode) throws IOException, InterruptedException
    {
        final String why = Runners.whyNot(TransportKind.UCX, PATH);
        assumeTrue(why == null, why);
        measure(spec(TransportKind.UCX, mode, 48, 1, false));
    }

    @Test
    void shouldMeasureAgainUntilTheMachineIsFast() throws IOException, InterruptedException
    {
        final double[] probes = { 130, 500, 140, 150, 160, 170, 180, 190 };
        final int[] next = { 0 };
        // a probe's run has one figure before and one after it, and only those next to the measurement count
        final Bracket bracket = new Bracket((raw) -> CompareFixture.rtt(probes[next[0]++], 1, probes[next[0]++]));
        final ForkSpec once = spec(TransportKind.UCX, Mode.RTT, 8, 1, false);
        final ForkSpec spec = new ForkSpec(once.transport(), once.mode(), once.scope(), 8, 1, 1024, 2, 1, 8, 1,
            CompareFixture.STATES, once.flow(), once.aeronDriver(), false, false, once.timeoutMs());
        final ForkResult result = bracket.measure(spec, () -> UcxRunner.parse(UCX_LATENCY, Mode.RTT));
        assertEquals(2, result.runs().size());
        assertEquals(500, result.runs().get(0).before().roundTripNs());
        assertEquals(140, result.runs().get(0).after().roundTripNs());
        assertEquals(150, result.runs().get(1).before().roundTripNs());
        assertEquals(160, result.runs().get(1).after().roundTripNs());
        assertEquals(334, result.runs().get(1).figure(), 1e-9);
        assertEquals("gone", bracket.measure(spec, () -> ForkResult.failed("gone")).failure());
    }

    @Test
    void shouldMeasureOurAlltoallBetweenProbes() throws IOException, InterruptedException
    {
        final ForkSpec spec = spec(TransportKind.TALLYPOST_ENDPOINT, Mode.ALLTOALL, 2048, 3, false);
        assertEquals(3, spec.parties());
        final ForkResult.Run run = measure(spec);
        assertTrue(run.p50Ns() <= run.p99Ns() && run.p99Ns() <= run.p999Ns(), run::toString);
    }

    private ForkResult.Run measure(final ForkSpec spec) throws IOException, InterruptedException
    {
        try (Runners runners = new Runners(directory, PATH, Runtime.getRuntime().availableProcessors()))
        {
            final ForkResult result = runners.run(spec);
            assertNull(result.failure());
            assertEquals(0, result.wrong());
            final ForkResult.Run run = result.runs().get(0);
            assertTrue(run.figure() > 0 && run.messages() > 0 && run.before().roundTripNs() > 0 &&
                run.after().value() > 0, run::toString);
            return run;
        }
        finally
        {
            assertArrayEquals(new String[0], directory.list(), "something is left");
        }
    }
}
