// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

/**
 * The line through points that has the least squares.
 *
 * @param slope     of the line.
 * @param intercept of the line.
 * @param r2        the share of the variance that the line explains.
 */
record LineFit(double slope, double intercept, double r2)
{
    static LineFit of(final double[] x, final double[] y)
    {
        double meanX = 0;
        double meanY = 0;
        for (int i = 0; i < x.length; i++)
        {
            meanX += x[i] / x.length;
            meanY += y[i] / x.length;
        }
        double xx = 0;
        double xy = 0;
        double yy = 0;
        for (int i = 0; i < x.length; i++)
        {
            xx += (x[i] - meanX) * (x[i] - meanX);
            xy += (x[i] - meanX) * (y[i] - meanY);
            yy += (y[i] - meanY) * (y[i] - meanY);
        }
        final double slope = xy / xx;
        return new LineFit(slope, meanY - slope * meanX, yy == 0 ? 1 : xy * xy / (xx * yy));
    }
}
