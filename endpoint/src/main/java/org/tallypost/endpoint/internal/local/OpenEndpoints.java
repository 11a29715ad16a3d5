// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.local;

import java.io.File;
import java.util.Arrays;
import java.util.List;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.node.Group;
import org.tallypost.endpoint.internal.node.Mailboxes;
import org.tallypost.endpoint.internal.node.NodeFiles;
import org.tallypost.endpoint.internal.node.NodeRuntime;
import org.tallypost.endpoint.internal.node.RoomWait;
import org.tallypost.endpoint.internal.send.OpenClaims;
import org.tallypost.endpoint.internal.send.Outbox;
import org.tallypost.endpoint.internal.send.Peer;
import org.tallypost.mailbox.UnshownMailbox;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.process.NodeLock;
import org.tallypost.mailbox.process.ProcessIdentity;
import org.tallypost.mailbox.process.Registry;
import org.tallypost.mailbox.process.UnshownFiles;

/**
 * The endpoints that are open in this process. It keeps the shared words that say so right: other processes could damage
 * them, and all others would take these ranks for gone.
 */
public final class OpenEndpoints
{
    /** Each is a cache line of the sender's. */
    private static final int PAIRS_AT_A_LOOK = 4096;
    private static final int PROCESSORS = Runtime.getRuntime().availableProcessors();

    private final LocalNode node;
    private final NodeContext context;
    private final Registry registry;
    private final Group group;
    private final Mailboxes mailboxes;
    /** Of the high rings; null if there are no priorities. */
    private final Mailboxes highMailboxes;
    private final int process;
    private final int incarnation;
    /** Never changed, but replaced: a waiting thread looks at them now and then, and makes no iterator. */
    private volatile LocalEndpoint[] endpoints = {};
    private final OpenClaims claims = new OpenClaims();
    private int nextToIntroduce;
    private long seenVersion = -1;
    /** Whether a rank is closed and its file is not deleted yet. */
    private boolean isFormerLeft;

    OpenEndpoints(final LocalNode node)
    {
        this.node = node;
        final NodeRuntime runtime = node.runtime();
        context = runtime.context();
        registry = runtime.registry();
        group = runtime.group();
        mailboxes = runtime.mailboxes();
        highMailboxes = runtime.high() == null ? null : runtime.high().mailboxes();
        process = runtime.process();
        incarnation = runtime.incarnation();
    }

    /**
     * Opens a rank that no live process has open. Its mailbox is made before the node's lock is held, since that takes long
     * compared with what others wait for; if another process has had the rank meanwhile, another one is made.
     */
    LocalEndpoint open(final int rank)
    {
        while (true)
        {
            final int epoch = nextEpoch(rank);
            deleteOlder(mailboxes.file(rank, epoch - 1), rank, epoch);
            deleteOlder(NodeFiles.high(context.directory(), rank, epoch - 1), rank, epoch);
            // what waits for room holds no lock meanwhile: a process that closes a rank or joins is not held up
            final Unshown unshown = RoomWait.withRoom(node.runtime(), node::checkLiveness, () -> prepare(rank, epoch));
            boolean isOpen = false;
            try
            {
                // writes to nothing that others know, and loads many classes the first time
                final LocalEndpoint endpoint = new LocalEndpoint(node, rank, epoch, unshown.low.mailbox(),
                    unshown.high == null ? null : unshown.high.mailbox());
                isOpen = NodeLock.locked(NodeLock.file(context.directory()), () -> openLocked(endpoint, unshown));
                if (isOpen)
                {
                    add(endpoint);
                    node.wakeups().add(endpoint.alarm());
                    return endpoint;
                }
            }
            finally
            {
                if (!isOpen)
                {
                    discard(unshown);
                }
            }
        }
    }

    /** Of a rank that is not open yet: its mailbox, and its high ring or null. */
    private record Unshown(UnshownMailbox low, UnshownMailbox high)
    {
    }

    /** Leaves nothing behind if there is no room for both. */
    private Unshown prepare(final int rank, final int epoch)
    {
        final String suffix = UnshownFiles.suffix(process, incarnation);
        final UnshownMailbox low = mailboxes.prepare(suffix, rank, epoch);
        if (highMailboxes == null)
        {
            return new Unshown(low, null);
        }
        boolean isWhole = false;
        try
        {
            final UnshownMailbox high = highMailboxes.prepare(suffix, rank, epoch);
            isWhole = true;
            return new Unshown(low, high);
        }
        finally
        {
            if (!isWhole)
            {
                mailboxes.discard(low);
            }
        }
    }

    private void discard(final Unshown unshown)
    {
        mailboxes.discard(unshown.low);
        if (unshown.high != null)
        {
            highMailboxes.discard(unshown.high);
        }
    }

    /** False if the rank's epoch has changed since the mailbox was made. */
    private boolean openLocked(final LocalEndpoint endpoint, final Unshown unshown)
    {
        final int rank = endpoint.rank();
        final int epoch = endpoint.epoch();
        if (!isNext(rank, epoch))
        {
            return false;
        }
        group.clearCounters(rank);
        endpoint.openPairs();
        mailboxes.show(unshown.low);
        if (unshown.high != null)
        {
            highMailboxes.show(unshown.high);
        }
        group.open(rank, epoch, process, incarnation);
        return true;
    }

    /** A process that died leaves its mailbox behind: there need not be room for two. */
    private void deleteOlder(final File older, final int rank, final int epoch)
    {
        if (older.exists())
        {
            NodeLock.locked(NodeLock.file(context.directory()), () -> isNext(rank, epoch) && older.delete());
        }
    }

    /** Whether a rank can still be opened in an epoch. The caller holds the node's file lock. */
    private boolean isNext(final int rank, final int epoch)
    {
        if (!registry.isLive(process, incarnation))
        {
            // the ranks are given to others, and perhaps the files are another node's by now
            throw new IllegalStateException(
                "this process was declared gone by another one: rank=" + rank + ", directory=" + context.directory() +
                ", livenessIntervalNs=" + context.livenessIntervalNs() + "; launch the node anew");
        }
        return nextEpoch(rank) == epoch;
    }

    /** The epoch in which a rank can be opened, as long as no other process opens it. */
    private int nextEpoch(final int rank)
    {
        final long word = group.rankWordAcquire(rank);
        if (GroupDescriptor.state(word) == GroupDescriptor.STATE_OPEN && group.isOwnerLive(rank, registry))
        {
            final ProcessIdentity owner = registry.identity(group.ownerProcess(rank));
            throw new IllegalStateException("rank is open already: rank=" + rank + ", " + owner + ", directory=" +
                context.directory() + (owner.probe() == ProcessIdentity.Liveness.UNKNOWN ?
                "; only its heartbeat tells whether that process is there: if not, try again after livenessIntervalNs=" +
                context.livenessIntervalNs() : ""));
        }
        return nextEpoch(rank, GroupDescriptor.epoch(word));
    }

    /** Epochs are compared with 0 and with the one before: they do not wrap round. */
    private int nextEpoch(final int rank, final int last)
    {
        if (last < 0 || last == Integer.MAX_VALUE)
        {
            throw new MailboxException("rank cannot be opened once more: rank=" + rank + ", found epoch=" + last +
                ", expected less than " + Integer.MAX_VALUE + ", directory=" + context.directory() +
                "; close all processes of the node and remove the directory");
        }
        return last + 1;
    }

    /** An endpoint that says of itself that it is closed is taken out of the group. */
    void closed(final LocalEndpoint endpoint)
    {
        synchronized (this)
        {
            group.close(endpoint.rank(), endpoint.epoch());
        }
        node.wakeups().membershipChanged();
        remove(endpoint);
        node.wakeups().remove(endpoint.alarm());
    }

    private synchronized void add(final LocalEndpoint endpoint)
    {
        final LocalEndpoint[] more = Arrays.copyOf(endpoints, endpoints.length + 1);
        more[endpoints.length] = endpoint;
        endpoints = more;
    }

    private synchronized void remove(final LocalEndpoint endpoint)
    {
        endpoints = Arrays.stream(endpoints).filter((each) -> each != endpoint).toArray(LocalEndpoint[]::new);
    }

    /** Whether the node has more polling threads than there are processors, as far as it can be told at low cost. */
    boolean isCrowded()
    {
        int threads = registry.liveCount() - 1;
        Thread last = null;
        for (final LocalEndpoint endpoint : endpoints)
        {
            final Thread thread = endpoint.inbox().polling().thread();
            threads += thread != null && thread != last ? 1 : 0;
            last = thread;
        }
        return threads > PROCESSORS;
    }

    public List<LocalEndpoint> all()
    {
        return List.of(endpoints);
    }

    OpenClaims claims()
    {
        return claims;
    }

    void closeAll()
    {
        all().forEach(LocalEndpoint::close);
    }

    /**
     * Looks whether the shared words still say which ranks this process holds. What was damaged is put right; an endpoint
     * is closed if another process holds its rank by now. Lanes that are wanted back and not used are given back, and open claims
     * that the program does not hold are given up.
     */
    public void check()
    {
        letGoOfFormer();
        claims.check(node.runtime());
        introduceAgain();
        for (final LocalEndpoint endpoint : endpoints)
        {
            endpoint.outbox().endRecalledLanes();
            if (!endpoint.isClosed() && !group.isHeld(endpoint.rank(), endpoint.epoch(), process, incarnation))
            {
                repair(endpoint);
            }
        }
    }

    /**
     * Lets go of the mailboxes of ranks that were closed: what is mapped takes room although its file is deleted. Looks only when
     * a process or a rank came or went.
     */
    private void letGoOfFormer()
    {
        final long version = registry.membershipVersion();
        if (version != seenVersion || isFormerLeft)
        {
            seenVersion = version;
            isFormerLeft = false;
            for (final LocalEndpoint endpoint : endpoints)
            {
                isFormerLeft |= endpoint.outbox().letGoOfDeleted();
                isFormerLeft |= endpoint.highOutbox() != null && endpoint.highOutbox().letGoOfDeleted();
            }
            isFormerLeft |= mailboxes.letGoOfDeleted(group);
        }
        mailboxes.limitFormer();
    }

    /** Receivers hear again which sender each source is, where something else wrote that: some at each look, all in turn. */
    private void introduceAgain()
    {
        final LocalEndpoint[] open = endpoints;
        int pairs = 0;
        for (int i = open.length; i > 0 && pairs < PAIRS_AT_A_LOOK; i--)
        {
            nextToIntroduce = nextToIntroduce + 1 < open.length ? nextToIntroduce + 1 : 0;
            final LocalEndpoint endpoint = open[nextToIntroduce];
            pairs += context.rankCount();
            introduceAgain(endpoint, endpoint.outbox());
            if (endpoint.highOutbox() != null)
            {
                introduceAgain(endpoint, endpoint.highOutbox());
            }
        }
    }

    private void introduceAgain(final LocalEndpoint endpoint, final Outbox outbox)
    {
        for (final Peer peer : outbox.peers())
        {
            if (peer != null && !endpoint.isClosed() && !peer.isIntroduced(node.runtime().ownerWord()) &&
                node.runtime().watch().isWhole(peer.mailbox))
            {
                peer.introduceAgain(node.runtime().ownerWord());
            }
        }
    }

    private void repair(final LocalEndpoint endpoint)
    {
        final int rank = endpoint.rank();
        final boolean[] isLost = new boolean[1];
        // the heartbeat waits for no other thread: what is not repaired now is at the next look
        if (!NodeLock.tryLocked(NodeLock.file(context.directory()), () -> isLost[0] = repairLocked(endpoint)))
        {
            return;
        }
        node.wakeups().membershipChanged();
        if (isLost[0])
        {
            endpoint.close();
            node.runtime().errors().onError(new MailboxException("rank was taken by another process and is closed here: rank=" +
                rank + ", directory=" + context.directory()));
        }
    }

    private synchronized boolean repairLocked(final LocalEndpoint endpoint)
    {
        final int rank = endpoint.rank();
        if (endpoint.isClosed() || !registry.isLive(process, incarnation))
        {
            return false;
        }
        final int epoch = GroupDescriptor.epoch(group.rankWordAcquire(rank));
        // the process that opened it has made a mailbox before: an epoch without one is damage
        if (group.isOpenElsewhere(rank, endpoint.epoch(), registry) &&
            NodeFiles.mailbox(context.directory(), rank, epoch).exists())
        {
            return true;
        }
        group.open(rank, endpoint.epoch(), process, incarnation);
        return false;
    }
}
