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
            file(rank, epoch), rank, epoch, context.rankCount(), context.ringSlots(), runSlots(), context.expressLanes(),
            context.laneSlots())
            .wakeWith(waker);
        mailboxes.put(key(rank, epoch), mailbox);
        return mailbox;
    }

    /** The mailbox of a rank of this node, mapped once for all endpoints of this process. */
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
        checkShape(mailbox, file, rank, epoch);
        final Mailbox raced = mailboxes.putIfAbsent(key, mailbox);
        mailboxes.remove(key(rank, epoch - 1));
        return raced == null ? mailbox : raced;
    }

    /** Whoever sends here writes runs as long as the group agreed on: in another ring they would go beyond its end. */
    private void checkShape(final Mailbox mailbox, final File file, final int rank, final int epoch)
    {
        if (mailbox.id() != rank || mailbox.incarnation() != epoch || mailbox.sources() != context.rankCount() ||
            mailbox.ringSlots() != context.ringSlots() || mailbox.runSlots() != runSlots())
        {
            throw new MailboxException("mailbox of another endpoint: file=" + file + ", found rank=" + mailbox.id() +
                ", epoch=" + mailbox.incarnation() + ", sources=" + mailbox.sources() + ", ringSlots=" + mailbox.ringSlots() +
                ", runSlots=" + mailbox.runSlots() + ", expected rank=" + rank + ", epoch=" + epoch + ", sources=" +
                context.rankCount() + ", ringSlots=" + context.ringSlots() + ", runSlots=" + runSlots());
        }
    }

    private int runSlots()
    {
        return Math.min(PacketDescriptor.RUN_SLOTS, context.ringSlots());
    }

    /** The mailboxes that are mapped now. */
    Mailbox[] all()
    {
        return mailboxes.values().toArray(new Mailbox[0]);
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
