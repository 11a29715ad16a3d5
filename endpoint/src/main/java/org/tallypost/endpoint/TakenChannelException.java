// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import java.util.function.Supplier;

/** A channel is to be opened that is open. A layer that has the number from an option names that. */
public final class TakenChannelException extends IllegalStateException
{
    private static final long serialVersionUID = 1L;

    /**
     * Of an endpoint.
     *
     * @param rank of the endpoint.
     * @param id   number of the channel.
     */
    public TakenChannelException(final int rank, final int id)
    {
        super("channel is in use: rank=" + rank + ", found=" + id + ", expected one that is not open; close it first");
    }

    /**
     * Opens a channel with a number from an option, which the exception names if the channel is in use.
     *
     * @param option  as the program sets it.
     * @param opening opens the channel.
     * @return the channel.
     * @throws IllegalStateException if the channel is in use, or as the opening throws it.
     */
    public static Channel named(final String option, final Supplier<Channel> opening)
    {
        try
        {
            return opening.get();
        }
        catch (final TakenChannelException ex)
        {
            throw new IllegalStateException(
                ex.getMessage() + ", or set " + option + " to another one at all ranks", ex);
        }
    }
}
