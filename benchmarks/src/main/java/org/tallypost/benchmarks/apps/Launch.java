// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.apps;

import java.util.ArrayList;
import java.util.List;

import org.tallypost.benchmarks.harness.Quartiles;

/**
 * What a program has printed: the seconds of each round, and whether its result is that of one process.
 *
 * @param seconds a round takes: the median of the later half, when a JVM has compiled the program.
 * @param failure why there is no figure, or null.
 */
record Launch(double seconds, String failure)
{
    private static final String SECONDS = "seconds ";

    /**
     * Reads it.
     *
     * @param app    that was run.
     * @param rounds that were asked for.
     * @param output of it.
     */
    static Launch parse(final App app, final int rounds, final String output)
    {
        final List<Double> seconds = new ArrayList<>();
        boolean isRight = false;
        for (final String line : output.lines().toList())
        {
            if (line.startsWith(SECONDS))
            {
                seconds.add(Double.parseDouble(line.substring(SECONDS.length())));
            }
            isRight |= line.equals(app.program() + ": right");
        }
        if (!isRight || seconds.size() != rounds)
        {
            return failed("found " + seconds.size() + " rounds and " + (isRight ? "the" : "no") + " right result, expected " +
                rounds + " and one: " + output.lines().filter((line) -> !line.startsWith(SECONDS)).findFirst().orElse(""));
        }
        final double[] later = seconds.subList(rounds / 2, rounds).stream().mapToDouble(Double::doubleValue).toArray();
        return new Launch(Quartiles.of(later).median(), null);
    }

    static Launch failed(final String why)
    {
        return new Launch(Double.NaN, why);
    }
}
