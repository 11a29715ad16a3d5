// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.deck;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.tallypost.deck.DeckCounters.Counter;
import org.tallypost.messaging.Communicator;
import org.tallypost.messaging.Messenger;
import org.tallypost.messaging.RequestResult;

/** Answers announcements of large messages: each gets a buffer of its own, as soon as there is memory. The thread of the deck. */
final class LargeMessages
{
    /** Most announcements that wait here; more are refused. */
    private static final int MAX_WAITING = 4_096;
    private static final int MAX_CLASS = 30;
    /** An announcement that waits for memory. */
    private static final class Waiting
    {
        final MailBox box;
        final int source;
        final int request;
        final int length;

        Waiting(final MailBox box, final int source, final int request, final int length)
        {
            this.box = box;
            this.source = source;
            this.request = request;
            this.length = length;
        }
    }

    private final Deck deck;
    private final Messenger messenger;
    private final Communicator communicator;
    private final ReceiveRoom room;
    private final List<PooledBuffer> arriving = new ArrayList<>();
    private final ArrayDeque<Waiting> waiting = new ArrayDeque<>();
    /** For each class one buffer that was used before. */
    private final ByteBuffer[] spare = new ByteBuffer[MAX_CLASS + 1];
    private long bytesInUse;
    /** Of the last one. */
    int nextTag;

    LargeMessages(final Deck deck, final Messenger messenger, final Communicator communicator, final ReceiveRoom room)
    {
        this.deck = deck;
        this.messenger = messenger;
        this.communicator = communicator;
        this.room = room;
    }

    void onAnnounced(final int source, final int request, final MailBox box, final int length)
    {
        final int sizeClass = length < 0 ? 0 : SizeClass.of(length);
        if (box == null)
        {
            refuse(source, request, ControlDescriptor.CLOSED);
        }
        else if (sizeClass <= box.limit() || sizeClass > MAX_CLASS || roomOf(sizeClass) > deck.maxLargeBytes())
        {
            deck.count(Counter.REFUSED);
            refuse(source, request, ControlDescriptor.TOO_LONG);
        }
        else if (waiting.size() == MAX_WAITING)
        {
            deck.count(Counter.REFUSED);
            refuse(source, request, ControlDescriptor.BUSY);
        }
        else
        {
            waiting.add(new Waiting(box, source, request, length));
            admit();
        }
    }

    private void refuse(final int source, final int request, final int why)
    {
        deck.controls().send(source, ControlDescriptor.READY, request, 0, why);
    }

    private static long roomOf(final int sizeClass)
    {
        return 1L << sizeClass;
    }

    /** Those that came first, as far as memory goes. */
    private void admit()
    {
        while (!waiting.isEmpty())
        {
            final Waiting first = waiting.peek();
            final int sizeClass = SizeClass.of(first.length);
            if (bytesInUse + roomOf(sizeClass) > deck.maxLargeBytes() || first.box.largeCount == MailBox.MAX_LARGE ||
                arriving.size() == BoxNumbers.SHORT || room.isFull())
            {
                return;
            }
            waiting.remove();
            final PooledBuffer buffer = new PooledBuffer(first.box, sizeClass, true, memory(sizeClass));
            bytesInUse += roomOf(sizeClass);
            first.box.largeCount++;
            buffer.source = first.source;
            buffer.length = first.length;
            buffer.tag = freeTag(first.source);
            messenger.receive(buffer.receive, communicator, buffer.source, buffer.tag, buffer.buffer, 0, buffer.length);
            arriving.add(buffer);
            room.take();
            deck.controls().send(first.source, ControlDescriptor.READY, first.request, first.box.number(), buffer.tag);
        }
    }

    /** A tag that needs no head, and that no message on its way from the rank has. */
    private int freeTag(final int source)
    {
        do
        {
            nextTag = (nextTag + 1) % BoxNumbers.SHORT;
        }
        while (isInUse(source, nextTag));
        return nextTag;
    }

    private boolean isInUse(final int source, final int tag)
    {
        for (int i = 0; i < arriving.size(); i++)
        {
            if (arriving.get(i).tag == tag && arriving.get(i).source == source)
            {
                return true;
            }
        }
        return false;
    }

    private ByteBuffer memory(final int sizeClass)
    {
        final ByteBuffer used = spare[sizeClass];
        spare[sizeClass] = null;
        return used != null ? used : ByteBuffer.allocateDirect(SizeClass.length(sizeClass));
    }

    int work()
    {
        int work = 0;
        for (int i = 0; i < arriving.size(); i++)
        {
            final PooledBuffer buffer = arriving.get(i);
            if (buffer.receive.isDone())
            {
                arriving.remove(i--);
                room.give();
                arrive(buffer);
                work++;
            }
        }
        if (!waiting.isEmpty())
        {
            // a receive may have ended meanwhile
            admit();
        }
        return work;
    }

    private void arrive(final PooledBuffer buffer)
    {
        final boolean isWhole = buffer.receive.result() == RequestResult.SUCCESS && buffer.receive.length() == buffer.length;
        if (buffer.box.isClosed || !isWhole || !deck.operations().add(buffer.box, buffer))
        {
            release(buffer);
        }
        else
        {
            deck.count(Counter.ARRIVED);
        }
    }

    void release(final PooledBuffer buffer)
    {
        bytesInUse -= roomOf(buffer.sizeClass);
        buffer.box.largeCount--;
        spare[buffer.sizeClass] = buffer.buffer.byteBuffer();
        admit();
    }

    /** The sender has given up: nothing comes for the tag. */
    void onCancelled(final int source, final int tag)
    {
        for (final PooledBuffer each : arriving)
        {
            if (each.source == source && each.tag == tag)
            {
                messenger.cancel(each.receive);
            }
        }
    }

    void onGone(final int rank)
    {
        waiting.removeIf((one) -> one.source == rank);
        for (final PooledBuffer each : arriving)
        {
            if (each.source == rank && each.receive.isActive())
            {
                messenger.cancel(each.receive);
            }
        }
        admit();
    }

    void close(final MailBox box)
    {
        for (int i = waiting.size(); i > 0; i--)
        {
            final Waiting one = waiting.poll();
            if (one.box == box)
            {
                refuse(one.source, one.request, ControlDescriptor.CLOSED);
            }
            else
            {
                waiting.add(one);
            }
        }
        // the first of those that are left may need less
        admit();
    }
}
