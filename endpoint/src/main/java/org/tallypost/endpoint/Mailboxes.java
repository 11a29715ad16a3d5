// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import java.io.File;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.MailboxException;

/**
 * The mailboxes of a node that this process has mapped: each once, for all its endpoints. Any thread.
 */
final class Mailboxes
{
    private final Node.Context context;
    private final Consumer<Mailbox> waker;
    private final ConcurrentHashMap<Long, Mailbox> mailboxes = new ConcurrentHashMap<>();

    Mailboxes(final Node.Context context, final Consumer<Mailbox> waker)
    {
        this.context = context;
        this.waker = waker;
    }

    Mailbox create(final int rank, final int epoch)
    {
        final Mailbox mailbox = Mailbox.create(
            file(rank, epoch), rank, epoch, context.rankCount(), context.ringSlots(),
            Math.min(PacketDescriptor.RUN_SLOTS, context.ringSlots()), context.expressLanes(), context.laneSlots())
            .wakeWith(waker);
        mailboxes.put(key(rank, epoch), mailbox);
        return mailbox;
    }

    Mailbox get(final int rank, final int epoch)
    {
        final Long key = key(rank, epoch);
        final Mailbox known = mailboxes.get(key);
        if (known != null)
        {
            return known;
        }
        final File file = file(rank, epoch);
        final Mailbox mailbox = Mailbox.attach(file).wakeWith(waker);
        if (mailbox.id() != rank || mailbox.incarnation() != epoch || mailbox.sources() != context.rankCount())
        {
            throw new MailboxException("mailbox of another endpoint: file=" + file + ", found rank=" + mailbox.id() +
                ", epoch=" + mailbox.incarnation() + ", sources=" + mailbox.sources() + ", expected rank=" + rank +
                ", epoch=" + epoch + ", sources=" + context.rankCount());
        }
        final Mailbox raced = mailboxes.putIfAbsent(key, mailbox);
        mailboxes.remove(key(rank, epoch - 1));
        return raced == null ? mailbox : raced;
    }

    /** The owner has closed it: its file is deleted. */
    void remove(final int rank, final int epoch)
    {
        file(rank, epoch).delete();
        mailboxes.remove(key(rank, epoch));
    }

    void clear()
    {
        mailboxes.clear();
    }

    File file(final int rank, final int epoch)
    {
        return NodeFiles.mailbox(context.directory(), rank, epoch);
    }

    private static long key(final int rank, final int epoch)
    {
        return ((long)epoch << 32) | rank;
    }
}
