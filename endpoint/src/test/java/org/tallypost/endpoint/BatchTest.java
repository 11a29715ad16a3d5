// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.nio.file.Path;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.node.Node;

class BatchTest
{
    @TempDir
    Path directory;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[4096]);
    private final MessageBatch batch = new MessageBatch(16);
    private int next;

    private void expectNext(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        assertEquals(next++, tag);
        for (int i = 0; i < length; i++)
        {
            assertEquals((byte)(tag + i), buffer.getByte(offset + i), "byte " + i + " of message " + tag);
        }
    }

    private void fill(final int offset, final int tag, final int length)
    {
        for (int i = 0; i < length; i++)
        {
            message.putByte(offset + i, (byte)(tag + i));
        }
    }

    @ParameterizedTest
    @CsvSource({
        "NONE,DIRECT,4", "STATIC,DIRECT,4", "DYNAMIC,DIRECT,4", "DYNAMIC,DIRECT,0", "STATIC,PACKET,0", "DYNAMIC,PACKET,0"})
    void shouldDeliverBatchesAndSinglesInOrder(final Flow flow, final CreditReturn creditReturn, final int lanes)
    {
        final Random random = new Random(Fixtures.seed());
        try (Node node = Node.launch(Fixtures.context(directory, flow, creditReturn, 2, 64).expressLanes(lanes)
            .checkInvariants(true));
            Endpoint from = node.open(0))
        {
            final Endpoint to = node.open(1);
            int sent = 0;
            long position = -1;
            while (sent < 20_000)
            {
                final int count = random.nextInt(9);
                batch.clear();
                for (int i = 0; i < Math.max(1, count); i++)
                {
                    final int length = random.nextInt(10) == 0 ? 50 + random.nextInt(150) : random.nextInt(60);
                    fill(i * 256, sent + i, length);
                    assertTrue(batch.add(sent + i, message, i * 256, length));
                }
                sent += batch.size();
                final int last = sent;
                final long[] result = {count == 0 ? single(from, batch) : from.offer(1, batch)};
                Fixtures.pollUntil("message " + last, this::expectNext, () ->
                {
                    result[0] = result[0] >= 0 ? result[0] : count == 0 ? single(from, batch) : from.offer(1, batch);
                    assertTrue(result[0] >= 0 || result[0] == Endpoint.NO_CREDIT || result[0] == Endpoint.NOT_CONNECTED,
                        () -> Endpoint.errorString(result[0]));
                    return result[0] >= 0;
                }, to, from);
                assertTrue(result[0] > position, "positions grow: " + position + ", " + result[0]);
                position = result[0];
            }
            final int all = sent;
            Fixtures.pollUntil("all", this::expectNext, () -> next == all, to, from);
            assertEquals(all, from.counters().sent());
            assertEquals(to.counters().bytesReceived(), from.counters().bytesSent());
            assertEquals(0, to.counters().refused());
        }
    }

    private long single(final Endpoint from, final MessageBatch one)
    {
        return from.offer(1, one.tag(0), one.buffer(0), one.offset(0), one.length(0));
    }

    @Test
    void shouldSendAllOrNothing()
    {
        try (Node node = Node.launch(Fixtures.context(directory, Flow.STATIC, CreditReturn.DIRECT, 2, 8));
            Endpoint from = node.open(0))
        {
            final Endpoint to = node.open(1);
            for (int i = 0; i < 5; i++)
            {
                fill(0, i, 8);
                assertTrue(batch.add(i, message, 0, 8));
            }
            Fixtures.awaitOffer(from, 1, message, 8, Fixtures.NOTHING, to);
            Fixtures.pollUntil("empty", Fixtures.NOTHING, () -> to.backlogSlots() == 0, to);
            assertTrue(from.offer(1, batch) >= 0);
            assertEquals(Endpoint.NO_CREDIT, from.offer(1, batch), "twice five slots do not fit six");
            assertEquals(5, to.backlogSlots());
            assertTrue(batch.add(5, message, 0, 8) && batch.add(6, message, 0, 8));
            assertEquals(Endpoint.TOO_LONG, from.offer(1, batch), "seven slots never fit six");
        }
    }

    @Test
    void shouldWakeAReceiverThatSleeps()
    {
        try (Node node = Node.launch(Fixtures.context(directory, Flow.DYNAMIC, CreditReturn.DIRECT, 2, 8).expressLanes(0));
            Endpoint from = node.open(0))
        {
            final Endpoint to = node.open(1);
            Fixtures.awaitOffer(from, 1, message, 8, Fixtures.NOTHING, to);
            Fixtures.pollUntil("empty", Fixtures.NOTHING, () -> to.backlogSlots() == 0, to);
            assertTrue(batch.add(0, message, 0, 8));
            local(to).mailbox().arm(MailboxDescriptor.ARMED_WITHIN_PROCESS);
            assertTrue(from.offer(1, batch) >= 0);
            assertFalse(local(to).mailbox().isArmed(), "somebody has to take the duty to wake it");
        }
    }

    @Test
    void shouldRefuseMisuse()
    {
        assertThrows(IllegalArgumentException.class, () -> new MessageBatch(0));
        final MessageBatch one = new MessageBatch(1);
        assertThrows(IndexOutOfBoundsException.class, () -> one.add(0, message, 4090, 8));
        assertThrows(IllegalArgumentException.class, () -> one.add(0, message, 0, Endpoint.MAX_RUN_LENGTH + 1));
        assertTrue(one.add(0, message, 0, 8));
        assertFalse(one.add(0, message, 0, 8));
        assertEquals(1, one.size());
        assertEquals(1, one.slots());
        try (Node node = Node.launch(Fixtures.context(directory, Flow.STATIC, CreditReturn.DIRECT, 2, 8));
            Endpoint from = node.open(0))
        {
            one.clear();
            assertThrows(IllegalArgumentException.class, () -> from.offer(1, one));
        }
    }
}
