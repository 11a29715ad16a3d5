// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.receive;

import org.tallypost.mailbox.MailboxPoller;

/**
 * Says when a consumer that finds nothing, although slots are claimed, looks for the reason. For the thread that polls.
 */
public final class StuckClaim
{
    /** A claim is looked into after 1/64 of the liveness interval: to look costs its thread a cache miss. */
    private static final int STUCK_SHIFT = 6;

    private final MailboxPoller poller;
    private final long intervalNs;
    private long position = -1;
    private long sinceNs;

    public StuckClaim(final MailboxPoller poller, final long livenessIntervalNs)
    {
        this.poller = poller;
        intervalNs = livenessIntervalNs >> STUCK_SHIFT;
    }

    /** All that is claimed was read. */
    public void none()
    {
        position = -1;
    }

    /**
     * Whether it is time for {@link MailboxPoller#recover}: the consumer has stood here for a while; or it never will, for
     * traffic goes on beside a damaged write position. A claim under way before any other damage has that while to be published.
     */
    public boolean isDue(final long nowNs)
    {
        if (poller.isWrittenInAnotherCycle())
        {
            return true;
        }
        if (position != poller.position())
        {
            position = poller.position();
            sinceNs = nowNs;
            return false;
        }
        if (nowNs - sinceNs < intervalNs)
        {
            return false;
        }
        sinceNs = nowNs;
        return true;
    }
}
