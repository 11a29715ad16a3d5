// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import io.aeron.Aeron;
import io.aeron.AeronCounters;
import org.agrona.collections.MutableInteger;
import org.tallypost.transportaeron.NetworkMemory;

/**
 * Nodes that really run, in this process and on its loopback, with their streams in one layout or the other.
 */
abstract class StreamLayout implements AutoCloseable
{
    /** Nine slots: an offer of so many is promised to go with the slots that a sender has for itself. */
    static final int MESSAGE_LENGTH = 512;
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(600);

    final NetworkMemory.Group group;

    StreamLayout(final NetworkMemory.Group group)
    {
        this.group = group;
    }

    /** Waits until every rank can reach every rank of other nodes. */
    abstract void connect();

    /**
     * Sends some messages from every rank to every rank of other nodes, and waits until they are there.
     *
     * @param count messages of each pair.
     */
    abstract void send(int count);

    /** Directory of a node's media driver. */
    abstract File driverDirectory(int node);

    /** What the node keeps beside the driver's files. */
    abstract List<File> otherFiles(int node);

    @Override
    public abstract void close();

    /** Nodes, ranks and pairs. */
    final int nodeOf(final int rank)
    {
        return rank / group.ranksPerNode();
    }

    final int pairs()
    {
        return group.rankCount() * (group.rankCount() - group.ranksPerNode());
    }

    /** Calls again and again, until a condition holds. */
    static void await(final String what, final Runnable turn, final BooleanSupplier condition, final Supplier<String> state)
    {
        final long startNs = System.nanoTime();
        while (!condition.getAsBoolean())
        {
            turn.run();
            if (System.nanoTime() - startNs > TIMEOUT_NS)
            {
                throw new IllegalStateException("timeout: waited for " + what + ", " + state.get());
            }
        }
    }

    /** Files of the logs of all nodes. */
    final DiskBytes logs() throws IOException, InterruptedException
    {
        return DiskBytes.of(IntStream.range(0, group.nodes()).mapToObj(this::driverDirectory)
            .flatMap((directory) -> List.of(new File(directory, "publications"), new File(directory, "images")).stream())
            .toList());
    }

    /** Rings and words of all nodes. */
    final DiskBytes others() throws IOException, InterruptedException
    {
        return DiskBytes.of(IntStream.range(0, group.nodes()).boxed().flatMap((node) -> otherFiles(node).stream()).toList());
    }

    /** Streams that leave a node and that come in, as its media driver counts them. */
    final int[] streams(final int node)
    {
        final MutableInteger out = new MutableInteger();
        final MutableInteger in = new MutableInteger();
        try (Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(driverDirectory(node).getPath())))
        {
            aeron.countersReader().forEach((id, type, key, label) ->
            {
                out.value += type == AeronCounters.DRIVER_SENDER_POSITION_TYPE_ID ? 1 : 0;
                in.value += type == AeronCounters.DRIVER_RECEIVER_POS_TYPE_ID ? 1 : 0;
            });
        }
        return new int[]{out.value, in.value};
    }
}
