// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.process;

import java.io.IOException;

/**
 * Ends a worker when its parent is gone, however that went: the parent holds the other end of the worker's standard input.
 */
final class ParentWatch
{
    private ParentWatch()
    {
    }

    /**
     * Starts watching on a daemon thread.
     *
     * @param directory of the run, removed when no other process can do it any more.
     * @param exitCode  of this process when the parent is gone.
     */
    static void start(final WorkDirectory directory, final int exitCode)
    {
        final Thread thread = new Thread(() ->
        {
            awaitEndOfInput();
            directory.delete();
            // The threads of this process may be anywhere, even spinning: no shutdown hook is waited for.
            Runtime.getRuntime().halt(exitCode);
        }, "parent-watch");
        thread.setDaemon(true);
        thread.start();
    }

    private static void awaitEndOfInput()
    {
        try
        {
            while (System.in.read() >= 0)
            {
                Thread.onSpinWait();
            }
        }
        catch (final IOException ignore)
        {
            // A broken pipe means the same as its end.
        }
    }
}
