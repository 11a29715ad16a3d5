// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tallypost.endpoint.internal.node.NodeFiles;
import org.tallypost.endpoint.internal.send.LaneSender;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

/** A thread that does not go on, as one that a debugger has stopped: others of its process wait for it only for a time. */
@Timeout(1800)
class StoppedThreadTest extends LanesFixture
{
    private static final long SHORT_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int LENGTH = 40;

    /** A program's memory with a reader that does not go on before it may. */
    private static final class HoldingBuffer extends UnsafeBuffer
    {
        final CountDownLatch reached = new CountDownLatch(1);
        final CountDownLatch released = new CountDownLatch(1);

        HoldingBuffer()
        {
            super(new byte[LENGTH]);
        }

        @Override
        public byte[] byteArray()
        {
            reached.countDown();
            Watchdog.await("permission to go on", () -> released.getCount() == 0);
            return super.byteArray();
        }
    }

    private final List<Throwable> errors = Collections.synchronizedList(new ArrayList<>());
    private final HoldingBuffer holding = new HoldingBuffer();

    private Node node(final int lanes)
    {
        final Node node = Node.launch(Fixtures.context(directory, Flow.STATIC, CreditReturn.DIRECT, 2, 64).checkInvariants(true)
            .expressLanes(lanes).livenessThread(false).errorHandler(errors::add));
        local(node).claimLimitNs = SHORT_NS;
        return node;
    }

    private byte[] registry() throws IOException
    {
        return Files.readAllBytes(directory.resolve("node").resolve(NodeFiles.REGISTRY_NAME));
    }

    private String told()
    {
        assertEquals(1, errors.size(), errors::toString);
        return errors.remove(0).getMessage();
    }

    @Test
    void shouldStayAMemberWhileAThreadIsInTheMidstOfAClaim() throws IOException, InterruptedException
    {
        try (Node other = node(0); Endpoint receiver = other.open(1))
        {
            final Node node = node(0);
            final Endpoint from = node.open(0);
            Fixtures.pollUntil("first message", Fixtures.NOTHING, () -> from.offer(1, 1, message, 0, LENGTH) >= 0, receiver);
            final int[] got = new int[1];
            final MessageListener counting = (source, tag, buffer, offset, length) -> got[0] += tag;
            final Thread sender = guarded("stopped", () -> assertTrue(from.offer(1, 7, holding, 0, LENGTH) >= 0));
            Watchdog.await("a claim", () -> holding.reached.getCount() == 0);

            node.close();
            final String told = told();
            assertTrue(told.contains("threads in the midst of a send=[stopped]"), told);
            assertTrue(local(node).runtime().isMember(), "its claims would be skipped");
            final byte[] before = registry();
            node.checkLiveness();
            assertFalse(Arrays.equals(before, registry()), "no heartbeat: elsewhere it would be taken for dead");
            other.checkLiveness();
            for (int i = 0; i < 5_000; i++)
            {
                receiver.poll(counting, 10);
            }
            assertEquals(0, receiver.counters().skippedSlots(), "slots of a live thread were given up");

            holding.released.countDown();
            join(sender);
            node.close();
            assertFalse(local(node).runtime().isMember());
            Fixtures.pollUntil("the message", counting, () -> got[0] >= 7, receiver);
            assertNull(failure.get());
            assertEquals(List.of(), errors);
        }
    }

    @Test
    void shouldLeaveALaneToAHolderThatStaysInTheMidstOfAMessage() throws InterruptedException
    {
        try (Node node = node(1); Endpoint receiver = node.open(0))
        {
            final Endpoint from = node.open(1);
            final Thread holder = guarded("holder", () ->
            {
                useLane(from, receiver);
                from.offer(0, 1, holding, 0, LENGTH);
            });
            Watchdog.await("a message in a lane", () -> holding.reached.getCount() == 0);
            final LaneSender lane = lane(from, 0);
            assertNotNull(lane);

            Watchdog.await("a message of another thread", () -> from.offer(0, 2, message, 0, LENGTH) >= 0);
            node.checkLiveness();
            assertSame(lane, lane(from, 0), "the lane of a thread that is in it");
            assertFalse(lane.end(null, 0));
            from.close();
            final String told = told();
            assertTrue(told.contains("thread=holder"), told);

            holding.released.countDown();
            join(holder);
            assertNull(failure.get());
        }
    }
}
