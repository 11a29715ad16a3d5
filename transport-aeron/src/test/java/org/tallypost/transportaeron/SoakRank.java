// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.EndpointCounters;
import org.tallypost.endpoint.LongSend;
import org.tallypost.node.Node;

/**
 * One incarnation of a rank. It sends numbered messages to all others, and checks what it receives: whole, once, in order, and
 * none left out unless the sender was told that the receiver is gone. For one thread.
 *
 * <pre>
 *   0   incarnation of the sender &lt;&lt; 32 | number of the message for this receiver, from 1
 *   8   number of the first message since the sender was told last that the receiver is gone
 *   16  sender &lt;&lt; 32 | receiver
 *   24  words that follow from the first one
 * </pre>
 */
final class SoakRank implements AutoCloseable
{
    private static final int MIN_LENGTH = 24;
    private static final int MAX_LENGTH = 96;
    private static final int LONG_LENGTH = 5_000;
    private static final int LONG_EVERY = 61;
    private static final int POLL_LIMIT = 32;

    private final Endpoint endpoint;
    private final int rank;
    private final Books books;
    private final long incarnation;
    private final int ranks = NodesSoakTest.RANKS;
    private final long[] next = new long[ranks];
    private final long[] first = new long[ranks];
    private final boolean[] isGone = new boolean[ranks];
    private final long[] last = new long[ranks];
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MAX_LENGTH]);
    private final UnsafeBuffer[] longMessages = new UnsafeBuffer[ranks];
    /** A long message that is under way to each rank. */
    private final LongSend[] sends = new LongSend[ranks];

    SoakRank(final Node node, final int rank, final Books books)
    {
        this.rank = rank;
        this.books = books;
        endpoint = node.open(rank);
        Arrays.setAll(longMessages, (dest) -> new UnsafeBuffer(new byte[LONG_LENGTH]));
        Arrays.setAll(sends, (dest) -> endpoint.newSend());
        books.add(Books.STARTS, rank, rank, 1);
        incarnation = books.get(Books.STARTS, rank, rank);
        Arrays.fill(next, 1);
        Arrays.fill(first, 1);
    }

    /** Polls, and sends one message to each other rank that takes it. */
    void turn()
    {
        endpoint.poll(this::onMessage, POLL_LIMIT);
        for (int dest = 0; dest < ranks; dest++)
        {
            if (sends[dest].isActive())
            {
                onLong(dest, sends[dest].progress());
            }
            else if (dest != rank && !books.isStopped())
            {
                send(dest);
            }
        }
    }

    private static int length(final long number)
    {
        return number % LONG_EVERY == 0 ? LONG_LENGTH :
            MIN_LENGTH + (int)(number * 7919 % (MAX_LENGTH - MIN_LENGTH + 1)) / Long.BYTES * Long.BYTES;
    }

    private static long word(final long head, final int index)
    {
        return (head + index) * 0x9E37_79B9_7F4A_7C15L;
    }

    private void fill(final UnsafeBuffer buffer, final int dest, final int length)
    {
        final long head = incarnation << 32 | next[dest];
        buffer.putLong(0, head);
        buffer.putLong(8, first[dest]);
        buffer.putLong(16, (long)rank << 32 | dest);
        for (int at = MIN_LENGTH; at <= length - Long.BYTES; at += Long.BYTES)
        {
            buffer.putLong(at, word(head, at));
        }
    }

    private void send(final int dest)
    {
        final int length = length(next[dest]);
        if (length < LONG_LENGTH)
        {
            fill(message, dest, length);
            onResult(dest, endpoint.offer(dest, 1, message, 0, length));
        }
        else
        {
            fill(longMessages[dest], dest, length);
            onLong(dest, sends[dest].start(dest, 1, longMessages[dest], 0, length));
        }
    }

    private void onLong(final int dest, final long result)
    {
        if (!sends[dest].isActive())
        {
            onResult(dest, result);
        }
    }

    private void onResult(final int dest, final long result)
    {
        if (result >= 0)
        {
            next[dest]++;
            isGone[dest] = false;
            books.add(Books.SENT, rank, dest, 1);
        }
        else if (result == Endpoint.PEER_GONE)
        {
            first[dest] = next[dest];
            books.add(Books.GONE, rank, dest, isGone[dest] ? 0 : 1);
            isGone[dest] = true;
        }
        else if (result != Endpoint.NO_CREDIT && result != Endpoint.NOT_CONNECTED)
        {
            wrong("from " + rank + " to " + dest + ": " + Endpoint.errorString(result), dest);
        }
    }

    private void wrong(final String text, final int peer)
    {
        books.add(Books.WRONG, rank, peer, 1);
        System.out.println("wrong " + text);
    }

    private void onMessage(
        final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        final long head = buffer.getLong(offset);
        final long number = head & 0xFFFF_FFFFL;
        final long start = buffer.getLong(offset + 8);
        boolean isWhole = length == length(number) && buffer.getLong(offset + 16) == ((long)source << 32 | rank);
        for (int at = MIN_LENGTH; isWhole && at <= length - Long.BYTES; at += Long.BYTES)
        {
            isWhole = buffer.getLong(offset + at) == word(head, at);
        }
        final long before = last[source];
        final boolean isNext = before >>> 32 == head >>> 32 && head == before + 1;
        final boolean isFirst = head > before && number == start && (before >>> 32 != head >>> 32 || start > (int)before);
        if (!isWhole || !isNext && !isFirst)
        {
            wrong("at " + rank + "." + incarnation + " from " + source + ": found incarnation=" + (head >>> 32) + ", number=" +
                number + ", first=" + start + ", behind incarnation=" + (before >>> 32) + ", number=" + (int)before +
                ", length=" + length + ", whole=" + isWhole, source);
        }
        last[source] = head;
        books.add(Books.RECEIVED, rank, source, 1);
    }

    /** What must be nothing at the end. */
    String end()
    {
        final EndpointCounters counters = endpoint.counters();
        return "rank=" + rank + " refused=" + counters.refused() + " repaired=" + counters.repairedCredits() + " ";
    }

    @Override
    public void close()
    {
        endpoint.close();
    }
}
