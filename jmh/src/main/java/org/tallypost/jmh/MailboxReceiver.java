// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.jmh;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.MailboxPoller;
import org.tallypost.mailbox.PacketHandler;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/** Reads what {@link MailboxSender}s send, and tells each of them now and then how many of its slots are free again. */
final class MailboxReceiver implements PacketHandler
{
    private static final int RETURNS_PER_WINDOW = 8;

    private final MailboxPoller poller;
    private final UnsafeBuffer buffer;
    private final long[] freed;
    private final long[] returned;
    private final int threshold;
    private long sum;

    MailboxReceiver(final Mailbox mailbox, final int window)
    {
        poller = new MailboxPoller(mailbox);
        buffer = mailbox.buffer();
        freed = new long[mailbox.sources()];
        returned = new long[mailbox.sources()];
        threshold = Math.max(1, window / RETURNS_PER_WINDOW);
    }

    int poll(final int limit)
    {
        return poller.poll(this, limit);
    }

    long sum()
    {
        return sum;
    }

    @Override
    public void onPacket(
        final int type, final int flags, final int source, final UnsafeBuffer from, final int offset, final int length)
    {
        sum += Payload.read(from, offset, length);
    }

    @Override
    public void onFreed(final int type, final int source, final int slots)
    {
        freed[source] += slots;
        if (freed[source] - returned[source] >= threshold)
        {
            returned[source] = freed[source];
            // SYNC POINT credit-word
            buffer.putLongRelease(MailboxDescriptor.sourceLineOffset(source), freed[source]);
        }
    }
}
