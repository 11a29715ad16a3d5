// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.adapters.agrona;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.ControlledMessageHandler;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.RingBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

/** The contract holds for an endpoint that writes to itself, and what differs is as it is said. */
class EndpointRingBufferTest extends RingBufferContract
{
    private static final int MESSAGES = 10_000;

    @TempDir
    private Path directory;
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[2_048]);
    private Node node;
    private Endpoint own;
    private RingBuffer ring;

    @BeforeEach
    void open()
    {
        node = Node.launch(new NodeContext().directory(directory.resolve("node").toFile()).groupName("ring").rankCount(3)
            .maxSendingThreads(64).deleteOnClose(true));
        own = node.open(0);
        ring = new EndpointRingBuffer(own, 0);
        await(ring, ring, 1);
    }

    @AfterEach
    void close()
    {
        node.close();
    }

    @Override
    RingBuffer ring()
    {
        return ring;
    }

    private void await(final RingBuffer from, final RingBuffer to, final int type)
    {
        Watchdog.await("that a write is taken", () ->
        {
            to.read((itsType, buffer, index, length) -> {});
            return from.write(type, message, 0, 0);
        });
        Watchdog.await("that it comes", () -> to.read((itsType, buffer, index, length) -> assertEquals(type, itsType)) == 1);
    }

    @Test
    void shouldWriteToAnotherRankUntilThatIsGone()
    {
        final Endpoint producer = node.open(1);
        final RingBuffer from = new EndpointRingBuffer(producer, 2);
        assertFalse(from.write(1, message, 0, 8), "the consumer is not open yet");
        assertEquals(RingBuffer.INSUFFICIENT_CAPACITY, from.tryClaim(1, 8), "the consumer is not open yet");
        final Endpoint consumer = node.open(2);
        final RingBuffer to = new EndpointRingBuffer(consumer, 2);
        await(from, to, 9);
        final List<Integer> lengths = new ArrayList<>();
        final int[] claimed = {RingBuffer.INSUFFICIENT_CAPACITY};
        Watchdog.await("credits for the longest message", () ->
        {
            from.read((type, buffer, index, length) -> {});
            to.read((type, buffer, index, length) -> {});
            claimed[0] = from.tryClaim(3, from.maxMsgLength());
            return claimed[0] >= 0;
        });
        final int claim = claimed[0];
        from.buffer().setMemory(claim, from.maxMsgLength(), (byte)7);
        from.commit(claim);
        Watchdog.await("the longest message", () -> to.read((type, buffer, index, length) ->
        {
            assertEquals(7, buffer.getByte(index + length - 1));
            lengths.add(length);
        }) == 1);
        assertEquals(List.of(EndpointRingBuffer.MAX_LENGTH), lengths);
        assertNotEquals(from.nextCorrelationId(), to.nextCorrelationId());
        consumer.close();
        assertThrows(IllegalStateException.class, () -> from.write(1, message, 0, 8), "its consumer is gone");
        assertThrows(IllegalStateException.class, () -> to.read((type, buffer, index, length) -> {}), "it is closed");
        producer.close();
        assertThrows(IllegalStateException.class, () -> from.write(1, message, 0, 8), "it is closed");
        assertThrows(IllegalStateException.class, () -> from.tryClaim(1, 8), "it is closed");
    }

    @Test
    void shouldRefuseARankThatThereIsNot()
    {
        assertThrows(IllegalArgumentException.class, () -> new EndpointRingBuffer(own, 3));
    }

    @Test
    void shouldBoundOpenClaims()
    {
        final List<Integer> claims = new ArrayList<>();
        for (int index = ring.tryClaim(4, 8); index >= 0; index = ring.tryClaim(4, 8))
        {
            claims.add(index);
        }
        assertTrue(!claims.isEmpty() && claims.size() <= EndpointRingBuffer.MAX_OPEN_CLAIMS, claims::toString);
        claims.forEach(ring::abort);
        await(ring, ring, 2);
    }

    @Test
    void shouldAbortClaimsOfThreadsThatHaveEnded() throws InterruptedException
    {
        final int[] claimed = new int[1];
        final Thread thread = new Thread(() -> claimed[0] = ring.tryClaim(4, 8), "claims");
        thread.start();
        thread.join(Watchdog.DEFAULT_LIMIT.toMillis());
        assertFalse(thread.isAlive());
        assertTrue(claimed[0] >= 0, () -> "claim: " + claimed[0]);
        final int mine = ring.tryClaim(4, 8);
        assertTrue(ring.unblock());
        assertFalse(ring.unblock());
        assertThrows(IllegalStateException.class, () -> ring.commit(claimed[0]));
        ring.commit(mine);
        Watchdog.await("the claim of this thread", () -> ring.read((type, buffer, index, length) -> {}) == 1);
    }

    @Test
    void shouldNotTakeTheMiddleOfAClaimForOne()
    {
        final int claim = ring.tryClaim(4, 64);
        assertThrows(IllegalArgumentException.class, () -> ring.commit(claim + 8));
        assertThrows(IllegalArgumentException.class, () -> ring.commit(Integer.MAX_VALUE));
        ring.abort(claim);
    }

    @Test
    void shouldAllocateNothingForAMessage()
    {
        final int[] count = new int[1];
        final MessageHandler handler = (type, buffer, index, length) -> count[0]++;
        final ControlledMessageHandler controlled = (type, buffer, index, length) ->
        {
            count[0]++;
            return ControlledMessageHandler.Action.COMMIT;
        };
        final com.sun.management.ThreadMXBean threads =
            (com.sun.management.ThreadMXBean)ManagementFactory.getThreadMXBean();
        final long thread = Thread.currentThread().getId();
        long allocated = Long.MAX_VALUE;
        for (int round = 0; round < 6 && allocated >= MESSAGES; round++)
        {
            final long before = threads.getThreadAllocatedBytes(thread);
            for (int i = 0; i < MESSAGES; i++)
            {
                final int claim = (i & 1) == 0 ? ring.tryClaim(4, 64) : RingBuffer.INSUFFICIENT_CAPACITY;
                if (claim >= 0)
                {
                    ring.commit(claim);
                }
                ring.write(5, message, 0, 64);
                ring.read(handler, 10);
                ring.controlledRead(controlled, 10);
            }
            allocated = threads.getThreadAllocatedBytes(thread) - before;
        }
        assertTrue(allocated < MESSAGES, "allocated " + allocated + " bytes, messages " + count[0]);
        assertTrue(count[0] >= MESSAGES, () -> "messages " + count[0]);
    }

    @Test
    void shouldShowItsPositionWhenAReadHasEnded()
    {
        final long before = ring.consumerPosition();
        assertTrue(ring.write(5, message, 0, 64));
        Watchdog.await("the message", () ->
            ring.read((type, buffer, index, length) -> assertEquals(before, ring.consumerPosition()), 1) == 1);
        // as a ring buffer of Agrona counts: a header of 8 bytes
        assertEquals(before + 72, ring.consumerPosition());
        assertEquals(ring.consumerPosition(), ring.producerPosition());
    }
}
