// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.LongSend;
import org.tallypost.endpoint.SendListener;
import org.tallypost.messaging.internal.wire.HeadDescriptor;

/**
 * A part of an announced message on its way: a {@link LongSend} and the head in front of the part. Used again. One thread.
 */
final class DataSend implements SendListener
{
    /** Longest part of a message. */
    static final int MAX_PART_LENGTH = Endpoint.MAX_MESSAGE_LENGTH - HeadDescriptor.DATA_LENGTH;

    private final OutgoingData owner;
    private final int tag;
    private final LongSend send;
    private final UnsafeBuffer head = new UnsafeBuffer(new byte[HeadDescriptor.DATA_LENGTH]);
    /** The part: it goes on if the program's buffer becomes shorter meanwhile, which the next one learns. */
    private final UnsafeBuffer body = new UnsafeBuffer(0, 0);
    private SendRequest request;
    private int partLength;
    /** Bytes of the part that were out when it was asked how many may follow. */
    private int lastSent;
    /** The next one that is free. */
    DataSend next;

    DataSend(final Endpoint endpoint, final OutgoingData owner, final int tag)
    {
        this.owner = owner;
        this.tag = tag;
        send = endpoint.newSend(this);
    }

    /** Begins the next part of a request's message. */
    long start(final SendRequest ofMessage)
    {
        request = ofMessage;
        request.checkBytes();
        partLength = Math.min(MAX_PART_LENGTH, request.wanted - request.moved);
        head.putLong(HeadDescriptor.ASKING_ID_OFFSET, request.receiveId, LITTLE_ENDIAN);
        head.putLong(HeadDescriptor.POSITION_OFFSET, request.moved, LITTLE_ENDIAN);
        body.wrap(request.buffer, request.offset + request.moved, partLength);
        return send.start(request.peer, tag, head, 0, HeadDescriptor.DATA_LENGTH, body, 0, partLength);
    }

    @Override
    public void onSendEnd(final LongSend handle, final long result)
    {
        owner.onEnd(request, result);
    }

    @Override
    public int mostUnread(final int sent)
    {
        final boolean hasMoved = sent > lastSent;
        lastSent = sent;
        return owner.mostUnread(hasMoved);
    }

    /** Length of the part that was started last. */
    int partLength()
    {
        return partLength;
    }

    /** Gives up what is under way. */
    void stop()
    {
        send.abort();
        request = null;
    }
}
