// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.jmh;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ClaimMark;

/**
 * A sender at the level of the mailbox, where credits are not counted: it may have a fixed window of slots unread, and learns
 * from its own line how many of them were freed. For one thread.
 */
final class MailboxSender
{
    private final Mailbox mailbox;
    private final UnsafeBuffer buffer;
    private final UnsafeBuffer message;
    private final ClaimMark mark;
    private final int source;
    private final int length;
    private final int slots;
    private final int window;
    private long used;
    private long limit;

    MailboxSender(final Mailbox mailbox, final ClaimMark mark, final int source, final int length, final int window)
    {
        this.mailbox = mailbox;
        this.mark = mark;
        this.source = source;
        this.length = length;
        this.window = window;
        buffer = mailbox.buffer();
        message = Payload.create(length);
        slots = MailboxDescriptor.slots(length);
        limit = window;
    }

    /** Sends messages with one claim for all of them; false if there is no room for them. */
    boolean send(final int messages)
    {
        final int all = slots * messages;
        if (used + all > limit)
        {
            // SYNC POINT credit-word: the slots counted there were stamped before
            limit = buffer.getLongAcquire(MailboxDescriptor.sourceLineOffset(source)) + window;
            if (used + all > limit)
            {
                return false;
            }
        }
        used += all;
        mark.intend(mailbox.claimKey(), all);
        long position = mailbox.claim(mark, all);
        for (final long end = position + all; position < end; position += slots)
        {
            Payload.write(message, buffer, mailbox.payloadOffset(position), length);
            mailbox.settle(position, MailboxDescriptor.TYPE_FIRST_USER, 0, length, source);
        }
        mark.clear();
        return true;
    }
}
