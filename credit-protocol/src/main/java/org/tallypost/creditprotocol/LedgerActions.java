// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

/**
 * What a {@link Ledger} decides. Called on the thread that feeds the ledger, from within the call that led to the decision;
 * an implementation must not call the ledger back.
 */
public interface LedgerActions
{
    /** Result of {@link #revoke} when a compulsory request was sent, or will be as soon as there is a credit for it. */
    int REQUESTED = -1;

    /**
     * Credits go back to a sender: one credit packet, or one addition to a word that both map.
     *
     * @param sender  that gets them.
     * @param credits at least 1.
     */
    void grant(int sender, int credits);

    /**
     * A sender holds more than its intended quota, which has come down to its static slots (thesis, section 6.5.2), or more
     * than any other while a sender that is back finds no room for its first credits.
     *
     * @param victim the sender.
     * @param keep   credits that stay with it: its static slots.
     * @return number of credits taken back right away, 0 if there were none to take; or {@link #REQUESTED} if the sender
     *         was asked: then the ledger gives it no more than its static slots until its response is retrieved.
     */
    int revoke(int victim, int keep);
}
