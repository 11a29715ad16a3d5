// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

import org.agrona.IoUtil;
import org.tallypost.collectives.Collectives;
import org.tallypost.collectives.CollectivesContext;
import org.tallypost.collectives.Team;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.node.Node;

/**
 * The ranks of a team, each on a thread of this process.
 */
final class CollectiveThreads
{
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
        final File directory = Files.createTempDirectory(parent.toPath(), "tallypost-bench-").toFile();
        final AtomicReference<Throwable> failure = new AtomicReference<>();
        final List<Thread> threads = new ArrayList<>();
        final NodeContext node = new NodeContext().directory(new File(directory, "node")).groupName("collectives")
            .rankCount(ranks).deleteOnClose(true);
        try (Node launched = Node.launch(node))
        {
            for (int rank = 0; rank < ranks; rank++)
            {
                final int number = rank;
                final Thread thread = new Thread(() -> member(launched, number, context, body, failure), "rank " + rank);
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
            IoUtil.delete(directory, true);
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
