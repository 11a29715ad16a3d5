// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.receive;

import java.util.function.IntPredicate;
import org.tallypost.endpoint.internal.node.NodeRuntime;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.MailboxPoller;

/**
 * What a receiver looks at now and then while nothing is to be delivered: whether a claim of a dead thread holds it up, and
 * whether positions and books were damaged. For the polling thread.
 */
final class InboxChecks
{
    private final NodeRuntime node;
    private final Mailbox mailbox;
    private final MailboxPoller poller;
    private final Membership membership;
    private final LaneGrants grants;
    private final StuckClaim stuck;
    /** Null if credits are not counted, or travel in packets. */
    private final CreditAudit audit;
    private final IntPredicate maySettle;

    InboxChecks(
        final NodeRuntime node,
        final Mailbox mailbox,
        final MailboxPoller poller,
        final CreditDesk desk,
        final Membership membership,
        final LaneGrants grants)
    {
        this.node = node;
        this.mailbox = mailbox;
        this.poller = poller;
        this.membership = membership;
        this.grants = grants;
        stuck = new StuckClaim(poller, node.context().livenessIntervalNs());
        audit = desk.isDirect() ? new CreditAudit(node, mailbox, poller, desk.ledger(), membership, grants) : null;
        maySettle = membership::maySettle;
    }

    /**
     * Looks, and puts right what it can.
     *
     * @param isBehind   whether somebody has claimed what was not read yet.
     * @param corruption number of all that was refused so far.
     * @return what it has put right.
     */
    int check(final boolean isBehind, final long corruption, final long nowNs)
    {
        if (!isBehind)
        {
            stuck.none();
            membership.forgetDeadClaims();
            grants.repair();
            return audit == null ? 0 : audit.check(corruption, nowNs);
        }
        final boolean isDue = stuck.isDue(nowNs) && node.watch().isWhole(mailbox);
        return isDue && poller.recover(node.registry(), maySettle) > 0 ? 1 : 0;
    }

    /** Pairs that had their credits put right. */
    long repaired()
    {
        return audit == null ? 0 : audit.repaired();
    }
}
