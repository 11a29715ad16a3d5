// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures UCX with its own test program, over shared memory. That program looks at nothing but the arrival of a message, so its
 * figures are a bound rather than those of a peer.
 */
final class UcxRunner implements ForkRunner
{
    /** Round trips per millisecond, and messages per millisecond, of a machine as fast as they come. */
    private static final int TRIPS_PER_MS = 2_000;
    private static final int MESSAGES_PER_MS = 10_000;
    private static final int MAX_ITERATIONS = 10_000_000;
    private static final int MIN_ITERATIONS = 1_000;
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int NS_PER_US = 1000;
    private static final int CSV_FIELDS = 8;

    private final File directory;
    private final Path program;
    private final Bracket bracket;

    /**
     * A runner.
     *
     * @param directory existing one of its own.
     * @param program   ucx_perftest.
     * @param bracket   that probes the machine.
     */
    UcxRunner(final File directory, final Path program, final Bracket bracket)
    {
        this.directory = directory;
        this.program = program;
        this.bracket = bracket;
    }

    /** Why it cannot be used, or null. */
    static String whyNot(final String path)
    {
        return NativeProgram.find("ucx_perftest", path).isPresent() ? null :
            "ucx_perftest is not there; Debian has it in the package ucx-utils";
    }

    @Override
    public ForkResult run(final ForkSpec spec) throws IOException, InterruptedException
    {
        return bracket.measure(spec, () -> measure(spec));
    }

    private ForkResult measure(final ForkSpec spec) throws IOException, InterruptedException
    {
        final int port = freePort();
        final Map<String, String> variables = Map.of("UCX_TLS", "self,sm", "UCX_WARN_UNUSED_ENV_VARS", "n");
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(spec.timeoutMs());
        final Process server = NativeProgram.start(
            List.of(program.toString(), "-p", Integer.toString(port), "-f", "-v"), variables, directory, "ucx-server");
        try
        {
            NativeProgram.Outcome outcome = new NativeProgram.Outcome(null, "not started");
            // it says in no way that can be waited for when it listens
            while (outcome.failure() != null && server.isAlive() && System.nanoTime() - deadlineNs < 0)
            {
                LockSupport.parkNanos(RETRY_NS);
                final Process client = NativeProgram.start(command(spec, port), variables, directory, "ucx");
                final long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
                outcome = NativeProgram.await(client, directory, "ucx", Math.max(1, leftMs));
            }
            return outcome.failure() == null ? parse(outcome.output(), spec.mode()) : ForkResult.failed(outcome.failure());
        }
        finally
        {
            NativeProgram.end(server);
        }
    }

    List<String> command(final ForkSpec spec, final int port)
    {
        final long perMs = spec.mode() == Mode.RTT ? TRIPS_PER_MS : MESSAGES_PER_MS;
        final long iterations = Math.max(MIN_ITERATIONS, Math.min(MAX_ITERATIONS, perMs * spec.durationMs()));
        final List<String> command = new ArrayList<>(List.of(program.toString(), "127.0.0.1", "-p", Integer.toString(port)));
        command.addAll(List.of("-t", spec.mode() == Mode.RTT ? "tag_lat" : "tag_bw", "-s", Integer.toString(spec.length()),
            "-n", Long.toString(iterations), "-w", Long.toString(Math.max(1, iterations / 10)), "-f", "-v"));
        return command;
    }

    private static int freePort() throws IOException
    {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            return socket.getLocalPort();
        }
    }

    /**
     * Reads the last line of comma-separated figures: iterations, and one-way microseconds in the middle, of late and over all;
     * then bandwidths and rates of late and over all.
     *
     * @param output of the program.
     * @param mode   that was measured.
     * @return one run without probes; percentiles other than the median are not a number.
     */
    static ForkResult parse(final String output, final Mode mode)
    {
        final String[] fields = output.lines().filter((line) -> line.matches("[0-9]+(,[0-9.]+)+"))
            .reduce((first, second) -> second).orElse("").split(",");
        if (fields.length != CSV_FIELDS)
        {
            return ForkResult.failed("ucx_perftest printed no figures");
        }
        final long iterations = Long.parseLong(fields[0]);
        final boolean isRtt = mode == Mode.RTT;
        final double figure = isRtt ? 2 * NS_PER_US * Double.parseDouble(fields[3]) : Double.parseDouble(fields[7]);
        final double p50Ns = isRtt ? 2 * NS_PER_US * Double.parseDouble(fields[1]) : 0;
        final double unknown = isRtt ? Double.NaN : 0;
        return new ForkResult(
            List.of(new ForkResult.Run(Probe.NONE, Probe.NONE, figure, p50Ns, unknown, unknown, iterations, 1)), 0, 0, null);
    }
}
