// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis.beyond;

import java.util.HashMap;
import java.util.Map;

import org.tallypost.fabric.FabricObserver;
import org.tallypost.fabric.FabricParameters;
import org.tallypost.fabric.FabricResult;
import org.tallypost.fabric.FabricRun;
import org.tallypost.fabric.FlowOptions;
import org.tallypost.fabric.ProtocolCosts;
import org.tallypost.fabric.Topology;
import org.tallypost.fabric.Workload;

/**
 * Runs over a small fabric without cards to fight for: 0.15 us to send a packet and to retrieve one, 1 us on the way, credit
 * packets sent for nothing but retrieved like others. What is compared are times, against mailboxes without end. For one
 * thread.
 */
public final class SmallRuns
{
    /** Ranks of all runs. */
    public static final int RANKS = 32;
    /** Rounds of an alltoall. */
    public static final int ROUNDS = 12;
    /** Bytes of a message: 37 packets. */
    public static final int LENGTH = 2048;

    private static final long SEND_PS = 150_000;
    private static final long SLOW_PS = 250_000;
    private static final long WAY_PS = 1_000_000;
    private static final long GAP_PS = 6_000_000;
    private static final int PHASES = 8;
    private static final int STAY = 3;
    private static final int FLOOD_MESSAGES = 600;
    private static final int QUIET_MESSAGES = 800;
    private static final double PERCENT = 100;

    private final Map<Workload, FabricResult> unlimited = new HashMap<>();

    private static FabricParameters parameters(final long retrievePs, final boolean isDirect)
    {
        // takes off again what it costs to send a credit packet, if there are any
        final ProtocolCosts costs = new ProtocolCosts(0, 0, isDirect ? 0 : -SEND_PS, 0);
        return new FabricParameters(WAY_PS, SEND_PS, retrievePs, 0, 0, 0, 0, costs, costs);
    }

    private static FabricResult run(
        final Workload workload, final FlowOptions flow, final long retrievePs, final FabricObserver observer)
        throws InterruptedException
    {
        final FabricResult result = new FabricRun(Topology.apart(RANKS), parameters(retrievePs, flow.direct()), workload)
            .flow(flow).observer(observer).run();
        if (!result.isComplete())
        {
            throw new IllegalStateException("stalled: " + workload + ", " + flow);
        }
        return result;
    }

    private double overhead(final Workload workload, final Contender contender, final int slots) throws InterruptedException
    {
        FabricResult reference = unlimited.get(workload);
        if (reference == null)
        {
            reference = run(workload, FlowOptions.none(), SEND_PS, FabricObserver.NONE);
            unlimited.put(workload, reference);
        }
        return PERCENT * run(workload, contender.options(slots), SEND_PS, FabricObserver.NONE).overhead(reference);
    }

    /**
     * An alltoall of some of the ranks; the others never look at their mailboxes.
     *
     * @param contender  that is measured.
     * @param active     ranks that take part.
     * @param isBlocking whether one destination comes after the other.
     * @param slots      of a mailbox for each rank, credit slots included.
     * @return time over mailboxes without end, in hundredths of theirs.
     * @throws InterruptedException if the thread is interrupted.
     */
    public double alltoall(final Contender contender, final int active, final boolean isBlocking, final int slots)
        throws InterruptedException
    {
        return overhead(new SmallAlltoall(RANKS, active, ROUNDS, LENGTH, isBlocking), contender, slots);
    }

    /**
     * Two halves of the ranks that send to each other in turns.
     *
     * @param contender that is measured.
     * @param slots     of a mailbox for each rank.
     * @return overhead as above.
     * @throws InterruptedException if the thread is interrupted.
     */
    public double bursts(final Contender contender, final int slots) throws InterruptedException
    {
        return overhead(new Bursts(RANKS, PHASES, STAY, LENGTH), contender, slots);
    }

    /**
     * An alltoall of all ranks, after which half of them never look at their mailboxes again, and the others go on.
     *
     * @param contender that is measured.
     * @param slots     of a mailbox for each rank.
     * @return overhead as above.
     * @throws InterruptedException if the thread is interrupted.
     */
    public double silent(final Contender contender, final int slots) throws InterruptedException
    {
        return overhead(new Silent(RANKS, STAY, ROUNDS, LENGTH), contender, slots);
    }

    /**
     * A quiet sender beside one that floods a receiver which takes 0.25 us for a packet, longer than sending it takes.
     *
     * @param contender that is measured.
     * @param slots     of a mailbox for each rank.
     * @return 99th percentile of the quiet sender's messages, from when they were to be sent until they were retrieved, in us.
     * @throws InterruptedException if the thread is interrupted.
     */
    public double quietPercentile(final Contender contender, final int slots) throws InterruptedException
    {
        final Flood flood = new Flood(RANKS, FLOOD_MESSAGES, LENGTH, QUIET_MESSAGES, GAP_PS);
        final Delays delays = new Delays(QUIET_MESSAGES, FLOOD_MESSAGES);
        run(flood, contender.options(slots), SLOW_PS, delays);
        return delays.percentile(PERCENT - 1) / FabricResult.MICROSECOND;
    }
}
