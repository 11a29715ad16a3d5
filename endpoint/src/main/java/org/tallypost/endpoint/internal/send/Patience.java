// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.send;

import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.lane.Lane;

/**
 * How long a message waits with its lane for room and for credits before it goes by the ring. For the thread that holds the
 * lane.
 */
final class Patience
{
    /**
     * So long a message waits for room in its lane before it goes by the ring: a burst, not a wait for a receiver that is at
     * work. Before such a message all of the lane is delivered at once, and others wait meanwhile.
     */
    private static final long PATIENCE_NS = 1_000_000;
    /** Every so many attempts in vain the clock is looked at, or the receiver told. */
    private static final int ATTEMPTS_MASK = 0x3F;
    /** Every so many attempts for want of credits the ring is tried: there all that can be damaged is looked at. */
    private static final int RING_ATTEMPTS_MASK = 0xFFF;

    private int refusals;
    private long refusedSinceNs;

    /** A message found its place. */
    void renew()
    {
        refusals = 0;
    }

    /** Whether so many found none that something may be damaged. */
    boolean isTried()
    {
        return refusals > ATTEMPTS_MASK;
    }

    /**
     * What becomes of a message that found no place.
     *
     * @param refusal {@link Lane#UNPAID}, {@link Lane#FULL} or {@link LaneSender#UNCREDITED}.
     * @return what {@link LaneSender#offer} returns.
     */
    long refused(final long refusal)
    {
        if (refusal == Lane.UNPAID)
        {
            return LaneSender.BY_RING;
        }
        // a receiver may be away for longer than an int counts attempts
        refusals = refusals + 1 & Integer.MAX_VALUE;
        if ((refusals & ATTEMPTS_MASK) != 0)
        {
            return Endpoint.NO_CREDIT;
        }
        final long nowNs = System.nanoTime();
        if (refusals == ATTEMPTS_MASK + 1)
        {
            refusedSinceNs = nowNs;
        }
        if (refusal == LaneSender.UNCREDITED)
        {
            // not by the ring: the credits may come just now, and what follows such a message would go that way as well
            return (refusals & RING_ATTEMPTS_MASK) == 0 ? LaneSender.BY_RING : LaneSender.UNCREDITED;
        }
        return nowNs - refusedSinceNs < PATIENCE_NS ? Endpoint.NO_CREDIT : LaneSender.BY_RING;
    }
}
