// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.beyond;

import java.util.List;
import java.util.Locale;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.tallypost.thesis.Plot;
import org.tallypost.thesis.Sheet;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** What is claimed of the project's own protocol holds with the real ledgers, at every number of slots and of active ranks. */
@Tag("once")
class BeyondExperimentTest
{
    /** In points: a burst of packets is one event of the fabric, which is as much as some of the differences. */
    private static final double TOLERANCE = 0.2;

    private static Sheet sheet;

    @BeforeAll
    static void run() throws InterruptedException
    {
        sheet = BeyondExperiment.sheet();
        for (final Plot plot : sheet.plots())
        {
            System.out.println(plot.title() + "; " + plot.yTitle());
            for (int i = 0; i < plot.positions().size(); i++)
            {
                final StringBuilder line = new StringBuilder("| " + plot.positions().get(i));
                for (final Contender contender : Contender.values())
                {
                    line.append(String.format(Locale.ROOT, " | %.1f", value(plot, contender, i)));
                }
                System.out.println(line.append(" |"));
            }
        }
    }

    private static double value(final Plot plot, final Contender contender, final int index)
    {
        return plot.series().get(contender.ordinal()).values().get(index);
    }

    private static List<Plot> alltoalls()
    {
        return sheet.plots().subList(0, 2 * BeyondExperiment.ACTIVE.size());
    }

    private static Plot plot(final String title)
    {
        return sheet.plots().stream().filter((plot) -> plot.title().startsWith(title)).findFirst().orElseThrow();
    }

    @Test
    void shouldHaveAllPlots()
    {
        assertEquals(11, sheet.plots().size());
    }

    @Test
    void shouldNeverBeFarAboveStatic()
    {
        for (final Plot plot : alltoalls())
        {
            for (int i = 0; i < plot.positions().size(); i++)
            {
                final double fixed = value(plot, Contender.STATIC, i);
                assertTrue(value(plot, Contender.LENDING, i) <= fixed + 3, plot.title() + ", slots " + plot.positions().get(i));
            }
        }
    }

    @Test
    void shouldCostAtMostHalfWhereHalfAreActive()
    {
        for (final Plot plot : alltoalls())
        {
            for (int i = 0; i < plot.positions().size() && !plot.title().contains("32 of 32"); i++)
            {
                final double fixed = value(plot, Contender.STATIC, i);
                assertTrue(value(plot, Contender.LENDING, i) <= fixed / 2 + TOLERANCE,
                    plot.title() + ", slots " + plot.positions().get(i));
            }
        }
    }

    @Test
    void shouldShowThatThePublishedProtocolThrashes()
    {
        final Plot plot = plot("alltoall, one destination after the other, 32");
        assertTrue(value(plot, Contender.PUBLISHED, 1) > 2 * value(plot, Contender.STATIC, 1));
        assertTrue(value(plot, Contender.LENDING, 1) < value(plot, Contender.STATIC, 1) / 3);
    }
}
