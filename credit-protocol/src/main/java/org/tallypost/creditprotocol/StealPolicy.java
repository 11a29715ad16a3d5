// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

/**
 * From which senders one that has used up its quota may take slots.
 */
public enum StealPolicy
{
    /** From the last sender of the LOW list, whichever that is (thesis, section 6.5.2). */
    MONITORED,
    /**
     * From the last sender of the LOW list. If it rests, all but its static slots: it rests if nothing of it was retrieved in
     * a whole round, and a round ends when one sender has used two of the longest messages announced lately, two quotas of
     * its own and 64 slots. A victim that does send gives up no more than half of what it has more than the other one. Where
     * all senders are active this keeps the shares even, while the thesis's rule lets a sender that bursts take the slots of
     * those that come next.
     */
    IDLE_FIRST,
    /** From no sender that sends: what is spare is lent to those that announce more than they can send, {@link LendingLedger}. */
    LENDING;

    /**
     * A dynamic ledger by this policy.
     *
     * @param senders        number of senders.
     * @param creditSlots    k.
     * @param slotsPerSender S: slots of the mailbox for each sender, credit slots included.
     * @param actions        that carry the decisions out.
     * @param piggyback      how credits travel in data packets; {@link #LENDING} has one way only, slots freed one for one.
     * @return a new ledger at its start.
     */
    public Ledger newLedger(
        final int senders,
        final int creditSlots,
        final int slotsPerSender,
        final LedgerActions actions,
        final PiggybackPolicy piggyback)
    {
        return this == LENDING ? new LendingLedger(senders, creditSlots, slotsPerSender, actions) :
            new DynamicLedger(senders, creditSlots, slotsPerSender, actions, piggyback, this);
    }
}
