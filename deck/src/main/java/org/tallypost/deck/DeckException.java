// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

/** Something of a {@link Deck} was not done. */
public final class DeckException extends RuntimeException
{
    private static final long serialVersionUID = 1L;

    /** Why. */
    private final DeckFailure failure;

    DeckException(final DeckFailure failure, final String message)
    {
        super(failure + ": " + message);
        this.failure = failure;
    }

    /**
     * Why it was not done.
     *
     * @return the code.
     */
    public DeckFailure failure()
    {
        return failure;
    }
}
