// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.rma;

import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.RankState;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.layout.RegionDescriptor;
import org.tallypost.node.Node;
import org.tallypost.node.SharedFile;

/**
 * The memories of ranks that this one has mapped: each once, when it is first attached to, for all its regions, and again if its
 * owner has closed it and opened another one. What belongs to a rank is read under the monitor.
 */
final class PeerMemory
{
    private final Node node;
    private final Endpoint endpoint;
    private final SharedFile[] files;
    private final UnsafeBuffer[] contents;
    private final int[] epochs;
    private final int[] entries;

    PeerMemory(final Node node, final Endpoint endpoint, final SharedFile own)
    {
        this.node = node;
        this.endpoint = endpoint;
        files = new SharedFile[node.context().rankCount()];
        contents = new UnsafeBuffer[files.length];
        epochs = new int[files.length];
        entries = new int[files.length];
        add(endpoint.rank(), endpoint.epoch(), own);
    }

    private long add(final int rank, final int epoch, final SharedFile file)
    {
        entries[rank] = RegionDescriptor.entries(file.buffer(), file.length());
        files[rank] = file;
        contents[rank] = file.buffer();
        epochs[rank] = epoch;
        return entries[rank] == 0 ? RegionResult.DAMAGED : 0;
    }

    /** Maps the memory of a rank in an incarnation, if it is not mapped yet. */
    long map(final int rank, final int epoch)
    {
        if (rank < 0 || rank >= files.length)
        {
            return RegionResult.UNKNOWN_KEY;
        }
        if (!endpoint.isSameNode(rank))
        {
            return RegionResult.OTHER_NODE;
        }
        final long state = endpoint.rankState(rank);
        if (RankState.of(state) != RankState.OPEN || RankState.incarnation(state) != epoch)
        {
            return RankState.incarnation(state) < epoch || epoch < 1 ? RegionResult.UNKNOWN_KEY : Endpoint.PEER_GONE;
        }
        if (files[rank] != null && epochs[rank] == epoch &&
            (rank == endpoint.rank() || !RegionDescriptor.isClosed(contents[rank])))
        {
            return entries[rank] == 0 ? RegionResult.DAMAGED : 0;
        }
        return mapNew(rank, epoch);
    }

    private long mapNew(final int rank, final int epoch)
    {
        final SharedFile file;
        try
        {
            file = node.tryAttachShared(RegionDescriptor.name(rank, epoch));
        }
        catch (final MailboxException ex)
        {
            return RegionResult.DAMAGED;
        }
        if (file == null)
        {
            return RegionResult.UNKNOWN_KEY;
        }
        if (!RegionDescriptor.isSound(file.buffer(), file.length(), rank, epoch))
        {
            file.close();
            return RegionResult.DAMAGED;
        }
        if (RegionDescriptor.isClosed(file.buffer()))
        {
            file.close();
            return RegionResult.UNKNOWN_KEY;
        }
        CloseHelper.close(files[rank]);
        return add(rank, epoch, file);
    }

    SharedFile file(final int rank)
    {
        return files[rank];
    }

    UnsafeBuffer contents(final int rank)
    {
        return contents[rank];
    }

    int entries(final int rank)
    {
        return entries[rank];
    }

    synchronized void close()
    {
        CloseHelper.closeAll(files);
    }
}
