// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.messaging.rma.RegionKey;
import org.tallypost.messaging.rma.RegionMemory;
import org.tallypost.messaging.rma.RegionResult;
import org.tallypost.messaging.rma.RemoteRegion;

/**
 * Reads messages of a rank of another node out of its regions, one after the other, by the bulk stream. A region is asked for
 * once, and again when a message lies in another one. One thread.
 */
final class FarRead
{
    /** All bytes are in the buffer of the receive. */
    static final long ALL = 1;
    /** Most gets under way, of 32 KiB each: the rank's queue has room for four times as many. */
    static final int MAX_GETS = 16;

    private final RegionMemory memory;
    private final RemoteRegion region = new RemoteRegion();
    private final RegionKey attached = new RegionKey();
    private final UnsafeBuffer keyBytes = new UnsafeBuffer(new byte[RegionKey.LENGTH]);
    private ReceiveRequest current;
    private int asked;

    FarRead(final RegionMemory memory)
    {
        this.memory = memory;
    }

    /**
     * Goes on with a message; the first call for it begins.
     *
     * @param request that is matched and has its place: no other one has until this one is over.
     * @return {@link #ALL}; 0 if bytes are missing; or why it cannot be read.
     */
    long progress(final ReceiveRequest request)
    {
        memory.poll();
        if (current != request)
        {
            current = request;
            asked = 0;
            final long result = attach(request.placed.key());
            if (result < 0)
            {
                return result;
            }
        }
        final long underWay = region.flush();
        if (underWay < 0 || underWay == 0 && asked == request.wanted)
        {
            return underWay < 0 ? underWay : ALL;
        }
        return ask(request, MAX_GETS - underWay);
    }

    private long attach(final RegionKey key)
    {
        if (region.length() > 0 && key.equals(attached))
        {
            return 0;
        }
        key.encode(keyBytes, 0);
        attached.decode(keyBytes, 0);
        try
        {
            return region.attach(memory, key);
        }
        catch (final MailboxException ex)
        {
            // no room for the queue to other nodes
            return RegionResult.NO_ROOM;
        }
    }

    /** Asks for as many bytes as there is room for: none while the region itself is asked for. */
    private long ask(final ReceiveRequest request, final long most)
    {
        long left = most;
        while (left > 0 && asked < request.wanted)
        {
            final int length = Math.min(RemoteRegion.MAX_FAR_LENGTH, request.wanted - asked);
            final long result =
                region.get(request.placed.position() + asked, request.buffer, request.offset + asked, length);
            if (result < 0)
            {
                return result == RegionResult.BUSY ? 0 : result;
            }
            asked += (int)result;
            left--;
        }
        return 0;
    }

    /** A receive is over: if it has not got all, its buffer stays as it is. */
    void end(final ReceiveRequest request)
    {
        if (current == request)
        {
            current = null;
            if (region.flush() != 0 || asked != request.wanted)
            {
                region.abandon();
            }
        }
    }
}
