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
