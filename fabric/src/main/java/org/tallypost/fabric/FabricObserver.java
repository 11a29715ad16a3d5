// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

/**
 * Told about what happens, on the thread of the run, which waits meanwhile.
 */
public interface FabricObserver
{
    /** Looks away. */
    FabricObserver NONE = new FabricObserver()
    {
    };

    /**
     * A process has finished a round.
     *
     * @param rank   of the process.
     * @param round  that is finished.
     * @param timePs when.
     * @param view   of the state just then.
     */
    default void onRoundEnd(final int rank, final int round, final long timePs, final FabricView view)
    {
    }

    /**
     * A message was received whole.
     *
     * @param from     its sender.
     * @param to       its receiver.
     * @param postedPs when it was posted.
     * @param donePs   when its last packet had been retrieved.
     */
    default void onMessage(final int from, final int to, final long postedPs, final long donePs)
    {
    }
}
