// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.util.function.IntConsumer;
import org.agrona.DirectBuffer;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MembershipListener;
import org.tallypost.services.ServicesCounters.Counter;

/**
 * Hears which names the other ranks have, and tells them its own: all of them to a rank that opens or begins anew, and each
 * change to all. First of all it tells each rank that it begins: services and topics may begin later than their endpoint, and
 * what came before is lost. One thread.
 */
final class Announcements implements MembershipListener
{
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    private final Outbox outbox;
    private final int own;
    private final Directory directory;
    private final ServicesCounters counters;
    private final ErrorHandler errors;
    /** What is to be forgotten when a rank is gone, or begins anew. */
    private final IntConsumer forget;
    private final boolean[] isOpen;
    /** Whether a rank was told that this one begins. */
    private final boolean[] isMet;
    /** For each rank which of this rank's services it has to be told about: bits. */
    private final long[] untold;
    private final UnsafeBuffer message =
        new UnsafeBuffer(new byte[MessageDescriptor.NAME_OFFSET + MessageDescriptor.MAX_NAME_LENGTH]);
    private boolean hasUntold;

    Announcements(
        final Outbox outbox, final int own, final int ranks, final Directory directory, final ServicesCounters counters,
        final ErrorHandler errors, final IntConsumer forget)
    {
        this.outbox = outbox;
        this.own = own;
        this.directory = directory;
        this.counters = counters;
        this.errors = errors;
        this.forget = forget;
        isOpen = new boolean[ranks];
        isMet = new boolean[ranks];
        untold = new long[ranks];
    }

    /** A service of this rank has begun or ended. */
    void changed(final int number)
    {
        for (int rank = 0; rank < untold.length; rank++)
        {
            untold[rank] |= isOpen[rank] ? 1L << number : 0;
        }
        hasUntold = true;
    }

    @Override
    public void onOpen(final int rank, final int incarnation)
    {
        isOpen[rank] = true;
        tellAll(rank);
    }

    /** A message of another rank about itself. */
    void onMessage(final int source, final int kind, final DirectBuffer buffer, final int offset, final int length)
    {
        if (source == own)
        {
            counters.add(Counter.REFUSED);
        }
        else if (kind == MessageDescriptor.BEGIN)
        {
            onBegin(source);
        }
        else
        {
            onName(source, kind, buffer, offset, length);
        }
    }

    /** What a rank has begins: what it was told before is lost. One that is not known to be open is told when it is. */
    private void onBegin(final int rank)
    {
        forget.accept(rank);
        if (isOpen[rank])
        {
            tellAll(rank);
        }
    }

    private void onName(final int source, final int kind, final DirectBuffer buffer, final int offset, final int length)
    {
        final int number = buffer.getInt(offset + MessageDescriptor.NUMBER_OFFSET, LITTLE_ENDIAN);
        final String name = kind == MessageDescriptor.WITHDRAW ? "" :
            Directory.read(buffer, offset + MessageDescriptor.NAME_OFFSET, length - MessageDescriptor.NAME_OFFSET);
        if (number < 0 || number >= MessageDescriptor.MAX_SERVICES || name == null)
        {
            counters.add(Counter.REFUSED);
        }
        else if (kind == MessageDescriptor.WITHDRAW)
        {
            directory.withdraw(source, number);
        }
        else
        {
            final Directory.Entry other = directory.enter(name, source, number);
            if (other != null)
            {
                errors.onError(new IllegalStateException("two ranks have the name '" + name + "': found " + source + " and " +
                    other.rank + "; the lower one has it at all ranks"));
            }
        }
    }

    private void tellAll(final int rank)
    {
        for (int number = 0; number < MessageDescriptor.MAX_SERVICES; number++)
        {
            untold[rank] |= directory.find(own, number) == null ? 0 : 1L << number;
        }
        hasUntold = true;
    }

    @Override
    public void onGone(final int rank, final int incarnation)
    {
        isOpen[rank] = false;
        isMet[rank] = false;
        untold[rank] = 0;
        forget.accept(rank);
    }

    /** Tells what can be told now; returns how many messages went. */
    int work()
    {
        if (!hasUntold)
        {
            return 0;
        }
        hasUntold = false;
        int sent = 0;
        for (int rank = 0; rank < untold.length; rank++)
        {
            final boolean isToBeMet = isOpen[rank] && !isMet[rank];
            sent += isToBeMet && meet(rank) ? 1 : 0;
            while (isMet[rank] && untold[rank] != 0 && tryTell(rank, Long.numberOfTrailingZeros(untold[rank])))
            {
                untold[rank] &= untold[rank] - 1;
                sent++;
            }
            hasUntold |= isOpen[rank] && !isMet[rank] || untold[rank] != 0;
        }
        return sent;
    }

    /** Tells a rank that this one begins, which comes before any request and any name. False if that cannot be told now. */
    boolean meet(final int rank)
    {
        isMet[rank] = isMet[rank] || rank == own || tryTell(rank, MessageDescriptor.BEGIN, 0);
        return isMet[rank];
    }

    private boolean tryTell(final int rank, final int number)
    {
        final Directory.Entry entry = directory.find(own, number);
        message.putInt(MessageDescriptor.NUMBER_OFFSET, number, LITTLE_ENDIAN);
        int length = MessageDescriptor.NAME_OFFSET;
        if (entry != null)
        {
            length += message.putStringWithoutLengthAscii(MessageDescriptor.NAME_OFFSET, entry.name);
        }
        return tryTell(rank, entry == null ? MessageDescriptor.WITHDRAW : MessageDescriptor.ANNOUNCE, length);
    }

    private boolean tryTell(final int rank, final int kind, final int length)
    {
        final long result = outbox.send(rank, kind, message, length, NOTHING, 0, 0, false);
        // a rank that is gone may be open again: the next attempt reaches its new incarnation, or it is heard that it is gone
        return result >= 0 || result == Endpoint.CLOSED;
    }
}
