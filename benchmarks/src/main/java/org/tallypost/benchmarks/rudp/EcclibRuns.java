// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.rudp;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;

import org.agrona.CloseHelper;
import org.agrona.IoUtil;
import org.tallypost.benchmarks.harness.ShutdownHooks;
import org.tallypost.benchmarks.process.Namespaces;
import org.tallypost.benchmarks.process.WorkDirectory;

/**
 * Real broadcasts between processes with a network of their own each, on an emulated bus of 10 Mb/s and an emulated switch of 100
 * Mb/s: RUDP, TCP to one receiver after the other, and Aeron multicast. Where such networks cannot be made it says why, and
 * shows nothing of them.
 */
public final class EcclibRuns
{
    private static final int HOSTS = 8;
    private static final int REPEATS = 9;
    private static final int FLOAT = 4;
    private static final long LIMIT_S = 600;

    private final PrintStream errors;
    private final Map<String, String> found = new LinkedHashMap<>();

    /** Times of one way with one number of receivers. */
    private static final class Times
    {
        private final List<Long> timesNs = new ArrayList<>();

        /** The source shows the best of its runs, too. */
        double leastNs()
        {
            return timesNs.stream().mapToLong(Long::longValue).min().orElseThrow();
        }

        @Override
        public String toString()
        {
            final long[] sorted = timesNs.stream().mapToLong(Long::longValue).sorted().toArray();
            return String.format(Locale.ROOT, "%.3f s (median %.3f, greatest %.3f)", sorted[0] / 1e9,
                sorted[sorted.length / 2] / 1e9, sorted[sorted.length - 1] / 1e9);
        }
    }

    /**
     * Runs nothing yet.
     *
     * @param errors that tells which run it is, and why there is none.
     */
    public EcclibRuns(final PrintStream errors)
    {
        this.errors = errors;
    }

    /**
     * Runs everything that can be run here, a minute or two.
     *
     * @return what it showed, for people, by fact.
     * @throws IOException if a run failed.
     */
    public Map<String, String> run() throws IOException
    {
        found.put("incast", Backlog.shown());
        final String whyNot = Namespaces.whyNot(HOSTS, Namespaces.Wire.SWITCH_100);
        if (whyNot != null)
        {
            errors.println("real runs on emulated networks are skipped: " + whyNot);
            return found;
        }
        final Map<String, Times> slow = run(Namespaces.Wire.BUS_10, "SLOW", 130_600 * FLOAT, 1, 2, 3);
        put("receivers-10", slow, "rudp 1", "rudp 2");
        add("receivers-10", slow, "rudp 2", "aeron 2");
        put("linear-2", slow, "tcp 1", "tcp 2");
        put("linear-3", slow, "tcp 1", "tcp 3");
        put("double-10", slow, "tcp 3", "rudp 3");
        final Map<String, Times> fast = run(Namespaces.Wire.SWITCH_100, "FAST", 1_167_200 * FLOAT, 1, 7);
        put("receivers-100", fast, "rudp 1", "rudp 7");
        add("receivers-100", fast, "rudp 7", "aeron 7");
        put("tcp-scales", fast, "tcp 7", "tcp 1");
        return found;
    }

    private void put(final String id, final Map<String, Times> times, final String above, final String below)
    {
        final Times one = times.get(above);
        final Times other = times.get(below);
        found.put(id, String.format(Locale.ROOT, "%.3f: %s %s, %s %s", one.leastNs() / other.leastNs(), above, one, below,
            other));
    }

    /** Beside what the source has: the time of RUDP over that of Aeron multicast. */
    private void add(final String id, final Map<String, Times> times, final String rudp, final String aeron)
    {
        final double ratio = times.get(rudp).leastNs() / times.get(aeron).leastNs();
        found.merge(id, String.format(Locale.ROOT, "Aeron multicast %.3f of that rate: %s %s", ratio, aeron, times.get(aeron)),
            (before, more) -> before + "; " + more);
    }

    private Map<String, Times> run(final Namespaces.Wire wire, final String settings, final int length, final int... receivers)
        throws IOException
    {
        errors.println("real run: " + wire + ", " + length + " bytes, receivers " + Arrays.toString(receivers));
        final List<String> names = Namespaces.names(HOSTS);
        final List<Process> processes = new CopyOnWriteArrayList<>();
        final File drivers = Files.createTempDirectory(WorkDirectory.defaultParent().toPath(), "tallypost-paper-").toFile();
        final AtomicReference<Namespaces> namespaces = new AtomicReference<>();
        final Thread hook = new Thread(() -> end(processes, drivers, namespaces.get()));
        ShutdownHooks.add(hook);
        try
        {
            namespaces.set(Namespaces.create(names, wire));
            final Executor later = CompletableFuture.delayedExecutor(LIMIT_S, TimeUnit.SECONDS);
            for (int i = 1; i < HOSTS; i++)
            {
                final Process process = start(
                    names.get(i), "receive", Integer.toString(i), Integer.toString(HOSTS), drivers.getPath());
                processes.add(process);
                later.execute(process::destroyForcibly);
                expect(process.inputReader().readLine(), "receiver " + i);
            }
            final List<String> arguments = new ArrayList<>(List.of("send", settings, Integer.toString(length),
                Integer.toString(REPEATS), Integer.toString(HOSTS), drivers.getPath()));
            Arrays.stream(receivers).forEach((count) -> arguments.add(Integer.toString(count)));
            final Process sender = start(names.get(0), arguments.toArray(new String[0]));
            processes.add(sender);
            later.execute(sender::destroyForcibly);
            return times(sender.inputReader(), 3 * REPEATS * receivers.length);
        }
        finally
        {
            end(processes, drivers, namespaces.get());
            ShutdownHooks.remove(hook);
        }
    }

    private static void end(final List<Process> processes, final File drivers, final Namespaces namespaces)
    {
        processes.forEach(Process::destroyForcibly);
        // a driver that still runs would make its files anew
        processes.forEach((process) -> process.onExit().join());
        IoUtil.delete(drivers, true);
        CloseHelper.close(namespaces);
    }

    private static void expect(final String line, final String what) throws IOException
    {
        if (!RudpNode.READY.equals(line))
        {
            throw new IOException(what + " of a real run: found '" + line + "', expected '" + RudpNode.READY + "' within " +
                LIMIT_S + " s");
        }
    }

    private static Map<String, Times> times(final BufferedReader lines, final int expected) throws IOException
    {
        final Map<String, Times> times = new TreeMap<>();
        for (int i = 0; i < expected; i++)
        {
            final String line = lines.readLine();
            if (line == null)
            {
                throw new IOException("the sender of a real run ended, or took longer than " + LIMIT_S + " s: found " + i +
                    " results, expected " + expected);
            }
            final String[] words = line.split(" ");
            times.computeIfAbsent(words[0] + " " + words[1], (key) -> new Times()).timesNs.add(Long.parseLong(words[2]));
        }
        return times;
    }

    private static Process start(final String name, final String... arguments) throws IOException
    {
        final List<String> command = new ArrayList<>(Namespaces.prefix(name));
        command.addAll(List.of(System.getProperty("java.home") + File.separator + "bin" + File.separator + "java",
            "-XX:+UseSerialGC", "-Xmx128m", "--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED", "-cp",
            System.getProperty("java.class.path"), RudpNode.class.getName()));
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    }
}
