// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.rma;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.RankState;
import org.tallypost.mailbox.layout.RegionDescriptor;
import org.tallypost.node.SharedFile;

/**
 * A chunk of some rank's memory that was looked up by a key. The table that it was found in may be damaged by any process that
 * maps it: offset and length were checked once, against what is mapped and reserved, and are kept here.
 */
final class ChunkView
{
    private RegionMemory memory;
    UnsafeBuffer contents;
    int entry;
    int generation;
    private int rank;
    private long ownerState;
    private long stateWord;
    int base;
    int length;
    int rights;

    /** Looks a key up. What was attached before is forgotten. */
    long attach(final RegionMemory memory, final RegionKey key, final int kind)
    {
        this.memory = null;
        if (memory.isClosed() || memory.isEndpointClosed())
        {
            return Endpoint.CLOSED;
        }
        final PeerMemory peers = memory.peers();
        final SharedFile file;
        final int entries;
        synchronized (peers)
        {
            final long mapped = peers.map(key.rank(), key.epoch());
            if (mapped < 0)
            {
                return mapped;
            }
            rank = key.rank();
            file = peers.file(rank);
            contents = peers.contents(rank);
            entries = peers.entries(rank);
        }
        generation = key.generation();
        ownerState = memory.rankState(rank);
        if (RankState.of(ownerState) != RankState.OPEN || RankState.incarnation(ownerState) != key.epoch())
        {
            return Endpoint.PEER_GONE;
        }
        if (key.id() < 0 || key.id() >= entries)
        {
            return RegionResult.UNKNOWN_KEY;
        }
        entry = RegionDescriptor.entryOffset(key.id());
        // SYNC POINT region-entry: pairs with RegionTable.open
        stateWord = contents.getLongAcquire(entry + RegionDescriptor.STATE_OFFSET);
        if (RegionDescriptor.generation(stateWord) != generation ||
            RegionDescriptor.kind(stateWord) == RegionDescriptor.KIND_FREE)
        {
            return RegionResult.STALE;
        }
        if (RegionDescriptor.kind(stateWord) != kind)
        {
            return RegionResult.UNKNOWN_KEY;
        }
        rights = RegionDescriptor.rights(stateWord);
        final long foundBase = contents.getLong(entry + RegionDescriptor.CHUNK_OFFSET);
        final long foundLength = contents.getLong(entry + RegionDescriptor.LENGTH_OFFSET);
        if (!RegionDescriptor.isChunk(foundBase, foundLength, entries, file.length()))
        {
            return RegionResult.DAMAGED;
        }
        base = (int)foundBase;
        length = (int)foundLength;
        this.memory = memory;
        // the owner may have ended it, and used the entry again, while it was read
        return check();
    }

    /** 0 if it still is what was attached to. */
    long check()
    {
        if (memory == null)
        {
            return RegionResult.NOT_ATTACHED;
        }
        if (memory.isClosed())
        {
            return Endpoint.CLOSED;
        }
        if (memory.rankState(rank) != ownerState)
        {
            return Endpoint.PEER_GONE;
        }
        return isEnded() ? RegionResult.STALE : 0;
    }

    /** Whether the owner has ended what was attached to. */
    boolean isEnded()
    {
        return contents.getLongAcquire(entry + RegionDescriptor.STATE_OFFSET) != stateWord;
    }

    boolean isAttached()
    {
        return memory != null;
    }

    void detach()
    {
        memory = null;
        contents = null;
    }
}
