// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.IOException;

/**
 * How a JVM of a study ends and tells why.
 */
final class ParentEnd
{
    /** Begins what a JVM that failed says on its standard error. */
    static final String FAILED = "FAILED: ";

    private ParentEnd()
    {
    }

    /** Sees to it that this JVM ends when its standard input does, because then its parent is gone. */
    static void endWithParent()
    {
        final Thread watch = new Thread(() ->
        {
            awaitEndOfInput();
            Runtime.getRuntime().halt(1);
        }, "parent-watch");
        watch.setDaemon(true);
        watch.start();
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
