// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.node.Internals.local;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

/** Several threads of a process send through each of its endpoints, in every way there is, while others poll. */
class ThreadedSendingTest
{
    private static final int RANKS = 3;
    private static final int THREADS_PER_RANK = 2;
    private static final int STREAMS = RANKS * THREADS_PER_RANK;
    private static final int MESSAGES = 3_000;

    @TempDir
    private Path directory;

    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final AtomicInteger sending = new AtomicInteger(STREAMS);
    private final Endpoint[] endpoints = new Endpoint[RANKS];
    private final long[][] sent = new long[STREAMS][RANKS];
    private final long[][] next = new long[RANKS][STREAMS];
    private final AtomicInteger aborted = new AtomicInteger();

    private final class Checker implements MessageListener
    {
        private final long[] expected;

        Checker(final int rank)
        {
            expected = next[rank];
        }

        @Override
        public void onMessage(
            final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
        {
            final int stream = (int)Fixtures.stream(buffer, offset);
            final long sequence = Fixtures.sequence(buffer, offset);
            if (stream / THREADS_PER_RANK != source || tag != (int)sequence || expected[stream]++ != sequence ||
                !Fixtures.isWhole(buffer, offset, length))
            {
                throw new AssertionError("source=" + source + ", tag=" + tag + ", stream=" + stream + ", sequence=" + sequence +
                    ", expected=" + (expected[stream] - 1) + ", length=" + length);
            }
        }
    }

    private void send(final int stream, final Random random, final int maxLength)
    {
        final Endpoint endpoint = endpoints[stream / THREADS_PER_RANK];
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(8192);
        final MessageClaim claim = new MessageClaim();
        final LongSend handle = endpoint.newSend();
        for (int i = 0; i < MESSAGES; i++)
        {
            final int dest = random.nextInt(RANKS);
            final int way = random.nextInt(8);
            final int length = Fixtures.length(random, way == 0 ? 6_000 : maxLength);
            final long sequence = sent[stream][dest];
            Fixtures.fill(buffer, 0, length, stream, sequence);
            final Watchdog watchdog = new Watchdog(Watchdog.DEFAULT_LIMIT, () -> "way " + way + " to " + dest);
            long result = way == 0 ? handle.start(dest, (int)sequence, buffer, 0, length) : Endpoint.NO_CREDIT;
            boolean isAborted = false;
            while (result < 0)
            {
                if (way == 0)
                {
                    result = handle.progress();
                }
                else if (way < 4)
                {
                    result = endpoint.tryClaim(dest, (int)sequence, length, claim);
                    if (result >= 0)
                    {
                        isAborted = way == 1;
                        settle(claim, buffer, isAborted);
                    }
                }
                else
                {
                    result = endpoint.offer(dest, (int)sequence, buffer, 0, length);
                }
                if (result < 0)
                {
                    assertEquals(Endpoint.NO_CREDIT, result, Endpoint.errorString(result));
                    watchdog.idle();
                }
            }
            sent[stream][dest] += isAborted ? 0 : 1;
        }
    }

    private void settle(final MessageClaim claim, final DirectBuffer buffer, final boolean isAborted)
    {
        if (isAborted)
        {
            claim.abort();
            aborted.incrementAndGet();
        }
        else
        {
            claim.putBytes(buffer, 0);
            claim.commit();
        }
    }

    private boolean isQuiet()
    {
        boolean isQuiet = sending.get() == 0;
        for (final Endpoint endpoint : endpoints)
        {
            isQuiet &= endpoint.backlogSlots() == 0;
        }
        return isQuiet || failure.get() != null;
    }

    private Thread guarded(final String name, final Runnable body)
    {
        return Fixtures.start(name, body, failure);
    }

    @ParameterizedTest
    @CsvSource({
        "NONE,DIRECT,64,2048", "STATIC,DIRECT,64,2048", "DYNAMIC,DIRECT,64,2048", "DYNAMIC,DIRECT,8,300",
        "STATIC,PACKET,64,2048", "DYNAMIC,PACKET,64,2048", "DYNAMIC,PACKET,8,300"})
    void shouldKeepTheOrderOfEachThread(final Flow flow, final CreditReturn creditReturn, final int slots, final int maxLength)
        throws InterruptedException
    {
        final long seed = Fixtures.seed();
        try (Node node = Node.launch(Fixtures.context(directory, flow, creditReturn, RANKS, slots).checkInvariants(true)
            .piggyback(creditReturn == CreditReturn.PACKET)))
        {
            final List<Thread> threads = new ArrayList<>();
            for (int rank = 0; rank < RANKS; rank++)
            {
                endpoints[rank] = node.open(rank);
            }
            for (int i = 0; i < STREAMS; i++)
            {
                final int stream = i;
                threads.add(guarded("stream " + i, () ->
                {
                    send(stream, new Random(seed + stream), maxLength);
                    sending.decrementAndGet();
                }));
            }
            for (int i = 0; i < RANKS; i++)
            {
                final int rank = i;
                threads.add(guarded("poller " + i, () ->
                {
                    final Checker checker = new Checker(rank);
                    Fixtures.pollUntil("quiet", checker, this::isQuiet, endpoints[rank]);
                    endpoints[rank].releasePoller();
                }));
            }
            for (final Thread thread : threads)
            {
                thread.join();
            }
            assertNull(failure.get(), () -> "seed=" + seed + ": " + failure.get());
            check(flow);
        }
    }

    private void check(final Flow flow)
    {
        final long[] received = new long[RANKS];
        for (int rank = 0; rank < RANKS; rank++)
        {
            for (int stream = 0; stream < STREAMS; stream++)
            {
                assertEquals(sent[stream][rank], next[rank][stream], "stream " + stream + " to " + rank);
                received[rank] += next[rank][stream];
            }
            assertEquals(received[rank], endpoints[rank].counters().received());
        }
        assertTrue(aborted.get() > 0);
        if (flow == Flow.NONE)
        {
            return;
        }
        for (final Endpoint endpoint : endpoints)
        {
            Fixtures.pollUntil("balance", Fixtures.NOTHING, () -> Fixtures.isBalanced(endpoint), endpoints);
            Fixtures.assertConserved(endpoint);
            assertEquals(0, endpoint.counters().refused());
            assertEquals(0, endpoint.counters().repairedCredits());
        }
        final int share = local(endpoints[0]).inbox().ledger().dataRegion() / RANKS;
        final int length = Math.min(Endpoint.MAX_RUN_LENGTH, share * 64 - 16);
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[length]);
        for (final Endpoint from : endpoints)
        {
            for (int dest = 0; dest < RANKS; dest++)
            {
                Fixtures.awaitOffer(from, dest, buffer, length, Fixtures.NOTHING, endpoints);
            }
        }
    }
}
