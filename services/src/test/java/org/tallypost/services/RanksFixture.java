// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.services;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.agrona.concurrent.Agent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

/** The ranks of one node, each with an agent over its endpoint, driven by the thread of the test. */
abstract class RanksFixture
{
    @TempDir
    Path directory;

    final List<Throwable> errors = new ArrayList<>();
    Node node;
    Endpoint[] endpoints;

    /** The agent of each rank; null for a rank that is shut, or left alone. */
    abstract Agent[] agents();

    /** Closes the agent of a rank and its endpoint. */
    abstract void shut(int rank);

    static NodeContext nodeContext(final Path directory, final int ranks, final int slots)
    {
        return new NodeContext().directory(directory.resolve("node").toFile()).groupName("test").rankCount(ranks)
            .slotsPerSender(slots).creditSlots(2).livenessIntervalNs(100_000_000L).errorHandler((t) ->
            {
                throw new AssertionError("error handler of the node called", t);
            });
    }

    @AfterEach
    void close()
    {
        if (node != null)
        {
            for (int rank = 0; rank < agents().length; rank++)
            {
                if (agents()[rank] != null)
                {
                    shut(rank);
                }
            }
            node.close();
        }
    }

    int work()
    {
        int work = 0;
        for (final Agent each : agents())
        {
            work += each == null ? 0 : work(each);
        }
        return work;
    }

    private static int work(final Agent agent)
    {
        try
        {
            return agent.doWork();
        }
        catch (final RuntimeException ex)
        {
            throw ex;
        }
        catch (final Exception ex)
        {
            throw new AssertionError(ex);
        }
    }

    void drive(final String what, final BooleanSupplier condition)
    {
        final Watchdog watchdog = new Watchdog(
            Watchdog.DEFAULT_LIMIT, () -> what + ": " + this + ", errors=" + errors + ", " + Arrays.toString(agents()));
        while (!condition.getAsBoolean())
        {
            if (work() > 0)
            {
                watchdog.progress();
            }
            else
            {
                watchdog.idle();
            }
        }
    }
}
