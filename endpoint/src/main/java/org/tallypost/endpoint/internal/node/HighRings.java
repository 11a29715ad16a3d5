// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.node;

import org.tallypost.endpoint.CreditReturn;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.IdleSettings;
import org.tallypost.endpoint.NodeContext;

/**
 * What the second rings of a node have in common: each is a mailbox by itself, without lanes, with credits that never move from
 * one sender to another (docs/design/priorities.md).
 */
final class HighRings
{
    /** Kept of each sender's slots, as in every mailbox. */
    private static final int CREDIT_SLOTS = 1;

    private HighRings()
    {
    }

    /** The context of the high rings of a node; its own is concluded. Errors are told by the node's own handler. */
    static NodeContext context(final NodeContext of)
    {
        final NodeContext high = new NodeContext().directory(of.directory()).groupName(of.groupName()).rankCount(of.rankCount())
            .slotsPerSender(of.highSlots()).creditSlots(CREDIT_SLOTS).flow(Flow.STATIC).creditReturn(CreditReturn.DIRECT)
            .expressLanes(0).idle(new IdleSettings().maxLooks(0)).livenessIntervalNs(of.livenessIntervalNs())
            .livenessThread(of.livenessThread()).messageProfile(of.messageProfile())
            .checkInvariants(of.checkInvariants());
        high.conclude();
        return high;
    }

    /** Number of the first rank's high ring: those of the mailboxes and of the rings to other nodes come before. */
    static int firstId(final NodeContext of)
    {
        return of.rankCount() + (of.transport() == null ? 1 : of.transport().rankMap().nodeCount());
    }
}
