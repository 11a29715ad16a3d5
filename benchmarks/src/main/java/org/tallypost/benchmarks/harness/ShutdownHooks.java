// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.harness;

/**
 * Takes hooks back that clean up if the process is asked to end.
 */
public final class ShutdownHooks
{
    private ShutdownHooks()
    {
    }

    /**
     * Adds a hook that removes what was made before. If the process is ending it is too late for that: the hook runs at once.
     *
     * @param hook to add.
     * @throws IllegalStateException if the process is ending; then nothing is left of what was made.
     */
    public static void add(final Thread hook)
    {
        try
        {
            Runtime.getRuntime().addShutdownHook(hook);
        }
        catch (final IllegalStateException ex)
        {
            // in this thread: the process may end before another one has begun
            hook.run();
            throw ex;
        }
    }

    /**
     * Takes a hook back. If the process is ending, the hook runs, and this does nothing.
     *
     * @param hook that was added.
     */
    public static void remove(final Thread hook)
    {
        try
        {
            Runtime.getRuntime().removeShutdownHook(hook);
        }
        catch (final IllegalStateException ignore)
        {
            // the process is ending: the hook does what is left
        }
    }
}
