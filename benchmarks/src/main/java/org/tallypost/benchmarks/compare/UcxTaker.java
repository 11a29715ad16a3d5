// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.agrona.IoUtil;
import org.tallypost.benchmarks.harness.Booking;
import org.tallypost.benchmarks.harness.TeamException;
import org.tallypost.benchmarks.harness.TurnTaker;

/**
 * Measures UCX with its own test program, over shared memory: a turn is one run of it, which takes longer to start than to
 * measure. That program looks at nothing but the arrival of a message, so its figures are a bound rather than those of a peer.
 */
final class UcxTaker implements TurnTaker
{
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long MIN_ITERATIONS = 1_000;
    /** Long messages take long enough. */
    private static final long LEAST_BYTES = 1L << 28;
    private static final long LEAST_LONG = 16;
    private static final long MAX_ITERATIONS = 10_000_000;
    private static final int NS_PER_US = 1000;
    private static final int CSV_FIELDS = 8;

    private final File directory;
    private final Path program;
    private final TeamSpec spec;

    /**
     * Nothing is started before the first turn.
     *
     * @param directory existing one of its own, which goes when this is closed.
     * @param program   ucx_perftest.
     * @param spec      of the cells.
     */
    UcxTaker(final File directory, final Path program, final TeamSpec spec)
    {
        this.directory = directory;
        this.program = program;
        this.spec = spec;
    }

    /** Why it cannot be used, or null. */
    static String whyNot(final String path)
    {
        return NativeProgram.find("ucx_perftest", path).isPresent() ? null :
            "ucx_perftest is not there; Debian has it in the package ucx-utils";
    }

    @Override
    public void awaitReady()
    {
        // there is nothing to wait for
    }

    @Override
    public List<Booking> turn(
        final int cell, final int parties, final long messages, final int profile, final double paceNs)
        throws TeamException, InterruptedException
    {
        try
        {
            return List.of(measure(spec.cells().get(cell), messages));
        }
        catch (final IOException ex)
        {
            throw new TeamException("ucx_perftest: " + ex.getMessage());
        }
    }

    private Booking measure(final LinkSpec cell, final long messages)
        throws IOException, InterruptedException, TeamException
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
                final Process client =
                    NativeProgram.start(command(cell, port, messages), variables, directory, "ucx");
                final long leftMs = TimeUnit.NANOSECONDS.toMillis(deadlineNs - System.nanoTime());
                outcome = NativeProgram.await(client, directory, "ucx", Math.max(1, leftMs));
            }
            if (outcome.failure() != null)
            {
                throw new TeamException("ucx_perftest: " + outcome.failure());
            }
            return parse(outcome.output(), cell.mode());
        }
        finally
        {
            NativeProgram.end(server);
        }
    }

    List<String> command(final LinkSpec cell, final int port, final long messages)
    {
        final long least = Math.max(LEAST_LONG, Math.min(MIN_ITERATIONS, LEAST_BYTES / cell.length()));
        final long iterations = Math.max(least, Math.min(MAX_ITERATIONS, messages));
        final List<String> command = new ArrayList<>(List.of(program.toString(), "127.0.0.1", "-p", Integer.toString(port)));
        command.addAll(List.of("-t", cell.mode().isRoundTrip() ? "tag_lat" : "tag_bw", "-s", Integer.toString(cell.length()),
            "-n", Long.toString(iterations), "-w", Long.toString(Math.max(1, iterations / 10)), "-f", "-v"));
        return command;
    }

    private static int freePort()
    {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            return socket.getLocalPort();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /**
     * Reads the last line of comma-separated figures: iterations, and one-way microseconds in the middle, of late and over all;
     * then bandwidths and rates of late and over all.
     *
     * @param output of the program.
     * @param mode   that was measured.
     * @return the turn.
     * @throws TeamException if there is no such line.
     */
    static Booking parse(final String output, final Mode mode) throws TeamException
    {
        // few iterations stand behind spaces
        final String[] fields = output.lines().map(String::strip).filter((line) -> line.matches("[0-9]+(,[0-9.]+)+"))
            .reduce((first, second) -> second).orElse("").split(",");
        if (fields.length != CSV_FIELDS)
        {
            throw new TeamException("ucx_perftest printed no figures, expected " + CSV_FIELDS + " of them in a line");
        }
        final long iterations = Long.parseLong(fields[0]);
        final double perMessageNs = mode.isRoundTrip() ?
            2 * NS_PER_US * Double.parseDouble(fields[3]) : 1e9 / Double.parseDouble(fields[7]);
        final long ns = Math.round(iterations * perMessageNs);
        return new Booking(
            ns, ns, iterations, 0, Booking.UNKNOWN, Booking.UNKNOWN, Booking.UNKNOWN, Booking.NO_DETAIL);
    }

    @Override
    public void close()
    {
        IoUtil.delete(directory, true);
    }
}
