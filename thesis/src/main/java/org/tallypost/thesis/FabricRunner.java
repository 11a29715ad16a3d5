// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import org.tallypost.creditprotocol.PiggybackPolicy;
import org.tallypost.creditprotocol.StealPolicy;
import org.tallypost.fabric.FabricObserver;
import org.tallypost.fabric.FabricParameters;
import org.tallypost.fabric.FabricResult;
import org.tallypost.fabric.FabricRun;
import org.tallypost.fabric.FabricView;
import org.tallypost.fabric.FlowOptions;
import org.tallypost.fabric.ProtocolCosts;
import org.tallypost.fabric.Topology;
import org.tallypost.schedule.Alltoall;
import org.tallypost.schedule.Barrier;
import org.tallypost.schedule.Doubling;
import org.tallypost.schedule.Pairwise;
import org.tallypost.schedule.PingPong;
import org.tallypost.schedule.Ring;
import org.tallypost.schedule.Scatter;
import org.tallypost.schedule.Scatterv;
import org.tallypost.schedule.Schedule;

/**
 * Runs cells on the simulated fabric. Any number at once.
 */
public final class FabricRunner implements CellRunner
{
    private static final int NODE_RANKS = 16;
    private static final int SQUARE_NODES = 16;
    private static final int MOST_SLOTS = 62;
    private static final int EIGHT_NODES = 8;
    /** Processes never start at the same instant; the seed decides when each starts within this time. */
    private static final long JITTER_PS = 1_000_000;
    private static final double PS_OF_NS = 1000;

    private final FabricParameters parameters;
    private final long seed;

    /**
     * A runner over one fabric.
     *
     * @param parameters of the fabric.
     * @param seed       of the times at which processes start.
     */
    public FabricRunner(final FabricParameters parameters, final long seed)
    {
        this.parameters = parameters;
        this.seed = seed;
    }

    /**
     * What the fabric is like.
     *
     * @return names and values for a report.
     */
    public Map<String, Object> description()
    {
        final Map<String, Object> description = new LinkedHashMap<>();
        description.put("L, link, ns", parameters.hopPs() / PS_OF_NS);
        description.put("o, sending a packet, ns", parameters.sendPs() / PS_OF_NS);
        description.put("o, retrieving a packet, ns", parameters.retrievePs() / PS_OF_NS);
        description.put("g, card and packet, ns", parameters.cardPs() / PS_OF_NS);
        description.put("G, byte of bulk, ns", parameters.bytePs() / PS_OF_NS);
        description.put("byte through shared memory, ns", parameters.copyPs() / PS_OF_NS);
        description.put("packets that wait at a card", parameters.cardQueue());
        description.put("static protocol", parameters.fixed().toString());
        description.put("dynamic protocol", parameters.adaptive().toString());
        description.put("processes on a node", NODE_RANKS);
        description.put("processes start within, ns", JITTER_PS / PS_OF_NS);
        return description;
    }

    @Override
    public CellResult run(final Cell cell) throws InterruptedException
    {
        final Schedule schedule = schedule(cell);
        final Watch watch = new Watch(cell, schedule.rounds());
        final FabricResult result = new FabricRun(topology(cell), parameters(cell), schedule)
            .flow(flow(cell))
            .jitter(seed, JITTER_PS)
            .sharedMemory(cell.sharedMemory())
            .freeControl(cell.free())
            .observer(watch)
            .run();
        if (!result.isComplete())
        {
            throw new IllegalStateException("processes wait for one another for good: " + cell);
        }
        final long[] ends = result.roundEndPs();
        final int operations = cell.pattern() == PatternKind.PHASES ? ends.length : cell.iterations();
        final int counted = operations * (cell.pattern() == PatternKind.PHASES ? 1 :
            schedule.rounds() / (cell.warmups() + cell.iterations()));
        final long start = ends.length > counted ? ends[ends.length - counted - 1] : 0;
        // the benchmark reports half a round trip
        final int ways = cell.pattern() == PatternKind.MULTI_PINGPONG ? 2 : 1;
        return new CellResult((ends[ends.length - 1] - start) / PS_OF_NS / operations / ways, result.messages(),
            result.delayedSends(), result.dataPackets(), result.creditPackets(), result.requests(), result.creditsStolen(),
            result.piggybacked(), result.creditWaitPs() / PS_OF_NS, result.overflowPs() / PS_OF_NS, result.peakSlots(),
            watch.greatestQuota, watch.samples);
    }

    private FabricParameters parameters(final Cell cell)
    {
        return cell.free() ? new FabricParameters(parameters.hopPs(), parameters.sendPs(), parameters.retrievePs(),
            parameters.cardPs(), parameters.bytePs(), parameters.copyPs(), parameters.cardQueue(), ProtocolCosts.NONE,
            ProtocolCosts.NONE) : parameters;
    }

    private static FlowOptions flow(final Cell cell)
    {
        return switch (cell.rule())
        {
            case NONE -> FlowOptions.none();
            case STATIC -> carrying(cell, FlowOptions.fixed(cell.creditSlots(), cell.slots()), PiggybackPolicy.ONE_FOR_ONE);
            case DYNAMIC -> carrying(cell, FlowOptions.dynamic(cell.creditSlots(), cell.slots()), PiggybackPolicy.THESIS);
            case CAPPED -> carrying(cell, FlowOptions.dynamic(cell.creditSlots(), cell.slots()).most(MOST_SLOTS),
                PiggybackPolicy.THESIS);
            case OWN -> carrying(cell, FlowOptions.dynamic(cell.creditSlots(), cell.slots()).steal(StealPolicy.IDLE_FIRST),
                PiggybackPolicy.ONE_FOR_ONE);
            case LENDING -> carrying(cell, FlowOptions.dynamic(cell.creditSlots(), cell.slots()).steal(StealPolicy.LENDING),
                PiggybackPolicy.ONE_FOR_ONE);
        };
    }

    private static FlowOptions carrying(final Cell cell, final FlowOptions options, final PiggybackPolicy policy)
    {
        return cell.piggyback() ? options.piggyback(policy) : options;
    }

    /** As published: a cube for 64 nodes, a square for 16; of a mesh of 8x8 only two nodes and what is between them. */
    private static Topology topology(final Cell cell)
    {
        final int nodes = (cell.ranks() + NODE_RANKS - 1) / NODE_RANKS;
        if (cell.hops() > 0)
        {
            return Topology.pair(NODE_RANKS, cell.hops());
        }
        if (nodes <= SQUARE_NODES)
        {
            final int wide = nodes == EIGHT_NODES ? EIGHT_NODES / 2 : (int)Math.ceil(Math.sqrt(nodes));
            return Topology.mesh(NODE_RANKS, wide, (nodes + wide - 1) / wide);
        }
        final int wide = (int)Math.ceil(Math.cbrt(nodes));
        return Topology.mesh(NODE_RANKS, wide, wide, (nodes + wide * wide - 1) / (wide * wide));
    }

    private static Schedule schedule(final Cell cell)
    {
        final int n = cell.ranks();
        final int rounds = cell.warmups() + cell.iterations();
        final int length = cell.length();
        return switch (cell.pattern())
        {
            case ALLTOALL -> apart(new Alltoall(n, cell.active(), rounds, length, false), cell);
            case ALLTOALL_IN_TURN -> apart(new Alltoall(n, cell.active(), rounds, length, true), cell);
            case SIMULTANEOUS, SIMULTANEOUS_IN_TURN -> new Simultaneous(apart(new Alltoall(cell.active(), cell.active(), rounds,
                length, cell.pattern() == PatternKind.SIMULTANEOUS_IN_TURN), cell), n);
            case PAIRWISE -> new Pairwise(n, cell.active(), length, rounds);
            case MULTI_PINGPONG -> new PingPong(n, rounds, length);
            case PINGPING -> new PingPing(n, rounds, length);
            case SENDRECV -> new Ring(n, length, rounds, false);
            case EXCHANGE -> new Ring(n, length, rounds, true);
            case BCAST -> new BarriersBetween(new HalvesTree(n, length, rounds, false), n);
            case REDUCE -> new BarriersBetween(new HalvesTree(n, length, rounds, true), n);
            case ALLREDUCE -> new Doubling(n, length, rounds, false);
            case ALLGATHER -> new Doubling(n, length, rounds, true);
            case ALLGATHERV -> new NeighbourExchange(n, rounds, length);
            case BARRIER -> new Doubling(n, 0, rounds, false);
            case GATHER -> new BarriersBetween(new Scatter(n, length, rounds, true), n);
            case SCATTER -> new BarriersBetween(new Scatter(n, length, rounds, false), n);
            case SCATTERV -> new Scatterv(n, length, rounds, cell.stay(), false);
            case GATHERV -> new Scatterv(n, length, rounds, cell.stay(), true);
            case REDUCE_SCATTER -> new ReduceScatter(n, length, rounds);
            case PHASES -> phases(cell);
        };
    }

    /** One that is timed alone has nothing to be kept apart from. */
    private static Schedule apart(final Alltoall alltoalls, final Cell cell)
    {
        return alltoalls.rounds() == 1 ? alltoalls : new BarriersBetween(alltoalls, cell.active());
    }

    private static Schedule phases(final Cell cell)
    {
        final int n = cell.ranks();
        final List<Schedule> parts = new ArrayList<>();
        for (final int active : new int[]{ n, n / 4, n / 2, n, n / 2, n / 4, n })
        {
            parts.add(new Alltoall(n, active, cell.stay(), cell.length(), false));
            parts.add(new Barrier(n, 1, true));
        }
        return Schedule.sequence(parts.toArray(new Schedule[0]));
    }

    /** Looks at rank 0's credits after its rounds, and at its senders' quotas after the last. */
    private static final class Watch implements FabricObserver
    {
        private final Cell cell;
        private final int rounds;
        private final List<CellResult.Sample> samples = new ArrayList<>();
        private int greatestQuota;

        Watch(final Cell cell, final int rounds)
        {
            this.cell = cell;
            this.rounds = rounds;
        }

        @Override
        public void onRoundEnd(final int rank, final int round, final long timePs, final FabricView view)
        {
            if (rank != 0)
            {
                return;
            }
            if (cell.pattern() == PatternKind.PHASES)
            {
                final int phase = round / (cell.stay() + 1);
                final int done = phase * cell.stay() + Math.min(round % (cell.stay() + 1) + 1, cell.stay());
                final boolean isBarrier = round % (cell.stay() + 1) == cell.stay();
                samples.add(new CellResult.Sample(isBarrier ? done + 0.5 : done, groups(view, true), groups(view, false)));
            }
            if (round == rounds - 1)
            {
                for (int sender = 0; sender < cell.ranks(); sender++)
                {
                    greatestQuota = Math.max(greatestQuota, sender == 0 ? 0 : view.intendedQuota(0, sender));
                }
            }
        }

        private List<CellResult.Group> groups(final FabricView view, final boolean isReceiver)
        {
            final int n = cell.ranks();
            return List.of(group(view, 1, n / 4, isReceiver), group(view, n / 4, n / 2, isReceiver),
                group(view, n / 2, n, isReceiver));
        }

        private static CellResult.Group group(
            final FabricView view, final int from, final int to, final boolean isReceiver)
        {
            final int[] credits = new int[to - from];
            for (int i = 0; i < credits.length; i++)
            {
                credits[i] = isReceiver ? view.currentCredits(0, from + i) : view.currentCredits(from + i, 0);
            }
            Arrays.sort(credits);
            return new CellResult.Group(credits[0], credits[credits.length / 2], credits[credits.length - 1],
                Arrays.stream(credits).average().orElseThrow());
        }
    }
}
