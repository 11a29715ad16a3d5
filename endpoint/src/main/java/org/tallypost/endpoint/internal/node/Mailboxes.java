// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.node;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.mailbox.FormerMappings;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.UnshownMailbox;
import org.tallypost.mailbox.files.MailboxException;

/**
 * The mailboxes of a node that this process has mapped: each once, for all its endpoints. Those of incarnations that are over are
 * let go each time the node is looked after: nothing of it refers to them afterwards, and {@link FormerMappings} sees to it
 * that they are unmapped. With priorities, those of the high rings too. Any thread.
 */
public final class Mailboxes
{
    private final NodeContext context;
    private final Consumer<Mailbox> waker;
    private final ConcurrentHashMap<Long, Mailbox> mailboxes = new ConcurrentHashMap<>();
    private final FormerMappings former;
    /** Number of the first rank's mailbox. */
    private final int firstId;
    private final String prefix;
    /** Null if there are no priorities, or these are the high ones. */
    private final Mailboxes high;

    Mailboxes(final NodeContext context, final Consumer<Mailbox> waker)
    {
        this(context, waker, System::gc);
    }

    Mailboxes(final NodeContext context, final Consumer<Mailbox> waker, final Runnable collector)
    {
        this(context, waker, new FormerMappings(collector), 0, NodeFiles.MAILBOX_PREFIX, context.highSlots() == 0 ? null :
            new Mailboxes(HighRings.context(context), waker, new FormerMappings(collector), HighRings.firstId(context),
                NodeFiles.HIGH_PREFIX, null));
    }

    private Mailboxes(
        final NodeContext context,
        final Consumer<Mailbox> waker,
        final FormerMappings former,
        final int firstId,
        final String prefix,
        final Mailboxes high)
    {
        this.context = context;
        this.waker = waker;
        this.former = former;
        this.firstId = firstId;
        this.prefix = prefix;
        this.high = high;
    }

    /** Null if there are no priorities. */
    Mailboxes high()
    {
        return high;
    }

    NodeContext context()
    {
        return context;
    }

    /** What a mailbox's number is beyond its rank: 0, or where those of the high rings begin. */
    public int firstId()
    {
        return firstId;
    }

    /**
     * Makes a mailbox that nobody knows yet. The node's lock is not needed.
     *
     * @param suffix of its file's name until it is shown.
     */
    public UnshownMailbox prepare(final String suffix, final int rank, final int epoch)
    {
        limitFormer();
        return Mailbox.prepare(
            suffix, file(rank, epoch), firstId + rank, epoch, context.rankCount(), context.ringSlots(), runSlots(),
            context.expressLanes(), context.laneSlots());
    }

    /** Shows a mailbox. The caller holds the node's lock. */
    public void show(final UnshownMailbox unshown)
    {
        unshown.show();
        final Mailbox mailbox = unshown.mailbox().wakeWith(waker);
        mailboxes.put(key(mailbox.id() - firstId, mailbox.incarnation()), mailbox);
    }

    /** Lets go of a mailbox that was not shown. */
    public void discard(final UnshownMailbox unshown)
    {
        unshown.close();
        former.add(unshown.mailbox());
    }

    /** The mailbox of a rank of this node, mapped once for all endpoints of this process. */
    public Mailbox get(final int rank, final int epoch)
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
        letGo(key(rank, epoch - 1));
        return raced == null ? mailbox : raced;
    }

    /** A sender writes runs as long as the group agreed on: in another ring they would go beyond its end. */
    private void checkShape(final Mailbox mailbox, final File file, final int rank, final int epoch)
    {
        if (mailbox.id() != firstId + rank || mailbox.incarnation() != epoch || mailbox.sources() != context.rankCount() ||
            mailbox.ringSlots() != context.ringSlots() || mailbox.runSlots() != runSlots())
        {
            throw new MailboxException("mailbox of another endpoint: file=" + file + ", found id=" + mailbox.id() +
                ", epoch=" + mailbox.incarnation() + ", sources=" + mailbox.sources() + ", ringSlots=" + mailbox.ringSlots() +
                ", runSlots=" + mailbox.runSlots() + ", expected id=" + (firstId + rank) + ", epoch=" + epoch + ", sources=" +
                context.rankCount() + ", ringSlots=" + context.ringSlots() + ", runSlots=" + runSlots());
        }
    }

    private int runSlots()
    {
        return Math.min(PacketDescriptor.RUN_SLOTS, context.ringSlots());
    }

    /** The mailboxes that are mapped now. */
    public Mailbox[] all()
    {
        final List<Mailbox> all = new ArrayList<>(mailboxes.values());
        if (high != null)
        {
            all.addAll(high.mailboxes.values());
        }
        return all.toArray(new Mailbox[0]);
    }

    /** The owner has closed it: its file is deleted. */
    public void remove(final int rank, final int epoch)
    {
        file(rank, epoch).delete();
        letGo(key(rank, epoch));
        if (high != null)
        {
            high.remove(rank, epoch);
        }
    }

    private void letGo(final Long key)
    {
        final Mailbox mailbox = mailboxes.remove(key);
        if (mailbox != null)
        {
            former.add(mailbox);
        }
    }

    /**
     * Lets go of the mailboxes that are deleted. A thread that is at work in one goes on with a reference of its own. One that
     * still has its file stays, whatever the group says: that may be damaged.
     *
     * @param group that says which ranks are open.
     * @return whether one of a closed rank is not deleted yet.
     */
    public boolean letGoOfDeleted(final Group group)
    {
        boolean isLeft = high != null && high.letGoOfDeleted(group);
        for (final Map.Entry<Long, Mailbox> each : mailboxes.entrySet())
        {
            final long key = each.getKey();
            final long word = group.rankWordAcquire((int)key);
            if (word != GroupDescriptor.rankWord((int)(key >>> 32), GroupDescriptor.STATE_OPEN))
            {
                final boolean isThere = each.getValue().file().exists();
                isLeft |= isThere && GroupDescriptor.state(word) == GroupDescriptor.STATE_CLOSED;
                if (!isThere)
                {
                    letGo(key);
                }
            }
        }
        return isLeft;
    }

    /** Has former mailboxes unmapped if there are too many, or if there is little room beside them. */
    public void limitFormer()
    {
        if (former.count() > 0)
        {
            former.limit(context.directory().getUsableSpace(), System.nanoTime());
        }
        if (high != null)
        {
            high.limitFormer();
        }
    }

    /** Has all former mailboxes unmapped, as far as nothing holds them. */
    void release()
    {
        former.release();
        if (high != null)
        {
            high.release();
        }
    }

    /** Former mailboxes that are mapped still. */
    int formerCount()
    {
        return former.count() + (high == null ? 0 : high.formerCount());
    }

    public void clear()
    {
        mailboxes.clear();
        if (high != null)
        {
            high.clear();
        }
    }

    public File file(final int rank, final int epoch)
    {
        return NodeFiles.mailbox(context.directory(), prefix, rank, epoch);
    }

    private static long key(final int rank, final int epoch)
    {
        return ((long)epoch << 32) | rank;
    }
}
