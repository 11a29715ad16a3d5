// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.wake;

import static org.tallypost.endpoint.internal.layout.PacketDescriptor.AWAITED_OFFSET;

import java.io.File;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.node.Group;
import org.tallypost.endpoint.internal.node.NodeFiles;
import org.tallypost.endpoint.internal.node.NodeRuntime;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.process.Registry;

/**
 * Wakes threads of a node: docs/design/waiting.md. What is here is called when a thread was seen to sleep, or when a rank comes
 * or goes; where no thread sleeps, a path ends at one load and a branch.
 */
public final class Wakeups implements AutoCloseable
{
    private static final Pattern BELL = Pattern.compile(NodeFiles.BELL_PREFIX + "(\\d{1,9})-(\\d{1,9})");

    private final NodeRuntime node;
    private final Registry registry;
    private final Group group;
    /** Of the endpoints that are open in this process. */
    private final List<Alarm> alarms = new CopyOnWriteArrayList<>();
    private final int process;
    private final Ringer ringer;
    private final Doorbell doorbell;
    private volatile long seenMembership;

    public Wakeups(final NodeRuntime node)
    {
        this.node = node;
        process = node.process();
        registry = node.registry();
        group = node.group();
        final File directory = node.context().directory();
        ringer = new Ringer(directory, registry.processes());
        doorbell = new Doorbell(
            Doorbell.file(directory, process, node.incarnation()), registry.processes(), this::onRing,
            node.errors()::onError);
        seenMembership = registry.membershipVersion();
    }

    public Doorbell doorbell()
    {
        return doorbell;
    }

    /** An endpoint of this process is open. */
    public void add(final Alarm alarm)
    {
        alarms.add(alarm);
    }

    /** It is closed. */
    public void remove(final Alarm alarm)
    {
        alarms.remove(alarm);
    }

    private Alarm find(final int rank)
    {
        for (final Alarm alarm : alarms)
        {
            if (alarm.mailbox().id() == rank)
            {
                return alarm;
            }
        }
        return null;
    }

    /** Something was published in a mailbox with an armed consumer. Any thread; does not throw. */
    public void wake(final Mailbox mailbox)
    {
        final int rank = node.rankOf(mailbox);
        final Alarm own = find(rank);
        if (own != null && own.isOf(mailbox))
        {
            if (mailbox.takeArmed(true))
            {
                own.wakeAll();
            }
        }
        else if (mailbox.takeArmed(false))
        {
            final int owner = group.ownerProcess(rank);
            if (owner != process)
            {
                ringer.ring(owner, group.ownerIncarnation(rank));
            }
        }
    }

    /**
     * Credits were added to the word of a sender: wakes it if it waits for them.
     *
     * @param buffer with the words of the pair.
     * @param line   offset of the pair's line.
     * @param sender rank of the sender.
     */
    public void granted(final UnsafeBuffer buffer, final int line, final int sender)
    {
        // SYNC POINT awaited: the grant before is a full fence; the line is in this cache since the grant
        final int offset = line + AWAITED_OFFSET;
        if (buffer.getLongVolatile(offset) != 0)
        {
            wakeSender(buffer, offset, sender);
        }
    }

    private void wakeSender(final UnsafeBuffer buffer, final int offset, final int sender)
    {
        final long word = group.rankWordAcquire(sender);
        if (buffer.getAndSetLong(offset, 0) != 0 && GroupDescriptor.state(word) == GroupDescriptor.STATE_OPEN)
        {
            try
            {
                final Mailbox mailbox = node.mailboxes().get(sender, GroupDescriptor.epoch(word));
                if (mailbox.isArmed())
                {
                    wake(mailbox);
                }
            }
            catch (final MailboxException ex)
            {
                // it closes at this moment, and is awake
                if (group.rankWordAcquire(sender) == word)
                {
                    node.errors().onError(ex);
                }
            }
        }
    }

    /** Wakes the threads that wait for one of this process's endpoints. */
    void wakeOwn(final int rank)
    {
        final Alarm own = find(rank);
        if (own != null)
        {
            own.wakeAll();
        }
    }

    /** Tells all processes, parked or not, that a process or a rank came or went. */
    public void membershipChanged()
    {
        registry.membershipChanged();
        // SYNC POINT membership: a process that makes its bell after this looks at the version after that
        for (int other = 0; other < registry.processes(); other++)
        {
            final int incarnation = registry.incarnation(other);
            if (other != process && registry.isLive(other, incarnation))
            {
                ringer.ring(other, incarnation);
            }
        }
        onRing();
    }

    private void onRing()
    {
        final long membership = registry.membershipVersion();
        final boolean isChanged = membership != seenMembership;
        seenMembership = membership;
        for (final Alarm alarm : alarms)
        {
            if (isChanged)
            {
                alarm.wakeAll();
            }
            else
            {
                alarm.wakeIfTaken();
            }
        }
    }

    /** Rings where there was no descriptor for it before. Now and then. */
    public void ringOwed()
    {
        ringer.ringOwed();
    }

    /** Removes the sockets that processes which are gone left behind. */
    public void removeDeadBells()
    {
        final File[] bells = node.context().directory().listFiles((directory, name) -> name.startsWith(NodeFiles.BELL_PREFIX));
        for (final File bell : bells == null ? new File[0] : bells)
        {
            // anything may lie there: what is no bell of ours is left alone
            final Matcher parts = BELL.matcher(bell.getName());
            if (parts.matches() && !registry.isLive(Integer.parseInt(parts.group(1)), Integer.parseInt(parts.group(2))))
            {
                bell.delete();
            }
        }
    }

    /** No process can ring this one any more; it can ring others. */
    public void closeBell()
    {
        doorbell.close();
    }

    @Override
    public void close()
    {
        doorbell.close();
        ringer.close();
    }
}
