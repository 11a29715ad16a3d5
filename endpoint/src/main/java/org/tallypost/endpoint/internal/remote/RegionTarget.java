// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.remote;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.internal.node.SharedFiles;
import org.tallypost.endpoint.internal.node.SharedMapping;
import org.tallypost.endpoint.transport.BulkResult;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.mailbox.layout.RegionDescriptor;

/**
 * The memory of a rank of this node, as the agent reads and writes it for ranks of other nodes. It is mapped when a key first
 * names it. What its table says may be damaged by any process of the node, and is checked at each use. For the transport's
 * thread.
 */
final class RegionTarget
{
    private final int rank;
    private SharedMapping mapping;
    private UnsafeBuffer contents;
    private int entries;
    private int epoch;
    /** Incarnation with a memory that is not what it should be. */
    private int damagedEpoch;
    private long description;

    RegionTarget(final int rank)
    {
        this.rank = rank;
    }

    UnsafeBuffer contents()
    {
        return contents;
    }

    long description()
    {
        return description;
    }

    /** Where the bytes are in the contents, or why they cannot be used. */
    long locate(
        final SharedFiles files, final int openEpoch, final int id, final int generation, final int rights, final long at,
        final long length)
    {
        final long mapped = map(files, openEpoch);
        if (mapped < 0)
        {
            return mapped;
        }
        if (id < 0 || id >= entries)
        {
            return BulkResult.UNKNOWN_KEY;
        }
        final int entry = RegionDescriptor.entryOffset(id);
        // SYNC POINT region-entry: where it is comes first
        final long state = contents.getLongAcquire(entry + RegionDescriptor.STATE_OFFSET);
        if (RegionDescriptor.generation(state) != generation || RegionDescriptor.kind(state) == RegionDescriptor.KIND_FREE)
        {
            return BulkResult.STALE;
        }
        if (RegionDescriptor.kind(state) != RegionDescriptor.KIND_REGION)
        {
            return BulkResult.UNKNOWN_KEY;
        }
        final long base = contents.getLong(entry + RegionDescriptor.CHUNK_OFFSET);
        final long found = contents.getLong(entry + RegionDescriptor.LENGTH_OFFSET);
        if (!RegionDescriptor.isChunk(base, found, entries, mapping.length()))
        {
            return BulkResult.DAMAGED;
        }
        // the owner may have ended it, and used the entry again, while it was read
        if (contents.getLongAcquire(entry + RegionDescriptor.STATE_OFFSET) != state)
        {
            return BulkResult.STALE;
        }
        if ((RegionDescriptor.rights(state) & rights) != rights)
        {
            return BulkResult.NO_RIGHT;
        }
        description = (long)RegionDescriptor.rights(state) << Integer.SIZE | found;
        return at < 0 || length < 0 || length > found - at ? BulkResult.OUT_OF_BOUNDS : base + at;
    }

    private long map(final SharedFiles files, final int openEpoch)
    {
        if (mapping != null && epoch == openEpoch && !RegionDescriptor.isClosed(contents))
        {
            return 0;
        }
        close();
        if (damagedEpoch == openEpoch)
        {
            return BulkResult.DAMAGED;
        }
        try
        {
            mapping = files.tryAttach(RegionDescriptor.name(rank, openEpoch));
        }
        catch (final MailboxException ex)
        {
            damagedEpoch = openEpoch;
            return BulkResult.DAMAGED;
        }
        if (mapping == null)
        {
            return BulkResult.UNKNOWN_KEY;
        }
        contents = mapping.contents();
        epoch = openEpoch;
        entries = RegionDescriptor.entries(contents, mapping.length());
        if (entries == 0 || !RegionDescriptor.isSound(contents, mapping.length(), rank, openEpoch))
        {
            close();
            damagedEpoch = openEpoch;
            return BulkResult.DAMAGED;
        }
        if (RegionDescriptor.isClosed(contents))
        {
            close();
            return BulkResult.UNKNOWN_KEY;
        }
        return 0;
    }

    /** The rank is not there any more, or its memory is not. */
    void close()
    {
        if (mapping != null)
        {
            mapping.close();
            mapping = null;
            contents = null;
        }
    }
}
