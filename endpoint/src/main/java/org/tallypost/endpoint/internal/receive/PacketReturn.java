// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.receive;

import static org.tallypost.creditprotocol.LedgerActions.REQUESTED;

import org.tallypost.creditprotocol.Account;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.send.ControlSender;

/**
 * Credits that travel in packets: those that a receiver grants and asks back, and those that its endpoint gets from others. What
 * cannot be sent now is owed, and paid later. For the polling thread.
 */
final class PacketReturn
{
    private final ControlSender control;
    private final Account account;
    /** Credits booked for a sender that has not let this one in yet. */
    private final int[] owed;
    private boolean isOwing;
    /** What was thrown while the ledger decided; the next {@link #payOwed} throws it. */
    private Error interrupting;

    PacketReturn(final NodeContext context, final ControlSender control)
    {
        this.control = control;
        account = new Account(context.rankCount(), context.creditSlots(), control, control);
        owed = new int[context.rankCount()];
    }

    /** Credits have come from a receiver; false if it cannot have given so many. */
    boolean onCredits(final int source, final int credits)
    {
        return account.onCredits(source, credits);
    }

    /** A receiver wants its credits back. */
    void onRequest(final int source)
    {
        account.onRequest(source);
    }

    /** A sender is gone. */
    void forget(final int source)
    {
        account.forget(source);
        owed[source] = 0;
    }

    /** As {@link org.tallypost.creditprotocol.LedgerActions#grant}. */
    void grant(final int sender, final int credits)
    {
        owed[sender] += credits;
        try
        {
            pay(sender);
        }
        catch (final Error error)
        {
            // the ledger is in the midst of a decision, which this does not concern: what is owed is paid later
            interrupting = error;
            isOwing = true;
        }
    }

    /** As {@link org.tallypost.creditprotocol.LedgerActions#revoke}. */
    int revoke(final int victim)
    {
        try
        {
            request(victim);
        }
        catch (final Error error)
        {
            // as in grant
            interrupting = error;
            isOwing = true;
        }
        return REQUESTED;
    }

    /** Whether something waits for {@link #payOwed}. */
    boolean isOwing()
    {
        return isOwing;
    }

    /** Once in a while: the sender may have let us in by now, or there is a credit for the request to it. */
    void payOwed()
    {
        final Error error = interrupting;
        if (error != null)
        {
            interrupting = null;
            throw error;
        }
        isOwing = false;
        for (int sender = 0; sender < owed.length; sender++)
        {
            if (account.requestPending(sender))
            {
                request(sender);
            }
            if (owed[sender] > 0)
            {
                pay(sender);
            }
        }
    }

    private void request(final int victim)
    {
        final boolean wasOwing = isOwing;
        isOwing = true;
        account.request(victim);
        isOwing = wasOwing || account.requestPending(victim);
    }

    private void pay(final int sender)
    {
        final boolean wasOwing = isOwing;
        // also if an Error ends it, as for want of stack
        isOwing = true;
        boolean isSent = false;
        try
        {
            isSent = control.sendControl(sender, PacketDescriptor.TYPE_CREDIT, owed[sender]);
        }
        finally
        {
            if (isSent || control.isCommitted())
            {
                owed[sender] = 0;
            }
        }
        isOwing = wasOwing || !isSent;
    }
}
