// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.creditprotocol;

/**
 * The static protocol (thesis, chapter 5): every sender owns the same share of the data region for good, and gets
 * {@link #threshold} credits back each time that many of its slots were freed.
 *
 * <p>A sender costs 4 bytes: the quota is the same for all, and what a sender does not hold of it was freed and is not returned
 * yet.
 */
public final class StaticLedger extends Ledger
{
    /** Instead of slots that were freed: the sender is gone. */
    private static final int GONE = -1;

    private final int[] retrieved;
    private final int quota;
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
        quota = dataRegion / senders;
        threshold = threshold(quota, creditSlots);
        retrieved = new int[senders];
    }

    @Override
    boolean retrieve(final int sender, final int slots)
    {
        final int before = retrieved[sender];
        if (slots < 1 || before == GONE || slots > quota - before)
        {
            return false;
        }
        final int freed = before + slots;
        if (freed < threshold)
        {
            retrieved[sender] = freed;
            return true;
        }
        // a run may pass the threshold more than once: one packet for all
        final int credits = freed / threshold * threshold;
        retrieved[sender] = freed - credits;
        grant(sender, credits);
        return true;
    }

    @Override
    public int undecidedSlots(final int sender)
    {
        return retrieved[sender] == GONE ? 0 : threshold - 1 - retrieved[sender];
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
        final int credits = Math.min(retrieved(sender), limit);
        if (credits > 0)
        {
            retrieved[sender] -= credits;
        }
        piggybacked += credits;
        return credits;
    }

    @Override
    void drop(final int sender)
    {
        retrieved[sender] = GONE;
    }

    @Override
    boolean readmit(final int sender)
    {
        if (!isGone(sender))
        {
            // its packets may be unread still: a second quota would not fit
            return false;
        }
        retrieved[sender] = 0;
        return true;
    }

    @Override
    public boolean isGone(final int sender)
    {
        return retrieved[sender] == GONE;
    }

    @Override
    public int currentCredits(final int sender)
    {
        return isGone(sender) ? 0 : quota - retrieved[sender];
    }

    /** A quota belongs to its sender alone: only those of senders that are gone are free. O(n). */
    @Override
    public int availableSlots()
    {
        int free = 0;
        for (int sender = 0; sender < senders; sender++)
        {
            free += isGone(sender) ? quota : 0;
        }
        return free;
    }

    @Override
    public int intendedQuota(final int sender)
    {
        return quota;
    }

    @Override
    public int retrieved(final int sender)
    {
        return Math.max(0, retrieved[sender]);
    }

    @Override
    public long stateBytes()
    {
        return (long)Integer.BYTES * senders;
    }

    @Override
    public void checkInvariants()
    {
        for (int sender = 0; sender < senders; sender++)
        {
            if (retrieved[sender] < GONE || retrieved[sender] >= threshold)
            {
                violated("slots freed below the threshold", sender, retrieved[sender], threshold - 1);
            }
        }
    }
}
