// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import java.util.Map;
import java.util.TreeMap;

/**
 * Looks for the least buffers with which an overhead stays below a bound: goes upwards in steps of a quarter, since more slots
 * may well cost more (quotas that follow activity are greatest where only some fit), and then halves the last step. What was
 * tried is kept, for all to see.
 */
public final class SlotSearch
{
    /** No more slots for each process than this are tried. */
    public static final int MOST = 512;

    private static final int STEP = 4;

    private final CellRunner runner;
    private final Cell reference;
    private final double boundPercent;
    private final double referenceNs;

    /**
     * What was found.
     *
     * @param slots for each process, or -1 if even {@link #MOST} are not enough.
     * @param tried slots, and the overhead in percent with them.
     */
    public record Found(int slots, Map<Integer, Double> tried)
    {
    }

    /**
     * A search that runs its reference at once.
     *
     * @param runner       of the simulations.
     * @param reference    the run without flow control.
     * @param boundPercent greatest overhead that is wanted.
     * @throws InterruptedException if this thread is interrupted.
     */
    public SlotSearch(final CellRunner runner, final Cell reference, final double boundPercent) throws InterruptedException
    {
        this.runner = runner;
        this.reference = reference;
        this.boundPercent = boundPercent;
        referenceNs = runner.run(reference).timeNs();
    }

    /**
     * Time of the run without flow control.
     *
     * @return nanoseconds of an iteration.
     */
    public double referenceNs()
    {
        return referenceNs;
    }

    /**
     * Searches. Different rules may be searched for side by side.
     *
     * @param rule        for credits.
     * @param creditSlots k.
     * @return the least slots, and all that were tried.
     * @throws InterruptedException if this thread is interrupted.
     */
    public Found search(final Rule rule, final int creditSlots) throws InterruptedException
    {
        final Map<Integer, Double> tried = new TreeMap<>();
        int below = 2 * creditSlots - 1;
        int enough = 2 * creditSlots;
        while (!isEnough(rule, creditSlots, enough, tried))
        {
            if (enough == MOST)
            {
                return new Found(-1, tried);
            }
            below = enough;
            enough = Math.min(MOST, enough + Math.max(1, enough / STEP));
        }
        while (enough - below > 1)
        {
            final int middle = (below + enough) >>> 1;
            if (isEnough(rule, creditSlots, middle, tried))
            {
                enough = middle;
            }
            else
            {
                below = middle;
            }
        }
        return new Found(enough, tried);
    }

    private boolean isEnough(final Rule rule, final int creditSlots, final int slots, final Map<Integer, Double> tried)
        throws InterruptedException
    {
        final double overhead = (runner.run(reference.rule(rule, slots, creditSlots)).timeNs() / referenceNs - 1) * 100;
        tried.put(slots, overhead);
        return overhead <= boundPercent;
    }
}
