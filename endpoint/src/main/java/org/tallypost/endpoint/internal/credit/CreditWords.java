// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.credit;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.creditprotocol.Ledger;
import org.tallypost.creditprotocol.LedgerActions;
import org.tallypost.endpoint.internal.layout.CreditWord;
import org.tallypost.endpoint.internal.layout.RemoteDescriptor;
import org.tallypost.endpoint.internal.node.NodeRuntime;
import org.tallypost.endpoint.internal.node.RemoteNodes;
import org.tallypost.endpoint.internal.wake.Wakeups;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * Credits that go to senders, and are taken back from them, by the words of a mailbox. What is in the word of a sender on
 * another node waits to be shipped there by the transport. For the polling thread.
 */
public final class CreditWords
{
    private final int rank;
    private final UnsafeBuffer buffer;
    private final Wakeups wakeups;
    /** Null if there is one node. */
    private final RemoteNodes remote;

    public CreditWords(final NodeRuntime node, final Wakeups wakeups, final Mailbox mailbox)
    {
        rank = mailbox.id() - node.mailboxes().firstId();
        buffer = mailbox.buffer();
        this.wakeups = wakeups;
        remote = node.remote();
    }

    public boolean isRemote(final int sender)
    {
        return remote != null && remote.isRemote(sender);
    }

    public void grant(final int sender, final int credits)
    {
        final int line = MailboxDescriptor.sourceLineOffset(sender);
        CreditWord.grant(buffer, line, credits);
        if (isRemote(sender))
        {
            remote.mark(rank, sender, RemoteDescriptor.GRANT);
        }
        else
        {
            wakeups.granted(buffer, line, sender);
        }
    }

    /**
     * A sender has given its lane back: what it was given by it, and had no time to see, goes into its word. Never more than the
     * ledger says that it has, whatever somebody wrote.
     *
     * @param unused   credits that are nowhere else.
     * @param isWanted whether the lane had to come back for the sake of the credits: what is beyond the sender's quota goes.
     * @return false if the ledger cannot have it so.
     */
    public boolean onLaneReturned(
        final int sender, final int unused, final boolean isWanted, final Ledger ledger, final Members members)
    {
        final int current = ledger.currentCredits(sender);
        final long word = CreditWord.get(buffer, MailboxDescriptor.sourceLineOffset(sender));
        final int missing = Math.min(unused, current - CreditWord.credits(word));
        if (missing > 0)
        {
            grant(sender, missing);
        }
        final int taken = isWanted ? revoke(sender, ledger.intendedQuota(sender), current, members) : 0;
        return taken <= 0 || ledger.onRevoked(sender, taken);
    }

    /** As {@link LedgerActions#revoke}; with the credits that the ledger counts. */
    public int revoke(final int victim, final int keep, final int current, final Members members)
    {
        final int offset = MailboxDescriptor.sourceLineOffset(victim);
        final int epoch = members.epoch(victim);
        if (!isRemote(victim))
        {
            return CreditWord.take(buffer, offset, epoch, current, keep);
        }
        // what a sender elsewhere keeps, it may keep there
        final int taken = CreditWord.take(buffer, offset, epoch, current - keep, 0);
        return taken == 0 && current > keep && members.isJoined(victim) ? request(victim) : taken;
    }

    private int request(final int victim)
    {
        remote.mark(rank, victim, RemoteDescriptor.REQUEST);
        return LedgerActions.REQUESTED;
    }
}
