// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

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
     * The same for a program that has not passed the number itself.
     *
     * @param option that the number is from.
     * @return to be thrown.
     */
    public IllegalStateException by(final String option)
    {
        return new IllegalStateException(getMessage() + ", or set " + option + " to another one at all ranks", this);
    }
}
