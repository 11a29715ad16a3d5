// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import io.aeron.Aeron;
import io.aeron.ExclusivePublication;
import io.aeron.Subscription;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.ThreadingMode;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.benchmarks.compare.LoopbackPorts;
import org.tallypost.transportaeron.AeronTransport;
import org.tallypost.transportaeron.NetworkMemory;

/**
 * Aeron as it is, with a media driver for each node and a stream for each ordered pair of ranks on different nodes, as if each
 * rank were a process.
 */
final class RankStreams extends StreamLayout
{
    private static final int FIRST_STREAM = 1000;
    private static final int MTU_LENGTH = 8192;
    private static final int LIMIT = 64;
    /**
     * Messages of a pair on their way at most, as credits would have it. All streams of a node come in through one socket;
     * windows that are used up by all of them at once overflow it, and Aeron then lost connections for good.
     */
    private static final int MESSAGES_AHEAD = 8;

    private final File directory;
    private final List<MediaDriver> drivers = new ArrayList<>();
    private final List<Aeron> clients = new ArrayList<>();
    private final List<Subscription> subscriptions = new ArrayList<>();
    private final List<ExclusivePublication> publications = new ArrayList<>();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
    private final int[] left;
    private final int[] ahead;
    private int owed;
    private int received;

    RankStreams(final NetworkMemory.Group group, final int termLength, final File directory) throws IOException
    {
        super(group);
        this.directory = directory;
        left = new int[pairs()];
        ahead = new int[pairs()];
        final List<Integer> ports = LoopbackPorts.free(group.nodes());
        try
        {
            for (int node = 0; node < group.nodes(); node++)
            {
                drivers.add(MediaDriver.launch(new MediaDriver.Context()
                    .aeronDirectoryName(driverDirectory(node).getPath())
                    .threadingMode(ThreadingMode.SHARED)
                    .mtuLength(MTU_LENGTH)
                    .socketRcvbufLength(AeronTransport.socketReceiveBufferLength())
                    .termBufferSparseFile(true)
                    .dirDeleteOnStart(true)
                    .dirDeleteOnShutdown(true)));
                clients.add(Aeron.connect(new Aeron.Context().aeronDirectoryName(driverDirectory(node).getPath())));
            }
            for (int from = 0; from < group.rankCount(); from++)
            {
                for (int to = 0; to < group.rankCount(); to++)
                {
                    if (nodeOf(from) != nodeOf(to))
                    {
                        open(from, to, ports.get(nodeOf(to)), termLength);
                    }
                }
            }
        }
        catch (final RuntimeException ex)
        {
            close();
            throw ex;
        }
    }

    private void open(final int from, final int to, final int port, final int termLength)
    {
        final String channel = "aeron:udp?endpoint=127.0.0.1:" + port;
        final int stream = FIRST_STREAM + from * group.rankCount() + to;
        subscriptions.add(clients.get(nodeOf(to)).addSubscription(channel, stream));
        publications.add(clients.get(nodeOf(from)).addExclusivePublication(
            channel + "|mtu=" + MTU_LENGTH + "|term-length=" + termLength, stream));
    }

    @Override
    void connect()
    {
        await("streams between ranks", Thread::yield, () -> publications.stream().allMatch(ExclusivePublication::isConnected) &&
            subscriptions.stream().allMatch(Subscription::isConnected), () -> publications.size() + " streams");
    }

    @Override
    void send(final int count)
    {
        Arrays.fill(left, count);
        owed = count * pairs();
        received = 0;
        final int all = owed;
        await(all + " messages between ranks", this::turn, () -> owed == 0 && received == all,
            () -> "not sent=" + owed + ", received=" + received);
    }

    private void turn()
    {
        int work = 0;
        for (int pair = 0; pair < left.length; pair++)
        {
            final int count = subscriptions.get(pair).poll((buffer, offset, length, header) -> received++, LIMIT);
            work += count;
            ahead[pair] -= count;
            if (left[pair] > 0 && ahead[pair] < MESSAGES_AHEAD && publications.get(pair).offer(message) >= 0)
            {
                left[pair]--;
                ahead[pair]++;
                owed--;
                work++;
            }
        }
        if (work == 0)
        {
            Thread.yield();
        }
    }

    @Override
    File driverDirectory(final int node)
    {
        return new File(directory, "driver-" + node);
    }

    @Override
    List<File> otherFiles(final int node)
    {
        return List.of();
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(clients);
        CloseHelper.closeAll(drivers);
    }
}
