// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.experiment;

import java.util.List;
import java.util.stream.Stream;

import org.tallypost.thesis.Experiment;
import org.tallypost.thesis.beyond.BeyondExperiment;
import org.tallypost.thesis.ecclib.EcclibExperiment;

/**
 * All experiments, those that take no time first.
 */
public final class Experiments
{
    private static final List<Experiment> ALL = List.of(
        new ThresholdExperiment(), new TraceExperiment(), new MemoryExperiment(), new ReferenceExperiment(),
        new DistanceExperiment(), new RootExperiment(), new ReduceScatterExperiment(), new ActiveExperiment(),
        new SimultaneousExperiment(),
        new BalancedExperiment(), new PartsExperiment(), new SharedMemoryExperiment(), new PhasesExperiment(),
        new PiggybackExperiment(), new BenchmarksExperiment());
    /** What no source has: only if it is asked for by name. */
    private static final Experiment BEYOND = new BeyondExperiment();

    private Experiments()
    {
    }

    /**
     * All that the sources have.
     *
     * @return in the order in which they are run.
     */
    public static List<Experiment> all()
    {
        return ALL;
    }

    /**
     * All figures and tables, what is beyond the sources, and ECCLib.
     *
     * @return as the command line names them.
     */
    public static List<String> figures()
    {
        final Stream<Experiment> onFabric = Stream.concat(ALL.stream(), Stream.of(BEYOND));
        return Stream.concat(onFabric.flatMap((experiment) -> experiment.figures().stream()), Stream.of(EcclibExperiment.FIGURE))
            .toList();
    }

    /**
     * The experiments of which one or all figures come.
     *
     * @param figure as the command line names it, or {@code all}.
     * @param seed   of what is random in experiments that have no runs on the fabric.
     * @return empty if there is no such figure; all of one source.
     */
    public static List<Experiment> of(final String figure, final long seed)
    {
        if (figure.equals(EcclibExperiment.FIGURE))
        {
            return List.of(new EcclibExperiment(seed));
        }
        return figure.equals("all") ? ALL :
            Stream.concat(ALL.stream(), Stream.of(BEYOND)).filter((one) -> one.figures().contains(figure)).toList();
    }
}
