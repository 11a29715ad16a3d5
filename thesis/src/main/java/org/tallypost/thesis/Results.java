// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the runs showed.
 */
public final class Results
{
    private final Map<Cell, CellResult> results = new ConcurrentHashMap<>();

    void put(final Cell cell, final CellResult result)
    {
        results.put(cell, result);
    }

    boolean hasAll(final List<Cell> cells)
    {
        return results.keySet().containsAll(cells);
    }

    boolean has(final Cell cell)
    {
        return results.containsKey(cell);
    }

    /**
     * The result of a run.
     *
     * @param cell the run; it has to be among those of the experiment.
     * @return what it showed.
     */
    public CellResult of(final Cell cell)
    {
        final CellResult result = results.get(cell);
        if (result == null)
        {
            throw new IllegalStateException("not run: " + cell);
        }
        return result;
    }

    /**
     * What flow control costs.
     *
     * @param cell the run; its reference was run as well.
     * @return time beyond the reference's, in percent of that.
     */
    public double overhead(final Cell cell)
    {
        return (of(cell).timeNs() / of(cell.reference()).timeNs() - 1) * 100;
    }
}
