// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import org.tallypost.messaging.SendMode;
import org.tallypost.messaging.SendRequest;

/** A message to one rank. */
final class SendTransfer extends Transfer
{
    /** When it is done. */
    enum Mode
    {
        STANDARD, SYNCHRONOUS, BUFFERED
    }

    private final Payload payload = new Payload();
    private final SendRequest request = new SendRequest();
    private SendRequest second;
    private boolean isSecond;
    private Channels channels;
    private boolean isCollective;
    private Mode mode;
    private Object buffer;
    private long offset;
    private long skip;
    private int count;
    private Datatype type;
    private int dest;
    private int messageTag;
    private int tagOfObjects;

    /** Of items: the skip counts bytes, of objects places. */
    SendTransfer items(final Object from, final long at, final long behind, final int number, final Datatype of)
    {
        buffer = from;
        offset = at;
        skip = behind;
        count = number;
        type = of;
        return this;
    }

    /** Items are copied when it starts: their buffer is free from then on. */
    void copyItems()
    {
        payload.copyAlways();
    }

    /** To a rank, by the numbers of the channels. */
    SendTransfer to(final Channels by, final boolean isOfCollective, final Mode how, final int rank, final int tagOfMessage)
    {
        channels = by;
        isCollective = isOfCollective;
        mode = how;
        dest = rank;
        messageTag = tagOfMessage;
        return this;
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

    @Override
    void begin() throws MPIException
    {
        isSecond = false;
        if (dest != MPI.PROC_NULL)
        {
            tagOfObjects = channels.nextObjectTag();
            payload.out(buffer, offset, skip, count, type, tagOfObjects);
            channels.world().moveToMapped(payload.bytes);
            send(request, false, messageTag);
        }
    }

    private void send(final SendRequest by, final boolean isObject, final int withTag) throws MPIException
    {
        final World world = channels.world();
        final var communicator = isObject ? channels.objects() : channels.messages(isCollective);
        if (mode == Mode.BUFFERED)
        {
            end(world.sendBuffered(communicator, dest, withTag, payload.bytes, payload.length()), "rank " + dest);
            return;
        }
        by.prepare(mode == Mode.SYNCHRONOUS ? SendMode.SYNCHRONOUS : SendMode.STANDARD, communicator, dest, withTag,
            payload.bytes, 0, payload.length());
        world.messenger().start(by);
    }

    @Override
    boolean advance() throws MPIException
    {
        if (dest == MPI.PROC_NULL || mode == Mode.BUFFERED && !payload.isObject())
        {
            return true;
        }
        if (request.isActive() || isSecond && second.isActive())
        {
            return false;
        }
        if (mode != Mode.BUFFERED)
        {
            end(request.result(), request);
        }
        if (isSecond && mode != Mode.BUFFERED)
        {
            end(second.result(), second);
        }
        return isCancelled || !payload.isObject() || !sendObjects();
    }

    /** False if there are none but those that were sent. */
    private boolean sendObjects() throws MPIException
    {
        if (!payload.nextOut())
        {
            return false;
        }
        second = second == null ? new SendRequest() : second;
        isSecond = true;
        send(second, true, tagOfObjects);
        return true;
    }

    @Override
    void cancel() throws MPIException
    {
        if (dest != MPI.PROC_NULL && mode != Mode.BUFFERED && request.isActive())
        {
            channels.world().messenger().cancel(request);
        }
    }
}
