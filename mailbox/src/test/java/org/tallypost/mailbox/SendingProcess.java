// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.layout.MailboxDescriptor;
import org.tallypost.mailbox.process.ClaimMark;
import org.tallypost.mailbox.process.Registry;

/**
 * A child process that sends from several threads, each for a source of its own, with credits out of its source line,
 * and lingers at random between any two steps of a send, so that a signal finds it anywhere.
 *
 * <p>Source line: 0 credits in slots (sender withdraws, consumer gives), 8 messages published, 16 messages begun.
 * Output: "ready" before it sends, "done" after the line "quit" was read and every thread has finished its message.
 */
public final class SendingProcess
{
    static final int CREDITS = 0;
    static final int PUBLISHED = 8;
    static final int MAX_LENGTH = 600;

    private static volatile boolean isRunning = true;

    private SendingProcess()
    {
    }

    /**
     * Starts to send.
     *
     * @param arguments directory, seed, generation, sources.
     * @throws Exception if it cannot.
     */
    public static void main(final String[] arguments) throws Exception
    {
        final File directory = new File(arguments[0]);
        final long seed = Long.parseLong(arguments[1]);
        final int generation = Integer.parseInt(arguments[2]);
        final Registry registry = Registry.attach(Rig.registryFile(directory));
        final Mailbox box = Mailbox.attach(Rig.boxFile(directory));
        final int process = registry.join(System.currentTimeMillis());
        final List<Thread> threads = new ArrayList<>();
        for (int i = 3; i < arguments.length; i++)
        {
            final int source = Integer.parseInt(arguments[i]);
            final ClaimMark mark = registry.takeMark(process, registry.incarnation(process));
            final Random random = new Random(seed + source);
            threads.add(new Thread(() -> send(box, mark, source, generation, random), "source " + source));
        }
        System.out.println("ready");
        threads.forEach(Thread::start);
        awaitQuit();
        isRunning = false;
        for (final Thread thread : threads)
        {
            thread.join();
        }
        registry.leave(process, registry.incarnation(process));
        System.out.println("done");
    }

    private static void awaitQuit() throws IOException
    {
        final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        final String line = input.readLine();
        if (!"quit".equals(line))
        {
            // the parent is gone
            Runtime.getRuntime().halt(1);
        }
    }

    private static void send(
        final Mailbox box, final ClaimMark mark, final int source, final int generation, final Random random)
    {
        final UnsafeBuffer buffer = box.buffer();
        final int line = MailboxDescriptor.sourceLineOffset(source);
        long sequence = 0;
        while (isRunning)
        {
            final int length = Payload.MIN_LENGTH + random.nextInt(MAX_LENGTH - Payload.MIN_LENGTH);
            final int slots = MailboxDescriptor.slots(length);
            mark.intend(box.claimKey(), slots);
            linger(random, 1_000);
            if (buffer.getLongVolatile(line + CREDITS) < slots)
            {
                mark.clear();
                Thread.yield();
                continue;
            }
            buffer.getAndAddLong(line + CREDITS, -slots);
            linger(random, 1_000);
            final long position = box.claim(mark, slots);
            linger(random, 10_000);
            final boolean isDeferred = random.nextInt(8) == 0;
            if (isDeferred)
            {
                box.defer(mark, position, length, source);
                linger(random, 10_000);
            }
            Payload.fill(buffer, box.payloadOffset(position), length, (long)generation << 32 | source, sequence);
            linger(random, 10_000);
            if (random.nextInt(16) == 0)
            {
                box.settle(position, MailboxDescriptor.TYPE_ABORTED, 0, length, source);
            }
            else
            {
                box.settle(position, Rig.TYPE, 0, length, source);
                buffer.putLongRelease(line + PUBLISHED, ++sequence);
            }
            linger(random, 10_000);
            mark.clear();
        }
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
