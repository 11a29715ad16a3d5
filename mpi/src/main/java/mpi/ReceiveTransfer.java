// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.messaging.MatchedMessage;
import org.tallypost.messaging.ReceiveRequest;
import org.tallypost.messaging.RequestResult;

/** A message from one rank, or from any. */
final class ReceiveTransfer extends Transfer
{
    private final Payload payload = new Payload();
    private final ReceiveRequest request = new ReceiveRequest();
    private ReceiveRequest second;
    private boolean isSecond;
    private int tagOfObjects;
    /** Some of several messages with objects have come. */
    private boolean isLater;
    private Channels channels;
    private boolean isCollective;
    private Object buffer;
    private long offset;
    private long skip;
    private int count;
    private Datatype type;
    private int from;
    private int wantedTag;
    private MatchedMessage held;
    /** Number of the first rank that messages come from, in the channels. */
    private int rankBase;

    /** Room for items: the skip counts bytes, of objects places. */
    ReceiveTransfer items(final Object to, final long at, final long behind, final int number, final Datatype of)
    {
        buffer = to;
        offset = at;
        skip = behind;
        count = number;
        type = of;
        return this;
    }

    /** From a rank, by the numbers of the channels. */
    ReceiveTransfer from(
        final Channels by, final boolean isOfCollective, final int rank, final int tagOfMessage, final int firstRank)
    {
        rankBase = firstRank;
        channels = by;
        isCollective = isOfCollective;
        from = rank;
        wantedTag = tagOfMessage;
        held = null;
        return this;
    }

    /** A message that was taken out of matching. */
    ReceiveTransfer from(final Channels by, final MatchedMessage message, final int firstRank)
    {
        from(by, false, 0, 0, firstRank);
        held = message;
        return this;
    }

    /** Bytes of the message as it was sent. */
    int messageLength()
    {
        return request.messageLength();
    }

    boolean isToBeKept()
    {
        return payload.isToBeKept();
    }

    @Override
    Channels channels()
    {
        return channels;
    }

    @Override
    boolean isCarriedOn()
    {
        return type != null && type.isObject();
    }

    /** Nobody may ever send what it waits for. */
    @Override
    boolean isAwaitedAtTheEnd()
    {
        return false;
    }

    @Override
    void begin() throws MPIException
    {
        isSecond = false;
        isLater = false;
        if (from == MPI.PROC_NULL)
        {
            source = MPI.PROC_NULL;
            tag = MPI.ANY_TAG;
            length = 0;
            objects = 0;
            return;
        }
        payload.in(buffer, offset, skip, count, type);
        if (held != null)
        {
            channels.world().messenger().receive(request, held, payload.bytes, 0, payload.length());
            return;
        }
        request.prepare(channels.messages(isCollective), from, wantedTag, payload.bytes, 0, payload.length());
        channels.world().messenger().start(request);
    }

    @Override
    boolean advance() throws MPIException
    {
        if (from == MPI.PROC_NULL)
        {
            return true;
        }
        if (request.isActive() || isSecond && second.isActive())
        {
            return false;
        }
        if (!isSecond)
        {
            source = request.source() < 0 ? MPI.ANY_SOURCE : request.source() - rankBase;
            tag = request.tag();
            length = request.length();
            end(request.result(), request);
            if (isCancelled)
            {
                return true;
            }
        }
        return payload.isObject() ? advanceObjects() : advanceItems();
    }

    private boolean advanceItems() throws MPIException
    {
        payload.received(request.length());
        if (request.result() == RequestResult.TRUNCATED)
        {
            throw new MPIException(MPI.ERR_TRUNCATE, "the message is too long: found=" + request.messageLength() +
                ", expected at most " + request.length() + " bytes, source=" + source + ", tag=" + tag);
        }
        return true;
    }

    private boolean advanceObjects() throws MPIException
    {
        if (!isSecond)
        {
            tagOfObjects = payload.objectTag(request.messageLength());
            if (tagOfObjects >= 0)
            {
                payload.beginIn();
            }
        }
        else
        {
            end(second.result(), second);
            payload.objectsCame(second.messageLength());
            length = isLater ? length + second.length() : second.length();
            isLater = true;
        }
        final UnsafeBuffer room = tagOfObjects < 0 ? null : payload.nextIn();
        if (room != null)
        {
            second = second == null ? new ReceiveRequest() : second;
            isSecond = true;
            second.prepare(channels.objects(), source + rankBase, tagOfObjects, room, 0, room.capacity());
            channels.world().messenger().start(second);
            return false;
        }
        objects = payload.objectCount();
        payload.receivedObjects();
        return true;
    }

    @Override
    void cancel() throws MPIException
    {
        if (from != MPI.PROC_NULL && !isSecond && request.isActive())
        {
            channels.world().messenger().cancel(request);
        }
    }
}
