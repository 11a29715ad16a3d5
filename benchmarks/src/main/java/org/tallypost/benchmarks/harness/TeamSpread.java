// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * How far teams of one contestant are apart because they are different JVMs. One compiles the same code better than another, and
 * that lasts as long as the JVM. It is taken to be the same for all contestants of a cell, since each has only a few teams.
 *
 * <p>For each contestant that is held against the subject there is a table with the median of the logarithms of the ratios for
 * each team of the subject (rows) and of the other (columns). In it the rows differ by the subject's JVMs, the columns by the
 * other's, and what is left is noise of the turns: a two-way analysis of variance tells them apart.
 *
 * @param variance of the logarithm of a team's figure; 0 if it is not known, since there is one team only or too few turns.
 * @param degrees  of freedom of the variance.
 */
public record TeamSpread(double variance, int degrees)
{
    /** Nothing is known. */
    public static final TeamSpread UNKNOWN = new TeamSpread(0, 0);
    /** 97.5 % of Student's distribution for 1 to 30 degrees of freedom; for more it is taken as normal. */
    private static final double[] STUDENT = {
        12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131, 2.120, 2.110,
        2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042};
    private static final double NORMAL = 1.960;

    /**
     * Estimates the spread.
     *
     * @param pairsOfAll for each contestant but the subject, the pairs of the subject and that one.
     * @return the spread.
     */
    public static TeamSpread of(final List<List<Pair>> pairsOfAll)
    {
        double ofSubject = 0;
        double ofOthers = 0;
        int tables = 0;
        int subjectDegrees = 0;
        int otherDegrees = 0;
        for (final List<Pair> pairs : pairsOfAll)
        {
            final double[][] table = table(pairs);
            if (table == null)
            {
                continue;
            }
            final int rows = table.length;
            final int columns = table[0].length;
            final double all = Arrays.stream(table).mapToDouble((row) -> mean(row)).average().orElseThrow();
            final double[] rowMeans = Arrays.stream(table).mapToDouble((row) -> mean(row)).toArray();
            final double[] columnMeans = new double[columns];
            double rest = 0;
            for (int column = 0; column < columns; column++)
            {
                for (int row = 0; row < rows; row++)
                {
                    columnMeans[column] += table[row][column] / rows;
                }
                for (int row = 0; row < rows; row++)
                {
                    final double left = table[row][column] - rowMeans[row] - columnMeans[column] + all;
                    rest += left * left;
                }
            }
            final double noise = rest / ((rows - 1) * (columns - 1));
            tables++;
            subjectDegrees = Math.max(subjectDegrees, rows - 1);
            otherDegrees += columns - 1;
            ofSubject += squares(rowMeans, all) / (rows - 1) - noise / columns;
            ofOthers += squares(columnMeans, all) - (columns - 1) * noise / rows;
        }
        // the subject's teams are the same in all tables
        final int degrees = subjectDegrees + otherDegrees;
        return tables == 0 ? UNKNOWN :
            new TeamSpread(Math.max(0, (subjectDegrees * ofSubject / tables + ofOthers) / degrees), degrees);
    }

    private static double mean(final double[] values)
    {
        return Arrays.stream(values).average().orElseThrow();
    }

    private static double squares(final double[] values, final double mean)
    {
        return Arrays.stream(values).map((value) -> (value - mean) * (value - mean)).sum();
    }

    /** Without teams of the subject that never had a turn beside one of the other's; null if fewer than two are left. */
    private static double[][] table(final List<Pair> pairs)
    {
        final int rows = 1 + pairs.stream().mapToInt(Pair::team).max().orElse(0);
        final int columns = 1 + pairs.stream().mapToInt(Pair::other).max().orElse(0);
        if (rows == 1 || columns == 1)
        {
            return null;
        }
        final List<double[]> table = new ArrayList<>();
        for (int row = 0; row < rows; row++)
        {
            final int team = row;
            final double[] medians = new double[columns];
            boolean isComplete = true;
            for (int column = 0; column < columns; column++)
            {
                final int other = column;
                final double[] ratios = pairs.stream().filter((pair) -> pair.team() == team && pair.other() == other)
                    .mapToDouble(Pair::ratio).toArray();
                isComplete &= ratios.length > 0;
                medians[column] = isComplete ? Math.log(Quartiles.of(ratios).median()) : 0;
            }
            if (isComplete)
            {
                table.add(medians);
            }
        }
        return table.size() < 2 ? null : table.toArray(new double[0][]);
    }

    /**
     * Half of the 95 % interval of the logarithm of a ratio, as far as JVMs are its cause.
     *
     * @param teams  of the first contestant.
     * @param others teams of the second one.
     * @return 0 if nothing is known.
     */
    double halfWidth(final int teams, final int others)
    {
        final double student = degrees == 0 ? 0 : degrees <= STUDENT.length ? STUDENT[degrees - 1] : NORMAL;
        return student * Math.sqrt(variance * (1.0 / teams + 1.0 / others));
    }
}
