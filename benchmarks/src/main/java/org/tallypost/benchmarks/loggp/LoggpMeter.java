// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import java.io.File;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicReference;
import org.agrona.BufferUtil;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.activemessages.ActiveMessages;
import org.tallypost.activemessages.ActiveMessagesContext;
import org.tallypost.activemessages.LoggpKnobs;
import org.tallypost.activemessages.LoggpKnobs.Knob;
import org.tallypost.benchmarks.harness.Quartiles;
import org.tallypost.benchmarks.harness.TemporaryDirectory;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.node.Node;

/**
 * Measures the signature of active messages between two threads of this process, as Culler and others do for fast network
 * interfaces: single requests give o and the round trip, many of them give g, blocks of two lengths give G.
 */
final class LoggpMeter implements AutoCloseable
{
    /** Requests that may be without answer: with latency L no more than that go in a round trip. */
    static final int WINDOW = 64;
    private static final int HANDLER = 1;
    private static final int SLOTS = 4_096;
    private static final int SINGLES = 21;
    private static final int SKIPPED = 32;
    private static final int MAX_BURST = 400;
    private static final int MIN_BURST = 16;
    private static final int SHORT_BLOCK = 64;
    private static final long BURST_NS = 4_000_000;
    private static final long SETTLE_NS = 5_000;
    private static final long PATIENCE_NS = 60_000_000_000L;
    private static final int PS_IN_NS = 1_000;

    private final TemporaryDirectory directory;
    private final Node node;
    private final Endpoint[] endpoints = new Endpoint[2];
    private final LoggpKnobs[] knobs = new LoggpKnobs[2];
    private final ActiveMessages[] messages = new ActiveMessages[2];
    private final UnsafeBuffer block =
        new UnsafeBuffer(BufferUtil.allocateDirectAligned(ActiveMessages.MAX_BLOCK_LENGTH, 128));
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private final Thread server;
    private double share;
    private volatile boolean isClosed;

    LoggpMeter(final File parent) throws IOException
    {
        this(parent, true);
    }

    /** With knobs that are all 0, or without knobs. */
    LoggpMeter(final File parent, final boolean hasKnobs) throws IOException
    {
        directory = TemporaryDirectory.create(parent, "tallypost-bench-");
        node = Node.launch(new NodeContext().directory(new File(directory.file(), "node")).groupName("loggp").rankCount(2)
            .slotsPerSender(SLOTS).deleteOnClose(true));
        for (int rank = 0; rank < 2; rank++)
        {
            endpoints[rank] = node.open(rank);
            knobs[rank] = hasKnobs ? LoggpKnobs.open(node, rank) : null;
            messages[rank] = ActiveMessages.launch(new ActiveMessagesContext().endpoint(endpoints[rank]).rankCount(2)
                .window(WINDOW).timeoutNs(PATIENCE_NS).knobs(knobs[rank]).errorHandler(this::fail)
                .failureListener((dest, handler, reason) -> fail(new IllegalStateException("a request failed: " + reason))));
        }
        messages[1].onRequest(HANDLER, (token, a, b, c, d, e) ->
        {
        });
        messages[1].onLongRequest(HANDLER, (token, a, b, buffer, offset, length) ->
        {
        });
        server = new Thread(this::serve, "loggp server");
        server.start();
    }

    private void fail(final Throwable cause)
    {
        failure.compareAndSet(null, cause);
    }

    private void serve()
    {
        try
        {
            while (!isClosed)
            {
                if (messages[1].doWork() == 0)
                {
                    Thread.onSpinWait();
                }
            }
        }
        catch (final RuntimeException | Error e)
        {
            fail(e);
        }
    }

    /**
     * Sets one knob of both ranks, and all others to 0. But G is a picosecond at least: while all are 0 messages pass by the
     * delays, and the look without a knob is to differ by what is set alone.
     */
    void set(final Knob knob, final long value)
    {
        for (final LoggpKnobs each : knobs)
        {
            for (final Knob other : Knob.values())
            {
                each.set(other, Math.max(other == knob ? value : 0, other == Knob.BYTE_GAP ? 1 : 0));
            }
        }
    }

    private long get(final Knob knob)
    {
        return knobs[0] == null ? 0 : knobs[0].get(knob);
    }

    /**
     * One look at all parameters, with the knobs as they are.
     *
     * @param longestNs the most that a knob is set to: a look without knobs waits as long between its messages as one with them,
     *                  since caches get cold meanwhile.
     */
    LoggpSignature measure(final long longestNs)
    {
        final long usedNs = ProcessorShare.usedNs();
        final long usedByServerNs = ProcessorShare.usedNs(server);
        final long beginNs = System.nanoTime();
        final LoggpSignature signature = look(longestNs);
        final long elapsedNs = System.nanoTime() - beginNs;
        share = Math.min(ProcessorShare.of(usedNs, ProcessorShare.usedNs(), elapsedNs),
            ProcessorShare.of(usedByServerNs, ProcessorShare.usedNs(server), elapsedNs));
        return signature;
    }

    /** Whether both threads had a processor during the last look: what it shows is of the messages then. */
    boolean wasThere()
    {
        return share >= ProcessorShare.LEAST;
    }

    private LoggpSignature look(final long longestNs)
    {
        final long onWireNs = get(Knob.GAP) + 2 * get(Knob.OVERHEAD);
        final long settleNs = SETTLE_NS + 6 * longestNs;
        final double[] sends = new double[SINGLES];
        final double[] receives = new double[SINGLES];
        final double[] roundTrips = new double[SINGLES];
        for (int i = 0; i < SINGLES; i++)
        {
            // the answer comes meanwhile, and the next poll finds it
            final long begin = System.nanoTime();
            request();
            sends[i] = System.nanoTime() - begin;
            spin(settleNs);
            final long beforePoll = System.nanoTime();
            awaitAnswer();
            receives[i] = System.nanoTime() - beforePoll;
            spin(settleNs);
            final long beginOfTrip = System.nanoTime();
            request();
            awaitAnswer();
            roundTrips[i] = System.nanoTime() - beginOfTrip;
            spin(settleNs);
        }
        final double send = Quartiles.of(sends).median();
        final double receive = Quartiles.of(receives).median();
        final double latency = Quartiles.of(roundTrips).median() / 2 - send - receive;
        final double gap = burst(onWireNs, 0);
        final double byteGap = (burst(onWireNs, ActiveMessages.MAX_BLOCK_LENGTH) - burst(onWireNs, SHORT_BLOCK)) /
            (ActiveMessages.MAX_BLOCK_LENGTH - SHORT_BLOCK);
        checkFailure();
        return new LoggpSignature(send, receive, latency, gap, byteGap);
    }

    private void request()
    {
        final long result = messages[0].tryRequest(1, HANDLER, 0, 0, 0, 0, 0);
        if (result < 0 && result != Endpoint.NO_CREDIT)
        {
            throw new IllegalStateException("a request failed: " + Endpoint.errorString(result));
        }
        if (result < 0)
        {
            awaitAnswer();
            messages[0].request(1, HANDLER, 0, 0, 0, 0, 0);
        }
    }

    private void awaitAnswer()
    {
        long looks = 0;
        while (messages[0].unanswered() > 0)
        {
            messages[0].doWork();
            if ((++looks & 0xFFFF) == 0)
            {
                checkFailure();
            }
        }
    }

    private void checkFailure()
    {
        if (failure.get() != null)
        {
            throw new IllegalStateException("the other thread has failed: " + failure.get(), failure.get());
        }
    }

    /** Nanoseconds for each of many requests, once the card and the window are in use. */
    private double burst(final long onWireNs, final int length)
    {
        final long eachNs = onWireNs + length * get(Knob.BYTE_GAP) / PS_IN_NS + 2 * get(Knob.LATENCY) / WINDOW + 1;
        final int count = (int)Math.max(MIN_BURST, Math.min(MAX_BURST, BURST_NS / eachNs));
        long begin = 0;
        for (int i = 0; i < SKIPPED + count; i++)
        {
            if (i == SKIPPED)
            {
                begin = System.nanoTime();
            }
            final long result = length == 0 ? messages[0].request(1, HANDLER, 0, 0, 0, 0, 0) :
                messages[0].requestLong(1, HANDLER, 0, 0, block, 0, length);
            if (result < 0)
            {
                throw new IllegalStateException("a request failed: " + Endpoint.errorString(result));
            }
        }
        final double each = (double)(System.nanoTime() - begin) / count;
        messages[0].awaitReplies();
        return each;
    }

    private static void spin(final long lengthNs)
    {
        final long end = System.nanoTime() + lengthNs;
        while (System.nanoTime() - end < 0)
        {
            Thread.onSpinWait();
        }
    }

    @Override
    public void close() throws IOException
    {
        isClosed = true;
        try
        {
            server.join();
        }
        catch (final InterruptedException e)
        {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the server ended", e);
        }
        finally
        {
            CloseHelper.closeAll(messages[0], messages[1], knobs[0], knobs[1], endpoints[0], endpoints[1], node);
            directory.close();
        }
    }
}
