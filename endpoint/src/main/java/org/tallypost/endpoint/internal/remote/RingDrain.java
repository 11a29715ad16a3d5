// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.remote;

import org.tallypost.endpoint.internal.layout.RemoteDescriptor;
import org.tallypost.endpoint.internal.node.NodeRuntime;
import org.tallypost.endpoint.internal.receive.StuckClaim;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.MailboxPoller;
import org.tallypost.mailbox.PacketHandler;
import org.tallypost.mailbox.process.ClaimsUnderWay;
import org.tallypost.mailbox.process.Registry;

/**
 * The consumer of the ring to one other node. For the transport's thread.
 */
final class RingDrain
{
    private static final int IDLE_CHECK_MASK = 0xFF;
    /** To look for claims of the dead costs a look at each mark of the node, a line each. */
    private static final int IDLE_CLAIMS_MASK = 0x3FF;

    private final Mailbox ring;
    private final MailboxPoller poller;
    private final Registry registry;
    private final StuckClaim stuck;
    /** What lies between these may have been taken before, by an agent that died. */
    private final long firstPosition;
    private final long replayEnd;
    private int idlePolls;

    RingDrain(final NodeRuntime node, final int other)
    {
        ring = node.remote().ring(other);
        poller = new MailboxPoller(ring);
        registry = node.registry();
        stuck = new StuckClaim(poller, node.context().livenessIntervalNs());
        firstPosition = poller.position();
        replayEnd = Math.min(ring.writePosition(), firstPosition + ring.ringSlots());
    }

    int poll(final PacketHandler handler, final int limit)
    {
        final int count = poller.poll(handler, limit);
        // a claim that is not published may be of the dead, and the whole link waits for them
        return count > 0 || ring.writePosition() == poller.position() && (++idlePolls & IDLE_CHECK_MASK) != 0 ? count : idle();
    }

    /** Now and then when there is nothing: has somebody claimed and died? */
    private int idle()
    {
        poller.repairReadPosition();
        if (isEmpty())
        {
            stuck.none();
            if ((idlePolls & IDLE_CLAIMS_MASK) == 0)
            {
                registry.forgetDeadClaims(ring, poller.position());
            }
            return 0;
        }
        if (!stuck.isDue(System.nanoTime()))
        {
            return 0;
        }
        // nobody leaves a claim open here: what is to be written in place is written aside
        return poller.recover(registry, (source) -> false) > 0 ? 1 : 0;
    }

    /** Position of the run that is being handed on, or that comes next. */
    long position()
    {
        return poller.position();
    }

    /** Whether the agent before has counted the run at the position, by the word of its pair. */
    boolean isCounted(final long sentWord)
    {
        return poller.position() < replayEnd && RemoteDescriptor.isCounted(sentWord, firstPosition, poller.position());
    }

    long claimKey()
    {
        return ring.claimKey();
    }

    /** The claims that are under way in the ring now. */
    ClaimsUnderWay claimsUnderWay()
    {
        final ClaimsUnderWay seen = new ClaimsUnderWay(registry);
        seen.note(ring.claimKey());
        return seen;
    }

    long writePosition()
    {
        return ring.writePosition();
    }

    /** Whether all up to a position was drained; or all there is, if the position was damaged. */
    boolean isPast(final long end)
    {
        return poller.position() >= end || ring.writePosition() == poller.position();
    }

    boolean isEmpty()
    {
        return ring.writePosition() == poller.position();
    }
}
