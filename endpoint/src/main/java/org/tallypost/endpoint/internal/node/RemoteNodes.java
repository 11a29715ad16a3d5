// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.node;

import java.io.File;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.endpoint.internal.layout.CreditWord;
import org.tallypost.endpoint.internal.layout.GroupDescriptor;
import org.tallypost.endpoint.internal.layout.PacketDescriptor;
import org.tallypost.endpoint.internal.layout.RemoteDescriptor;
import org.tallypost.endpoint.transport.LinkCounters;
import org.tallypost.endpoint.transport.RankMap;
import org.tallypost.endpoint.transport.Transport;
import org.tallypost.mailbox.Mailbox;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.files.MappedFiles;
import org.tallypost.mailbox.layout.MailboxDescriptor;

/**
 * The other nodes as the processes of this one see them: a ring of runs to each, and the words of the pairs. With priorities all
 * of it is there a second time, for the high rings. Any thread.
 */
public final class RemoteNodes
{
    public static final String FILE_NAME = "remote";
    public static final String RING_PREFIX = "egress-";
    /** Before the names of what is there for the high rings. */
    static final String HIGH_PREFIX = "high-";

    private final RankMap map;
    private final int node;
    private final int locals;
    private final int ranks;
    private final UnsafeBuffer buffer;
    private final Mailbox[] rings;
    /** Null if there are no priorities, or this is it. */
    private final RemoteNodes high;

    private RemoteNodes(
        final RankMap map, final int node, final UnsafeBuffer buffer, final Mailbox[] rings, final RemoteNodes high)
    {
        this.high = high;
        this.map = map;
        this.node = node;
        this.buffer = buffer;
        this.rings = rings;
        locals = map.rankCount(node);
        ranks = map.rankCount();
    }

    public static void create(final NodeContext context)
    {
        if (context.highSlots() > 0)
        {
            create(context, true);
        }
        create(context, false);
    }

    private static void create(final NodeContext context, final boolean isHigh)
    {
        final Transport transport = context.transport();
        final RankMap map = transport.rankMap();
        final int node = transport.node();
        final int ranks = map.rankCount();
        final int locals = map.rankCount(node);
        for (int other = 0; other < map.nodeCount(); other++)
        {
            if (other != node)
            {
                Mailbox.create(ringFile(context, isHigh, other), ringId(map, isHigh, other), 1, ranks,
                    context.transportSettings().egressSlots(), PacketDescriptor.RUN_SLOTS);
            }
        }
        final long length = RemoteDescriptor.fileLength(ranks, locals, map.nodeCount());
        MappedFiles.create(file(context, isHigh), length, (b) ->
        {
            b.putLong(0, RemoteDescriptor.MAGIC);
            b.putInt(RemoteDescriptor.RANKS_OFFSET, ranks);
            b.putLong(RemoteDescriptor.FILE_LENGTH_OFFSET, length);
            b.putInt(RemoteDescriptor.NODE_OFFSET, node);
            b.putInt(RemoteDescriptor.NODES_OFFSET, map.nodeCount());
            b.putInt(RemoteDescriptor.LOCALS_OFFSET, locals);
            b.putInt(RemoteDescriptor.EGRESS_SLOTS_OFFSET, context.transportSettings().egressSlots());
            for (int rank = 0; rank < ranks; rank++)
            {
                b.putInt((int)RemoteDescriptor.nodeOfRankOffset(ranks, locals, rank), map.nodeOf(rank));
            }
            // SYNC POINT file-complete
            b.putIntRelease(GroupDescriptor.VERSION_OFFSET, RemoteDescriptor.VERSION);
        });
    }

    /**
     * Maps the files of a node.
     *
     * @return null if the context knows of one node only.
     * @throws MailboxException if the node was founded with another idea of the nodes.
     */
    public static RemoteNodes attach(final NodeContext context)
    {
        if (context.transport() == null)
        {
            final File file = file(context, false);
            agree(file, "nodes", file.exists() ? "several" : 1, 1);
            return null;
        }
        return attach(context, false, context.highSlots() == 0 ? null : attach(context, true, null));
    }

    private static RemoteNodes attach(final NodeContext context, final boolean isHigh, final RemoteNodes high)
    {
        final File file = file(context, isHigh);
        return MappedFiles.attach(
            file, RemoteDescriptor.MARKS_OFFSET, "remote", (buffer) -> attach(context, isHigh, high, file, buffer));
    }

    private static RemoteNodes attach(
        final NodeContext context, final boolean isHigh, final RemoteNodes high, final File file, final UnsafeBuffer buffer)
    {
        final Transport transport = context.transport();
        final RankMap map = transport.rankMap();
        MappedFiles.checkHeader(
            buffer, file, "remote", RemoteDescriptor.MAGIC, RemoteDescriptor.VERSION, RemoteDescriptor.FILE_LENGTH_OFFSET);
        agree(file, "node", buffer.getInt(RemoteDescriptor.NODE_OFFSET), transport.node());
        agree(file, "nodes", buffer.getInt(RemoteDescriptor.NODES_OFFSET), map.nodeCount());
        agree(file, "rankCount", buffer.getInt(RemoteDescriptor.RANKS_OFFSET), map.rankCount());
        agree(file, "egressSlots", buffer.getInt(RemoteDescriptor.EGRESS_SLOTS_OFFSET),
            context.transportSettings().egressSlots());
        final int locals = map.rankCount(transport.node());
        // offsets are computed from what was agreed on: the file has to be as long
        agree(file, "length", (long)buffer.capacity(),
            RemoteDescriptor.fileLength(map.rankCount(), locals, map.nodeCount()));
        for (int rank = 0; rank < map.rankCount(); rank++)
        {
            agree(file, "node of rank " + rank,
                buffer.getInt((int)RemoteDescriptor.nodeOfRankOffset(map.rankCount(), locals, rank)), map.nodeOf(rank));
        }
        final Mailbox[] rings = new Mailbox[map.nodeCount()];
        for (int other = 0; other < rings.length; other++)
        {
            rings[other] = other == transport.node() ? null : attachRing(context, map, isHigh, other);
        }
        return new RemoteNodes(map, transport.node(), buffer, rings, high);
    }

    /**
     * Reads which ranks are on which node, from outside.
     *
     * @param directory of a node.
     * @return null if the node has no others.
     * @throws MailboxException if the file is damaged or of another version.
     */
    public static Placement readPlacement(final File directory)
    {
        final File file = new File(directory, FILE_NAME);
        return file.exists() ? MappedFiles.attach(
            file, RemoteDescriptor.MARKS_OFFSET, "remote", (buffer) -> readPlacement(file, buffer)) : null;
    }

    private static Placement readPlacement(final File file, final UnsafeBuffer buffer)
    {
        MappedFiles.checkHeader(
            buffer, file, "remote", RemoteDescriptor.MAGIC, RemoteDescriptor.VERSION, RemoteDescriptor.FILE_LENGTH_OFFSET);
        final int ranks = buffer.getInt(RemoteDescriptor.RANKS_OFFSET);
        final int nodes = buffer.getInt(RemoteDescriptor.NODES_OFFSET);
        final int node = buffer.getInt(RemoteDescriptor.NODE_OFFSET);
        final int locals = buffer.getInt(RemoteDescriptor.LOCALS_OFFSET);
        if (ranks < 1 || ranks > MailboxDescriptor.MAX_SOURCES || nodes < 1 || nodes > MailboxDescriptor.MAX_SOURCES ||
            node < 0 || node >= nodes || locals < 0 || locals > ranks ||
            RemoteDescriptor.fileLength(ranks, locals, nodes) != buffer.capacity())
        {
            throw new MailboxException("remote file does not fit its own header: file=" + file + ", found length=" +
                buffer.capacity() + ", ranks=" + ranks + ", node=" + node + " of " + nodes + ", ranks of this node=" + locals);
        }
        final int[] nodeOfRank = new int[ranks];
        for (int rank = 0; rank < ranks; rank++)
        {
            nodeOfRank[rank] = buffer.getInt((int)RemoteDescriptor.nodeOfRankOffset(ranks, locals, rank));
        }
        try
        {
            return new Placement(new RankMap(nodes, nodeOfRank), node, buffer);
        }
        catch (final IllegalArgumentException ex)
        {
            throw new MailboxException("remote file is damaged: file=" + file + ", " + ex.getMessage());
        }
    }

    /**
     * Where ranks are, and what is counted on links.
     *
     * @param map    of the ranks.
     * @param node   to which the file belongs.
     * @param buffer of the file.
     */
    public record Placement(RankMap map, int node, UnsafeBuffer buffer)
    {
        public LinkCounters linkCounters(final int other)
        {
            return RemoteNodes.linkCounters(buffer, map, node, other);
        }
    }

    private static LinkCounters linkCounters(final UnsafeBuffer buffer, final RankMap map, final int node, final int other)
    {
        return new LinkCounters(buffer, (int)RemoteDescriptor.linkOffset(map.rankCount(), map.rankCount(node), other));
    }

    private static Mailbox attachRing(final NodeContext context, final RankMap map, final boolean isHigh, final int other)
    {
        final File file = ringFile(context, isHigh, other);
        final Mailbox ring = Mailbox.attach(file);
        agree(file, "ring", List.of(ring.id(), ring.sources(), ring.ringSlots(), ring.runSlots()),
            List.of(ringId(map, isHigh, other), map.rankCount(), context.transportSettings().egressSlots(),
                PacketDescriptor.RUN_SLOTS));
        return ring;
    }

    private static void agree(final File file, final String what, final Object found, final Object expected)
    {
        if (!found.equals(expected))
        {
            throw new MailboxException("node was founded with another " + what + ": file=" + file + ", found=" + found +
                ", expected=" + expected + "; give all processes the same nodes, or another directory");
        }
    }

    private static File file(final NodeContext context, final boolean isHigh)
    {
        return new File(context.directory(), isHigh ? HIGH_PREFIX + FILE_NAME : FILE_NAME);
    }

    private static File ringFile(final NodeContext context, final boolean isHigh, final int other)
    {
        return new File(context.directory(), (isHigh ? HIGH_PREFIX : "") + RING_PREFIX + other);
    }

    /**
     * Mailboxes of ranks, rings to nodes, high rings of ranks and high rings to nodes have different ids, in this order: claims
     * are told apart by them.
     */
    private static int ringId(final RankMap map, final boolean isHigh, final int other)
    {
        final int ranks = map.rankCount();
        return (isHigh ? ranks + map.nodeCount() : 0) + ranks + other;
    }

    /** The same for the high rings; null if there are no priorities, or this is it. */
    public RemoteNodes high()
    {
        return high;
    }

    /** Files of the words of pairs. */
    List<String> fileNames()
    {
        return high == null ? List.of(FILE_NAME) : List.of(FILE_NAME, HIGH_PREFIX + FILE_NAME);
    }

    /** The rings to other nodes, those of the high rings too. */
    List<Mailbox> rings()
    {
        final List<Mailbox> all = new ArrayList<>(high == null ? List.of() : high.rings());
        Arrays.stream(rings).filter(Objects::nonNull).forEach(all::add);
        return all;
    }

    public RankMap map()
    {
        return map;
    }

    public int node()
    {
        return node;
    }

    public boolean isRemote(final int rank)
    {
        return map.nodeOf(rank) != node;
    }

    public LinkCounters linkCounters(final int other)
    {
        return linkCounters(buffer, map, node, other);
    }

    public UnsafeBuffer buffer()
    {
        return buffer;
    }

    public Mailbox ring(final int other)
    {
        return rings[other];
    }

    /** Line of the pair of a rank here and one elsewhere. */
    public int lineOffset(final int local, final int rank)
    {
        return (int)RemoteDescriptor.pairLineOffset(ranks, locals, map.localIndex(local), rank);
    }

    public int marksOffset(final int local, final int kind)
    {
        return RemoteDescriptor.marksOffset(ranks, map.localIndex(local), kind);
    }

    /**
     * Says that something is there for a rank of another node: by the receiver's polling thread, after it has written it.
     *
     * @param local receiver.
     * @param rank  of another node.
     * @param kind  {@link RemoteDescriptor#GRANT} or {@link RemoteDescriptor#REQUEST}.
     */
    public void mark(final int local, final int rank, final int kind)
    {
        // SYNC POINT remote-mark: what is marked was written with a full fence, or is seen by the loads after these additions
        final int offset = marksOffset(local, kind);
        final int at = offset + RemoteDescriptor.LINE_LENGTH + rank / Long.SIZE * Long.BYTES;
        final long bit = 1L << rank;
        long word = buffer.getLongVolatile(at);
        while ((word & bit) == 0 && !buffer.compareAndSetLong(at, word, word | bit))
        {
            word = buffer.getLongVolatile(at);
        }
        if (buffer.getLongVolatile(offset) == 0)
        {
            buffer.putLongVolatile(offset, 1L);
        }
    }

    /** Says that a rank here has opened a bulk queue. By the rank's thread. */
    public void markQueue(final int local)
    {
        // SYNC POINT bulk-opened: the queue has its name
        buffer.getAndAddLong(marksOffset(local, RemoteDescriptor.REQUEST) + RemoteDescriptor.QUEUES_OFFSET, 1L);
    }

    /** All pairs of a local rank are closed: no credit can be withdrawn from now on. */
    public void closeLines(final int local)
    {
        for (int rank = 0; rank < ranks; rank++)
        {
            if (isRemote(rank))
            {
                CreditWord.close(buffer, lineOffset(local, rank));
            }
        }
        if (high != null)
        {
            high.closeLines(local);
        }
    }

    public int[] localRanks()
    {
        return map.ranks(node);
    }
}
