// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.benchmarks.compare.LoopbackPorts;
import org.tallypost.benchmarks.workload.Polled;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.node.Node;
import org.tallypost.transportaeron.AeronTransport;
import org.tallypost.transportaeron.NetworkMemory;
import org.tallypost.transportaeron.NodeAddress;
import org.tallypost.transportaeron.Topology;

/**
 * Our nodes: one stream for each ordered pair of them.
 */
final class NodeStreams extends StreamLayout
{
    private static final byte[] SECRET = "the secret of a study".getBytes(StandardCharsets.US_ASCII);
    private static final long LIVENESS_NS = 30_000_000_000L;
    private static final int LIMIT = 64;

    private final File directory;
    private final List<Node> nodes = new ArrayList<>();
    private final List<Endpoint> endpoints = new ArrayList<>();
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[MESSAGE_LENGTH]);
    private final int[] left;
    private int owed;
    private int received;

    NodeStreams(final NetworkMemory.Group group, final File directory) throws IOException
    {
        super(group);
        this.directory = directory;
        left = new int[group.rankCount() * group.rankCount()];
        final List<NodeAddress> addresses = LoopbackPorts.free(group.nodes()).stream()
            .map((port) -> new NodeAddress("127.0.0.1", port)).toList();
        final Topology topology = Topology.blocks(addresses,
            Collections.nCopies(group.nodes(), group.ranksPerNode()).stream().mapToInt(Integer::intValue).toArray());
        try
        {
            for (int node = 0; node < group.nodes(); node++)
            {
                nodes.add(Node.launch(new NodeContext()
                    .directory(new File(directory, "node-" + node))
                    .rankCount(group.rankCount())
                    .slotsPerSender(group.slotsPerSender())
                    .creditSlots(group.creditSlots())
                    .flow(group.flow())
                    .livenessIntervalNs(LIVENESS_NS)
                    .transport(new AeronTransport(topology, node).secret(SECRET))));
            }
            for (int rank = 0; rank < group.rankCount(); rank++)
            {
                endpoints.add(nodes.get(nodeOf(rank)).open(rank));
            }
        }
        catch (final RuntimeException ex)
        {
            close();
            throw ex;
        }
    }

    @Override
    void connect()
    {
        exchange(1, 0);
    }

    @Override
    void send(final int count)
    {
        exchange(count, MESSAGE_LENGTH);
    }

    private void exchange(final int count, final int length)
    {
        Arrays.fill(left, count);
        owed = count * pairs();
        received = 0;
        final int all = owed;
        await(all + " messages between nodes", () -> turn(length), () -> owed == 0 && received == all,
            () -> "not sent=" + owed + ", received=" + received);
    }

    private void turn(final int length)
    {
        int work = 0;
        for (int rank = 0; rank < endpoints.size(); rank++)
        {
            final Endpoint endpoint = endpoints.get(rank);
            work += Polled.work(endpoint.poll((source, tag, buffer, offset, size) -> received++, LIMIT));
            for (int dest = 0; dest < endpoints.size(); dest++)
            {
                final int pair = rank * endpoints.size() + dest;
                if (nodeOf(dest) != nodeOf(rank) && left[pair] > 0 && endpoint.offer(dest, 0, message, 0, length) >= 0)
                {
                    left[pair]--;
                    owed--;
                    work++;
                }
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
        try (Stream<Path> files = Files.walk(new File(directory, "node-" + node).toPath()))
        {
            return files.filter((file) -> file.endsWith("cnc.dat")).findFirst().orElseThrow(() ->
                new IllegalStateException("found no media driver: directory=" + directory + ", node=" + node))
                .getParent().toFile();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    @Override
    List<File> otherFiles(final int node)
    {
        final File[] files = new File(directory, "node-" + node).listFiles((place, name) ->
            name.matches("(high-)?(remote|egress-\\d+)"));
        return files == null ? List.of() : List.of(files);
    }

    @Override
    public void close()
    {
        // no node waits for others that are closing too
        CloseHelper.closeAll(nodes);
    }
}
