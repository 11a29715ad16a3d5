// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.rudp;

import java.io.File;
import java.io.IOException;
import java.util.BitSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.Header;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.benchmarks.process.Namespaces;

/**
 * A host of a broadcast by Aeron multicast, beside which RUDP is measured. The root sends the data in fragments of Aeron; each
 * receiver answers when it has all bytes of a broadcast. Aeron keeps its connections, RUDP and TCP make theirs for each
 * broadcast. One thread; the driver has another.
 *
 * <pre>
 *   fragment   0 number of the broadcast   8 length of its data   12 unused   16 data
 *   answer     0 number of the broadcast   8 index of the receiver
 * </pre>
 */
final class MulticastHost implements AutoCloseable
{
    /** Aeron wants the last number odd, for the control address beside it. */
    private static final String GROUP = "239.20.30.41:7803";
    private static final int ANSWER_PORT = 7_804;
    private static final int STREAM = 1;
    private static final int LENGTH_OFFSET = 8;
    private static final int HEAD_LENGTH = 16;
    private static final int FRAGMENTS = 64;
    private static final int TERM_LENGTH = 1 << 20;

    private final int index;
    private final int receivers;
    private final long limitNs;
    private final MediaDriver driver;
    private final Aeron aeron;
    private final Subscription in;
    private final ExclusivePublication out;
    private final IdleStrategy idle = new BackoffIdleStrategy(10, 10, 1_000, 100_000);
    private final UnsafeBuffer fragment;
    private final BitSet answered = new BitSet();
    private long number;
    private long missing;

    /**
     * Host 0 is the root.
     *
     * @param directory for the files of the driver, which are left to the caller.
     * @param index     of this host.
     * @param receivers hosts beside the root.
     * @param limitNs   longest wait for the others, in nanoseconds.
     */
    MulticastHost(final File directory, final int index, final int receivers, final long limitNs)
    {
        this.index = index;
        this.receivers = receivers;
        this.limitNs = limitNs;
        driver = MediaDriver.launch(new MediaDriver.Context().aeronDirectoryName(new File(directory, "host-" + index).getPath())
            .threadingMode(ThreadingMode.SHARED).publicationTermBufferLength(TERM_LENGTH).dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true).warnIfDirectoryExists(false));
        aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driver.aeronDirectoryName()));
        final String group = "aeron:udp?endpoint=" + GROUP + "|interface=" + Namespaces.address(index);
        final String answers = "aeron:udp?endpoint=" + Namespaces.address(0) + ":" + ANSWER_PORT;
        in = aeron.addSubscription(index == 0 ? answers : group, STREAM);
        out = aeron.addExclusivePublication(index == 0 ? group + "|mtu=8k|fc=min,g:/" + receivers : answers, STREAM);
        fragment = new UnsafeBuffer(new byte[out.maxPayloadLength()]);
    }

    /** Waits until all hosts are connected. */
    void awaitOthers() throws IOException
    {
        final int expected = index == 0 ? receivers : 1;
        await(() -> "connections: found=" + in.imageCount() + ", expected=" + expected,
            () -> out.isConnected() && in.imageCount() >= expected);
    }

    /** What it waits for is told when the time is over, with what there is then. */
    private void await(final Supplier<String> what, final BooleanSupplier condition) throws IOException
    {
        final long beginNs = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            if (System.nanoTime() - beginNs > limitNs)
            {
                throw new IOException("Aeron multicast: host " + index + " waited " + TimeUnit.NANOSECONDS.toMillis(limitNs) +
                    " ms (limitNs) for " + what.get());
            }
            idle.idle();
        }
        idle.reset();
    }

    /** Sends data to all receivers, and waits until the first so many of them have all. */
    void broadcast(final byte[] data, final int count) throws IOException
    {
        number++;
        answered.clear();
        fragment.putLong(0, number);
        fragment.putInt(LENGTH_OFFSET, data.length);
        for (int offset = 0; offset < data.length;)
        {
            final int length = Math.min(data.length - offset, fragment.capacity() - HEAD_LENGTH);
            fragment.putBytes(HEAD_LENGTH, data, offset, length);
            final int first = offset;
            await(() -> "room for byte " + first, () -> offer(HEAD_LENGTH + length));
            offset += length;
        }
        awaitAnswers(count);
    }

    /** Waits for the receivers that a broadcast did not wait for: they get it, too. */
    void settle() throws IOException
    {
        awaitAnswers(receivers);
    }

    private void awaitAnswers(final int count) throws IOException
    {
        await(() -> "answers of receivers 1 to " + count + ": found=" + answered, () ->
        {
            in.poll(this::onAnswer, FRAGMENTS);
            return answered.nextClearBit(1) > count;
        });
    }

    private boolean offer(final int length)
    {
        final long result = out.offer(fragment, 0, length);
        if (result == Publication.CLOSED || result == Publication.MAX_POSITION_EXCEEDED)
        {
            throw new IllegalStateException("Aeron multicast: the publication is over, found=" + result);
        }
        return result > 0;
    }

    private void onAnswer(final DirectBuffer buffer, final int offset, final int length, final Header head)
    {
        if (buffer.getLong(offset) == number)
        {
            answered.set(buffer.getInt(offset + LENGTH_OFFSET));
        }
    }

    private void onData(final DirectBuffer buffer, final int offset, final int length, final Header head)
    {
        if (buffer.getLong(offset) != number)
        {
            number = buffer.getLong(offset);
            missing = buffer.getInt(offset + LENGTH_OFFSET);
        }
        missing -= length - HEAD_LENGTH;
    }

    /** Receives broadcasts until this thread is interrupted. */
    void receive() throws IOException
    {
        while (!Thread.currentThread().isInterrupted())
        {
            idle.idle(in.poll(this::onData, FRAGMENTS));
            if (number != 0 && missing == 0)
            {
                missing = -1;
                fragment.putLong(0, number);
                fragment.putInt(LENGTH_OFFSET, index);
                await(() -> "room for an answer", () -> offer(HEAD_LENGTH));
            }
        }
    }

    @Override
    public void close()
    {
        aeron.close();
        driver.close();
    }
}
