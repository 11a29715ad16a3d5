// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

/**
 * A sender's account with each of its receivers, as far as control packets are concerned: a compulsory request or
 * response that found no credit waits here and goes first when credits come, the request before the response, both before
 * any data (thesis, sections 6.1 and 6.5.4). For the thread that polls; other threads may withdraw from the
 * {@link CreditStore} meanwhile, which is why all of it is taken into hand first.
 */
public final class Account
{
    private final int creditSlots;
    private final CreditStore store;
    private final ControlPackets packets;
    private final boolean[] requestPending;
    private final boolean[] responsePending;

    /**
     * An account with no request or response pending.
     *
     * @param receivers   number of receivers.
     * @param creditSlots k, the credits that a response leaves, itself included.
     * @param store       of the credits.
     * @param packets     to send control packets with.
     */
    public Account(
        final int receivers, final int creditSlots, final CreditStore store, final ControlPackets packets)
    {
        if (receivers < 1 || creditSlots < 1)
        {
            throw new IllegalArgumentException("account out of range: found receivers=" + receivers + ", creditSlots=" +
                creditSlots + ", expected each at least 1");
        }
        this.creditSlots = creditSlots;
        this.store = store;
        this.packets = packets;
        requestPending = new boolean[receivers];
        responsePending = new boolean[receivers];
    }

    /**
     * Credits arrived from a receiver, in a credit packet or in a data packet.
     *
     * @param receiver that gave them.
     * @param credits  0 or more, and together with those in the store no more than an int holds: the receiver wrote it, so it
     *                 is checked.
     * @return false, and nothing happens, if it is not so.
     */
    public boolean onCredits(final int receiver, final int credits)
    {
        if (credits < 0 || credits > Integer.MAX_VALUE - store.credits(receiver))
        {
            return false;
        }
        if (requestPending[receiver] || responsePending[receiver])
        {
            flush(receiver, credits);
        }
        else
        {
            store.add(receiver, credits);
        }
        return true;
    }

    /**
     * A receiver wants back what is not needed. Answered at once, or when there is a credit for the answer.
     *
     * @param receiver that asks.
     */
    public void onRequest(final int receiver)
    {
        responsePending[receiver] = true;
        flush(receiver, 0);
    }

    /**
     * The own ledger wants credits back from a peer. Sent at once, or when there is a credit for it.
     *
     * @param receiver of the request.
     */
    public void request(final int receiver)
    {
        requestPending[receiver] = true;
        flush(receiver, 0);
    }

    /**
     * Forgets what was pending for a receiver that is gone.
     *
     * @param receiver that is gone.
     */
    public void forget(final int receiver)
    {
        requestPending[receiver] = false;
        responsePending[receiver] = false;
    }

    private void flush(final int receiver, final int credits)
    {
        // an Error may end any call, as for want of stack: what is in hand then goes back, less what goes out all the same
        int hand = store.takeAll(receiver) + credits;
        int cost = 0;
        try
        {
            if (requestPending[receiver] && hand > 0)
            {
                cost = 1;
                packets.sendRequest(receiver);
                requestPending[receiver] = false;
                hand--;
                cost = 0;
            }
            if (responsePending[receiver] && hand > 0)
            {
                final int excess = Math.max(hand - creditSlots, 0);
                cost = excess + 1;
                packets.sendResponse(receiver, excess);
                responsePending[receiver] = false;
                hand -= cost;
                cost = 0;
            }
        }
        finally
        {
            if (cost > 0 && packets.isCommitted())
            {
                hand -= cost;
                // in this order they are sent
                responsePending[receiver] &= requestPending[receiver];
                requestPending[receiver] = false;
            }
            store.add(receiver, hand);
        }
    }

    /**
     * Whether a request waits for a credit.
     *
     * @param receiver of it.
     * @return true if so.
     */
    public boolean requestPending(final int receiver)
    {
        return requestPending[receiver];
    }

    /**
     * Whether a response waits for a credit.
     *
     * @param receiver of it.
     * @return true if so.
     */
    public boolean responsePending(final int receiver)
    {
        return responsePending[receiver];
    }
}
