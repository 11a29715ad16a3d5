// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

/** What a program has asked a deck for. Other threads hand it over to the thread of the deck, and wait until it has ended. */
abstract class Operation
{
    /** The next one that was handed over. */
    Operation next;
    private volatile boolean isActive;
    private long deadlineNs;
    private DeckFailure failure;
    private String text;

    /** The thread that asks. */
    final void begin(final long deadline)
    {
        deadlineNs = deadline;
        failure = null;
        text = null;
        isActive = true;
    }

    /** It has been attempted without a deadline, and gets one. The thread of the deck. */
    final void limit(final long deadline)
    {
        deadlineNs = deadline;
    }

    /** Any thread: once it is false, what the operation has brought is visible. */
    final boolean isActive()
    {
        return isActive;
    }

    final long deadlineNs()
    {
        return deadlineNs;
    }

    final boolean isLate(final long nowNs)
    {
        return deadlineNs != Deck.FOREVER && nowNs - deadlineNs >= 0;
    }

    /**
     * Goes on. The thread of the deck.
     *
     * @return true if it has ended.
     */
    abstract boolean attempt(long nowNs);

    /** The deck is closed. */
    abstract void abandon();

    final boolean end()
    {
        isActive = false;
        return true;
    }

    final boolean fail(final DeckFailure why, final String message)
    {
        failure = why;
        text = message;
        return end();
    }

    final DeckFailure failure()
    {
        return failure;
    }

    final void check()
    {
        if (failure != null)
        {
            throw new DeckException(failure, text);
        }
    }
}
