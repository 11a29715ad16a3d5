// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.remote;

import java.util.Map;
import org.agrona.DirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.internal.layout.BulkQueueDescriptor;
import org.tallypost.endpoint.internal.layout.RemoteDescriptor;
import org.tallypost.endpoint.internal.node.NodeRuntime;
import org.tallypost.endpoint.internal.node.RemoteNodes;
import org.tallypost.endpoint.internal.node.SharedMapping;
import org.tallypost.endpoint.transport.BulkHandler;
import org.tallypost.endpoint.transport.BulkPort;
import org.tallypost.endpoint.transport.BulkResult;
import org.tallypost.endpoint.transport.RankMap;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.files.Notice;

/**
 * The node's side of a transport's bulk streams: queues of the ranks here, and their memory. For the transport's thread.
 */
final class BulkMemory implements BulkPort
{
    private final NodeRuntime node;
    private final RemoteNodes nodes;
    private final RankMap map;
    private final LocalRanks locals;
    private final int[] ranks;
    private final QueueReader[] queues;
    private final RegionTarget[] targets;
    /** Queues that each rank had opened when it was last looked at. */
    private final long[] opened;
    /** Epoch of each rank at that time. */
    private final int[] epochs;
    private final Map<Integer, QueueReader> byNumber = new Int2ObjectHashMap<>();
    private RegionTarget located;
    private int lastNumber;
    private int turn;

    BulkMemory(final NodeRuntime node, final LocalRanks locals)
    {
        this.node = node;
        this.locals = locals;
        nodes = node.remote();
        map = nodes.map();
        ranks = locals.ranks();
        queues = new QueueReader[ranks.length];
        targets = new RegionTarget[ranks.length];
        opened = new long[ranks.length];
        epochs = new int[ranks.length];
        for (int i = 0; i < ranks.length; i++)
        {
            targets[i] = new RegionTarget(ranks[i]);
        }
    }

    @Override
    public int poll(final BulkHandler handler)
    {
        int work = 0;
        turn = turn + 1 < ranks.length ? turn + 1 : 0;
        for (int i = 0; i < ranks.length; i++)
        {
            // another rank is the first one each time
            final int index = turn + i < ranks.length ? turn + i : turn + i - ranks.length;
            work += poll(index, handler);
        }
        return work;
    }

    private int poll(final int index, final BulkHandler handler)
    {
        // SYNC POINT bulk-opened: then the queue has its name
        final long count = nodes.buffer().getLongAcquire(
            nodes.marksOffset(ranks[index], RemoteDescriptor.REQUEST) + RemoteDescriptor.QUEUES_OFFSET);
        final int epoch = locals.openEpoch(ranks[index]);
        if (queues[index] != null && (epoch != epochs[index] || queues[index].isOver()))
        {
            drop(index, handler);
        }
        // the count may be a later incarnation's while this side still knows the one before
        if (epoch != 0 && (count != opened[index] || epoch != epochs[index]))
        {
            opened[index] = count;
            epochs[index] = epoch;
            open(index, epoch, handler);
        }
        return queues[index] == null ? 0 : queues[index].poll(handler);
    }

    private void open(final int index, final int epoch, final BulkHandler handler)
    {
        if (queues[index] != null)
        {
            drop(index, handler);
        }
        try
        {
            final SharedMapping mapping = node.shared().tryAttach(BulkQueueDescriptor.name(ranks[index], epoch));
            if (mapping != null && !BulkQueueDescriptor.isSound(mapping.contents(), mapping.length(), ranks[index], epoch))
            {
                if (mapping.length() >= BulkQueueDescriptor.LENGTH)
                {
                    // SYNC POINT bulk-dropped: of this queue nothing was completed
                    mapping.contents().putIntRelease(BulkQueueDescriptor.DROPPED_OFFSET, 1);
                }
                mapping.close();
                node.errors().onError(new Notice("a bulk queue is damaged", "file=" + mapping.file() + ", rank=" + ranks[index] +
                    ", epoch=" + epoch + "; its operations are not carried"));
            }
            else if (mapping != null)
            {
                queues[index] = new QueueReader(mapping, ++lastNumber);
                byNumber.put(lastNumber, queues[index]);
            }
        }
        catch (final MailboxException ex)
        {
            node.errors().onError(ex);
        }
    }

    private void drop(final int index, final BulkHandler handler)
    {
        final QueueReader queue = queues[index];
        queues[index] = null;
        byNumber.remove(queue.number());
        if (queue.isDamaged())
        {
            node.errors().onError(new Notice("a bulk queue is damaged", "rank=" + ranks[index] +
                "; its operations are not carried any more: find out which process writes into the node's files"));
        }
        queue.drop();
        handler.onQueueGone(queue.number());
    }

    /** A rank of this node is not there any more. */
    void onLocalGone(final int rank)
    {
        targets[map.localIndex(rank)].close();
    }

    @Override
    public void complete(final int queue, final long number, final long result, final long value)
    {
        final QueueReader reader = byNumber.get(queue);
        if (reader != null)
        {
            reader.complete(number, result, value);
        }
    }

    @Override
    public boolean putPiece(
        final int queue, final long number, final long position, final DirectBuffer buffer, final int offset, final int length)
    {
        final QueueReader reader = byNumber.get(queue);
        return reader == null || reader.putPiece(number, position, buffer, offset, length);
    }

    @Override
    public long locate(final long owner, final long entry, final int rights, final long at, final long length)
    {
        final int rank = (int)(owner >>> Integer.SIZE);
        final int epoch = (int)owner;
        if (rank < 0 || rank >= map.rankCount() || map.nodeOf(rank) != nodes.node())
        {
            return BulkResult.UNKNOWN_KEY;
        }
        final int open = locals.openEpoch(rank);
        if (open == 0 || open != epoch)
        {
            return epoch > open && open != 0 || epoch < 1 ? BulkResult.UNKNOWN_KEY : Endpoint.PEER_GONE;
        }
        located = targets[map.localIndex(rank)];
        return located.locate(node.shared(), open, (int)(entry >>> Integer.SIZE), (int)entry, rights, at, length);
    }

    @Override
    public UnsafeBuffer memory()
    {
        return located.contents();
    }

    @Override
    public long description()
    {
        return located.description();
    }
}
