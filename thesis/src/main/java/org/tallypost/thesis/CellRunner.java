// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

/**
 * Simulates a run. Called on several threads at once, for different runs.
 */
@FunctionalInterface
public interface CellRunner
{
    /**
     * Simulates a run. The same run has the same result.
     *
     * @param cell the run.
     * @return what it showed.
     * @throws InterruptedException if the thread is interrupted meanwhile.
     */
    CellResult run(Cell cell) throws InterruptedException;
}
