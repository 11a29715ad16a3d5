// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.nio.ByteBuffer;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.ControlledFragmentHandler;
import io.aeron.logbuffer.Header;
import org.agrona.BitUtil;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.MessageHandler;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.ringbuffer.OneToOneRingBuffer;
import org.agrona.concurrent.ringbuffer.RingBufferDescriptor;
import org.tallypost.benchmarks.compare.LoopbackPorts;

/**
 * What people build on a subscription that several receivers share: each message has the receiver's number in front, and is
 * handed on to a queue of that receiver. Nothing may be lost, so a message for a queue that is full waits, and all behind it.
 */
final class RawAeronLink implements SharedLink, ControlledFragmentHandler
{
    private static final int STREAM = 1001;
    private static final int HEADER_LENGTH = 8;
    private static final int SLOT_LENGTH = 64;
    private static final int MIN_QUEUE_LENGTH = 4096;
    private static final int FRAGMENT_LIMIT = 32;
    private static final int MAX_LENGTH = 4096;

    private final Side near;
    private final Side far;
    private final Publication publication;
    private final Subscription subscription;
    private final OneToOneRingBuffer[] queues;
    private final MessageHandler[] handlers;
    private final boolean[] full;
    private Taker inlet;
    private final UnsafeBuffer outgoing = new UnsafeBuffer(new byte[HEADER_LENGTH + MAX_LENGTH]);

    /** A media driver and its client, on the thread that calls. */
    private static final class Side implements AutoCloseable
    {
        final MediaDriver driver;
        final Aeron aeron;

        Side(final File directory)
        {
            driver = MediaDriver.launch(new MediaDriver.Context()
                .aeronDirectoryName(directory.getPath())
                .threadingMode(ThreadingMode.INVOKER)
                .termBufferSparseFile(true)
                .dirDeleteOnStart(true)
                .dirDeleteOnShutdown(true));
            aeron = Aeron.connect(new Aeron.Context()
                .aeronDirectoryName(directory.getPath())
                .useConductorAgentInvoker(true)
                .driverAgentInvoker(driver.sharedAgentInvoker()));
        }

        int work()
        {
            return driver.sharedAgentInvoker().invoke() + aeron.conductorAgentInvoker().invoke();
        }

        @Override
        public void close()
        {
            CloseHelper.closeAll(aeron, driver);
        }
    }

    RawAeronLink(final int count, final int slots, final File directory)
    {
        near = new Side(new File(directory, "near"));
        far = new Side(new File(directory, "far"));
        final String channel = "aeron:udp?endpoint=127.0.0.1:" + LoopbackPorts.free(1).get(0);
        subscription = far.aeron.addSubscription(channel, STREAM);
        publication = near.aeron.addPublication(channel + "|mtu=8192|term-length=1m", STREAM);
        queues = new OneToOneRingBuffer[count];
        handlers = new MessageHandler[count];
        full = new boolean[count];
        // the same room as a mailbox
        final int length = BitUtil.findNextPositivePowerOfTwo(Math.max(MIN_QUEUE_LENGTH, (count + 1) * slots * SLOT_LENGTH));
        for (int i = 0; i < count; i++)
        {
            final int receiver = i;
            handlers[i] = (type, buffer, offset, size) -> inlet.onMessage(receiver, buffer, offset, size);
            queues[i] = new OneToOneRingBuffer(
                new UnsafeBuffer(ByteBuffer.allocateDirect(length + RingBufferDescriptor.TRAILER_LENGTH)));
        }
    }

    @Override
    public boolean send(final int receiver, final DirectBuffer buffer, final int length)
    {
        outgoing.putInt(0, receiver);
        outgoing.putBytes(HEADER_LENGTH, buffer, 0, length);
        final long result = publication.offer(outgoing, 0, HEADER_LENGTH + length);
        if (result == Publication.CLOSED || result == Publication.MAX_POSITION_EXCEEDED)
        {
            throw new IllegalStateException("Aeron: " + Publication.errorString(result));
        }
        return result >= 0;
    }

    @Override
    public int sendingWork()
    {
        return near.work();
    }

    @Override
    public int receivingWork()
    {
        return far.work() + subscription.controlledPoll(this, FRAGMENT_LIMIT);
    }

    @Override
    public Action onFragment(final DirectBuffer buffer, final int offset, final int length, final Header header)
    {
        final int receiver = buffer.getInt(offset);
        full[receiver] = !queues[receiver].write(1, buffer, offset + HEADER_LENGTH, length - HEADER_LENGTH);
        return full[receiver] ? Action.ABORT : Action.CONTINUE;
    }

    @Override
    public boolean isFull(final int receiver)
    {
        return full[receiver];
    }

    @Override
    public int poll(final int receiver, final Taker taker, final int limit)
    {
        inlet = taker;
        return queues[receiver].read(handlers[receiver], limit);
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(near, far);
    }
}
