// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.deck.DeckCounters.Counter;
import org.tallypost.messaging.Communicator;
import org.tallypost.messaging.Messenger;
import org.tallypost.messaging.ReceiveRequest;
import org.tallypost.messaging.RequestResult;
import org.tallypost.messaging.SendRequest;

/** Sends control messages and hands those that come to the deck. Nothing here blocks. The thread of the deck. */
final class Controls
{
    /** Most control messages to one rank that are on their way; more are dropped. */
    static final int MAX_WAITING = 1 << 14;

    /** A control message on its way. */
    private static final class Sending
    {
        int dest;
        final SendRequest request = new SendRequest();
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[ControlDescriptor.MAX_LENGTH]);
        /** What is to send it again if it does not arrive, or null. */
        NameRequest operation;
    }

    private final Deck deck;
    private final Messenger messenger;
    private final Communicator communicator;
    private final int incarnation;
    private final ReceiveRequest receive = new ReceiveRequest();
    private final UnsafeBuffer received = new UnsafeBuffer(new byte[ControlDescriptor.MAX_LENGTH]);
    private int sourceIncarnation;
    private final List<Sending> active = new ArrayList<>();
    private final List<Sending> free = new ArrayList<>();
    /** Those on their way, by the rank that they go to. */
    private final int[] waiting;

    Controls(final Deck deck, final Messenger messenger, final Communicator communicator)
    {
        this.deck = deck;
        this.messenger = messenger;
        this.communicator = communicator;
        incarnation = deck.incarnationOf(communicator.rank());
        waiting = new int[deck.rankCount()];
        expect();
    }

    private void expect()
    {
        messenger.receive(receive, communicator, Communicator.ANY_SOURCE, Communicator.ANY_TAG, received, 0,
            ControlDescriptor.MAX_LENGTH);
    }

    void send(final int dest, final int kind, final int request, final int box, final int value)
    {
        start(dest, prepare(kind, request, box, value), ControlDescriptor.NAME_OFFSET, null);
    }

    /** With a name; the request sends it again if the rank goes away before the message is there. */
    void send(final int dest, final int kind, final int box, final String name, final MailBox of, final NameRequest operation)
    {
        final byte[] bytes = name.getBytes(StandardCharsets.UTF_8);
        final Sending sending = prepare(kind, operation == null ? 0 : operation.number(), box, 0);
        if (of != null)
        {
            describe(sending, of.limit(), of.buffersPerClass(), incarnation);
        }
        sending.buffer.putBytes(ControlDescriptor.NAME_OFFSET, bytes);
        start(dest, sending, ControlDescriptor.NAME_OFFSET + bytes.length, operation);
    }

    /** Where a box is. */
    void answer(final int dest, final int request, final Names.Entry entry)
    {
        final Sending sending = prepare(ControlDescriptor.CLONED, request, entry.box, entry.rank);
        describe(sending, entry.limit, entry.buffers, entry.incarnation);
        start(dest, sending, ControlDescriptor.NAME_OFFSET, null);
    }

    private Sending prepare(final int kind, final int request, final int box, final int value)
    {
        final Sending sending = free.isEmpty() ? new Sending() : free.remove(free.size() - 1);
        final UnsafeBuffer buffer = sending.buffer;
        buffer.putInt(ControlDescriptor.KIND_OFFSET, kind, LITTLE_ENDIAN);
        buffer.putInt(ControlDescriptor.INCARNATION_OFFSET, incarnation, LITTLE_ENDIAN);
        buffer.putInt(ControlDescriptor.REQUEST_OFFSET, request, LITTLE_ENDIAN);
        buffer.putInt(ControlDescriptor.BOX_OFFSET, box, LITTLE_ENDIAN);
        buffer.putInt(ControlDescriptor.VALUE_OFFSET, value, LITTLE_ENDIAN);
        describe(sending, 0, 0, 0);
        return sending;
    }

    private static void describe(final Sending sending, final int limit, final int buffers, final int owner)
    {
        sending.buffer.putInt(ControlDescriptor.LIMIT_OFFSET, limit, LITTLE_ENDIAN);
        sending.buffer.putInt(ControlDescriptor.BUFFERS_OFFSET, buffers, LITTLE_ENDIAN);
        sending.buffer.putInt(ControlDescriptor.OWNER_OFFSET, owner, LITTLE_ENDIAN);
    }

    private void start(final int dest, final Sending sending, final int length, final NameRequest operation)
    {
        if (waiting[dest] == MAX_WAITING)
        {
            // it asks, and takes no answer
            deck.count(Counter.REFUSED);
            free.add(sending);
            return;
        }
        sending.operation = operation;
        sending.dest = dest;
        messenger.send(sending.request, communicator, dest, 0, sending.buffer, 0, length);
        if (sending.request.isDone())
        {
            end(sending);
        }
        else
        {
            waiting[dest]++;
            active.add(sending);
        }
    }

    /** Control messages to a rank that are on their way. */
    int waiting(final int dest)
    {
        return waiting[dest];
    }

    private void end(final Sending sending)
    {
        if (sending.operation != null && sending.request.result() != RequestResult.SUCCESS && sending.operation.isActive())
        {
            sending.operation.sendAgain();
        }
        sending.operation = null;
        free.add(sending);
    }

    int work()
    {
        int work = 0;
        for (int i = active.size() - 1; i >= 0; i--)
        {
            if (active.get(i).request.isDone())
            {
                final Sending last = active.remove(active.size() - 1);
                final Sending done = i == active.size() ? last : active.set(i, last);
                waiting[done.dest]--;
                end(done);
                work++;
            }
        }
        while (receive.isDone() && receive.result() != RequestResult.CLOSED)
        {
            take();
            expect();
            work++;
        }
        return work;
    }

    boolean isIdle()
    {
        return active.isEmpty();
    }

    private void take()
    {
        final int source = receive.source();
        final int length = receive.length();
        if (receive.result() != RequestResult.SUCCESS || length < ControlDescriptor.NAME_OFFSET)
        {
            deck.count(Counter.REFUSED);
            return;
        }
        sourceIncarnation = deck.handler().incarnation(source, source, value(ControlDescriptor.INCARNATION_OFFSET));
        if (deck.isThere(source, sourceIncarnation))
        {
            deck.handler().onControl(source, value(ControlDescriptor.KIND_OFFSET), this, length - ControlDescriptor.NAME_OFFSET);
        }
        else
        {
            // its process has ended since: all that it has is free, and an answer would go to the next one
            deck.count(Counter.UNDELIVERED);
        }
    }

    /** Incarnation of the sender of the message that is handed to the deck, as this node counts. */
    int sourceIncarnation()
    {
        return sourceIncarnation;
    }

    /** A field of the message that is handed to the deck. */
    int value(final int offset)
    {
        return received.getInt(offset, LITTLE_ENDIAN);
    }

    /** The name in it; null if there can be no such name. */
    String name(final int length)
    {
        final byte[] bytes = new byte[length];
        received.getBytes(ControlDescriptor.NAME_OFFSET, bytes);
        final String name = new String(bytes, StandardCharsets.UTF_8);
        return Names.isName(name) ? name : null;
    }
}
