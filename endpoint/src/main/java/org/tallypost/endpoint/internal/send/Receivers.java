// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.send;

import static org.tallypost.endpoint.Endpoint.CLOSED;
import static org.tallypost.endpoint.Endpoint.NOT_CONNECTED;
import static org.tallypost.endpoint.Endpoint.NO_CREDIT;
import static org.tallypost.endpoint.Endpoint.PEER_GONE;

import java.util.Arrays;
import java.util.BitSet;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.node.Group;
import org.tallypost.endpoint.internal.node.NodeRuntime;
import org.tallypost.mailbox.files.MailboxException;

/**
 * To which receivers an endpoint is connected, how it comes to be, and that a sender is told once of each incarnation that was
 * lost. Any thread; messages go by the array of peers, without the lock of this.
 */
final class Receivers
{
    private final NodeRuntime node;
    private final Group group;
    private final Connector connector;
    private final SenderLanes lanes;
    private final int maxCredits;
    private final Peer[] peers;
    /** Receivers that were let go of, and no sender was told yet. Guarded by this. */
    private final BitSet untold = new BitSet();

    /**
     * None yet.
     *
     * @param peers      where they are put, by rank.
     * @param maxCredits most credits that a sender can have.
     */
    Receivers(
        final NodeRuntime node, final Connector connector, final SenderLanes lanes, final int maxCredits, final Peer[] peers)
    {
        this.node = node;
        this.connector = connector;
        this.lanes = lanes;
        this.maxCredits = maxCredits;
        this.peers = peers;
        group = node.group();
    }

    /**
     * Connects to a destination if it can be.
     *
     * @param outbox of the sender.
     * @return NO_CREDIT if it is connected now: try again at once or later; else the reason why not.
     */
    synchronized long connect(final Outbox outbox, final int dest)
    {
        if (outbox.isClosed())
        {
            return CLOSED;
        }
        // SYNC POINT rank-open
        final long rankWord = group.rankWordAcquire(dest);
        final Peer peer = peers[dest];
        if (peer != null)
        {
            // said once for each incarnation that was lost, also if the next one is there already
            if (peer.rankWord != rankWord)
            {
                // an Error here, as for want of stack, and it is said at the next attempt
                lanes.forget(outbox.sender(), peer);
                peers[dest] = null;
                return PEER_GONE;
            }
            final boolean isUntold = peer.isLossUntold;
            peer.isLossUntold = false;
            return isUntold ? PEER_GONE : NO_CREDIT;
        }
        if (untold.get(dest))
        {
            untold.clear(dest);
            return PEER_GONE;
        }
        return attach(dest, rankWord, false);
    }

    /**
     * Lets go of receivers that have deleted mailboxes. Senders are told at their next attempt, as if it had found them. Any
     * thread, now and then.
     *
     * @return whether a mailbox of a closed rank is not deleted yet.
     */
    synchronized boolean letGoOfDeleted()
    {
        boolean isLeft = false;
        for (int dest = 0; dest < peers.length; dest++)
        {
            final Peer peer = peers[dest];
            final long word = peer == null ? 0 : group.rankWordAcquire(dest);
            if (peer != null && peer.rankWord != word && !peer.isRemote)
            {
                final boolean isThere = peer.mailbox.file().exists();
                isLeft |= isThere && GroupDescriptor.state(word) == GroupDescriptor.STATE_CLOSED;
                if (!isThere)
                {
                    peers[dest] = null;
                    untold.set(dest);
                    lanes.forget(peer);
                }
            }
        }
        return isLeft;
    }

    private long attach(final int dest, final long rankWord, final boolean isLossUntold)
    {
        switch (GroupDescriptor.state(rankWord))
        {
            case GroupDescriptor.STATE_OPEN:
                break;
            case GroupDescriptor.STATE_NEVER:
                return NOT_CONNECTED;
            default:
                return PEER_GONE;
        }
        try
        {
            final Peer fresh = connector.connect(dest, rankWord, maxCredits);
            if (!fresh.isOurs(fresh.creditWord()))
            {
                return NOT_CONNECTED;
            }
            fresh.introduce(node.ownerWord());
            fresh.isLossUntold = isLossUntold;
            peers[dest] = fresh;
            return NO_CREDIT;
        }
        catch (final MailboxException ex)
        {
            // it may have closed at this moment; then it says so at the next attempt
            if (group.rankWordAcquire(dest) == rankWord)
            {
                node.errors().onError(ex);
            }
            return NOT_CONNECTED;
        }
    }

    /** Like {@link #connect}, but that an incarnation was lost is kept for the next sender to be told. */
    synchronized Peer connectForControl(final Outbox outbox, final int dest)
    {
        final long rankWord = group.rankWordAcquire(dest);
        final Peer peer = peers[dest];
        if (peer != null && peer.rankWord == rankWord)
        {
            return peer;
        }
        final boolean isOpen = !outbox.isClosed() && GroupDescriptor.state(rankWord) == GroupDescriptor.STATE_OPEN;
        if (!isOpen || attach(dest, rankWord, peer != null || untold.get(dest)) != NO_CREDIT)
        {
            return null;
        }
        untold.clear(dest);
        return peers[dest];
    }

    /** A program that keeps a closed endpoint does not keep others' mailboxes with it. */
    synchronized void clear()
    {
        Arrays.fill(peers, null);
    }
}
