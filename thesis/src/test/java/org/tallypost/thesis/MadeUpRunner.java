// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Results without a simulation: more slots cost less, and more packets take longer.
 */
final class MadeUpRunner implements CellRunner
{
    private final AtomicInteger runs = new AtomicInteger();

    @Override
    public CellResult run(final Cell cell)
    {
        runs.incrementAndGet();
        final double reference = 1000.0 * cell.ranks();
        final double overhead = cell.rule() == Rule.NONE ? 0 : 1.0 / cell.slots();
        final List<CellResult.Sample> samples = new ArrayList<>();
        if (cell.pattern() == PatternKind.PHASES)
        {
            for (int done = 1; done <= 7 * cell.stay(); done++)
            {
                samples.add(sample(done));
                if (done % cell.stay() == 0)
                {
                    samples.add(sample(done + 0.5));
                }
            }
        }
        return new CellResult(reference * (1 + overhead), 100, cell.slots() > 55 ? 0 : 50, 3700, 200 - cell.slots(),
            0, 0, 0, 0, 0, 10, 30, samples);
    }

    private static CellResult.Sample sample(final double iteration)
    {
        final CellResult.Group group = new CellResult.Group(1, 2, 3, 2);
        return new CellResult.Sample(iteration, List.of(group, group, group), List.of(group, group, group));
    }

    int runs()
    {
        return runs.get();
    }
}
