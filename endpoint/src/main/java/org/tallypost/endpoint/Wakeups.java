// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.tallypost.endpoint.PacketDescriptor.AWAITED_OFFSET;

import java.io.File;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.MailboxException;
import org.tallypost.mailbox.Registry;

/**
 * Wakes threads of a node: docs/design/waiting.md. What is here is called when somebody was seen to sleep, or when a rank comes
 * or goes; the paths that nobody sleeps on end at one load and a branch.
 */
final class Wakeups implements AutoCloseable
{
    private static final Pattern BELL = Pattern.compile(Doorbell.PREFIX + "(\\d{1,9})-(\\d{1,9})");
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    private final Node node;
    private final Registry registry;
    private final Group group;
    private final OpenEndpoints endpoints;
    private final int process;
    private final Ringer ringer;
    private final Doorbell doorbell;
    private volatile long seenMembership;

    Wakeups(final Node node, final int process, final int incarnation)
    {
        this.node = node;
        this.process = process;
        registry = node.registry();
        group = node.group();
        endpoints = node.endpoints();
        final File directory = node.context().directory();
        ringer = new Ringer(directory, registry.processes());
        doorbell = new Doorbell(
            Doorbell.file(directory, process, incarnation), registry.processes(), this::onRing,
            node.context().errors()::onError);
        seenMembership = registry.membershipVersion();
    }

    Doorbell doorbell()
    {
        return doorbell;
    }

    /** Something was published in a mailbox whose consumer is armed. Any thread; does not throw. */
    void wake(final Mailbox mailbox)
    {
        final Endpoint own = endpoints.find(mailbox.id());
        if (own != null && own.mailbox() == mailbox)
        {
            if (mailbox.takeArmed(true))
            {
                own.alarm().wakeAll();
            }
        }
        else if (mailbox.takeArmed(false))
        {
            final int owner = group.ownerProcess(mailbox.id());
            if (owner != process)
            {
                ringer.ring(owner, group.ownerIncarnation(mailbox.id()));
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
    void granted(final UnsafeBuffer buffer, final int line, final int sender)
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
                    node.context().errors().onError(ex);
                }
            }
        }
    }

    /** Wakes the threads that wait for one of this process's endpoints. */
    void wakeOwn(final int rank)
    {
        final Endpoint own = endpoints.find(rank);
        if (own != null)
        {
            own.alarm().wakeAll();
        }
    }

    /** Tells everybody, parked or not, that somebody came or went. */
    void membershipChanged()
    {
        registry.membershipChanged();
        // SYNC POINT membership: whoever makes its bell after this looks at the version after that
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
        for (final Endpoint endpoint : endpoints.all())
        {
            if (isChanged)
            {
                endpoint.alarm().wakeAll();
            }
            else
            {
                endpoint.alarm().wakeIfTaken();
            }
        }
    }

    /** Whether the node has more polling threads than there are processors, as far as it can be told at low cost. */
    boolean isCrowded()
    {
        int threads = registry.liveCount() - 1;
        Thread last = null;
        for (final Endpoint endpoint : endpoints.all())
        {
            final Thread thread = endpoint.inbox().polling().thread();
            threads += thread != null && thread != last ? 1 : 0;
            last = thread;
        }
        return threads > PROCESSORS;
    }

    /** Rings where there was no descriptor for it before. Now and then. */
    void ringOwed()
    {
        ringer.ringOwed();
    }

    /** Removes the sockets that processes which are gone left behind. */
    void removeDeadBells()
    {
        final File[] bells = node.context().directory().listFiles((directory, name) -> name.startsWith(Doorbell.PREFIX));
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

    /** Nobody can ring this process any more; it can ring others. */
    void closeBell()
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
