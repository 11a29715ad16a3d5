// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.experiment;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.tallypost.fabric.FabricParameters;
import org.tallypost.thesis.Cell;
import org.tallypost.thesis.Experiment;
import org.tallypost.thesis.Findings;
import org.tallypost.thesis.PatternKind;
import org.tallypost.thesis.Plot;
import org.tallypost.thesis.Results;
import org.tallypost.thesis.Scale;
import org.tallypost.thesis.Series;
import org.tallypost.thesis.Sheet;

/**
 * The four times without flow control to which the fabric was fitted: how well it was.
 */
public final class ReferenceExperiment implements Experiment
{
    private static final double ALLTOALL_256_US = 52_908.41;
    private static final double ALLTOALL_1024_US = 278_515.08;
    private static final double PINGPONG_1_US = 50.04;
    private static final double PINGPONG_14_US = 51.17;

    @Override
    public List<String> figures()
    {
        return List.of("reference");
    }

    @Override
    public List<Cell> cells(final Scale scale)
    {
        return scale == Scale.QUICK ? List.of(pingPong(1), pingPong(14), alltoall(256)) :
            List.of(pingPong(1), pingPong(14), alltoall(256), alltoall(1024));
    }

    private static Cell pingPong(final int hops)
    {
        return DistanceExperiment.cell(hops);
    }

    private static Cell alltoall(final int ranks)
    {
        return Cell.of(PatternKind.ALLTOALL, ranks);
    }

    @Override
    public List<Sheet> evaluate(final Scale scale, final Results results, final Findings findings)
    {
        final double near = us(results, pingPong(1));
        final double far = us(results, pingPong(14));
        final double small = us(results, alltoall(256));
        findings.number("reference-pingpong-1", near, text(near, PINGPONG_1_US));
        findings.number("reference-pingpong-14", far, text(far, PINGPONG_14_US));
        findings.number("reference-alltoall-256", small, text(small, ALLTOALL_256_US));
        Double large = null;
        if (scale == Scale.FULL)
        {
            large = us(results, alltoall(1024));
            findings.number("reference-alltoall-1024", large, text(large, ALLTOALL_1024_US));
        }
        else
        {
            findings.unseen("reference-alltoall-1024", "not run with " + scale.label());
        }
        final int packets = FabricParameters.packets(Cell.LENGTH);
        findings.number("message-37-packets", packets, packets + " packets");
        final Plot plot = new Plot("Time without flow control, simulated against published", Plot.Kind.BAR, "",
            "percent of the published time",
            List.of("pingpong, 1 hop", "pingpong, 14 hops", "alltoall, 256", "alltoall, 1,024"),
            List.of(new Series("simulated", Arrays.asList(100 * near / PINGPONG_1_US, 100 * far / PINGPONG_14_US,
            100 * small / ALLTOALL_256_US, large == null ? null : 100 * large / ALLTOALL_1024_US))));
        return List.of(new Sheet("reference", "Reference times, to which the fabric was fitted",
            List.of("Nothing but these four times was fitted. Half a round trip of the multi-pingpong, as in the benchmark."),
            Map.of("message", Cell.LENGTH + " bytes"), List.of(plot)));
    }

    private static double us(final Results results, final Cell cell)
    {
        return results.of(cell).timeNs() / 1000;
    }

    private static String text(final double found, final double published)
    {
        return String.format(Locale.ROOT, "%,.2f us (%+.1f%%)", found, (found / published - 1) * 100);
    }
}
