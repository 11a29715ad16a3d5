// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.send;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.tallypost.endpoint.internal.layout.ClaimState;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.node.NodeRuntime;
import org.tallypost.mailbox.AwaitedClaim;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * The claims that this process holds open in its receivers' mailboxes. An open claim is a header that names its source, and
 * what is behind it, in the ring or in a lane, waits for it as long as the process lives that sends for the source. That process
 * alone knows whether it holds the claim. So it looks now and then at what receivers wait for. It gives up what another process
 * wrote there, or what the program has lost.
 *
 * <pre>
 *   holder    place is noted - header: open     SYNC POINT claim-held    ... header: settled - place is forgotten
 *   check     header: open? - is any claim's place here? - if not, a compare-and-set of that header
 * </pre>
 *
 * A header that says open is seen only after the place was noted, and a place is forgotten only after the header was settled: so
 * a claim that is held is either found, or its header is not what it was. Positions come only once in a cycle of laps.
 *
 * <p>Claims are known from the first time that they are used with the node, weakly: nobody can settle one that nobody can reach.
 */
public final class OpenClaims
{
    private static final int FIRST_CLAIMS = 16;

    private final List<WeakReference<ClaimState>> known = new ArrayList<>();
    private int clearAt = FIRST_CLAIMS;

    /** A claim is about to be used with an endpoint of this node. */
    public void use(final ClaimState claim)
    {
        if (claim.use(this))
        {
            add(claim);
        }
    }

    /** A claim is used with an endpoint of this node, perhaps for the first time: before it is opened. */
    synchronized void add(final ClaimState claim)
    {
        known.add(new WeakReference<>(claim));
        if (known.size() >= clearAt)
        {
            // those that take turns with another node come again and again
            final Set<ClaimState> seen = new HashSet<>();
            known.removeIf((reference) ->
            {
                final ClaimState old = reference.get();
                return old == null || !seen.add(old);
            });
            clearAt = Math.max(FIRST_CLAIMS, 2 * known.size());
        }
    }

    /** One look at all mailboxes that this process has mapped. */
    public void check(final NodeRuntime node)
    {
        for (final Mailbox mailbox : node.mailboxes().all())
        {
            try
            {
                for (int lane = AwaitedClaim.RING; lane < mailbox.lanes(); lane++)
                {
                    check(node, mailbox, new AwaitedClaim(mailbox, lane));
                }
            }
            catch (final InternalError error)
            {
                throw node.watch().reason(error);
            }
        }
    }

    /** All that nobody holds in a row: the consumer waits for one after the other. */
    private void check(final NodeRuntime node, final Mailbox mailbox, final AwaitedClaim awaited)
    {
        int count = 0;
        boolean isFound = awaited.find();
        while (isFound && isSenderHere(node, mailbox, awaited.source()) &&
            !isHeld(mailbox, awaited.lane(), awaited.position()) && node.watch().isWhole(mailbox) && awaited.giveUp())
        {
            count++;
            isFound = count < awaited.slots() && awaited.findNext();
        }
        if (count > 0)
        {
            node.errors().onError(new MailboxException(
                "nobody holds open claims of this process, and they were given up: claims=" + count + ", file=" + mailbox.file() +
                (awaited.lane() == AwaitedClaim.RING ? "" : ", lane=" + awaited.lane()) +
                ", up to position=" + awaited.position() + "; either a ClaimState was neither committed nor aborted, or " +
                "something else writes to the file"));
        }
    }

    /** Whether the source has said that this process sends for it: another one may have before, and still hold claims. */
    private static boolean isSenderHere(final NodeRuntime node, final Mailbox mailbox, final int source)
    {
        return node.ownerWord() == mailbox.buffer().getLongVolatile(
            MailboxDescriptor.sourceLineOffset(source) + PacketDescriptor.PAIR_OWNER_OFFSET);
    }

    /** Claims that are known, some of them perhaps twice. */
    synchronized int count()
    {
        return known.size();
    }

    /** Whether a claim at a position of a mailbox's lane, or of its {@link AwaitedClaim#RING}, is held. Any thread. */
    public synchronized boolean isHeld(final Mailbox mailbox, final int lane, final long position)
    {
        for (final WeakReference<ClaimState> reference : known)
        {
            final ClaimState claim = reference.get();
            if (claim != null && claim.isAt(mailbox, lane, position))
            {
                return true;
            }
        }
        return false;
    }
}
