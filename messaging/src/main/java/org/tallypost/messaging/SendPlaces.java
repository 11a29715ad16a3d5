// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.tallypost.messaging.internal.wire.HeadDescriptor.PLACE_ADDRESS_OFFSET;
import static org.tallypost.messaging.internal.wire.HeadDescriptor.PLACE_KEY_OFFSET;
import static org.tallypost.messaging.internal.wire.HeadDescriptor.PLACE_POSITION_OFFSET;
import static org.tallypost.messaging.internal.wire.HeadDescriptor.PROOF_ADDRESS_OFFSET;
import static org.tallypost.messaging.internal.wire.HeadDescriptor.PROOF_OFFSET;

import java.nio.ByteBuffer;
import java.security.SecureRandom;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.messaging.MessengerCounters.Counter;
import org.tallypost.messaging.internal.wire.MessageKind;
import org.tallypost.messaging.rma.RegionKey;
import org.tallypost.messaging.rma.RegionMemory;

/**
 * Where the bytes of a send lie, if the receiver can read them there. One thread.
 */
final class SendPlaces
{
    private final Endpoint endpoint;
    private final MessengerContext context;
    private final RegionMemory memory;
    private final SendCopies copies;
    private final RegionKey key = new RegionKey();
    /** 8 bytes that others find in the memory of this process and of no other one; null if they may not read it. */
    private final UnsafeBuffer proof;
    private long position;
    private int kind;

    SendPlaces(final MessengerState shared)
    {
        endpoint = shared.endpoint;
        context = shared.context;
        memory = context.regionMemory();
        copies = new SendCopies(context, shared.counters);
        proof = context.crossMemory() ? new UnsafeBuffer(ByteBuffer.allocateDirect(Long.BYTES)) : null;
        if (proof != null)
        {
            proof.putLong(0, new SecureRandom().nextLong());
        }
    }

    /** Finds the region of a message, or lends it: false if its bytes have to be sent. */
    boolean find(final SendRequest request)
    {
        if (request.loan != null)
        {
            position = 0;
            kind = MessageKind.RTS_LOAN;
            if (request.lend(request.peer) < 0)
            {
                return false;
            }
            request.loan.key(key);
            return true;
        }
        final boolean isHere = endpoint.isSameNode(request.peer);
        // one that would be eager is announced for want of room alone: then it is best read where it lies
        final boolean isByMailbox = isHere && request.length > context.limitOf(request.peer) &&
            context.isFasterByMailbox(request.peer, request.length);
        if (!isByMailbox && (isHere || memory != null && memory.isReachable(request.peer)) && isInRegion(request))
        {
            kind = MessageKind.RTS_REGION;
            return true;
        }
        if (!isHere)
        {
            return false;
        }
        if (!isByMailbox && copies.take(request))
        {
            position = 0;
            kind = MessageKind.RTS_REGION;
            request.copy.key(key);
            return true;
        }
        kind = MessageKind.RTS_MEMORY;
        position = request.buffer.addressOffset() + request.offset;
        return proof != null && request.length >= context.crossLength() && request.buffer.byteArray() == null;
    }

    private boolean isInRegion(final SendRequest request)
    {
        position = memory == null ? -1 : memory.find(request.buffer, request.offset, request.length, key);
        return position >= 0;
    }

    /** Whether a message that could go with its bytes lies in a region, and is faster if it is read there. */
    boolean isBetterThanEager(final SendRequest request)
    {
        return memory != null && !context.isFasterByMailbox(request.peer, request.length) &&
            endpoint.isSameNode(request.peer) && isInRegion(request);
    }

    /** How a message with the place that was found last is announced. */
    int kind()
    {
        return kind;
    }

    /** Counts a message that has gone with the place that was found last. */
    void count(final MessengerCounters counters, final SendRequest request)
    {
        counters.add(Counter.COPIED, request.copy == null ? 0 : 1);
        counters.add(kind == MessageKind.RTS_LOAN ? Counter.SENT_AS_LOAN :
            kind == MessageKind.RTS_REGION ? Counter.SENT_FROM_REGION : Counter.SENT_FROM_MEMORY, 1);
    }

    /** Writes what was found last. */
    void put(final MutableDirectBuffer head)
    {
        if (kind == MessageKind.RTS_MEMORY)
        {
            head.putLong(PLACE_ADDRESS_OFFSET, position, LITTLE_ENDIAN);
            head.putLong(PROOF_ADDRESS_OFFSET, proof.addressOffset(), LITTLE_ENDIAN);
            head.putLong(PROOF_OFFSET, proof.getLong(0), LITTLE_ENDIAN);
            return;
        }
        key.encode(head, PLACE_KEY_OFFSET);
        head.putLong(PLACE_POSITION_OFFSET, position, LITTLE_ENDIAN);
    }

    /** A message is over. */
    void end(final SendRequest request, final RequestResult result)
    {
        copies.give(request, result == RequestResult.SUCCESS);
        request.endLoan(result);
    }

    /** No message is left. */
    void close()
    {
        copies.close();
    }

    /** The bytes have to be sent after all: false if the receiver has borrowed them, or the memory is closed or damaged. */
    boolean leave(final SendRequest request)
    {
        if (request.loan != null && request.buffer.capacity() == 0 && !request.takeBack())
        {
            return false;
        }
        request.isPlaced = false;
        return true;
    }
}
