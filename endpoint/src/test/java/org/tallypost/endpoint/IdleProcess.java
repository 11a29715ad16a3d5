// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint;

import java.io.File;
import java.nio.file.Path;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.node.Node;

/**
 * A child process that sends every message back to where it came from, and parks whenever there is none. It ends with its
 * standard input, or with a message of tag {@link #LAST_TAG}. Says "ready" when its rank is open.
 */
public final class IdleProcess implements MessageListener
{
    static final int LAST_TAG = -1;
    public static final long HOUR_NS = 3_600_000_000_000L;

    private final UnsafeBuffer answer = new UnsafeBuffer(new byte[Endpoint.MAX_RUN_LENGTH]);
    private Endpoint endpoint;
    private IdleStrategy idle;
    private int source;
    private int tag;
    private int length = -1;

    private IdleProcess()
    {
    }

    static ForkedJvm start(
        final Path directory, final CreditReturn creditReturn, final int ranks, final int slots, final int rank)
    {
        return ForkedJvm.start(IdleProcess.class, directory, creditReturn, ranks, slots, rank);
    }

    /** Parks at once, and so long that a lost wake-up is not mended by time. */
    static IdleSettings settings()
    {
        return new IdleSettings().maxSpins(0).maxYieldNs(0).plainParkNs(HOUR_NS).longestParkNs(HOUR_NS);
    }

    /**
     * Opens a rank and answers.
     *
     * @param arguments directory, credit return, ranks, slots, rank.
     */
    public static void main(final String[] arguments)
    {
        final NodeContext context = Fixtures.context(new File(arguments[0]).toPath(), Flow.DYNAMIC,
            CreditReturn.valueOf(arguments[1]), Integer.parseInt(arguments[2]), Integer.parseInt(arguments[3])).idle(settings());
        context.errorHandler((t) ->
        {
            t.printStackTrace();
            Runtime.getRuntime().halt(3);
        });
        final IdleProcess process = new IdleProcess();
        try (Node node = Node.launch(context); Endpoint endpoint = node.open(Integer.parseInt(arguments[4])))
        {
            final Thread watch = new Thread(() -> endWithInput(endpoint), "input");
            watch.setDaemon(true);
            watch.start();
            System.out.println("ready");
            process.run(endpoint);
        }
    }

    private static void endWithInput(final Endpoint endpoint)
    {
        try
        {
            while (System.in.read() >= 0)
            {
                // lines are not expected
            }
        }
        catch (final java.io.IOException ignore)
        {
            // the parent is gone
        }
        endpoint.close();
    }

    private void run(final Endpoint own)
    {
        endpoint = own;
        idle = own.newIdleStrategy();
        while (!own.isClosed() && tag != LAST_TAG)
        {
            idle.idle(own.poll(this, 1));
            if (length >= 0)
            {
                send();
            }
        }
    }

    private void send()
    {
        long result = endpoint.offer(source, tag, answer, 0, length);
        length = -1;
        while (result == Endpoint.NO_CREDIT)
        {
            // one message at a time: its sender waits for the answer
            idle.idle(endpoint.poll(Fixtures.NOTHING, 10));
            result = endpoint.offer(source, tag, answer, 0, MessageLength.of(tag));
        }
    }

    @Override
    public void onMessage(final int from, final int messageTag, final DirectBuffer buffer, final int offset, final int count)
    {
        source = from;
        tag = messageTag;
        length = count;
        answer.putBytes(0, buffer, offset, count);
    }

    /** Length of the message with a tag. */
    static final class MessageLength
    {
        private MessageLength()
        {
        }

        static int of(final int tag)
        {
            return tag < 0 ? 0 : 16 + tag * 37 % 400;
        }
    }
}
