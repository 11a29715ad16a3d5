// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

import java.util.Arrays;

/**
 * The static protocol (thesis, chapter 5): every sender owns the same share of the data region for good, and gets
 * {@link #threshold} credits back each time that many of its slots were freed.
 */
public final class StaticLedger extends Ledger
{
    private final int[] quotas;
    private final int[] current;
    private final int[] retrieved;
    private final boolean[] gone;
    /** Equation 5.1 of the quota, which is the same for all: no division per packet. */
    private final int threshold;

    /**
     * A ledger in which every sender holds its quota.
     *
     * @param senders        number of senders.
     * @param creditSlots    k.
     * @param slotsPerSender S: slots of the mailbox for each sender, credit slots included.
     * @param actions        that carry the decisions out.
     * @throws IllegalArgumentException if k &lt; 1, S &lt; 2k, there is no sender, or more slots than an int counts.
     */
    public StaticLedger(
        final int senders, final int creditSlots, final int slotsPerSender, final LedgerActions actions)
    {
        super(senders, creditSlots, slotsPerSender, actions);
        quotas = new int[senders];
        Arrays.fill(quotas, dataRegion / senders);
        threshold = threshold(dataRegion / senders, creditSlots);
        current = quotas.clone();
        retrieved = new int[senders];
        gone = new boolean[senders];
    }

    @Override
    boolean retrieve(final int sender, final int slots)
    {
        if (slots < 1 || slots > current[sender])
        {
            return false;
        }
        current[sender] -= slots;
        retrieved[sender] += slots;
        if (retrieved[sender] >= threshold)
        {
            // a run may pass the threshold more than once: one packet for all
            final int credits = retrieved[sender] / threshold * threshold;
            retrieved[sender] -= credits;
            current[sender] += credits;
            grant(sender, credits);
        }
        return true;
    }

    /** There are no requests in the static protocol, so there are no responses. */
    @Override
    boolean respond(final int sender, final int credits)
    {
        return false;
    }

    @Override
    int carry(final int sender, final int limit)
    {
        final int credits = Math.min(retrieved[sender], limit);
        retrieved[sender] -= credits;
        current[sender] += credits;
        piggybacked += credits;
        return credits;
    }

    @Override
    void drop(final int sender)
    {
        gone[sender] = true;
        current[sender] = 0;
        retrieved[sender] = 0;
    }

    @Override
    boolean readmit(final int sender)
    {
        if (!gone[sender])
        {
            // its packets may be unread still: a second quota would not fit
            return false;
        }
        gone[sender] = false;
        current[sender] = quotas[sender];
        retrieved[sender] = 0;
        return true;
    }

    @Override
    public boolean isGone(final int sender)
    {
        return gone[sender];
    }

    @Override
    public int currentCredits(final int sender)
    {
        return current[sender];
    }

    /** A quota belongs to its sender alone: only those of senders that are gone are free. O(n). */
    @Override
    public int availableSlots()
    {
        int free = 0;
        for (int sender = 0; sender < senders; sender++)
        {
            free += quotas[sender] - current[sender] - retrieved[sender];
        }
        return free;
    }

    @Override
    public int intendedQuota(final int sender)
    {
        return quotas[sender];
    }

    @Override
    public int retrieved(final int sender)
    {
        return retrieved[sender];
    }

    @Override
    public long stateBytes()
    {
        return (3L * Integer.BYTES + 1) * senders;
    }

    @Override
    public void checkInvariants()
    {
        for (int sender = 0; sender < senders; sender++)
        {
            if (!gone[sender] && current[sender] + retrieved[sender] != quotas[sender])
            {
                violated("ledger", sender, current[sender] + retrieved[sender], quotas[sender]);
            }
        }
    }
}
