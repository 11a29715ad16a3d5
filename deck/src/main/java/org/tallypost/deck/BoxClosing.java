// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

/** Another thread closes a mail box. */
final class BoxClosing extends Operation
{
    private final Deck deck;
    private final MailBox box;

    BoxClosing(final Deck deck, final MailBox box)
    {
        this.deck = deck;
        this.box = box;
    }

    @Override
    boolean attempt(final long nowNs)
    {
        deck.closeNow(box);
        return end();
    }

    @Override
    void abandon()
    {
        end();
    }

    @Override
    public String toString()
    {
        return "close of " + box;
    }
}
