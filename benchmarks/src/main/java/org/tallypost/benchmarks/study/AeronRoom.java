// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import io.aeron.Aeron;
import io.aeron.Publication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import io.aeron.logbuffer.FragmentHandler;
import io.aeron.logbuffer.Header;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.AgentInvoker;
import org.tallypost.benchmarks.compare.Inlet;
import org.tallypost.benchmarks.compare.Link;

/**
 * Aeron IPC without threads of its own: the sending thread runs the media driver and the client's conductor whenever it was
 * refused or has nothing to do, which is when the driver's work, moving the publication's limit, is wanted. All senders share
 * one log.
 */
final class AeronRoom implements Room
{
    private static final int STREAM = 1001;
    private static final int MTU_LENGTH = 8192;
    private static final long CONNECT_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(180);

    private final File directory;
    private final int termLength;
    private final MediaDriver driver;
    private final Aeron aeron;
    private final AgentInvoker driverInvoker;
    private final AgentInvoker clientInvoker;
    private final List<Publication> publications = new ArrayList<>();
    private Subscription subscription;

    AeronRoom(final TrialSpec.Point point, final File directory)
    {
        this.directory = directory;
        termLength = Contender.termLength(point.bytes());
        final String aeronDirectory = new File(directory, "aeron").getPath();
        driver = MediaDriver.launch(new MediaDriver.Context()
            .aeronDirectoryName(aeronDirectory)
            .threadingMode(ThreadingMode.INVOKER)
            .termBufferSparseFile(false)
            .dirDeleteOnStart(true)
            .dirDeleteOnShutdown(true));
        driverInvoker = driver.sharedAgentInvoker();
        aeron = Aeron.connect(new Aeron.Context()
            .aeronDirectoryName(aeronDirectory)
            .useConductorAgentInvoker(true)
            .driverAgentInvoker(driverInvoker));
        clientInvoker = aeron.conductorAgentInvoker();
    }

    @Override
    public Link open(final int party)
    {
        final String channel = "aeron:ipc?mtu=" + MTU_LENGTH + "|term-length=" + termLength;
        if (party == 0)
        {
            subscription = aeron.addSubscription(channel, STREAM);
            return new AeronLink(null, subscription);
        }
        final Publication publication = aeron.addPublication(channel, STREAM);
        publications.add(publication);
        return new AeronLink(publication, null);
    }

    @Override
    public void connect()
    {
        final long startNs = System.nanoTime();
        while (!subscription.isConnected() || !publications.stream().allMatch(Publication::isConnected))
        {
            onIdle();
            if (System.nanoTime() - startNs > CONNECT_TIMEOUT_NS)
            {
                throw new IllegalStateException("timeout: Aeron's publications are not connected");
            }
        }
    }

    @Override
    public void onIdle()
    {
        driverInvoker.invoke();
        clientInvoker.invoke();
    }

    @Override
    public long bufferBytes()
    {
        return (long)Contender.TERMS * termLength;
    }

    @Override
    public long fileBytes()
    {
        return TransportRoom.length(directory, (name) -> name.endsWith(".logbuffer"));
    }

    @Override
    public void close()
    {
        aeron.close();
        driver.close();
    }

    private static final class AeronLink implements Link, FragmentHandler
    {
        private final Publication publication;
        private final Subscription subscription;
        private Inlet inlet;

        AeronLink(final Publication publication, final Subscription subscription)
        {
            this.publication = publication;
            this.subscription = subscription;
        }

        @Override
        public boolean send(final DirectBuffer buffer, final int offset, final int length)
        {
            final long result = publication.offer(buffer, offset, length);
            if (result == Publication.CLOSED || result == Publication.MAX_POSITION_EXCEEDED)
            {
                throw new IllegalStateException("Aeron: " + Publication.errorString(result));
            }
            return result >= 0;
        }

        @Override
        public int poll(final Inlet taker, final int limit)
        {
            inlet = taker;
            return subscription.poll(this, limit);
        }

        @Override
        public void onFragment(final DirectBuffer buffer, final int offset, final int length, final Header header)
        {
            inlet.onMessage(buffer, offset, length);
        }
    }
}
