// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.process;

import java.io.File;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.agrona.CloseHelper;
import org.agrona.concurrent.IdleStrategy;
import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.Sizing;
import org.tallypost.benchmarks.plan.Way;
import org.tallypost.benchmarks.workload.Participant;
import org.tallypost.benchmarks.workload.Pattern;
import org.tallypost.benchmarks.workload.RankGroup;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.EndpointCounters;
import org.tallypost.endpoint.Flow;
import org.tallypost.endpoint.IdleSettings;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.node.Node;

/**
 * One flow control and path in one worker: a node of its own, the endpoints of the worker's ranks, and their counts.
 */
final class FlowRun implements AutoCloseable
{
    /** Turns of ranks without work, some 2 us, before the worker yields. */
    private static final int MAX_TURNS = 200;
    /** A worker that sleeps also has to notice when it is to stop. */
    private static final long LONGEST_PARK_NS = 20_000_000;

    private final Way way;
    private final Node node;
    /** Null if there is one node. */
    private final Network network;
    private final List<Endpoint> endpoints = new ArrayList<>();
    private IdleStrategy idle;
    private RankGroup group;
    private Totals before;
    private Totals after;

    /**
     * Attaches to the node of this flow control and path.
     *
     * @param way       the flow control and the path.
     * @param plan      of the run.
     * @param directory of the run.
     * @param process   index of this worker.
     */
    FlowRun(final Way way, final RunPlan plan, final File directory, final int process)
    {
        this.way = way;
        network = plan.nodes().count() == 1 ? null : new Network(plan, way, process);
        final String name = way.label();
        final NodeContext context = new NodeContext()
            .directory(new File(directory, network == null ? name : name + "-node-" + plan.nodeOf(process)))
            .groupName("bench")
            .rankCount(plan.ranks())
            .slotsPerSender(plan.slots())
            .creditSlots(plan.creditSlots())
            .flow(way.flow())
            .creditReturn(plan.creditReturn())
            .piggyback(plan.piggyback())
            .idle(new IdleSettings().maxSpins(MAX_TURNS / plan.ranksOf(process).length).longestParkNs(LONGEST_PARK_NS));
        if (way.flow() == Flow.NONE)
        {
            context.ringSlots(Math.toIntExact(Sizing.ringSlots(plan, way.path())));
        }
        if (network != null)
        {
            network.configure(context);
        }
        node = Node.launch(context);
    }

    /**
     * Opens the endpoint of a rank of this worker.
     *
     * @param rank to open.
     */
    void open(final int rank)
    {
        endpoints.add(node.open(rank));
    }

    /**
     * Creates the participants, once all ranks are open.
     *
     * @param plan    of the run.
     * @param pattern contents of messages.
     */
    void prepare(final RunPlan plan, final Pattern pattern)
    {
        group = new RankGroup(plan, way.path(), pattern, node, endpoints);
        final Endpoint first = endpoints.get(0);
        idle = first.newIdleStrategy(LONGEST_PARK_NS, endpoints.subList(1, endpoints.size()).toArray(new Endpoint[0]));
    }

    /**
     * Waits until the ranks of this worker are connected with those of other nodes, both ways.
     *
     * @param turn called again and again; it may throw.
     */
    void connect(final Runnable turn)
    {
        if (network != null)
        {
            network.connect(endpoints, turn);
        }
    }

    IdleStrategy idle()
    {
        return idle;
    }

    RankGroup group()
    {
        return group;
    }

    /** Takes the counts once before the first measured step and again after every one. */
    void measured(final boolean isAfter)
    {
        if (isAfter)
        {
            after = new Totals();
        }
        else if (before == null)
        {
            before = new Totals();
        }
    }

    FlowCounts counts()
    {
        final long[] difference = new long[before.values.length];
        Arrays.setAll(difference, i -> after.values[i] - before.values[i]);
        return new FlowCounts(
            way,
            difference[0],
            difference[1],
            difference[2],
            difference[3],
            difference[4],
            difference[5],
            endpoints.isEmpty() ? 0 : endpoints.get(0).counters().mailboxBytes(),
            group.check().checked(),
            group.check().mismatches(),
            group.check().firstMismatch(),
            encode(group.histogram()),
            network == null ? null : network.counts());
    }

    private static byte[] encode(final Histogram histogram)
    {
        if (histogram.getTotalCount() == 0)
        {
            return null;
        }
        final ByteBuffer buffer = ByteBuffer.allocate(histogram.getNeededByteBufferCapacity());
        final int length = histogram.encodeIntoCompressedByteBuffer(buffer);
        return Arrays.copyOf(buffer.array(), length);
    }

    @Override
    public void close()
    {
        CloseHelper.close(group);
        CloseHelper.closeAll(endpoints);
        node.close();
    }

    /** Sums over the endpoints of this worker at one moment. */
    private final class Totals
    {
        private final long[] values = new long[6];

        Totals()
        {
            for (final Participant participant : group.participants())
            {
                values[0] += participant.totalSent();
                values[1] += participant.totalDelayed();
            }
            for (final Endpoint endpoint : endpoints)
            {
                final EndpointCounters counters = endpoint.counters();
                values[2] += counters.creditPackets();
                values[3] += counters.creditsStolen();
                values[4] += counters.requests();
                values[5] += counters.responses();
            }
        }
    }
}
