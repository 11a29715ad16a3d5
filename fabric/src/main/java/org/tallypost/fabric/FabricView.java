// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

/**
 * A look at the state of the protocol during a run; only from within a call of a {@link FabricObserver}. Without flow
 * control all numbers are 0.
 */
public interface FabricView
{
    /**
     * Credits that a process has at hand.
     *
     * @param sender   that has them.
     * @param receiver in which the slots are.
     * @return their number.
     */
    int credits(int sender, int receiver);

    /**
     * Credits that a receiver counts as a sender's: at hand, under way in either direction, or filled and unread.
     *
     * @param receiver that counts.
     * @param sender   that has them in the receiver's count.
     * @return their number.
     */
    int currentCredits(int receiver, int sender);

    /**
     * Slots that a sender should hold soon.
     *
     * @param receiver that decides.
     * @param sender   for which it decides.
     * @return their number.
     */
    int intendedQuota(int receiver, int sender);
}
