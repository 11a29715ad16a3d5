// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

import org.agrona.CloseHelper;
import org.tallypost.benchmarks.compare.LoopbackPorts;
import org.tallypost.benchmarks.harness.TemporaryDirectory;
import org.tallypost.collectives.Collectives;
import org.tallypost.collectives.CollectivesContext;
import org.tallypost.collectives.Team;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.node.Node;
import org.tallypost.transportaeron.AeronTransport;
import org.tallypost.transportaeron.NodeAddress;
import org.tallypost.transportaeron.Topology;

/**
 * The ranks of a team, each on a thread of this process.
 */
final class CollectiveThreads
{
    /** On a busy machine a rank has no turn for long. */
    private static final long LIVENESS_NS = 30_000_000_000L;

    private final File parent;

    /** What each rank does. */
    @FunctionalInterface
    interface Body
    {
        /**
         * Does it.
         *
         * @param team that all ranks are in.
         */
        void run(Team team);
    }

    CollectiveThreads(final File parent)
    {
        this.parent = parent;
    }

    /**
     * Runs it on all ranks.
     *
     * @param ranks   number of ranks.
     * @param context for each of them.
     * @param body    what each does.
     * @throws IOException if there is no directory, or a rank has failed.
     * @throws InterruptedException if the calling thread was interrupted.
     */
    void run(final int ranks, final CollectivesContext context, final Body body) throws IOException, InterruptedException
    {
        run(context, body, (directory) -> List.of(node(directory, "node", ranks)), (rank) -> 0, ranks);
    }

    /**
     * Runs it on ranks that have a node each; packets go by the loopback interface.
     *
     * @param ranks   number of ranks.
     * @param context for each of them.
     * @param body    what each does.
     * @throws IOException if there is no directory, or a rank has failed.
     * @throws InterruptedException if the calling thread was interrupted.
     */
    void runOnNodes(final int ranks, final CollectivesContext context, final Body body) throws IOException, InterruptedException
    {
        final int[] each = new int[ranks];
        Arrays.fill(each, 1);
        final Topology topology = Topology.blocks(LoopbackPorts.free(ranks).stream()
            .map((port) -> new NodeAddress(InetAddress.getLoopbackAddress().getHostAddress(), port)).toList(), each);
        final byte[] secret = new byte[32];
        new SecureRandom().nextBytes(secret);
        run(context, body, (directory) -> IntStream.range(0, ranks).mapToObj((node) -> node(directory, "node-" + node, ranks)
            .livenessIntervalNs(LIVENESS_NS).transport(new AeronTransport(topology, node).secret(secret))).toList(),
            (rank) -> rank, ranks);
    }

    private static NodeContext node(final File directory, final String name, final int ranks)
    {
        return new NodeContext().directory(new File(directory, name)).groupName("collectives").rankCount(ranks)
            .deleteOnClose(true);
    }

    private void run(
        final CollectivesContext context, final Body body, final Function<File, List<NodeContext>> contexts,
        final IntUnaryOperator nodeOf, final int ranks) throws IOException, InterruptedException
    {
        final TemporaryDirectory directory = TemporaryDirectory.create(parent, "tallypost-bench-");
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final List<Thread> threads = new ArrayList<>();
        final List<Node> nodes = new ArrayList<>();
        try
        {
            contexts.apply(directory.file()).forEach((node) -> nodes.add(Node.launch(node)));
            for (int rank = 0; rank < ranks; rank++)
            {
                final int number = rank;
                final Node node = nodes.get(nodeOf.applyAsInt(rank));
                final Thread thread = new Thread(() -> member(node, number, context, body, failure), "rank " + rank);
                threads.add(thread);
                thread.start();
            }
            for (final Thread thread : threads)
            {
                thread.join();
            }
        }
        finally
        {
            CloseHelper.closeAll(nodes);
            directory.close();
        }
        if (failure.get() != null)
        {
            throw new IOException("a rank has failed: " + failure.get(), failure.get());
        }
    }

    private static void member(
        final Node node, final int rank, final CollectivesContext context, final Body body,
        final AtomicReference<Throwable> failure)
    {
        try (Endpoint endpoint = node.open(rank); Collectives collectives = Collectives.attach(node, endpoint, context))
        {
            body.run(collectives.world());
        }
        catch (final RuntimeException | Error e)
        {
            failure.compareAndSet(null, e);
        }
    }

    /**
     * The result of an operation that has to get done.
     *
     * @param result of it.
     */
    static void require(final long result)
    {
        if (result < 0)
        {
            throw new IllegalStateException(Team.errorString(result));
        }
    }
}
