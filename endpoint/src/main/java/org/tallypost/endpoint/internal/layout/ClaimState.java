// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.layout;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.internal.send.SendingThread;
import org.tallypost.mailbox.AwaitedClaim;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.lane.Lane;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * What a claim of a message holds: a place in a mailbox of this node, in its ring or in a lane; or, for a receiver on another
 * node, memory of its own until it is committed.
 */
public final class ClaimState
{
    private static final VarHandle MAILBOX;

    static
    {
        try
        {
            MAILBOX = MethodHandles.lookup().findVarHandle(ClaimState.class, "mailbox", Mailbox.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    /** The sending side that the claim is of. */
    public interface Owner
    {
        /** A message was committed, by a thread that may have no claim mark. */
        void countSent(int length);
    }

    /** A receiver for which the message is set aside until it is committed. */
    public interface Aside
    {
        /** Sends the message; what it throws leaves the claim open. */
        void commit(ClaimState claim, int tag, UnsafeBuffer message, int length);

        /** Gives back the credits of a message that is not sent. */
        void giveBack(int slots);
    }

    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private Object knownTo;
    private Owner owner;
    /** Also read by threads that look which claims are open. */
    private Mailbox mailbox;
    /** The lane of the mailbox in which the place is; null if it is in the ring. Read by these threads behind the mailbox. */
    private Lane lane;
    /** Receiver on another node: the message is in a buffer of its own until it is committed. */
    private Aside remote;
    private UnsafeBuffer aside;
    private int tag;
    private long position;
    private int length;
    private int source;
    private int moreFlags;
    /** An Error has ended the call that would have opened or committed it: what it held is given up by {@link SendingThread}. */
    public boolean isVoid;

    /**
     * Is about to be used with a node.
     *
     * @param claims of the node, which have to know it.
     * @return whether it was used with another node before, or never.
     */
    public boolean use(final Object claims)
    {
        final boolean isNew = knownTo != claims;
        knownTo = claims;
        return isNew;
    }

    /** Notes its place in the ring: before the header says that it is open. */
    public void open(
        final Owner from, final Mailbox box, final long at, final int messageLength, final int rank, final int flags)
    {
        note(from, box, null, box.payloadOffset(at), at, messageLength, rank, flags);
    }

    /** Notes its place in a lane: before the header says that it is open. */
    public void openInLane(
        final Owner from, final Mailbox box, final Lane by, final long at, final int messageLength, final int rank)
    {
        note(from, box, by, by.payloadOffset(at), at, messageLength, rank, 0);
    }

    private void note(
        final Owner from, final Mailbox box, final Lane by, final int payloadOffset, final long at, final int messageLength,
        final int rank, final int flags)
    {
        isVoid = false;
        remote = null;
        owner = from;
        lane = by;
        position = at;
        length = messageLength;
        source = rank;
        moreFlags = flags;
        view.wrap(box.buffer(), payloadOffset + PacketDescriptor.WORD_LENGTH, messageLength);
        MAILBOX.setRelease(this, box);
    }

    /** Whether it is open at a position of a mailbox's lane, or of its {@link AwaitedClaim#RING}. Any thread. */
    public boolean isAt(final Mailbox box, final int index, final long at)
    {
        if ((Mailbox)MAILBOX.getAcquire(this) != box || isVoid)
        {
            return false;
        }
        final Lane by = lane;
        // positions in the mapping may have been damaged, and their cycles of laps with them
        return index == (by == null ? AwaitedClaim.RING : by.index()) &&
            MailboxDescriptor.withinCycle(position - at, by == null ? box.ringSlots() : box.laneSlots()) == 0;
    }

    public void openAside(final Owner from, final Aside receiver, final int messageTag, final int messageLength)
    {
        if (aside == null)
        {
            aside = new UnsafeBuffer(new byte[PacketDescriptor.MAX_RUN_LENGTH]);
        }
        mailbox = null;
        isVoid = false;
        owner = from;
        remote = receiver;
        tag = messageTag;
        length = messageLength;
        view.wrap(aside, 0, messageLength);
    }

    public boolean isOpen()
    {
        return !isVoid && (mailbox != null || remote != null);
    }

    public MutableDirectBuffer buffer()
    {
        return view;
    }

    public int length()
    {
        return length;
    }

    public void commit()
    {
        settle(PacketDescriptor.TYPE_DATA, PacketDescriptor.FLAGS_WHOLE | moreFlags);
        owner.countSent(length);
    }

    public void abort()
    {
        // as for one that is committed: what its sender had sent by its lane before is delivered before it is passed
        settle(MailboxDescriptor.TYPE_ABORTED, moreFlags);
    }

    private void settle(final int type, final int flags)
    {
        final Mailbox box = mailbox;
        if (isOpen() && remote != null)
        {
            settleAside(type);
            return;
        }
        if (!isOpen())
        {
            throw new IllegalStateException("nothing is claimed: commit or abort once after each tryClaim");
        }
        view.wrap(0, 0);
        try
        {
            final int runLength = length + PacketDescriptor.WORD_LENGTH;
            if (lane == null)
            {
                box.settle(position, type, flags, runLength, source);
            }
            else
            {
                lane.settle(position, type, flags, runLength, source);
            }
        }
        finally
        {
            // SYNC POINT claim-held: only now it may be found not to be held
            MAILBOX.setRelease(this, null);
            lane = null;
        }
    }

    private void settleAside(final int type)
    {
        if (type == PacketDescriptor.TYPE_DATA)
        {
            // may be refused, and then made up for
            remote.commit(this, tag, aside, length);
        }
        else
        {
            remote.giveBack(PacketDescriptor.slots(length));
        }
        remote = null;
        view.wrap(0, 0);
    }
}
