// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.agrona;

import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageClaim;

/**
 * Where messages are written that a program has claimed and not committed yet. A ring buffer names a claim by an index into one
 * buffer, but the room of a claim is in a mapping of the receiver. A program writes into a place here, which is copied when it
 * commits. Any thread.
 */
final class ClaimedPlaces
{
    /** Claims that may be open at a time. */
    static final int COUNT = 64;
    /** No place is free. */
    static final int NONE = -1;

    private static final int PLACE_LENGTH = Endpoint.MAX_RUN_LENGTH;
    private static final int FREE = 0;
    /** Being filled, or being settled. */
    private static final int BUSY = 1;
    private static final int CLAIMED = 2;

    private final UnsafeBuffer buffer = new UnsafeBuffer(ByteBuffer.allocateDirect(COUNT * PLACE_LENGTH));
    /** A change to BUSY (CAS) takes a place; a change from it (release) publishes the claim and its thread. */
    private final AtomicIntegerArray states = new AtomicIntegerArray(COUNT);
    private final MessageClaim[] claims = new MessageClaim[COUNT];
    private final Thread[] threads = new Thread[COUNT];

    ClaimedPlaces()
    {
        for (int place = 0; place < COUNT; place++)
        {
            claims[place] = new MessageClaim();
        }
    }

    UnsafeBuffer buffer()
    {
        return buffer;
    }

    /** Takes a free place for the calling thread. */
    int take()
    {
        final int first = (int)Thread.currentThread().getId();
        for (int at = 0; at < COUNT; at++)
        {
            final int place = (first + at) & (COUNT - 1);
            if (states.getPlain(place) == FREE && states.compareAndSet(place, FREE, BUSY))
            {
                return place;
            }
        }
        return NONE;
    }

    MessageClaim claim(final int place)
    {
        return claims[place];
    }

    /** Gives back a place that was taken, or the claim of which is settled. */
    void free(final int place)
    {
        threads[place] = null;
        states.setRelease(place, FREE);
    }

    /**
     * The claim of a place is open.
     *
     * @return index of its message in the buffer.
     */
    int claimed(final int place)
    {
        threads[place] = Thread.currentThread();
        states.setRelease(place, CLAIMED);
        return place * PLACE_LENGTH;
    }

    /**
     * Takes a claimed place to settle it.
     *
     * @param index of the message in the buffer.
     * @return its place.
     */
    int settling(final int index)
    {
        final int place = index / PLACE_LENGTH;
        if (index < 0 || place >= COUNT || place * PLACE_LENGTH != index)
        {
            throw new IllegalArgumentException("no claim begins here: found index=" + index +
                ", expected one that tryClaim returned");
        }
        if (!states.compareAndSet(place, CLAIMED, BUSY))
        {
            throw new IllegalStateException("no claim is open here: index=" + index + "; was it committed or aborted before?");
        }
        return place;
    }

    void commit(final int place)
    {
        final MessageClaim claim = claims[place];
        boolean isSettled = false;
        try
        {
            claim.putBytes(buffer, place * PLACE_LENGTH);
            claim.commit();
            isSettled = true;
        }
        finally
        {
            settled(place, isSettled);
        }
    }

    void abort(final int place)
    {
        boolean isSettled = false;
        try
        {
            claims[place].abort();
            isSettled = true;
        }
        finally
        {
            settled(place, isSettled);
        }
    }

    /** A claim that could not be settled stays open, to be tried again. */
    private void settled(final int place, final boolean isSettled)
    {
        if (isSettled)
        {
            free(place);
        }
        else
        {
            states.setRelease(place, CLAIMED);
        }
    }

    /**
     * Aborts the claims of threads that have ended.
     *
     * @return true if there was one.
     */
    boolean abortThoseOfEndedThreads()
    {
        boolean isAborted = false;
        for (int place = 0; place < COUNT; place++)
        {
            if (states.getAcquire(place) == CLAIMED && states.compareAndSet(place, CLAIMED, BUSY))
            {
                if (threads[place].isAlive())
                {
                    states.setRelease(place, CLAIMED);
                }
                else
                {
                    abort(place);
                    isAborted = true;
                }
            }
        }
        return isAborted;
    }
}
