// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.tallypost.report.Environment;
import org.tallypost.report.StatusLine;

/**
 * A run of experiments: as each is done its figures are written down, together with those before it. What is interrupted is
 * left out; what was done stays.
 */
public final class PaperRun
{
    private final Source source;
    private final Scale scale;
    private final long seed;
    private final Path directory;
    private final Map<String, Object> fabric;
    private final Laboratory laboratory;
    private final FactTable table;
    private final Findings findings;
    private final List<Sheet> sheets = new ArrayList<>();

    /**
     * A run that has not begun.
     *
     * @param source    of all experiments.
     * @param scale     of all experiments.
     * @param seed      that the runner uses.
     * @param directory that is made, if need be, for the report.
     * @param runner    of the simulations.
     * @param fabric    what it is like, for the report.
     * @param parallel  simulations side by side.
     * @param line      that tells how far it is.
     */
    public PaperRun(
        final Source source,
        final Scale scale,
        final long seed,
        final Path directory,
        final CellRunner runner,
        final Map<String, Object> fabric,
        final int parallel,
        final StatusLine line)
    {
        this.source = source;
        this.scale = scale;
        this.seed = seed;
        this.directory = directory;
        this.fabric = fabric;
        table = FactTable.load(source);
        findings = new Findings(table);
        laboratory = new Laboratory(runner, parallel, line);
    }

    /**
     * Gives up what is not done yet. From any thread.
     */
    public void stop()
    {
        laboratory.stop();
    }

    /**
     * Runs experiments and writes the report.
     *
     * @param experiments to run, in order.
     * @param environment of the run.
     * @param settings    of the command line.
     * @param real        what real runs showed, by fact; may be empty.
     * @return what was found.
     * @throws IOException          if the report cannot be written.
     * @throws InterruptedException if this thread is interrupted.
     */
    public PaperReport run(
        final List<Experiment> experiments,
        final Environment environment,
        final Map<String, Object> settings,
        final Map<String, String> real) throws IOException, InterruptedException
    {
        Files.createDirectories(directory);
        PaperReport report = report(false, real);
        try (laboratory)
        {
            for (final Experiment experiment : experiments)
            {
                laboratory.submit(experiment.cells(scale));
            }
            int done = 0;
            for (final Experiment experiment : experiments)
            {
                if (laboratory.await(experiment.cells(scale)))
                {
                    sheets.addAll(experiment.evaluate(scale, laboratory.results(), findings));
                    done++;
                    report = report(done == experiments.size(), real);
                    report.write(directory, environment, settings);
                }
            }
        }
        report.write(directory, environment, settings);
        return report;
    }

    private PaperReport report(final boolean isComplete, final Map<String, String> real)
    {
        return new PaperReport(source, scale, seed, isComplete, sheets.stream().sorted(Sheet.IN_ORDER).toList(), findings, table,
            fabric, real);
    }
}
