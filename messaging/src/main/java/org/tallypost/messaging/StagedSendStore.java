// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.DirectBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.files.MailboxException;
import org.tallypost.messaging.internal.wire.HeadDescriptor;
import org.tallypost.messaging.internal.wire.StagingDescriptor;
import org.tallypost.messaging.rma.RegionKey;
import org.tallypost.messaging.rma.RegionMemory;

/** Handles for messages that go into staging areas, to be used again, and what has to be so before one is given. One thread. */
final class StagedSendStore
{
    private final MessengerState shared;
    private final RegionMemory memory;
    private final RegionKey key = new RegionKey();
    private StagedSend free;

    StagedSendStore(final MessengerState shared)
    {
        this.shared = shared;
        memory = shared.context.regionMemory();
    }

    /** A handle that has begun with a message; null if the message has to go as DATA. Nothing in the head is believed. */
    StagedSend take(final int rank, final SendRequest request, final DirectBuffer head, final int offset)
    {
        if (!shared.isStaged(rank, request.wanted))
        {
            return null;
        }
        key.decode(head, offset + HeadDescriptor.STAGING_KEY_OFFSET);
        final long length = head.getLong(offset + HeadDescriptor.STAGING_LENGTH_OFFSET, LITTLE_ENDIAN);
        if (key.rank() != rank || length < StagingDescriptor.MIN_LENGTH || length > RegionMemory.MAX_LENGTH)
        {
            shared.refuse();
            return null;
        }
        return start(request, (int)length);
    }

    /** With a handle that has nothing under way; null if it cannot be. */
    private StagedSend start(final SendRequest request, final int length)
    {
        StagedSend previous = null;
        for (StagedSend send = free; send != null; send = send.next)
        {
            if (tryStart(send, request, length) == 0)
            {
                if (previous == null)
                {
                    free = send.next;
                }
                else
                {
                    previous.next = send.next;
                }
                send.next = null;
                return send;
            }
            previous = send;
        }
        final StagedSend send = new StagedSend();
        return tryStart(send, request, length) == 0 ? send : null;
    }

    private long tryStart(final StagedSend send, final SendRequest request, final int length)
    {
        try
        {
            return send.start(request, memory, key, length);
        }
        catch (final MailboxException ex)
        {
            // no room for the queue to other nodes
            return Endpoint.FAILED;
        }
    }

    /** Learns what has been put. */
    void poll()
    {
        memory.poll();
    }

    /** A message is over, or goes on without its handle. */
    void give(final StagedSend send)
    {
        send.stop();
        send.next = free;
        free = send;
    }
}
