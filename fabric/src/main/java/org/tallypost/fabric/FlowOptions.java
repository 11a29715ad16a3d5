// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

import java.util.Objects;
import org.tallypost.creditprotocol.DynamicLedger;
import org.tallypost.creditprotocol.Ledger;
import org.tallypost.creditprotocol.LedgerActions;
import org.tallypost.creditprotocol.PiggybackPolicy;
import org.tallypost.creditprotocol.StaticLedger;
import org.tallypost.creditprotocol.StealPolicy;

/**
 * Flow control of a run.
 *
 * @param flow        kind of flow control.
 * @param creditSlots k; with {@link Flow#NONE} of no meaning.
 * @param slots       S: slots of a mailbox for each process, credit slots included; with {@link Flow#NONE} slots of the
 *                    mailbox for each process, or 0 for a mailbox without end.
 * @param piggyback   how credits travel in data packets, or null if they do not.
 * @param steal       from which senders the dynamic protocol takes slots for others.
 * @param direct      whether credits are given and taken in memory that both sides map, instead of in packets.
 * @param mostQuota   slots for data that the dynamic protocol gives one sender at most.
 */
public record FlowOptions(
    Flow flow, int creditSlots, int slots, PiggybackPolicy piggyback, StealPolicy steal, boolean direct, int mostQuota)
{
    /**
     * Checks that nothing is missing.
     *
     * @param flow        not null.
     * @param creditSlots k.
     * @param slots       S.
     * @param piggyback   may be null.
     * @param steal       not null.
     * @param direct      whether credits go by shared memory.
     * @param mostQuota   of a sender.
     */
    public FlowOptions
    {
        Objects.requireNonNull(flow, "flow");
        Objects.requireNonNull(steal, "steal");
        if (mostQuota != Integer.MAX_VALUE && (flow != Flow.DYNAMIC || steal != StealPolicy.MONITORED))
        {
            throw new IllegalArgumentException("a bound for one sender is for the thesis's dynamic protocol: found " + mostQuota +
                " slots with " + flow + " and " + steal + ", expected DYNAMIC and MONITORED");
        }
    }

    /**
     * No flow control, and mailboxes without end.
     *
     * @return the options.
     */
    public static FlowOptions none()
    {
        return new FlowOptions(Flow.NONE, 0, 0, null, StealPolicy.MONITORED, false, Integer.MAX_VALUE);
    }

    /**
     * No flow control over mailboxes that can be full.
     *
     * @param slots of a mailbox for each process.
     * @return the options.
     */
    public static FlowOptions none(final int slots)
    {
        return new FlowOptions(Flow.NONE, 0, slots, null, StealPolicy.MONITORED, false, Integer.MAX_VALUE);
    }

    /**
     * Fixed quotas.
     *
     * @param creditSlots k.
     * @param slots       S.
     * @return the options.
     */
    public static FlowOptions fixed(final int creditSlots, final int slots)
    {
        return new FlowOptions(Flow.STATIC, creditSlots, slots, null, StealPolicy.MONITORED, false, Integer.MAX_VALUE);
    }

    /**
     * Quotas that follow activity, as published.
     *
     * @param creditSlots k.
     * @param slots       S.
     * @return the options.
     */
    public static FlowOptions dynamic(final int creditSlots, final int slots)
    {
        return new FlowOptions(Flow.DYNAMIC, creditSlots, slots, null, StealPolicy.MONITORED, false, Integer.MAX_VALUE);
    }

    /**
     * The same with credits in data packets.
     *
     * @param policy how they travel.
     * @return the options.
     */
    public FlowOptions piggyback(final PiggybackPolicy policy)
    {
        return new FlowOptions(flow, creditSlots, slots, policy, steal, direct, mostQuota);
    }

    /**
     * The same with another rule for steals.
     *
     * @param policy the rule.
     * @return the options.
     */
    public FlowOptions steal(final StealPolicy policy)
    {
        return new FlowOptions(flow, creditSlots, slots, piggyback, policy, direct, mostQuota);
    }

    /**
     * The same with credits given and taken in shared memory: what a credit costs then is in the protocol's own costs.
     *
     * @return the options.
     */
    public FlowOptions directly()
    {
        return new FlowOptions(flow, creditSlots, slots, piggyback, steal, true, mostQuota);
    }

    /**
     * The same with a bound for what the dynamic protocol gives one sender. This project's own rules have none.
     *
     * @param quota slots for data.
     * @return the options.
     */
    public FlowOptions most(final int quota)
    {
        return new FlowOptions(flow, creditSlots, slots, piggyback, steal, direct, quota);
    }

    /** The real thing. */
    Ledger ledger(final int senders, final LedgerActions actions)
    {
        if (flow == Flow.STATIC)
        {
            return new StaticLedger(senders, creditSlots, slots, actions);
        }
        final PiggybackPolicy carries = piggyback == null ? PiggybackPolicy.ONE_FOR_ONE : piggyback;
        if (mostQuota == Integer.MAX_VALUE)
        {
            return steal.newLedger(senders, creditSlots, slots, actions, carries);
        }
        final DynamicLedger bounded = new DynamicLedger(senders, creditSlots, slots, actions, carries, steal);
        bounded.limitQuotas(mostQuota);
        return bounded;
    }
}
