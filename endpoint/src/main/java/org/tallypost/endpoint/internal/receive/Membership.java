// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.receive;

import static org.tallypost.endpoint.internal.layout.GroupDescriptor.STATE_OPEN;

import java.util.function.IntConsumer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.creditprotocol.Ledger;
import org.tallypost.endpoint.internal.credit.Members;
import org.tallypost.endpoint.internal.layout.CreditWord;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.layout.RemoteDescriptor;
import org.tallypost.endpoint.internal.node.Group;
import org.tallypost.endpoint.internal.node.NodeRuntime;
import org.tallypost.endpoint.internal.node.RemoteNodes;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.MailboxPoller;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ClaimsUnderWay;
import org.tallypost.mailbox.process.Registry;

/**
 * A receiver's view of which senders are there. Costs one load a poll while nobody comes or goes.
 *
 * <pre>
 *            rank gone or closed        claims of its process over       all it sent was read
 *   JOINED ------------------- CLOSING ----------------------- DRAINING --------------------- GONE
 *      ^    pair's word := closed        end := write position            credits reclaimed    |
 *      +---------------------------------------------------------------------------------------+
 *                     the rank is open again, and there are k free credits for it
 * </pre>
 *
 * A pair is closed before its sender's last packets are counted, so that a thread which withdrew credits just before is
 * seen by its claim mark, and one that comes later finds the pair closed.
 */
public final class Membership implements Members
{
    private static final byte JOINED = 0;
    private static final byte CLOSING = 1;
    private static final byte DRAINING = 2;
    private static final byte GONE = 3;

    private final int rank;
    private final Group group;
    private final Registry registry;
    /** Null if there is one node. */
    private final RemoteNodes remote;
    private final Mailbox mailbox;
    private final UnsafeBuffer buffer;
    private final MailboxPoller poller;
    private final Ledger ledger;
    private final LaneGrants lanes;
    private final IntConsumer onGone;
    private final MembershipEvents events;
    private final int[] epochs;
    private final byte[] phases;
    private final long[] drainEnds;
    private final ClaimsUnderWay[] claims;
    private final long intervalNs;
    /** Of the high ring and of the mailbox, seen from each other; both null if there are no priorities. */
    private Membership high;
    private Membership low;
    private long seenVersion;
    private boolean isPending;
    private boolean isForgetDue;
    private boolean isInDoubt;
    private long doubtPosition;
    private long firstDoubtNs;
    private long lastDoubtNs;

    public Membership(
        final NodeRuntime node,
        final int rank,
        final int epoch,
        final Mailbox mailbox,
        final MailboxPoller poller,
        final Ledger ledger,
        final LaneGrants lanes,
        final IntConsumer onGone)
    {
        this.rank = rank;
        intervalNs = node.context().livenessIntervalNs();
        group = node.group();
        registry = node.registry();
        remote = node.remote();
        this.mailbox = mailbox;
        this.poller = poller;
        this.ledger = ledger;
        this.lanes = lanes;
        this.onGone = onGone;
        events = new MembershipEvents(rank, mailbox.sources(), node.errors());
        buffer = mailbox.buffer();
        epochs = new int[mailbox.sources()];
        phases = new byte[mailbox.sources()];
        drainEnds = new long[mailbox.sources()];
        claims = new ClaimsUnderWay[mailbox.sources()];
        seenVersion = registry.membershipVersion() - 1;
        epochs[rank] = epoch;
    }

    /**
     * Makes both rings of an endpoint follow one after the other: an incarnation is over here when it is over in the high ring
     * too, and the next one sends there when it is joined here. So listeners hear of it behind its last message of either
     * priority, and of the next one before its first.
     */
    void join(final Membership highOne)
    {
        high = highOne;
        high.low = this;
        high.events.recordNothing();
    }

    private boolean isOverInHighRing(final int source)
    {
        return high == null || high.phases[source] == GONE || high.epochs[source] > epochs[source];
    }

    private boolean isJoinedInMailbox(final int source, final int epoch)
    {
        return low == null || low.phases[source] == JOINED && low.epochs[source] == epoch;
    }

    /** Whether somebody came or went since the last look. */
    boolean isChanged()
    {
        return registry.membershipVersion() != seenVersion;
    }

    /** Gives every sender, there already or still to come, its first credits. */
    public void openPairs()
    {
        for (int source = 0; source < epochs.length; source++)
        {
            if (source != rank)
            {
                final long word = group.rankWordAcquire(source);
                final boolean isOver = GroupDescriptor.state(word) != STATE_OPEN && GroupDescriptor.epoch(word) > 0;
                epochs[source] = Math.max(1, GroupDescriptor.epoch(word) + (isOver ? 1 : 0));
            }
            showCredits(source);
        }
    }

    /** Makes the sender's word say what the ledger says. */
    private void showCredits(final int source)
    {
        final int line = MailboxDescriptor.sourceLineOffset(source);
        buffer.putLongVolatile(line + PacketDescriptor.PAIR_OWNER_OFFSET, 0L);
        CreditWord.set(buffer, line, epochs[source], ledger == null ? 0 : ledger.currentCredits(source));
        if (remote != null && remote.isRemote(source))
        {
            remote.mark(rank, source, RemoteDescriptor.GRANT);
        }
    }

    /** Whether somebody came or went, or is still on the way out or in and it is time to look again. */
    boolean isDue(final int tick)
    {
        return registry.membershipVersion() != seenVersion || isPending && tick == 0;
    }

    /** Whether somebody is on the way out or in, which needs further polls. */
    boolean isPending()
    {
        return isPending;
    }

    /**
     * Follows those that came and went.
     *
     * @return number of senders that changed their phase.
     */
    public int update()
    {
        seenVersion = registry.membershipVersion();
        isPending = false;
        events.begin();
        int work = 0;
        for (int source = 0; source < epochs.length; source++)
        {
            final long word = group.rankWordAcquire(source);
            final int epoch = GroupDescriptor.epoch(word);
            final boolean isOpen = GroupDescriptor.state(word) == STATE_OPEN;
            if (phases[source] == JOINED && (isOpen ? epoch == epochs[source] : epoch + 1 == epochs[source]))
            {
                if (isOpen && source != rank)
                {
                    events.seen(source, epoch);
                }
                continue;
            }
            work += step(source, epoch, isOpen);
            isPending |= phases[source] != JOINED && (phases[source] != GONE || isOpen);
        }
        if (work > 0)
        {
            isForgetDue = true;
            registry.forgetDeadClaims(mailbox, poller.position());
        }
        events.tell();
        return work;
    }

    /** Listeners to what this sees. */
    public MembershipEvents events()
    {
        return events;
    }

    /** When all is read: the marks of dead threads, which were evidence until now, are free again. */
    void forgetDeadClaims()
    {
        if (isForgetDue)
        {
            isForgetDue = false;
            registry.forgetDeadClaims(mailbox, poller.position());
        }
    }

    private int step(final int source, final int epoch, final boolean isOpen)
    {
        final byte before = phases[source];
        if (phases[source] == JOINED)
        {
            CreditWord.close(buffer, MailboxDescriptor.sourceLineOffset(source));
            phases[source] = CLOSING;
            if (epoch >= epochs[source] && source != rank)
            {
                // it may have come and gone since the last look, and have sent
                events.seen(source, epochs[source]);
            }
        }
        if (phases[source] == CLOSING && isClaimedBefore(source))
        {
            drainEnds[source] = mailbox.writePosition();
            phases[source] = DRAINING;
        }
        if (phases[source] == DRAINING && isDrained(source) && lanes.isDrained(source) && isOverInHighRing(source))
        {
            lanes.release(source);
            onGone.accept(source);
            if (ledger != null)
            {
                ledger.reclaim(source);
            }
            phases[source] = GONE;
            events.gone(source, epochs[source]);
        }
        if (phases[source] == GONE && isOpen && isJoinedInMailbox(source, epoch) && (ledger == null || ledger.rejoin(source)))
        {
            epochs[source] = epoch;
            phases[source] = JOINED;
            showCredits(source);
            if (source != rank)
            {
                events.seen(source, epoch);
            }
        }
        return before == phases[source] ? 0 : 1;
    }

    /** Whether all that was claimed when the pair was closed is read; all there is, if the position then was damaged. */
    private boolean isDrained(final int source)
    {
        return poller.position() >= drainEnds[source] || mailbox.writePosition() == poller.position();
    }

    /**
     * Whether all claims are over that the process which sent for a source, or that which holds its rank now, had under way here
     * when the pair was closed.
     */
    private boolean isClaimedBefore(final int source)
    {
        if (claims[source] == null)
        {
            final long key = mailbox.claimKey();
            final long word = pairOwner(source);
            claims[source] = new ClaimsUnderWay(registry);
            claims[source].note(key, (int)word, (int)(word >>> 32));
            claims[source].note(key, group.ownerProcess(source), group.ownerIncarnation(source));
        }
        if (!claims[source].isOver())
        {
            return false;
        }
        claims[source] = null;
        return true;
    }

    /**
     * Process that said that it sends for a source; the rank may have moved on to another process since. Read after the
     * pair was closed: a sender that withdrew before has said so before.
     */
    private long pairOwner(final int source)
    {
        return buffer.getLongVolatile(MailboxDescriptor.sourceLineOffset(source) + PacketDescriptor.PAIR_OWNER_OFFSET);
    }

    /** Whether the process is still there that held the source when it last joined. */
    boolean isSourceAlive(final int source)
    {
        final long word = pairOwner(source);
        return registry.isLive((int)word, (int)(word >>> 32)) ||
            GroupDescriptor.epoch(group.rankWordAcquire(source)) == epochs[source] && group.isOwnerLive(source, registry);
    }

    /**
     * Whether a claim at the read position that a source has left open may yet be settled. Nobody leaves one open for a rank of
     * another node. A sender names itself before its first one, and says so again if something else wrote there; if that is not
     * so for a whole liveness interval, nobody holds it.
     */
    boolean maySettle(final int source)
    {
        if (remote != null && remote.isRemote(source) || !isSourceAlive(source))
        {
            return false;
        }
        final long word = pairOwner(source);
        if (registry.isLive((int)word, (int)(word >>> 32)))
        {
            isInDoubt = false;
            return true;
        }
        return !isDoubtedForLong();
    }

    /** Whether claims of a source that says nothing have been waited for, one behind the other, for an interval. */
    private boolean isDoubtedForLong()
    {
        final long nowNs = System.nanoTime();
        if (!isInDoubt || doubtPosition != poller.position() && nowNs - lastDoubtNs > intervalNs)
        {
            isInDoubt = true;
            firstDoubtNs = nowNs;
        }
        doubtPosition = poller.position();
        lastDoubtNs = nowNs;
        return nowNs - firstDoubtNs > intervalNs;
    }

    @Override
    public boolean isJoined(final int source)
    {
        return phases[source] == JOINED;
    }

    @Override
    public int epoch(final int source)
    {
        return epochs[source];
    }
}
