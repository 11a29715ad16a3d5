// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import java.io.File;
import java.io.IOException;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.activemessages.ActiveMessages;
import org.tallypost.activemessages.ActiveMessagesContext;
import org.tallypost.activemessages.ActiveMessagesCounters.Counter;
import org.tallypost.activemessages.LongRequestHandler;
import org.tallypost.activemessages.RequestHandler;
import org.tallypost.benchmarks.harness.TemporaryDirectory;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.node.Node;

/**
 * Live ranks of one thread, driven by turns, that show what active messages do. Counts and bytes only, no times: what is found
 * does not depend on the machine.
 */
final class MessageFacts implements AutoCloseable
{
    static final int RANKS = 3;
    /** The fewest there can be. */
    static final int FEWEST_SLOTS = 2;
    /** Enough for a block that goes at once. */
    static final int MANY_SLOTS = 1_024;

    private static final int WINDOW = 8;
    private static final int POLL_LIMIT = 3;
    private static final int CODE = 1;
    private static final int SEGMENT = 0;
    /** A little less than the longest block. */
    private static final int SHORTER = ActiveMessages.MAX_BLOCK_LENGTH - 2;
    private static final int CONNECTING = 32;
    private static final long PATIENCE_NS = 60_000_000_000L;

    private final TemporaryDirectory directory;
    private final Node node;
    private final Endpoint[] endpoints = new Endpoint[RANKS];
    private final ActiveMessages[] ranks = new ActiveMessages[RANKS];
    private final UnsafeBuffer block = new UnsafeBuffer(new byte[4 * ActiveMessages.MAX_BLOCK_LENGTH]);
    private final int[] handled = new int[RANKS];
    private int answered;
    private int answerBytes;
    private int answerLength;
    private int requestLength;
    private boolean isAnswerTaken;

    MessageFacts(final File parent, final int slots) throws IOException
    {
        directory = TemporaryDirectory.create(parent, "tallypost-paper-");
        node = Node.launch(new NodeContext().directory(new File(directory.file(), "node")).groupName("paper").rankCount(RANKS)
            .flow(Flow.STATIC).slotsPerSender(slots).creditSlots(1).deleteOnClose(true));
        for (int i = 0; i < block.capacity(); i++)
        {
            block.putByte(i, (byte)(i * 31 + i / 251));
        }
        for (int i = 0; i < RANKS; i++)
        {
            final int rank = i;
            endpoints[rank] = node.open(rank);
            ranks[rank] = ActiveMessages.launch(new ActiveMessagesContext().endpoint(endpoints[rank]).rankCount(RANKS)
                .window(WINDOW).pollLimit(POLL_LIMIT));
            ranks[rank].onRequest(CODE, (token, a, b, c, d, e) ->
            {
                handled[rank]++;
                token.reply(CODE, a, b, 0, 0, 0);
            });
            ranks[rank].onReply(CODE, (source, a, b, c, d, e) -> answered++);
            ranks[rank].onLongRequest(CODE, (token, a, b, buffer, offset, length) ->
            {
                requestLength = length;
                isAnswerTaken = isTaken(() -> token.replyLong(CODE, a, b, block, 0, answerBytes));
            });
            ranks[rank].onLongReply(CODE, (source, a, b, buffer, offset, length) -> answerLength = length);
        }
    }

    /** Four-byte words of a short request, with the one that names its handler. */
    static int shortWords()
    {
        return 1 + words(RequestHandler.class);
    }

    /** Words of a long request beside its block, without the one that names its handler, and place and length of the block. */
    static int longWords()
    {
        return words(LongRequestHandler.class) - 2;
    }

    private static int words(final Class<?> handler)
    {
        return (int)Arrays.stream(handler.getMethods()).filter((method) -> method.getName().equals("onRequest"))
            .flatMap((method) -> Stream.of(method.getParameterTypes())).filter((type) -> type == int.class).count();
    }

    private void drive(final String what, final BooleanSupplier condition)
    {
        final long begin = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            for (final ActiveMessages rank : ranks)
            {
                rank.doWork();
            }
            if (System.nanoTime() - begin > PATIENCE_NS)
            {
                throw new IllegalStateException("waited for " + what + ": found none within " + PATIENCE_NS + " ns");
            }
        }
    }

    private boolean trySend(final int from, final int dest)
    {
        return ranks[from].tryRequest(dest, CODE, 0, 0, 0, 0, 0) == 0;
    }

    /** From then on a rank has all its credits for another one. */
    private void connect(final int from, final int dest)
    {
        for (int i = 0; i < CONNECTING; i++)
        {
            drive("room at rank " + dest, () -> trySend(from, dest));
        }
        drive("answers of rank " + dest, () -> ranks[from].unanswered() == 0);
    }

    /** Longest block that goes as one request, as it came. */
    int longestRequest()
    {
        connect(0, 1);
        answerBytes = 1;
        int longest = 0;
        for (int length = SHORTER; isBlockTaken(length); length++)
        {
            longest = requestLength;
        }
        return longest;
    }

    /** Longest block that goes as an answer, as it came. */
    int longestReply()
    {
        connect(0, 1);
        int longest = 0;
        answerBytes = SHORTER;
        sendBlock(1);
        while (isAnswerTaken)
        {
            longest = answerLength;
            answerBytes++;
            sendBlock(1);
        }
        return longest;
    }

    private boolean isBlockTaken(final int length)
    {
        return isTaken(() -> sendBlock(length));
    }

    private void sendBlock(final int length)
    {
        ranks[0].requestLong(1, CODE, 0, 0, block, 0, length);
        drive("the answer of a block", () -> ranks[0].unanswered() == 0);
    }

    /** Whether it is not refused as too long. */
    private static boolean isTaken(final Runnable send)
    {
        try
        {
            send.run();
            return true;
        }
        catch (final IllegalArgumentException ex)
        {
            return false;
        }
    }

    /** Requests that a store of so many bytes becomes; 0 if other bytes were stored. */
    long requestsOfStore(final int length)
    {
        connect(0, 1);
        final UnsafeBuffer memory = new UnsafeBuffer(new byte[length]);
        ranks[1].segment(SEGMENT, memory);
        final long before = ranks[0].counters().get(Counter.SENT_REQUESTS);
        ranks[0].store(1, SEGMENT, 0, block, 0, length);
        drive("the bytes", () -> ranks[0].unanswered() == 0);
        final long requests = ranks[0].counters().get(Counter.SENT_REQUESTS) - before;
        return memory.equals(new UnsafeBuffer(block, 0, length)) ? requests : 0;
    }

    /** Requests of another rank that a rank carries out while it only sends one. */
    int handledBySending()
    {
        connect(0, 1);
        connect(1, 0);
        final int before = handled[0];
        drive("room", () -> trySend(1, 0));
        final int between = handled[0] - before;
        ranks[0].request(1, CODE, 0, 0, 0, 0, 0);
        return between == 0 ? handled[0] - before : 0;
    }

    /** All ranks send requests to all, and poll when they cannot: answered requests, and answers that had to be stored. */
    long[] floodAll(final int requests)
    {
        final int before = answered;
        int sent = 0;
        while (sent < requests)
        {
            int sentNow = 0;
            for (int from = 0; from < RANKS; from++)
            {
                sentNow += trySend(from, (from + sent) % RANKS) ? 1 : 0;
            }
            sent += sentNow;
            if (sentNow == 0)
            {
                final int last = answered;
                drive("an answer", () -> answered > last);
            }
        }
        final int all = sent;
        drive("all answers", () -> answered - before == all);
        return new long[] {all, Arrays.stream(ranks).mapToLong((rank) -> rank.counters().get(Counter.STORED_REPLIES)).sum()};
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(ranks);
        CloseHelper.closeAll(endpoints);
        node.close();
        directory.close();
    }
}
