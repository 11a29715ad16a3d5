// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.jmh;

/**
 * How a thread waits for another one: spinning as long as each of them can have a processor, else giving its own away after
 * a few looks, so that the figure does not become the length of a time slice. For one thread.
 */
final class Patience
{
    private static final int SPINS = 64;
    private static final int LOOK_MASK = 0xFFFF;

    private final boolean isCrowded;
    private int misses;

    Patience(final int threads)
    {
        isCrowded = threads > Runtime.getRuntime().availableProcessors();
    }

    void reset()
    {
        misses = 0;
    }

    /**
     * Nothing was there. Throws if the harness has lost its patience.
     *
     * @return true now and then, when it is time to see how the others are.
     */
    boolean miss()
    {
        misses++;
        if (isCrowded && misses > SPINS)
        {
            Thread.yield();
        }
        if ((misses & LOOK_MASK) != 0)
        {
            return false;
        }
        if (Thread.currentThread().isInterrupted())
        {
            throw new IllegalStateException("interrupted while waiting for the other side");
        }
        return true;
    }
}
