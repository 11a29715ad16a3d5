// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.jcstress;

import java.io.File;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.MailboxPoller;
import org.tallypost.mailbox.PacketHandler;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ClaimMark;

/** A mapped mailbox with one sender and one consumer, used for race after race. */
final class ArmedMailbox implements PacketHandler
{
    private static final int RING_SLOTS = 64;
    private static final ConcurrentLinkedQueue<ArmedMailbox> FREE = new ConcurrentLinkedQueue<>();

    private final Mailbox mailbox;
    private final MailboxPoller poller;
    private int wakeUps;

    private ArmedMailbox()
    {
        mailbox = Mapped.inNewDirectory((directory) -> Mailbox.create(new File(directory, "mailbox"), 1, 1, 1, RING_SLOTS, 1));
        mailbox.wakeWith((box) -> wakeUps += box.takeArmed(true) ? 1 : 0);
        poller = new MailboxPoller(mailbox);
    }

    /** An empty mailbox that is not armed. */
    static ArmedMailbox take()
    {
        final ArmedMailbox free = FREE.poll();
        return free == null ? new ArmedMailbox() : free;
    }

    /**
     * Sends one message.
     *
     * @return 1 if the sender found the duty to wake the consumer, else 0.
     */
    int send()
    {
        final int before = wakeUps;
        final ClaimMark mark = Mapped.mark();
        mark.intend(mailbox.claimKey(), 1);
        mailbox.publish(mark, mailbox.claim(mark, 1), MailboxDescriptor.TYPE_FIRST_USER, 0, 0, 0);
        return wakeUps - before;
    }

    void arm()
    {
        mailbox.arm(MailboxDescriptor.ARMED);
    }

    /** Whether nothing was claimed since the consumer last read. */
    boolean isWritePositionReached()
    {
        return mailbox.writePosition() == poller.position();
    }

    /** Whether the header at the read position is an old one. */
    boolean isHeaderOld()
    {
        return !poller.isReady();
    }

    /** Reads what was sent, and makes the mailbox ready for the next race. */
    void giveBack()
    {
        mailbox.disarm();
        if (poller.poll(this, 2) != 1)
        {
            throw new IllegalStateException("not exactly one message was there");
        }
        FREE.add(this);
    }

    @Override
    public void onPacket(final int type, final int flags, final int source, final UnsafeBuffer buffer, final int offset,
        final int length)
    {
        // empty
    }

    @Override
    public void onFreed(final int type, final int source, final int slots)
    {
        // there are no counts
    }
}
