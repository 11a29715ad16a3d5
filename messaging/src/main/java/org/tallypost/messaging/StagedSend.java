// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import org.tallypost.messaging.internal.wire.StagingDescriptor;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionKey;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.messaging.rma.RegionResult;
import org.tallypost.messaging.rma.RemoteRegion;

/**
 * A message of private memory on its way into the staging area of its receiver. Used again. One thread.
 *
 * <p>Its bytes are put piece by piece, as far as the area has room, and behind them the word that says how far. If the message is
 * longer than the area, the receiver's word is asked for when half of the area is full. Operations are done in order, so that
 * word comes when the bytes before it are there. On one node they are done at once.
 */
final class StagedSend
{
    /** All bytes are in the area, or were copied out of it. */
    static final long ALL = 1;
    /** Bytes from one word to the next. */
    private static final int STEP_LENGTH = 65_536;
    /** Most rounds between two questions that found nothing new. */
    private static final int MAX_PAUSE = 1_024;

    private final RemoteRegion region = new RemoteRegion();
    private SendRequest request;
    private int ringLength;
    /** Up to where the area says that bytes are there. */
    private int told;
    /** Up to where the receiver has copied, as far as is known. */
    private int read;
    private boolean isAsking;
    private int pause;
    private int pauseLeft;
    /** The next one that is free. */
    StagedSend next;

    /** Begins with a message: a negative result says why it cannot go by this. */
    long start(final SendRequest ofMessage, final RegionMemory memory, final RegionKey key, final int length)
    {
        final long result = region.attachKnown(memory, key, length, Region.READ | Region.WRITE);
        if (result == 0)
        {
            request = ofMessage;
            ringLength = length - StagingDescriptor.RING_OFFSET;
            told = 0;
            read = 0;
            isAsking = false;
            pause = 1;
            pauseLeft = 0;
        }
        return result;
    }

    /**
     * Puts what there is room for. On one node the receiver can see that this is under way.
     *
     * @param most operations under way.
     * @return {@link #ALL}; 0 if bytes are missing; or why they cannot be put.
     */
    long progress(final int most)
    {
        final long entered = region.enter();
        if (entered < 0)
        {
            return entered;
        }
        try
        {
            return putAndTell(most);
        }
        finally
        {
            region.leave();
        }
    }

    private long putAndTell(final int most)
    {
        final long underWay = region.flush();
        if (underWay < 0 || underWay == 0 && told == request.wanted)
        {
            return underWay < 0 ? underWay : ALL;
        }
        learn();
        long result = put(most - (int)underWay);
        final boolean isDue = request.moved - told >= STEP_LENGTH || request.moved == request.wanted || room() == 0;
        if (result >= 0 && request.moved != told && isDue)
        {
            result = region.putOrdered(
                StagingDescriptor.WRITTEN_OFFSET, StagingDescriptor.word(request.receiveId, request.moved));
            told = result == 0 ? request.moved : told;
        }
        if (told == request.wanted && !region.isFar())
        {
            // complete, and from here on the receiver may end the key
            return ALL;
        }
        result = result < 0 ? result : ask();
        return result == RegionResult.BUSY ? 0 : result;
    }

    private int room()
    {
        return ringLength - (request.moved - read);
    }

    private long put(final int most)
    {
        int left = most;
        int room = room();
        while (left > 0 && room > 0 && request.moved < request.wanted)
        {
            final int at = request.moved % ringLength;
            final int length = Math.min(
                Math.min(RemoteRegion.MAX_FAR_LENGTH, request.wanted - request.moved), Math.min(room, ringLength - at));
            request.checkBytes();
            final long taken = region.put(
                StagingDescriptor.RING_OFFSET + at, request.buffer, request.offset + request.moved, length);
            if (taken < 0)
            {
                return taken == RegionResult.BUSY ? 0 : taken;
            }
            request.moved += (int)taken;
            room -= (int)taken;
            left--;
        }
        return 0;
    }

    /** Asks how far the receiver has come, if what is left has no room. */
    private long ask()
    {
        if (isAsking || request.wanted - request.moved <= room() || room() > ringLength / 2)
        {
            return 0;
        }
        if (pauseLeft > 0)
        {
            pauseLeft--;
            return 0;
        }
        final long result = region.getAcquire(StagingDescriptor.READ_OFFSET);
        isAsking = result >= 0;
        return isAsking ? 0 : result;
    }

    private void learn()
    {
        if (!isAsking || region.isFinding())
        {
            return;
        }
        isAsking = false;
        final long word = region.value();
        final int count = StagingDescriptor.count(word);
        // whatever else it says is not believed
        final boolean isNew = StagingDescriptor.isOf(word, request.receiveId) && count > read && count <= request.moved;
        read = isNew ? count : read;
        pause = isNew ? 1 : Math.min(MAX_PAUSE, 2 * pause);
        pauseLeft = region.isFar() ? pause : 0;
    }

    /** Nothing more can be put before the receiver has copied some. */
    boolean isFull()
    {
        return room() == 0;
    }

    /** What is under way goes on, and has its own copy of the bytes. */
    void stop()
    {
        region.detach();
        request = null;
    }
}
