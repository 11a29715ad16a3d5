// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.credit;

import org.tallypost.creditprotocol.Ledger;
import org.tallypost.creditprotocol.LedgerActions;
import org.tallypost.creditprotocol.PiggybackPolicy;
import org.tallypost.creditprotocol.StaticLedger;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.NodeContext;

/**
 * Makes the ledger that a node's context asks for.
 */
public final class Ledgers
{
    private Ledgers()
    {
    }

    /** The ledger of a receiver, null if nobody counts. */
    public static Ledger create(final NodeContext context, final LedgerActions actions)
    {
        if (context.flow() == Flow.NONE)
        {
            return null;
        }
        final Ledger ledger = context.flow() == Flow.STATIC ?
            new StaticLedger(context.rankCount(), context.creditSlots(), context.slotsPerSender(), actions) :
            context.stealPolicy().newLedger(context.rankCount(), context.creditSlots(), context.slotsPerSender(), actions,
                PiggybackPolicy.ONE_FOR_ONE);
        ledger.checkInvariants(context.checkInvariants());
        return ledger;
    }
}
