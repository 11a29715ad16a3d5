// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.ExpandableArrayBuffer;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.node.Node;

/**
 * A child process that holds ranks, polls them on one thread, and sends to rank 0 from a thread for each of them: offers,
 * claims that stay open for a while, messages in many runs, now and then a burst of short ones that may go by an express lane;
 * lingering at random, so that a signal finds it anywhere.
 *
 * <p>Lines on standard input: "send", "quit" (stop sending, then say "sent RANK COUNT" for each and "done"), "count" (say
 * "received COUNT"), "exit" (close in good order). It says "ready" when its ranks are open.
 */
public final class RankProcess
{
    private static final int BURST = 200;
    private static volatile boolean isSending;
    private static volatile boolean isPolling = true;

    private RankProcess()
    {
    }

    public static ForkedJvm start(
        final Path directory, final Flow flow, final CreditReturn creditReturn, final int ranks, final int slots, final long seed,
        final Integer... own)
    {
        final List<Object> arguments = new ArrayList<>(List.of(directory, flow, creditReturn, ranks, slots, seed));
        arguments.addAll(List.of(own));
        return ForkedJvm.start(RankProcess.class, arguments.toArray());
    }

    /**
     * Opens ranks and obeys.
     *
     * @param arguments directory, flow, credit return, ranks, slots, seed, own ranks.
     * @throws Exception if it cannot.
     */
    public static void main(final String[] arguments) throws Exception
    {
        final NodeContext context = Fixtures.context(new File(arguments[0]).toPath(), Flow.valueOf(arguments[1]),
            CreditReturn.valueOf(arguments[2]), Integer.parseInt(arguments[3]), Integer.parseInt(arguments[4]));
        context.errorHandler((t) ->
        {
            t.printStackTrace();
            Runtime.getRuntime().halt(3);
        });
        final Node node = Node.launch(context);
        final List<Endpoint> endpoints = new ArrayList<>();
        for (int i = 6; i < arguments.length; i++)
        {
            endpoints.add(node.open(Integer.parseInt(arguments[i])));
        }
        final AtomicLong received = new AtomicLong();
        final Thread poller = new Thread(() -> poll(endpoints, received), "poller");
        poller.start();
        System.out.println("ready");
        obey(node, endpoints, received, poller, Long.parseLong(arguments[5]));
    }

    private static void obey(
        final Node node, final List<Endpoint> endpoints, final AtomicLong received, final Thread poller, final long seed)
        throws IOException, InterruptedException
    {
        final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        final List<Thread> senders = new ArrayList<>();
        final long[] sent = new long[node.context().rankCount()];
        final AtomicInteger running = new AtomicInteger();
        for (String line = input.readLine(); !"exit".equals(line); line = input.readLine())
        {
            if (line == null)
            {
                // the parent is gone
                Runtime.getRuntime().halt(1);
            }
            switch (line)
            {
                case "send":
                    isSending = true;
                    for (final Endpoint endpoint : endpoints)
                    {
                        senders.add(new Thread(() ->
                        {
                            running.incrementAndGet();
                            sent[endpoint.rank()] = send(endpoint, new Random(seed + endpoint.rank()));
                        }, "rank " + endpoint.rank()));
                    }
                    senders.forEach(Thread::start);
                    break;
                case "quit":
                    isSending = false;
                    for (final Thread sender : senders)
                    {
                        sender.join();
                    }
                    endpoints.forEach((e) -> System.out.println("sent " + e.rank() + " " + sent[e.rank()]));
                    System.out.println("done");
                    break;
                default:
                    System.out.println("received " + received.get());
                    break;
            }
        }
        isPolling = false;
        poller.join();
        node.close();
    }

    private static void poll(final List<Endpoint> endpoints, final AtomicLong received)
    {
        while (isPolling)
        {
            int work = 0;
            for (final Endpoint endpoint : endpoints)
            {
                work += endpoint.poll((source, tag, buffer, offset, length) -> received.incrementAndGet(), 10);
            }
            if (work == 0)
            {
                Thread.yield();
            }
        }
    }

    private static long send(final Endpoint endpoint, final Random random)
    {
        final ExpandableArrayBuffer buffer = new ExpandableArrayBuffer(8192);
        final MessageClaim claim = new MessageClaim();
        final LongSend handle = endpoint.newSend();
        final long stream = (long)endpoint.epoch() << 32 | endpoint.rank();
        long sequence = 0;
        int burst = 0;
        while (isSending)
        {
            burst = burst == 0 && random.nextInt(32) == 0 ? BURST : burst;
            final int way = burst > 0 ? 7 : random.nextInt(8);
            final int length = Fixtures.length(random, burst > 0 ? 100 : way < 2 ? 6_000 : 800);
            Fixtures.fill(buffer, 0, length, stream, sequence);
            final boolean isSent;
            if (way < 2)
            {
                sendInRuns(handle, random, buffer, length);
                isSent = true;
            }
            else if (way < 5)
            {
                isSent = claim(endpoint, claim, random, buffer, length);
            }
            else
            {
                isSent = sound(endpoint.offer(0, 0, buffer, 0, length));
            }
            if (isSent)
            {
                sequence++;
                burst = Math.max(0, burst - 1);
            }
            else
            {
                Thread.yield();
            }
        }
        return sequence;
    }

    private static void sendInRuns(
        final LongSend handle, final Random random, final ExpandableArrayBuffer buffer, final int length)
    {
        boolean isOut = sound(handle.start(0, 0, buffer, 0, length));
        while (!isOut)
        {
            linger(random, 10_000);
            Thread.yield();
            isOut = sound(handle.isActive() ? handle.progress() : handle.start(0, 0, buffer, 0, length));
        }
    }

    private static boolean claim(
        final Endpoint endpoint, final MessageClaim claim, final Random random, final ExpandableArrayBuffer buffer,
        final int length)
    {
        if (!sound(endpoint.tryClaim(0, 0, length, claim)))
        {
            return false;
        }
        // now and then for so long that a signal is likely to find the claim open
        linger(random, random.nextInt(16) == 0 ? 100_000 : 10_000);
        claim.putBytes(buffer, 0);
        linger(random, 10_000);
        if (random.nextInt(8) == 0)
        {
            claim.abort();
            return false;
        }
        claim.commit();
        return true;
    }

    private static boolean sound(final long result)
    {
        if (result < 0 && result != Endpoint.NO_CREDIT && result != Endpoint.NOT_CONNECTED)
        {
            System.out.println("unexpected " + Endpoint.errorString(result));
            Runtime.getRuntime().halt(2);
        }
        return result >= 0;
    }

    private static void linger(final Random random, final int most)
    {
        if (random.nextBoolean())
        {
            for (int i = random.nextInt(most); i > 0; i--)
            {
                Thread.onSpinWait();
            }
        }
    }
}
