// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.MailboxDescriptor;

/**
 * A message claimed in its receiver's mailbox, to be written in place. Reusable; for one thread at a time. Every claim
 * has to be committed or aborted soon: the receiver delivers nothing that was claimed later by anybody before that. One that
 * nobody can reach any more is given up; a finalizer comes too late to settle it.
 */
public final class MessageClaim
{
    private static final VarHandle MAILBOX;

    static
    {
        try
        {
            MAILBOX = MethodHandles.lookup().findVarHandle(MessageClaim.class, "mailbox", Mailbox.class);
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new ExceptionInInitializerError(ex);
        }
    }

    private final UnsafeBuffer view = new UnsafeBuffer(0, 0);
    private OpenClaims knownTo;
    private Outbox outbox;
    /** Also read by threads that look which claims are open. */
    private Mailbox mailbox;
    /** Receiver on another node: the message is in a buffer of its own until it is committed. */
    private RemotePeer remote;
    private UnsafeBuffer aside;
    private int tag;
    private long position;
    private int length;
    private int source;
    private int moreFlags;
    /** An Error has ended the call that would have opened or committed it: what it held is given up by {@link SendingThread}. */
    boolean isVoid;

    /** Is about to be used with an endpoint. */
    void use(final OpenClaims claims)
    {
        if (knownTo != claims)
        {
            claims.add(this);
            knownTo = claims;
        }
    }

    /** Notes its place: before the header says that it is open. */
    void open(
        final Outbox from, final Mailbox box, final long at, final int messageLength, final int rank, final int flags)
    {
        isVoid = false;
        remote = null;
        outbox = from;
        position = at;
        length = messageLength;
        source = rank;
        moreFlags = flags;
        view.wrap(box.buffer(), box.payloadOffset(at) + PacketDescriptor.WORD_LENGTH, messageLength);
        MAILBOX.setRelease(this, box);
    }

    /** Whether it is open at a position of a mailbox. Any thread. */
    boolean isAt(final Mailbox box, final long at)
    {
        // the write position may have been damaged, and its cycles of laps with it
        return (Mailbox)MAILBOX.getAcquire(this) == box && !isVoid &&
            MailboxDescriptor.withinCycle(position - at, box.ringSlots()) == 0;
    }

    void openAside(final Outbox from, final RemotePeer peer, final int messageTag, final int messageLength)
    {
        if (aside == null)
        {
            aside = new UnsafeBuffer(new byte[Endpoint.MAX_RUN_LENGTH]);
        }
        mailbox = null;
        isVoid = false;
        outbox = from;
        remote = peer;
        tag = messageTag;
        length = messageLength;
        view.wrap(aside, 0, messageLength);
    }

    boolean isOpen()
    {
        return !isVoid && (mailbox != null || remote != null);
    }

    /**
     * The place of the message: index 0 is its first byte.
     *
     * @return the buffer, of the message's length.
     */
    public MutableDirectBuffer buffer()
    {
        return view;
    }

    /**
     * Where the message begins in {@link #buffer()}.
     *
     * @return 0.
     */
    public int offset()
    {
        return 0;
    }

    /**
     * Length of the message.
     *
     * @return in bytes.
     */
    public int length()
    {
        return length;
    }

    /**
     * Copies a message into the claim.
     *
     * @param from   buffer to copy from.
     * @param offset of the message.
     */
    public void putBytes(final DirectBuffer from, final int offset)
    {
        view.putBytes(0, from, offset, length);
    }

    /**
     * Publishes the message. To another node, with no room in the ring to it: waits for room as long as the process that carries
     * the packets makes some; called by the thread that does the transport's work, does some of that work, with its event and
     * error handlers.
     *
     * <p>A message whose receiver is gone is lost, as one that it did not read any more; the next offer says so.
     *
     * @throws IllegalStateException if nothing is claimed; or if this is called within a duty cycle of the transport, as by an
     *                               event handler, and there is no room for the message before its end: the claim stays open.
     * @throws org.tallypost.mailbox.MailboxException for a message to another node, if there is no room and none was made for a
     *                               liveness interval ({@link NodeContext#livenessIntervalNs}), or if this thread has no claim
     *                               mark and there is none left ({@link NodeContext#maxSendingThreads}): the claim stays open.
     */
    public void commit()
    {
        settle(PacketDescriptor.TYPE_DATA, PacketDescriptor.FLAGS_WHOLE | moreFlags);
        outbox.countSent(length);
    }

    /**
     * Gives the claim up: the receiver skips it and the credits come back.
     *
     * @throws IllegalStateException if nothing is claimed.
     */
    public void abort()
    {
        settle(MailboxDescriptor.TYPE_ABORTED, 0);
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
            box.settle(position, type, flags, length + PacketDescriptor.WORD_LENGTH, source);
        }
        finally
        {
            // SYNC POINT claim-held: only now it may be found not to be held
            MAILBOX.setRelease(this, null);
        }
    }

    private void settleAside(final int type)
    {
        if (type == PacketDescriptor.TYPE_DATA)
        {
            // may be refused, and then made up for
            remote.commit(outbox, this, tag, aside, length);
        }
        else
        {
            remote.add(PacketDescriptor.slots(length));
        }
        remote = null;
        view.wrap(0, 0);
    }
}
