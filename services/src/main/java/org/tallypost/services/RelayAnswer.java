// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

/** Whether a relay was asked for which rank the publisher waits, and whether it has answered. One thread. */
final class RelayAnswer
{
    private boolean isAsked;
    private boolean isDue;
    private boolean isThere;

    /** The relay has to be asked, and was not yet. */
    void ask()
    {
        isAsked = true;
        isDue = true;
    }

    void onSent()
    {
        isDue = false;
    }

    /** The relay has told something. */
    void onTold()
    {
        isThere = isAsked;
    }

    /** Nothing is waited for any more, or it is another relay. */
    void forget()
    {
        isAsked = false;
        isDue = false;
        isThere = false;
    }

    boolean isAsked()
    {
        return isAsked;
    }

    /** Whether the question is to be sent. */
    boolean isDue()
    {
        return isDue;
    }

    /** Whether the answer is missing. */
    boolean isMissing()
    {
        return isAsked && !isThere;
    }
}
