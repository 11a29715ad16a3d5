// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import java.util.List;

/**
 * One plot of a figure.
 *
 * @param title     above it.
 * @param kind      line, bar or stacked.
 * @param xTitle    of the axis.
 * @param yTitle    of the axis, with its unit.
 * @param positions along the x axis.
 * @param series    over them.
 */
public record Plot(String title, Kind kind, String xTitle, String yTitle, List<String> positions, List<Series> series)
{
    /** How it is drawn. */
    public enum Kind
    {
        /** Lines over equidistant positions. */
        LINE,
        /** Bars side by side. */
        BAR,
        /** Bars of one series upon those of the series before. */
        STACKED
    }

    /**
     * Checks that there is a value, or a gap, for every position.
     *
     * @param title     above it.
     * @param kind      line, bar or stacked.
     * @param xTitle    of the axis.
     * @param yTitle    of the axis, with its unit.
     * @param positions along the x axis.
     * @param series    each with as many values as there are positions.
     */
    public Plot
    {
        for (final Series one : series)
        {
            if (one.values().size() != positions.size())
            {
                throw new IllegalArgumentException("series " + one.label() + ": found " + one.values().size() +
                    " values, expected " + positions.size());
            }
        }
    }
}
