// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.files;

import java.io.IOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileLockInterruptionException;

/**
 * Input and output on channels that an interrupt closes, done all the same: what happens here is short, and half of it is worse
 * than none. The interrupt flag is kept for the caller.
 */
public final class Uninterrupted
{
    /**
     * Input or output.
     *
     * @param <T> type of the result.
     */
    public interface Action<T>
    {
        /**
         * Does it. It is called again if an interrupt closed a channel in the midst, so it opens what it uses and closes it.
         *
         * @return the result.
         * @throws IOException if it cannot be done.
         */
        T run() throws IOException;
    }

    private Uninterrupted()
    {
    }

    /**
     * Does something whether or not the calling thread is interrupted, before or meanwhile.
     *
     * @param <T>    type of the result.
     * @param action to do, possibly several times.
     * @return what the action returned.
     * @throws IOException as the action does.
     */
    public static <T> T call(final Action<T> action) throws IOException
    {
        boolean isInterrupted = Thread.interrupted();
        try
        {
            while (true)
            {
                try
                {
                    return action.run();
                }
                catch (final ClosedByInterruptException | FileLockInterruptionException ex)
                {
                    Thread.interrupted();
                    isInterrupted = true;
                }
            }
        }
        finally
        {
            if (isInterrupted)
            {
                Thread.currentThread().interrupt();
            }
        }
    }
}
