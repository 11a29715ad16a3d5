// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.node.Node;

/** A part of a batch goes if not all of it can: as much as there are credits for, and the batch keeps the rest. */
class OfferSomeTest
{
    private static final int CAPACITY = 40;
    private static final int PLACE = 256;
    private static final int MESSAGES = 5_000;
    private static final int MAX_ROUNDS = 5;
    private static final int MAX_BYTES = 1_024;

    @TempDir
    private Path directory;

    private final MessageBatch batch = new MessageBatch(CAPACITY);
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[CAPACITY * PLACE]);
    private int next;
    private int added;

    private void expectNext(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        assertEquals(next++, tag);
        for (int i = 0; i < length; i++)
        {
            if (buffer.getByte(offset + i) != (byte)(tag + i))
            {
                throw new AssertionError("byte " + i + " of message " + tag + ": found=" + buffer.getByte(offset + i));
            }
        }
    }

    /** Adds messages behind those that were left; each keeps its place in the buffer until it is out. */
    private void add(final Random random, final int count)
    {
        for (int i = 0; i < count && batch.size() < CAPACITY; i++)
        {
            final int length = random.nextInt(4) == 0 ? random.nextInt(200) : random.nextInt(40);
            final int place = added % CAPACITY * PLACE;
            for (int k = 0; k < length; k++)
            {
                message.putByte(place + k, (byte)(added + k));
            }
            assertTrue(batch.add(added++, message, place, length));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "NONE,DIRECT,0", "STATIC,DIRECT,0", "DYNAMIC,DIRECT,0", "DYNAMIC,DIRECT,4", "STATIC,PACKET,0", "DYNAMIC,PACKET,4"})
    void shouldSendWhatThereAreCreditsFor(final Flow flow, final CreditReturn creditReturn, final int lanes)
    {
        final Random random = new Random(Fixtures.seed());
        try (Node node = Node.launch(Fixtures.context(directory, flow, creditReturn, 2, 16).expressLanes(lanes)
            .checkInvariants(true));
            Endpoint from = node.open(0);
            Endpoint to = node.open(1))
        {
            final int[] parts = new int[1];
            Fixtures.pollUntil("all", this::expectNext, () ->
            {
                if (added < MESSAGES)
                {
                    add(random, 1 + random.nextInt(CAPACITY));
                }
                while (batch.size() > 0 && random.nextInt(8) > 0)
                {
                    parts[0] += offer(from, lanes == 0);
                }
                return added >= MESSAGES && next == added;
            }, to, from);
            assertEquals(added, from.counters().sent());
            assertEquals(to.counters().bytesReceived(), from.counters().bytesSent());
            assertEquals(0, to.counters().refused());
            assertTrue(parts[0] > 0, "no batch went in parts");
        }
    }

    /** Returns 1 if a part went. With lanes, messages of one offer each may share a slot, so more of them may go. */
    private int offer(final Endpoint from, final boolean isMost)
    {
        final int size = batch.size();
        final int first = batch.tag(0);
        final int last = batch.tag(size - 1);
        final long result = from.offerSome(1, batch);
        if (result < 0)
        {
            assertTrue(result == Endpoint.NO_CREDIT || result == Endpoint.NOT_CONNECTED, () -> Endpoint.errorString(result));
        }
        assertTrue(result != 0 && result <= size, () -> "found=" + result + " of " + size);
        final int sent = (int)Math.max(0, result);
        assertEquals(size - sent, batch.size());
        if (batch.size() == 0)
        {
            assertEquals(0, batch.slots());
            return 0;
        }
        assertEquals(first + sent, batch.tag(0));
        assertEquals(last, batch.tag(batch.size() - 1));
        if (isMost && result != Endpoint.NOT_CONNECTED)
        {
            assertEquals(Endpoint.NO_CREDIT,
                from.offer(1, batch.tag(0), batch.buffer(0), batch.offset(0), batch.length(0)), "one more has credits");
        }
        return sent > 0 ? 1 : 0;
    }

    @Test
    void shouldKeepABatchLongerThanTheMailboxAndSayWhyNothingWent()
    {
        try (Node node = Node.launch(Fixtures.context(directory, Flow.STATIC, CreditReturn.DIRECT, 2, 8).expressLanes(0)))
        {
            final Endpoint from = node.open(0);
            assertThrows(IllegalArgumentException.class, () -> from.offerSome(1, batch));
            add(new Random(1), 20);
            assertThrows(IllegalArgumentException.class, () -> from.offerSome(2, batch));
            assertEquals(Endpoint.NOT_CONNECTED, from.offerSome(1, batch));
            assertEquals(20, batch.size());
            final Endpoint to = node.open(1);
            Fixtures.awaitOffer(from, 1, message, 8, Fixtures.NOTHING, to);
            Fixtures.pollUntil("empty", Fixtures.NOTHING, () -> to.backlogSlots() == 0, to);
            batch.clear();
            for (int i = 0; i < 20; i++)
            {
                assertTrue(batch.add(i, message, 0, 48));
            }
            assertEquals(Endpoint.TOO_LONG, from.offer(1, batch), "twenty slots never fit six");
            // the credit of the first message may wait at the receiver
            final int credits = from.sendTokens(1, Priority.LOW);
            assertTrue(credits == 5 || credits == 6, () -> "credits=" + credits);
            assertEquals(credits, from.offerSome(1, batch));
            assertEquals(Endpoint.NO_CREDIT, from.offerSome(1, batch));
            assertEquals(20 - credits, batch.size());
            assertEquals(20 - credits, batch.slots());
            assertEquals(credits, to.backlogSlots());
            batch.clear();
            assertTrue(batch.add(0, message, 0, Endpoint.MAX_RUN_LENGTH) && batch.add(1, message, 0, 8));
            assertEquals(Endpoint.TOO_LONG, from.offerSome(1, batch), "the first one never fits");
            assertEquals(2, batch.size());
            to.close();
            Fixtures.pollUntil("loss", Fixtures.NOTHING, () -> from.offerSome(1, batch) == Endpoint.PEER_GONE, from);
            from.close();
            assertEquals(Endpoint.CLOSED, from.offerSome(1, batch));
            assertEquals(2, batch.size());
        }
    }

    @ParameterizedTest
    @CsvSource({"STATIC,DIRECT", "DYNAMIC,PACKET"})
    void shouldAllocateNothing(final Flow flow, final CreditReturn creditReturn)
    {
        final com.sun.management.ThreadMXBean threads = (com.sun.management.ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long thread = Thread.currentThread().getId();
        try (Node node = Node.launch(Fixtures.context(directory, flow, creditReturn, 2, 16));
            Endpoint from = node.open(0);
            Endpoint to = node.open(1))
        {
            long allocated = Long.MAX_VALUE;
            long parts = exchange(from, to);
            for (int round = 0; round < MAX_ROUNDS && allocated >= MAX_BYTES; round++)
            {
                final long before = threads.getThreadAllocatedBytes(thread);
                parts += exchange(from, to);
                allocated = threads.getThreadAllocatedBytes(thread) - before;
            }
            assertTrue(parts > MESSAGES / CAPACITY, "parts: " + parts);
            assertTrue(allocated < MAX_BYTES, "allocated " + allocated + " bytes in the last round");
        }
    }

    private long exchange(final Endpoint from, final Endpoint to)
    {
        long parts = 0;
        for (int i = 0; i < MESSAGES; i += CAPACITY)
        {
            for (int k = 0; k < CAPACITY; k++)
            {
                batch.add(k, message, 0, k);
            }
            while (batch.size() > 0)
            {
                parts += from.offerSome(1, batch) > 0 ? 1 : 0;
                to.poll(Fixtures.NOTHING, 10);
                from.poll(Fixtures.NOTHING, 10);
            }
        }
        return parts;
    }
}
