// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

/**
 * Where a sender keeps the credits that it holds with each receiver. Threads that send may withdraw from it at any time.
 */
public interface CreditStore
{
    /**
     * Credits at hand.
     *
     * @param receiver with which they are held.
     * @return their number.
     */
    int credits(int receiver);

    /**
     * Takes all credits, so that no other thread has them.
     *
     * @param receiver with which they are held.
     * @return their number.
     */
    int takeAll(int receiver);

    /**
     * Adds credits.
     *
     * @param receiver with which they are held.
     * @param credits  0 or more.
     */
    void add(int receiver, int credits);
}
