// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

import java.util.List;

/**
 * Takes turns, and uses no processor time between them.
 */
public interface TurnTaker extends AutoCloseable
{
    /**
     * Waits until it can take turns.
     *
     * @throws TeamException        if it never will.
     * @throws InterruptedException if this thread is interrupted.
     */
    void awaitReady() throws TeamException, InterruptedException;

    /**
     * Takes a turn.
     *
     * @param cell     that is measured.
     * @param parties  that take part.
     * @param messages of the turn.
     * @param profile  of {@link Task}.
     * @param paceNs   of {@link Task}.
     * @return what the parties booked; the first one measures.
     * @throws TeamException        if it cannot take turns any more.
     * @throws InterruptedException if this thread is interrupted.
     */
    List<Booking> turn(int cell, int parties, long messages, int profile, double paceNs)
        throws TeamException, InterruptedException;

    /** Ends what belongs to it. Does nothing the second time. */
    @Override
    void close();
}
