// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.jmh;

import org.tallypost.creditprotocol.DynamicLedger;
import org.tallypost.creditprotocol.LedgerActions;

/**
 * A ledger with senders that are each led to the slot before their next monitoring point, with nothing freed that was not given
 * back: so the next slot leads to that point, and not to a crossing.
 */
class LedgerBrink
{
    static final int CREDIT_SLOTS = 2;

    private static final int SLOTS_PER_SENDER = 64;
    private static final int STEP_SLOTS = 8;

    final DynamicLedger ledger;

    LedgerBrink(final int senders)
    {
        ledger = new DynamicLedger(senders, CREDIT_SLOTS, SLOTS_PER_SENDER, new Counted());
        // off the thresholds of 1 that senders start with, in turns, so that none has used up more than others
        for (int round = 0; round < CREDIT_SLOTS; round++)
        {
            approach(0, senders);
            step(0, senders);
        }
    }

    /** Decisions cost an addition. */
    static final class Counted implements LedgerActions
    {
        private long granted;
        private long kept;

        @Override
        public void grant(final int sender, final int credits)
        {
            granted += credits;
        }

        @Override
        public int revoke(final int victim, final int keep)
        {
            kept += keep;
            return 0;
        }

        @Override
        public String toString()
        {
            return "granted=" + granted + ", kept=" + kept;
        }
    }

    /** Leads a range of senders there. */
    final void approach(final int from, final int to)
    {
        for (int sender = from; sender < to; sender++)
        {
            for (int left = slotsLeft(sender); left > 0; left = slotsLeft(sender))
            {
                // in small steps, as a sender with a quota that has shrunk is given nothing before its next crossing
                final int slots = Math.min(Math.min(left, STEP_SLOTS), ledger.currentCredits(sender));
                check(ledger.onRetrieved(sender, slots), "no packet refused", sender);
                ledger.piggyback(sender, Integer.MAX_VALUE);
            }
        }
    }

    private int slotsLeft(final int sender)
    {
        return ledger.monitorAt(sender) - 1 - ledger.sinceMonitor(sender);
    }

    /** One slot of each sender of a range. */
    final int step(final int from, final int to)
    {
        for (int sender = from; sender < to; sender++)
        {
            ledger.onRetrieved(sender, 1);
        }
        return to;
    }

    final void checkMonitored(final int from, final int to)
    {
        for (int sender = from; sender < to; sender++)
        {
            check(ledger.sinceMonitor(sender) == 0, "a monitoring point in each call", sender);
        }
    }

    static void check(final boolean isSo, final String expected, final long found)
    {
        if (!isSo)
        {
            throw new IllegalStateException("not what is to be measured: expected " + expected + ", found=" + found);
        }
    }
}
