// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.process;

import org.tallypost.benchmarks.plan.Step;

/**
 * Hears how a run goes on.
 */
public interface ProgressListener
{
    /**
     * The workers have been started; called once.
     *
     * @param pids of the workers.
     */
    void onStarted(long[] pids);

    /**
     * The workers open their ranks. Called some times a second.
     *
     * @param opened  ranks that are open, under all flow controls together.
     * @param ofRanks ranks to open.
     */
    void onOpening(long opened, long ofRanks);

    /**
     * A step is under way. Called some times a second, not for every step.
     *
     * @param step that the first worker is in.
     */
    void onStep(Step step);

    /**
     * The run is over, well or not.
     */
    void onEnd();
}
