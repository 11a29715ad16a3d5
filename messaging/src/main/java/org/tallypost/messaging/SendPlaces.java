// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.tallypost.messaging.internal.wire.HeadDescriptor.PLACE_KEY_OFFSET;
import static org.tallypost.messaging.internal.wire.HeadDescriptor.PLACE_POSITION_OFFSET;

import org.agrona.MutableDirectBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.messaging.rma.RegionKey;
import org.tallypost.messaging.rma.RegionMemory;

/**
 * Where the bytes of a send lie, if the receiver can read them there. One thread.
 */
final class SendPlaces
{
    private final Endpoint endpoint;
    private final RegionMemory memory;
    private final RegionKey key = new RegionKey();
    private long position;

    SendPlaces(final MessengerState shared)
    {
        endpoint = shared.endpoint;
        memory = shared.context.regionMemory();
    }

    /** Finds the region of a message, or lends it: false if its bytes have to be sent. */
    boolean find(final SendRequest request)
    {
        if (request.loan != null)
        {
            position = 0;
            if (request.loan.lend(request.peer) < 0)
            {
                return false;
            }
            request.loan.key(key);
            return true;
        }
        position = memory == null || !endpoint.isSameNode(request.peer) ? -1 :
            memory.find(request.buffer, request.offset, request.length, key);
        return position >= 0;
    }

    /** Writes what was found last. */
    void put(final MutableDirectBuffer head)
    {
        key.encode(head, PLACE_KEY_OFFSET);
        head.putLong(PLACE_POSITION_OFFSET, position, LITTLE_ENDIAN);
    }

    /** The bytes have to be sent after all: false if the receiver has borrowed them. */
    boolean leave(final SendRequest request)
    {
        if (request.loan != null && request.buffer.capacity() == 0 && !request.loan.takeBack())
        {
            return false;
        }
        request.isPlaced = false;
        return true;
    }
}
