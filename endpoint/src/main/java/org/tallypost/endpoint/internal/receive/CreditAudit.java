// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.receive;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.creditprotocol.Ledger;
import org.tallypost.endpoint.internal.layout.CreditWord;
import org.tallypost.endpoint.internal.node.NodeRuntime;
import org.tallypost.endpoint.internal.node.NodeWatch;
import org.tallypost.endpoint.internal.node.RemoteNodes;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.MailboxPoller;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.Registry;

/**
 * Compares a receiver's ledger with what its senders hold, after damage and once in a liveness interval: a damaged credit
 * word tells nobody. With nothing unread and nothing being claimed, a sender holds what its word says and what it has in
 * hand for its lane; what the ledger has on top was lost with packets that were refused or skipped, and is booked as freed.
 * Needs a moment at which no sending thread is claiming here, and is tried again if there was none. For the polling thread.
 */
final class CreditAudit
{
    private final Mailbox mailbox;
    private final UnsafeBuffer buffer;
    private final MailboxPoller poller;
    private final Registry registry;
    /** Null if there is one node. What a sender on another one holds is not seen here. */
    private final RemoteNodes remote;
    private final Ledger ledger;
    private final Membership membership;
    private final LaneGrants lanes;
    private final NodeWatch watch;
    private final long intervalNs;
    private long auditedCorruption;
    private long auditedNs = System.nanoTime();
    private long repaired;

    CreditAudit(
        final NodeRuntime node,
        final Mailbox mailbox,
        final MailboxPoller poller,
        final Ledger ledger,
        final Membership membership,
        final LaneGrants lanes)
    {
        this.mailbox = mailbox;
        this.poller = poller;
        registry = node.registry();
        remote = node.remote();
        this.ledger = ledger;
        this.membership = membership;
        this.lanes = lanes;
        watch = node.watch();
        intervalNs = node.context().livenessIntervalNs();
        buffer = mailbox.buffer();
    }

    /**
     * Audits all pairs if it is time.
     *
     * @param corruption number of all that was refused so far.
     * @return number of pairs that were put right.
     */
    int check(final long corruption, final long nowNs)
    {
        if (corruption == auditedCorruption && nowNs - auditedNs < intervalNs)
        {
            return 0;
        }
        auditedNs = nowNs;
        if (!watch.isWhole(mailbox))
        {
            return 0;
        }
        int found = 0;
        for (int source = 0; source < mailbox.sources(); source++)
        {
            if (membership.isJoined(source) && (remote == null || !remote.isRemote(source)))
            {
                final int result = audit(source);
                if (result < 0)
                {
                    return found;
                }
                found += result;
            }
        }
        auditedCorruption = corruption;
        return found;
    }

    /** 1 if a pair was put right, 0 if it is, -1 if this is not the moment. */
    private int audit(final int source)
    {
        final int offset = MailboxDescriptor.sourceLineOffset(source);
        final int epoch = membership.epoch(source);
        final int current = ledger.currentCredits(source);
        // what is in hand before all that was sent with it: a lane with nothing unread has used no more
        final int inHand = lanes.inHand(source);
        final long word = CreditWord.get(buffer, offset);
        final int held = CreditWord.epoch(word) == epoch ? CreditWord.credits(word) + inHand : -1;
        if (held == current)
        {
            return 0;
        }
        if (!isStill(source, offset, word, inHand))
        {
            return -1;
        }
        // after the marks: that of a dead thread counts for nothing. What it had withdrawn is not damage, and
        // its books are about to be closed
        if (!membership.isSourceAlive(source))
        {
            return 0;
        }
        if (held >= 0 && held < current)
        {
            ledger.onRetrieved(source, current - held);
            repaired += current - held;
            return 1;
        }
        if (inHand > current)
        {
            // a position in the lane is damaged: the holder may wait for credits that it seems to have, and says nothing
            lanes.takeBack(source);
        }
        if (CreditWord.repair(buffer, offset, word, epoch, Math.max(0, current - inHand)))
        {
            repaired++;
            return 1;
        }
        return 0;
    }

    /** Whether nothing is unread or being claimed here, and a sender's credits are still what they were found to be. */
    private boolean isStill(final int source, final int offset, final long word, final int inHand)
    {
        return lanes.isDrained(source) && !registry.isClaiming(mailbox.claimKey()) &&
            CreditWord.get(buffer, offset) == word && lanes.inHand(source) == inHand && lanes.isDrained(source) &&
            mailbox.writePosition() == poller.position();
    }

    /** Credits that were put right. */
    long repaired()
    {
        return repaired;
    }
}
