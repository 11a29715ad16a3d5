// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.tallypost.cli.console.DurationConverter;
import org.tallypost.report.Environment;
import org.tallypost.report.JsonFile;
import org.tallypost.report.ReportPage;
import picocli.CommandLine.Option;

/**
 * What all studies have in common.
 * <p>
 * Exit codes: 0 also if some figures are invalid, 1 if a message did not arrive as it was sent or no figure is valid, 2 for
 * options that cannot be.
 */
abstract class StudyRun extends StudyOptions
{
    private static final int MAX_ROUNDS = 10_000;
    private static final int MAX_DURATION_MS = 60_000;
    private static final int MAX_TIMEOUT_MS = 3_600_000;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "7",
        description = "Rounds of each; a figure of fewer than 5 is marked; default ${DEFAULT-VALUE}.")
    private int rounds;

    @Option(names = "--max-seconds", paramLabel = "N",
        description = "Begin no further round after so many seconds, and report what there is; default none.")
    private Integer maxSeconds;

    @Option(names = "--duration-ms", paramLabel = "N",
        description = "Milliseconds of a run; default 30 for buffers, 150 for isolation.")
    private Integer durationMs;

    @Option(names = "--warmup", paramLabel = "N", defaultValue = "8",
        description = "Runs that are discarded at the beginning of each JVM; default ${DEFAULT-VALUE}.")
    private int warmup;

    @Option(names = "--runs", paramLabel = "N", defaultValue = "3",
        description = "Runs in each round, of which the median of each figure counts; default ${DEFAULT-VALUE}.")
    private int runs;

    @Option(names = "--timeout", paramLabel = "TIME", defaultValue = "60s", converter = DurationConverter.class,
        description = "Time after which a JVM is given up; default ${DEFAULT-VALUE}.")
    private Duration timeout;

    @Option(names = "--html", paramLabel = "FILE", description = "Write a page with plots and tables to this file.")
    private Path html;

    private final long startNs = System.nanoTime();
    private final Study study;
    private final int defaultDurationMs;

    StudyRun(final Study study, final int defaultDurationMs)
    {
        this.study = study;
        this.defaultDurationMs = defaultDurationMs;
    }

    @Override
    public final Integer call() throws IOException, InterruptedException
    {
        checkCommon();
        check();
        final File parent = parent();
        final PrintWriter err = spec.commandLine().getErr();
        final List<StudyRow> rows;
        try (JvmRunner runner = new JvmRunner(parent))
        {
            rows = StudyRow.of(measure(runner, (line) ->
            {
                err.println(line);
                err.flush();
            }));
        }
        final Environment environment = Environment.current(JvmRunner.flags());
        final ObjectNode report = StudyReport.tree(study, rows, method(), settings(), environment);
        if (json != null)
        {
            JsonFile.write(json, report);
        }
        if (html != null)
        {
            Files.writeString(html, ReportPage.html(StudyRun.class, "page.html", report));
        }
        final PrintWriter out = spec.commandLine().getOut();
        out.print(StudyTable.format(rows, method(), environment));
        out.flush();
        final String nothing = StudyRow.whyNothingIsValid(rows);
        if (nothing != null)
        {
            err.println("study: " + nothing);
            err.flush();
        }
        return nothing == null && rows.stream().allMatch((row) -> row.series().wrong() == 0) ? 0 : 1;
    }

    /** Refuses options that cannot be. */
    abstract void check();

    /** Measures everything. */
    abstract List<Series> measure(JvmRunner runner, Consumer<String> progress) throws IOException, InterruptedException;

    /** How it is measured, in sentences that stand above the figures. */
    abstract List<String> method();

    /** What is written down of the options. */
    Map<String, Object> settings()
    {
        final Map<String, Object> settings = new LinkedHashMap<>();
        settings.put("rounds", rounds);
        settings.put("maxSeconds", maxSeconds);
        settings.put("durationMs", durationMs());
        settings.put("warmups", warmup);
        settings.put("runs", runs);
        return settings;
    }

    final TrialSpec template(final int senders, final int threads, final List<TrialSpec.Point> points, final int length,
        final int turn, final boolean corrupt)
    {
        return new TrialSpec(study, Contender.TALLYPOST_DYNAMIC, senders, threads, points, length, turn, durationMs(), warmup,
            runs, corrupt, (int)timeout.toMillis());
    }

    /** The rounds of one part of several, each of which gets the same share of the time. */
    final Rounds rounds(final int part, final int parts)
    {
        final long shareNs = maxSeconds == null ? 0 : TimeUnit.SECONDS.toNanos(maxSeconds) * (part + 1) / parts;
        return new Rounds(rounds, maxSeconds != null, startNs + shareNs);
    }

    final int durationMs()
    {
        return durationMs == null ? defaultDurationMs : durationMs;
    }

    private void checkCommon()
    {
        requireRange("--rounds", rounds, 1, MAX_ROUNDS);
        requireRange("--duration-ms", durationMs(), 1, MAX_DURATION_MS);
        requireRange("--max-seconds", maxSeconds == null ? 1 : maxSeconds, 1, MAX_TIMEOUT_MS);
        requireRange("--warmup", warmup, 0, MAX_ROUNDS);
        requireRange("--runs", runs, 1, MAX_ROUNDS);
        require(timeout.toMillis() >= 100 && timeout.toMillis() <= MAX_TIMEOUT_MS, "--timeout", DurationConverter.text(timeout),
            "100ms to 60m");
        requireParent("--json", json);
        requireParent("--html", html);
    }
}
