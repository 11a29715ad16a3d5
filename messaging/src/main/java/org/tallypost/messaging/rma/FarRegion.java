// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.rma;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.RankState;
import org.tallypost.endpoint.transport.BulkOperation;
import org.tallypost.node.BulkListener;
import org.tallypost.node.BulkQueue;

/**
 * A region of a rank of another node, as a {@link RemoteRegion} uses it: what it is asked for goes into the memory's bulk queue,
 * and is over when the owner's node has answered. What is known of the region here came with the answer to the first question;
 * the owner's node checks each operation by itself. For the thread of the memory.
 */
final class FarRegion implements BulkListener
{
    /** An operation that finds something is under way. */
    static final long UNDER_WAY = 2;

    private final BulkListener words = this::onWord;
    private final BulkListener lookUps = this::onLookUp;
    private RegionMemory memory;
    private BulkQueue queue;
    private int rank;
    private long ownerState;
    private long owner;
    private long entry;
    private int underWay;
    private boolean isAsking;
    private boolean isKnown;
    /** First failure since the last flush, 0 if there was none. */
    private long failure;
    private int length;
    private int rights;
    private long value;

    /** Asks the owner's node for the region; what was attached before is forgotten when its operations are over. */
    long attach(final RegionMemory ownMemory, final RegionKey key)
    {
        final long named = name(ownMemory, key);
        if (named < 0)
        {
            return named;
        }
        final long result = queue.word(lookUps, BulkOperation.LOOK_UP, owner, entry, 0, 0, 0);
        if (result < 0)
        {
            return result;
        }
        memory = ownMemory;
        underWay++;
        return UNDER_WAY;
    }

    /** As {@link #attach}, without the question. */
    long attachKnown(final RegionMemory ownMemory, final RegionKey key, final int knownLength, final int knownRights)
    {
        final long named = name(ownMemory, key);
        if (named < 0)
        {
            return named;
        }
        memory = ownMemory;
        length = knownLength;
        rights = knownRights;
        isKnown = true;
        return 0;
    }

    private long name(final RegionMemory ownMemory, final RegionKey key)
    {
        if (isUnderWay())
        {
            return RegionResult.BUSY;
        }
        isKnown = false;
        memory = null;
        if (ownMemory.isClosed() || ownMemory.isEndpointClosed())
        {
            return Endpoint.CLOSED;
        }
        rank = key.rank();
        ownerState = ownMemory.rankState(rank);
        if (RankState.of(ownerState) != RankState.OPEN)
        {
            return Endpoint.PEER_GONE;
        }
        queue = ownMemory.bulk();
        if (queue == null)
        {
            return RegionResult.OTHER_NODE;
        }
        owner = (long)rank << Integer.SIZE | key.epoch() & 0xFFFF_FFFFL;
        entry = (long)key.id() << Integer.SIZE | key.generation() & 0xFFFF_FFFFL;
        failure = 0;
        return 0;
    }

    /** Learns by itself that all is over since the own memory, endpoint or node was closed: a program may poll no more then. */
    boolean isUnderWay()
    {
        if (underWay > 0 && queue.isClosed())
        {
            queue.poll();
        }
        return underWay > 0;
    }

    /** What is under way goes on, and its result is not told. */
    void detach()
    {
        memory = null;
        isKnown = false;
    }

    /** As {@link #detach()}, and buffers of gets stay as they are from now on. */
    void abandon()
    {
        detach();
        if (underWay > 0)
        {
            queue.abandon(this);
        }
    }

    private long check()
    {
        if (memory == null)
        {
            return RegionResult.NOT_ATTACHED;
        }
        if (memory.isClosed() || memory.isEndpointClosed())
        {
            return Endpoint.CLOSED;
        }
        if (memory.rankState(rank) != ownerState)
        {
            return Endpoint.PEER_GONE;
        }
        return isKnown ? 0 : underWay > 0 ? RegionResult.BUSY : RegionResult.NOT_ATTACHED;
    }

    /** What can be known here is refused here: nothing of it leaves. */
    private long check(final int right, final long at, final long bytes)
    {
        final long result = check();
        if (result < 0)
        {
            return result;
        }
        if ((rights & right) != right)
        {
            return RegionResult.NO_RIGHT;
        }
        return at < 0 || bytes > length - at ? RegionResult.OUT_OF_BOUNDS : 0;
    }

    private long checkWord(final int right, final long at)
    {
        final long result = check(right, at, Long.BYTES);
        return result == 0 && (at & Long.BYTES - 1) != 0 ? RegionResult.MISALIGNED : result;
    }

    long put(final long at, final DirectBuffer buffer, final int offset, final int bytes)
    {
        final long result = check(Region.WRITE, at, bytes);
        return result < 0 ? result : put(at, buffer, offset, bytes, BulkQueue.NO_COUNTER);
    }

    long putNotify(final long at, final DirectBuffer buffer, final int offset, final int bytes, final long counterAt)
    {
        long result = check(Region.WRITE, at, bytes);
        result = result < 0 ? result : checkWord(Region.ATOMIC, counterAt);
        return result < 0 ? result : put(at, buffer, offset, bytes, counterAt);
    }

    private long put(final long at, final DirectBuffer buffer, final int offset, final int bytes, final long counterAt)
    {
        final int before = queue.underWay();
        final long taken = queue.put(this, owner, entry, at, buffer, offset, bytes, counterAt);
        underWay += queue.underWay() - before;
        return taken;
    }

    long get(final long at, final MutableDirectBuffer buffer, final int offset, final int bytes)
    {
        final long result = check(Region.READ, at, bytes);
        if (result < 0)
        {
            return result;
        }
        final int before = queue.underWay();
        final long taken = queue.get(this, owner, entry, at, buffer, offset, bytes);
        underWay += queue.underWay() - before;
        return taken;
    }

    /** A word is written: nothing is found. */
    long store(final long at, final long word)
    {
        final long result = checkWord(Region.WRITE, at);
        return result < 0 ? result : ask(this, BulkOperation.STORE, at, word, 0);
    }

    /** Something is found: one such operation of a handle at a time. */
    long find(final int kind, final int right, final long at, final long first, final long second)
    {
        final long result = checkWord(right, at);
        if (result < 0 || isAsking)
        {
            return result < 0 ? result : RegionResult.BUSY;
        }
        final long asked = ask(words, kind, at, first, second);
        isAsking = asked == 0;
        return asked == 0 ? UNDER_WAY : asked;
    }

    private long ask(final BulkListener listener, final int kind, final long at, final long first, final long second)
    {
        final long result = queue.word(listener, kind, owner, entry, at, first, second);
        underWay += result == 0 ? 1 : 0;
        return result;
    }

    /** Operations that are not over, or, once, why one of those that are has failed. */
    long flush()
    {
        if (isUnderWay())
        {
            return underWay;
        }
        if (failure < 0)
        {
            final long result = failure;
            failure = 0;
            return result;
        }
        return check();
    }

    @Override
    public void onDone(final long result, final long found)
    {
        underWay--;
        if (result < 0 && failure == 0)
        {
            failure = result;
        }
    }

    private void onWord(final long result, final long found)
    {
        isAsking = false;
        value = found;
        onDone(result, found);
    }

    private void onLookUp(final long result, final long found)
    {
        isKnown = result >= 0 && memory != null;
        length = Math.max(0, (int)found);
        rights = (int)(found >>> Integer.SIZE);
        onDone(result, found);
    }

    boolean isFinding()
    {
        return isAsking;
    }

    long value()
    {
        return value;
    }

    int length()
    {
        return isKnown ? length : 0;
    }

    int rights()
    {
        return isKnown ? rights : 0;
    }
}
