// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.process.ProcessIdentity;
import org.tallypost.messaging.internal.wire.HeadDescriptor;
import org.tallypost.messaging.internal.wire.StagingDescriptor;
import org.tallypost.messaging.rma.Region;
import org.tallypost.messaging.rma.RegionKey;

/** A region of this rank that one sender at a time puts a message into. Used again. One thread. */
final class StagingArea
{
    /** Most bytes that are copied in one round, so that short messages do not wait for the rest. */
    static final int PART_LENGTH = 65_536;
    /** What the words say cannot be. */
    static final int DAMAGED = -1;

    private final Region region;
    private final int ringLength;
    private final RegionKey key = new RegionKey();
    /** That has the area; null if none has. */
    private ReceiveRequest request;
    /** The sender of a message before, which may still be in the midst of a put: the area is for its messages alone. */
    private Pair keeper;
    /** The session of that sender is over: the area is for none, until its put is over too. */
    private boolean isOver;
    /** Of the sender that had the area last; null if it is not known. */
    private ProcessIdentity process;

    StagingArea(final Region region)
    {
        this.region = region;
        ringLength = region.length() - StagingDescriptor.RING_OFFSET;
    }

    ReceiveRequest request()
    {
        return request;
    }

    /** The sender that has not left the area; null if there is none. */
    Pair keeper()
    {
        return keeper;
    }

    /** Whether a message of a sender may have the area that this sender has not left. */
    boolean isKeptFor(final Pair pair)
    {
        return request == null && keeper == pair && !isOver;
    }

    /** The session of the sender that has not left the area is over: false if it is in the midst of a put all the same. */
    boolean leave()
    {
        isOver = !isLeft();
        keeper = isOver ? keeper : null;
        return !isOver;
    }

    /** Whether the sender is seen to put nothing; the key is over. */
    boolean isLeft()
    {
        return region.isLeft(process);
    }

    /** Whether the area waits for the end of a put of a session that is over. */
    boolean isOver()
    {
        return isOver;
    }

    void give(final ReceiveRequest toRequest, final ProcessIdentity ofSender)
    {
        request = toRequest;
        process = ofSender;
        request.area = this;
        final long none = StagingDescriptor.word(request.id, 0);
        region.buffer().putLongRelease(StagingDescriptor.WRITTEN_OFFSET, none);
        region.buffer().putLongRelease(StagingDescriptor.READ_OFFSET, none);
    }

    /**
     * Nothing more is copied. The key is over, unless the memory is: whatever the sender still puts is refused.
     *
     * @param isOpen whether the memory is.
     */
    void free(final boolean isOpen)
    {
        if (isOpen)
        {
            region.renew();
        }
        request.area = null;
        request = null;
    }

    /** A put of a sender may be under way, or, with null, of none. */
    void keepFor(final Pair pair)
    {
        keeper = pair;
    }

    /** Writes how the sender finds it. */
    void put(final MutableDirectBuffer head)
    {
        region.key(key).encode(head, HeadDescriptor.STAGING_KEY_OFFSET);
        head.putLong(HeadDescriptor.STAGING_LENGTH_OFFSET, region.length(), LITTLE_ENDIAN);
    }

    /**
     * Copies the next part of what has come into the buffer of the receive, which has room for it.
     *
     * @param most bytes to copy.
     * @return number of bytes, or {@link #DAMAGED}.
     */
    int copy(final int most)
    {
        final UnsafeBuffer bytes = region.buffer();
        final int read = request.received;
        // SYNC POINT staging-written: the bytes come first
        final long word = bytes.getLongAcquire(StagingDescriptor.WRITTEN_OFFSET);
        final int written = StagingDescriptor.count(word);
        if (keeper != null && !StagingDescriptor.isOf(word, request.id))
        {
            // of a message before: the sender, one thread, writes that of this one behind it
            return 0;
        }
        if (!StagingDescriptor.isOf(word, request.id) || written < read || written > request.wanted ||
            written - read > ringLength)
        {
            return DAMAGED;
        }
        final int length = Math.min(written - read, most);
        if (length == 0)
        {
            return 0;
        }
        request.checkRoom(length);
        final int at = read % ringLength;
        final int first = Math.min(length, ringLength - at);
        request.buffer.putBytes(request.offset + read, bytes, StagingDescriptor.RING_OFFSET + at, first);
        if (first < length)
        {
            request.buffer.putBytes(
                request.offset + read + first, bytes, StagingDescriptor.RING_OFFSET, length - first);
        }
        // SYNC POINT staging-read: what is copied may be written again
        bytes.putLongRelease(StagingDescriptor.READ_OFFSET, StagingDescriptor.word(request.id, read + length));
        return length;
    }

    /** Whether a sender on this node may wait for what was copied, behind a copy of a length of at most so many bytes. */
    boolean isAwaited(final int length, final int most)
    {
        final int rest = request.wanted - request.received;
        return rest > 0 && request.wanted > ringLength && (length < most || request.received % (ringLength / 2) < length);
    }

    /** The memory goes back, as soon as no put is under way. */
    void close()
    {
        region.closeWhenLeft(process);
    }
}
