// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.jmh;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.NoBenchmarksException;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.Options;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;

/**
 * Runs benchmarks briefly, each in a JVM of its own, and fails if one of them allocates. A run takes about a second for
 * each benchmark, so its times mean nothing.
 */
public final class AllocationCheck
{
    /** Most bytes for an operation: far less than one object for a message. */
    static final double TOLERANCE = 0.5;
    /**
     * Bytes in all that are forgiven whatever was done meanwhile. JMH and the first use of classes take some hundred
     * kilobytes, and threads that wait for a processor may not get much done; objects for messages would still be more.
     */
    static final double FORGIVEN = 1 << 20;

    private static final String ALLOCATED = "gc.alloc.rate.norm";
    private static final int WARMUP_ITERATIONS = 2;
    private static final TimeValue WARMUP_TIME = TimeValue.milliseconds(200);
    private static final TimeValue MEASUREMENT_TIME = TimeValue.milliseconds(500);

    private AllocationCheck()
    {
    }

    /**
     * Prints what each benchmark allocates; the exit status is 1 if one allocates too much.
     *
     * @param args regular expressions on the names of benchmarks; none means all.
     * @throws RunnerException          if a benchmark fails.
     * @throws IllegalArgumentException if no benchmark has such a name.
     */
    public static void main(final String[] args) throws RunnerException
    {
        final Map<String, Allocated> found = run(args.length == 0 ? List.of(".*") : List.of(args));
        found.forEach((name, allocated) -> System.out.printf("%-86s %s%n", name, allocated));
        final Collection<String> offenders = offenders(found);
        System.out.printf("%d benchmarks, %d of them allocate%s%n", found.size(), offenders.size(),
            offenders.isEmpty() ? "" : ": " + String.join(", ", offenders));
        if (!offenders.isEmpty())
        {
            System.exit(1);
        }
    }

    /** What one benchmark allocated. */
    static final class Allocated
    {
        private final double perOperation;
        private final double total;

        Allocated(final double perOperation, final double total)
        {
            this.perOperation = perOperation;
            this.total = total;
        }

        /** Neither much nor unknown. */
        boolean isNothing()
        {
            return perOperation <= TOLERANCE || total <= FORGIVEN;
        }

        @Override
        public String toString()
        {
            return String.format(Locale.ROOT, "%8.3f B/op %,12.0f B", perOperation, total);
        }
    }

    /** Runs benchmarks; what they allocated, by benchmark and parameters. */
    static Map<String, Allocated> run(final Collection<String> names) throws RunnerException
    {
        // what compares two groups keeps times and prints; few senders do what many do, and are set up sooner
        final ChainedOptionsBuilder options = new OptionsBuilder().exclude("PollRatioBenchmark")
            .param("senders", "1").param("attached", "1").param("producers", "1").param("length", "48")
            .mode(Mode.AverageTime).forks(1).shouldFailOnError(true).verbosity(VerboseMode.SILENT)
            .warmupIterations(WARMUP_ITERATIONS).warmupTime(WARMUP_TIME)
            .measurementIterations(1).measurementTime(MEASUREMENT_TIME).timeUnit(TimeUnit.NANOSECONDS)
            .addProfiler(GCProfiler.class);
        names.forEach(options::include);
        final Map<String, Allocated> found = new TreeMap<>();
        for (final RunResult result : results(options.build(), names))
        {
            final Result<?> bytes = result.getSecondaryResults().get(ALLOCATED);
            final double perOperation = bytes == null ? Double.NaN : bytes.getScore();
            final double operations = MEASUREMENT_TIME.convertTo(TimeUnit.NANOSECONDS) / result.getPrimaryResult().getScore();
            found.put(label(result.getParams()), new Allocated(perOperation, perOperation * operations));
        }
        return found;
    }

    private static Collection<RunResult> results(final Options options, final Collection<String> names) throws RunnerException
    {
        try
        {
            return new Runner(options).run();
        }
        catch (final NoBenchmarksException ex)
        {
            throw new IllegalArgumentException("no benchmark has such a name: " + names, ex);
        }
    }

    private static String label(final BenchmarkParams params)
    {
        final StringBuilder text = new StringBuilder(params.getBenchmark());
        params.getParamsKeys().forEach((key) -> text.append(' ').append(key).append('=').append(params.getParam(key)));
        return text.substring(text.indexOf("jmh.") + "jmh.".length());
    }

    /** Benchmarks that allocate, or for which that is not known. */
    static Collection<String> offenders(final Map<String, Allocated> found)
    {
        return found.entrySet().stream().filter((entry) -> !entry.getValue().isNothing()).map(Map.Entry::getKey).toList();
    }
}
