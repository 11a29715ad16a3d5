// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

/** Messages of which the sender is told when they were taken, or that their receiver is gone. */
class SendCompletionsTest
{
    private static final int RANKS = 3;
    private static final int HIGH_SLOTS = 8;
    private static final int MESSAGES = 3;

    @TempDir
    private Path directory;

    private final UnsafeBuffer message = new UnsafeBuffer(new byte[40]);
    private final List<Long> told = new ArrayList<>();
    private final List<Long> results = new ArrayList<>();
    private Node node;
    private Endpoint from;
    private SendCompletions completions;

    @BeforeEach
    void open()
    {
        node = Node.launch(PrioritiesTest.context(directory, RANKS, HIGH_SLOTS));
        from = node.open(0);
        completions = new SendCompletions(from, MESSAGES, this::note);
    }

    @AfterEach
    void close()
    {
        node.close();
    }

    private void note(final int dest, final long context, final long result)
    {
        assertEquals(dest, context / 10);
        told.add(context);
        results.add(result);
    }

    private long offer(final int dest, final long context)
    {
        return completions.offer(dest, 0, message, 0, message.capacity(), context);
    }

    /** Until the receiver has let the sender in: a message that is told of. */
    private void connect(final Endpoint to)
    {
        Fixtures.pollUntil("the first message", Fixtures.NOTHING, () -> offer(to.rank(), to.rank() * 10L + 9) >= 0, to, from);
        Fixtures.pollUntil("its completion", Fixtures.NOTHING, () -> completions.poll() == 1, to);
        told.clear();
        results.clear();
    }

    @Test
    void shouldTellOfEachMessageWhenItWasTaken()
    {
        try (Endpoint one = node.open(1); Endpoint two = node.open(2))
        {
            connect(one);
            connect(two);
            final long[] positions = new long[MESSAGES];
            for (int i = 0; i < MESSAGES; i++)
            {
                positions[i] = offer(i == 1 ? 2 : 1, i == 1 ? 20 : 10 + i);
                assertTrue(positions[i] >= 0);
            }
            assertEquals(Endpoint.NO_CREDIT, offer(1, 13), "as many as the capacity");
            assertEquals(0, completions.poll());
            one.poll((source, tag, buffer, offset, length) -> assertEquals(0, completions.poll(), "within its listener"), 1);
            assertEquals(1, completions.poll());
            assertEquals(List.of(10L), told);
            two.poll(Fixtures.NOTHING, 1);
            one.poll(Fixtures.NOTHING, 1);
            assertEquals(2, completions.poll());
            assertEquals(List.of(10L, 20L, 12L), told);
            assertEquals(List.of(positions[0], positions[1], positions[2]), results);
            assertEquals(0, completions.pending() + completions.poll());
        }
    }

    @Test
    void shouldLetAListenerSendAndThrow()
    {
        final IllegalStateException thrown = new IllegalStateException("of the program");
        final SendCompletions[] own = new SendCompletions[1];
        own[0] = new SendCompletions(from, MESSAGES, (dest, context, result) ->
        {
            told.add(context);
            assertThrows(IllegalStateException.class, own[0]::poll);
            if (context == 1)
            {
                assertTrue(own[0].offer(1, 0, message, 0, message.capacity(), 3) >= 0);
                throw thrown;
            }
        });
        try (Endpoint to = node.open(1))
        {
            connect(to);
            assertTrue(own[0].offer(1, 0, message, 0, message.capacity(), 1) >= 0);
            assertTrue(own[0].offer(1, 0, message, 0, message.capacity(), 2) >= 0);
            to.poll(Fixtures.NOTHING, 2);
            assertSame(thrown, assertThrows(IllegalStateException.class, own[0]::poll));
            assertEquals(2, own[0].pending());
            assertEquals(1, own[0].poll(), "the other one; what the listener has sent was not taken");
            to.poll(Fixtures.NOTHING, 2);
            assertEquals(1, own[0].poll());
            assertEquals(List.of(1L, 2L, 3L), told);
        }
    }

    @Test
    void shouldTellThatTheReceiverOrTheSenderIsGone()
    {
        try (Endpoint to = node.open(1))
        {
            connect(to);
            assertTrue(offer(1, 10) >= 0);
        }
        try (Endpoint next = node.open(1))
        {
            assertEquals(1, completions.poll());
            assertEquals(List.of(Endpoint.PEER_GONE), results);
            assertEquals(Endpoint.PEER_GONE, offer(1, 11));
            connect(next);
            assertTrue(offer(1, 12) >= 0);
            from.close();
            assertEquals(1, completions.poll());
            assertEquals(List.of(Endpoint.CLOSED), results);
            assertEquals(Endpoint.CLOSED, offer(1, 13));
        }
    }

    @Test
    void shouldTellThatAKilledReceiverIsGone()
    {
        try (ForkedJvm child = ForkedJvm.start(CompletionProcess.class, directory, RANKS, HIGH_SLOTS))
        {
            assertEquals("ready", child.readLine());
            Fixtures.pollUntil("a message to the child", Fixtures.NOTHING, () -> offer(1, 10) >= 0, from);
            assertEquals(0, completions.poll(), "it does not poll any more");
            child.kill();
            Watchdog.await("its end", () -> completions.poll() == 1);
            assertEquals(List.of(Endpoint.PEER_GONE), results);
        }
    }

    @Test
    void shouldRefuseWhatCannotBe()
    {
        assertThrows(IllegalArgumentException.class, () -> new SendCompletions(from, 0, this::note));
        assertThrows(NullPointerException.class, () -> new SendCompletions(from, 1, null));
        try (Node other = Node.launch(PrioritiesTest.context(directory.resolve("other"), 2, 0)); Endpoint plain = other.open(0))
        {
            assertTrue(assertThrows(IllegalStateException.class, () -> new SendCompletions(plain, 1, this::note))
                .getMessage().contains("highSlots"));
        }
    }
}
