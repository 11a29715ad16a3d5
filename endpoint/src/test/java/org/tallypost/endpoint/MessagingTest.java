// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.node.Node;

/** Messages from rank to rank within one thread: what is sent arrives, once, in order, with the right bytes. */
public class MessagingTest
{
    private static final MessageListener NOTHING = (source, tag, buffer, offset, length) -> {};

    @TempDir
    private Path directory;

    private NodeContext context(final Flow flow, final CreditReturn creditReturn, final int ranks, final int slots)
    {
        return new NodeContext().directory(new File(directory.toFile(), "node")).groupName("test").rankCount(ranks)
            .slotsPerSender(slots).flow(flow).creditReturn(creditReturn).checkInvariants(true).livenessThread(false)
            .errorHandler((t) ->
            {
                throw new AssertionError(t);
            });
    }

    private static final class Inboxes implements MessageListener
    {
        private final List<String> got = new ArrayList<>();

        @Override
        public void onMessage(
            final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
        {
            final byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            got.add(source + ":" + tag + ":" + length + ":" + Arrays.hashCode(bytes));
        }
    }

    private static String expected(final int source, final int tag, final byte[] bytes)
    {
        return source + ":" + tag + ":" + bytes.length + ":" + Arrays.hashCode(bytes);
    }

    @ParameterizedTest
    @CsvSource({
        "NONE,DIRECT,64", "STATIC,DIRECT,64", "DYNAMIC,DIRECT,64", "STATIC,PACKET,64", "DYNAMIC,PACKET,64",
        "STATIC,DIRECT,40", "DYNAMIC,DIRECT,40", "DYNAMIC,DIRECT,8", "DYNAMIC,PACKET,8"})
    void shouldCarryMessagesOfAnyLengthInOrder(final Flow flow, final CreditReturn creditReturn, final int slots)
    {
        final long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        final Random random = new Random(seed);
        try (Node node = Node.launch(context(flow, creditReturn, 3, slots));
            Endpoint a = node.open(0);
            Endpoint b = node.open(1);
            Endpoint c = node.open(2))
        {
            final Inboxes inbox = new Inboxes();
            final List<String> sent = new ArrayList<>();
            final LongSend send = a.newSend();
            for (int i = 0; i < 3_000; i++)
            {
                final byte[] bytes = new byte[random.nextInt(100) == 0 ? random.nextInt(50_000) : random.nextInt(2_049)];
                random.nextBytes(bytes);
                final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
                sent.add(expected(0, i, bytes));
                long result = send.start(1, i, buffer, 0, bytes.length);
                int tries = 0;
                while (result < 0)
                {
                    assertEquals(Endpoint.NO_CREDIT, result, () -> Endpoint.errorString(Endpoint.NO_CREDIT));
                    b.poll(inbox, 1 + random.nextInt(20));
                    a.poll(NOTHING, 10);
                    c.poll(NOTHING, 10);
                    result = send.progress();
                    assertTrue(tries++ < 100_000, "stuck at message " + i);
                }
                assertFalse(send.isActive());
            }
            drain(b, inbox);
            assertEquals(sent, inbox.got);
            assertEquals(3_000, a.counters().sent());
            assertEquals(3_000, b.counters().received());
            assertEquals(0, b.counters().refused());
        }
    }

    @ParameterizedTest
    @CsvSource({"STATIC,DIRECT", "DYNAMIC,DIRECT", "STATIC,PACKET", "DYNAMIC,PACKET"})
    void shouldAcceptAnyOfferThatFitsTheFairShareInTheEnd(final Flow flow, final CreditReturn creditReturn)
    {
        final long seed = System.nanoTime();
        System.out.println("seed=" + seed);
        final Random random = new Random(seed);
        try (Node node = Node.launch(context(flow, creditReturn, 4, 40));
            Endpoint a = node.open(0);
            Endpoint b = node.open(1))
        {
            final Inboxes inbox = new Inboxes();
            final List<String> sent = new ArrayList<>();
            for (int i = 0; i < 2_000; i++)
            {
                final byte[] bytes = new byte[random.nextBoolean() ? 2_048 : random.nextInt(200)];
                random.nextBytes(bytes);
                sent.add(expected(0, i, bytes));
                int tries = 0;
                while (a.offer(1, i, new UnsafeBuffer(bytes), 0, bytes.length) < 0)
                {
                    b.poll(inbox, 1 + random.nextInt(5));
                    a.poll(NOTHING, 10);
                    assertTrue(tries++ < 100_000, "stuck at message " + i + " of " + bytes.length);
                }
            }
            drain(b, inbox);
            assertEquals(sent, inbox.got);
        }
    }

    private static void drain(final Endpoint endpoint, final Inboxes inbox)
    {
        while (endpoint.poll(inbox, 100) > 0)
        {
            Thread.onSpinWait();
        }
    }

    @Test
    void shouldSendToItself()
    {
        try (Node node = Node.launch(context(Flow.DYNAMIC, CreditReturn.DIRECT, 1, 64)); Endpoint a = node.open(0))
        {
            final Inboxes inbox = new Inboxes();
            for (int i = 0; i < 1_000; i++)
            {
                int tries = 0;
                while (a.offer(0, i, new UnsafeBuffer(new byte[i]), 0, i) < 0)
                {
                    a.poll(inbox, 10);
                    assertTrue(tries++ < 1_000, "stuck");
                }
            }
            drain(a, inbox);
            assertEquals(1_000, inbox.got.size());
        }
    }

    @Test
    void shouldRefuseASecondPollerAndTellWhich() throws InterruptedException
    {
        try (Node node = Node.launch(context(Flow.DYNAMIC, CreditReturn.DIRECT, 1, 64)); Endpoint a = node.open(0))
        {
            a.poll(NOTHING, 1);
            final Throwable[] thrown = new Throwable[1];
            final Thread thread = new Thread(() ->
                thrown[0] = assertThrows(IllegalStateException.class, () -> a.poll(NOTHING, 1)), "second");
            thread.start();
            thread.join();
            assertTrue(thrown[0].getMessage().contains("second"), thrown[0].getMessage());
            assertTrue(thrown[0].getMessage().contains(Thread.currentThread().getName()), thrown[0].getMessage());
        }
    }
}
