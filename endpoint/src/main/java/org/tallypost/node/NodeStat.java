// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.node;

import static org.tallypost.endpoint.internal.layout.GroupDescriptor.STATE_CLOSED;
import static org.tallypost.endpoint.internal.layout.GroupDescriptor.STATE_NEVER;
import static org.tallypost.endpoint.internal.layout.GroupDescriptor.STATE_OPEN;

import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.ToIntFunction;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.CreditReturn;
import org.tallypost.endpoint.EndpointCounters;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.internal.layout.CounterWords;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.layout.SharedFileDescriptor;
import org.tallypost.endpoint.internal.node.Group;
import org.tallypost.endpoint.internal.node.NodeFiles;
import org.tallypost.endpoint.internal.node.RemoteNodes;
import org.tallypost.endpoint.internal.node.SharedFiles;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.process.ProcessIdentity;
import org.tallypost.mailbox.process.Registry;

/**
 * Reads the counters of a node's endpoints from outside, while they run. It joins nothing and changes nothing.
 */
public final class NodeStat
{
    private final File directory;
    private final File groupFile;
    /** Tells the file from another one that has its name later; null if the file system does not tell. */
    private final Object groupKey;
    private final Group group;
    private final Registry registry;
    /** Null if there is one node only. */
    private final RemoteNodes.Placement placement;
    private final Map<Integer, Mailbox> mailboxes = new HashMap<>();
    private final Map<Integer, Mailbox> highMailboxes = new HashMap<>();

    private NodeStat(final File directory)
    {
        this.directory = directory;
        groupFile = new File(directory, Group.FILE_NAME);
        groupKey = fileKey(groupFile);
        group = Group.attach(groupFile);
        registry = Registry.attach(new File(directory, "registry"));
        placement = RemoteNodes.readPlacement(directory);
        if (placement != null && placement.map().rankCount() != group.ranks())
        {
            throw new MailboxException("files of different groups in one directory: directory=" + directory + ", found ranks=" +
                placement.map().rankCount() + " in " + RemoteNodes.FILE_NAME + ", expected=" + group.ranks() + " as in " +
                Group.FILE_NAME);
        }
    }

    /**
     * Attaches to a node's directory.
     *
     * @param directory of the node.
     * @return the reader.
     * @throws MailboxException if there is no node in it, or of another version.
     */
    public static NodeStat attach(final File directory)
    {
        if (!directory.isDirectory())
        {
            throw new MailboxException("no node here: directory=" + directory + ", found=" +
                (directory.exists() ? "a file" : "nothing") + ", expected=a node's directory");
        }
        final File group = new File(directory, Group.FILE_NAME);
        if (!group.exists())
        {
            throw new MailboxException("no node here: directory=" + directory + ", found no file " + Group.FILE_NAME +
                " in it, expected=the directory that a node was launched with; 'tallypost ls' finds such " +
                "directories in /dev/shm, 'tallypost ls DIR' elsewhere");
        }
        return new NodeStat(directory);
    }

    private static Object fileKey(final File file)
    {
        try
        {
            return Files.readAttributes(file.toPath(), BasicFileAttributes.class).fileKey();
        }
        catch (final IOException ex)
        {
            return null;
        }
    }

    /**
     * Whether the directory still has the node that this was attached to. If not, what it reads does not change any more: the
     * last process has deleted the node, or another one was founded there, to which one has to attach anew.
     *
     * @return true if so.
     */
    public boolean isCurrent()
    {
        return groupFile.exists() && Objects.equals(groupKey, fileKey(groupFile));
    }

    /** What became of a rank that was opened. */
    public enum RankState
    {
        /** It is open. */
        OPEN,
        /** It was closed. */
        CLOSED,
        /** It was open when its process ended: that is proven by pid and start time, or another process found it. */
        DEAD
    }

    /**
     * What one endpoint's counters and mailbox say now.
     *
     * @param rank         of the endpoint.
     * @param epoch        how many times the rank was opened.
     * @param state        what became of it.
     * @param pid          of the process that opened it, 0 if it is closed or the process is not known any more.
     * @param backlogSlots unread slots in its mailbox.
     * @param counters     of the endpoint.
     */
    public record EndpointStat(
        int rank, int epoch, RankState state, long pid, long backlogSlots, EndpointCounters counters)
    {
        /**
         * Whether the rank is open in a process that is not known to be dead.
         *
         * @return true if so.
         */
        public boolean isOpen()
        {
            return state == RankState.OPEN;
        }
    }

    /**
     * Reads shared files of the node, one after the other, while others may write them: a node may have many, and long ones. A
     * file that goes meanwhile is left out.
     *
     * @param prefix     with which their names begin.
     * @param headLength bytes that are read at first, from the beginning.
     * @param lengthOf   says by these bytes how many are wanted, from the beginning; 0 if the file is of no interest.
     * @param reader     gets them, copied anew: as many as were wanted, or fewer if the file is shorter.
     */
    public void readShared(
        final String prefix, final int headLength, final ToIntFunction<DirectBuffer> lengthOf,
        final Consumer<DirectBuffer> reader)
    {
        final File[] found = directory.listFiles((parent, name) -> SharedFiles.isShared(name, prefix));
        for (final File file : found == null ? new File[0] : found)
        {
            try (FileChannel channel = FileChannel.open(file.toPath(), StandardOpenOption.READ))
            {
                final int wanted = lengthOf.applyAsInt(contents(channel, headLength));
                if (wanted > 0)
                {
                    reader.accept(contents(channel, wanted));
                }
            }
            catch (final IOException ex)
            {
                // it has gone, or is not for this user: there is nothing to be told of it
                continue;
            }
        }
    }

    private static DirectBuffer contents(final FileChannel channel, final int most) throws IOException
    {
        final long length = channel.size() - SharedFileDescriptor.CONTENTS_OFFSET;
        final ByteBuffer contents = ByteBuffer.allocate((int)Math.max(0, Math.min(most, length)));
        int read = 0;
        while (contents.hasRemaining() && read >= 0)
        {
            read = channel.read(contents, SharedFileDescriptor.CONTENTS_OFFSET + contents.position());
        }
        return new UnsafeBuffer(contents, 0, contents.position());
    }

    /**
     * All ranks of this node that were ever opened. Ranks of other nodes are read there: their counters are not here. Each
     * process is looked for once: no other process does it if all processes of the node are dead.
     *
     * @return in the order of their ranks.
     */
    public List<EndpointStat> read()
    {
        final List<EndpointStat> all = new ArrayList<>();
        final Map<Integer, Boolean> dead = new HashMap<>();
        for (int rank = 0; rank < group.ranks(); rank++)
        {
            final long word = group.rankWordAcquire(rank);
            if (GroupDescriptor.state(word) != STATE_NEVER && isHere(rank))
            {
                all.add(read(rank, word, dead));
            }
        }
        return all;
    }

    /**
     * The links of this node.
     *
     * @return one for each other node, in the order of nodes; none if there is one node only.
     */
    public List<LinkStat> links()
    {
        final List<LinkStat> all = new ArrayList<>();
        for (int other = 0; other < nodeCount(); other++)
        {
            if (other != node())
            {
                all.add(LinkStat.read(other, placement.linkCounters(other)));
            }
        }
        return all;
    }

    private boolean isHere(final int rank)
    {
        return placement == null || placement.map().isOn(placement.node(), rank);
    }

    private EndpointStat read(final int rank, final long word, final Map<Integer, Boolean> dead)
    {
        final int epoch = GroupDescriptor.epoch(word);
        final RankState state = state(rank, word, dead);
        final boolean isClosed = state == RankState.CLOSED;
        final Mailbox mailbox = isClosed ? null : mailbox(rank, epoch, NodeFiles.mailbox(directory, rank, epoch), mailboxes);
        final CounterWords highWords = group.highCounters(rank);
        final Mailbox high = isClosed || highWords == null ? null :
            mailbox(rank, epoch, NodeFiles.high(directory, rank, epoch), highMailboxes);
        final long backlog = (mailbox == null ? 0 : mailbox.backlogSlots()) + (high == null ? 0 : high.backlogSlots());
        final long bytes = (mailbox == null ? 0 : mailbox.buffer().capacity()) + (high == null ? 0 : high.buffer().capacity());
        // the entry of a process that is gone may be another one's by now
        final boolean isKnown = state != RankState.CLOSED && group.isOwnerLive(rank, registry);
        final long pid = isKnown ? registry.identity(group.ownerProcess(rank)).pid() : 0;
        return new EndpointStat(rank, epoch, state, pid, backlog,
            new EndpointCounters(group.counters(rank), highWords, bytes));
    }

    private RankState state(final int rank, final long word, final Map<Integer, Boolean> dead)
    {
        if (GroupDescriptor.state(word) == STATE_CLOSED)
        {
            return RankState.CLOSED;
        }
        if (GroupDescriptor.state(word) != STATE_OPEN || !group.isOwnerLive(rank, registry))
        {
            return RankState.DEAD;
        }
        return dead.computeIfAbsent(group.ownerProcess(rank), (process) ->
            registry.identity(process).probe() == ProcessIdentity.Liveness.DEAD) ? RankState.DEAD : RankState.OPEN;
    }

    private static Mailbox mailbox(
        final int rank, final int epoch, final File file, final Map<Integer, Mailbox> mailboxes)
    {
        final Mailbox known = mailboxes.get(rank);
        if (known != null && known.incarnation() == epoch)
        {
            return known;
        }
        try
        {
            final Mailbox mailbox = Mailbox.attach(file);
            mailboxes.put(rank, mailbox);
            return mailbox;
        }
        catch (final MailboxException ex)
        {
            // it closed between the two looks
            return null;
        }
    }

    /**
     * Name of the group.
     *
     * @return the name.
     */
    public String groupName()
    {
        return group.name();
    }

    /**
     * Index of this node.
     *
     * @return the index, 0 if there is one node only.
     */
    public int node()
    {
        return placement == null ? 0 : placement.node();
    }

    /**
     * Number of nodes of the group.
     *
     * @return at least 1.
     */
    public int nodeCount()
    {
        return placement == null ? 1 : placement.map().nodeCount();
    }

    /**
     * Number of ranks of this node.
     *
     * @return from 0 to the number of ranks of the group.
     */
    public int localRankCount()
    {
        return placement == null ? group.ranks() : placement.map().rankCount(placement.node());
    }

    /**
     * Number of ranks of the group, on all nodes.
     *
     * @return their number.
     */
    public int rankCount()
    {
        return group.ranks();
    }

    /**
     * Flow control of the group.
     *
     * @return the flow.
     */
    public Flow flow()
    {
        return group.flow();
    }

    /**
     * How the group's credits travel back.
     *
     * @return the way of credits.
     */
    public CreditReturn creditReturn()
    {
        return group.creditReturn();
    }

    /**
     * Slots per sender of the group.
     *
     * @return in slots.
     */
    public int slotsPerSender()
    {
        return group.slotsPerSender();
    }
}
