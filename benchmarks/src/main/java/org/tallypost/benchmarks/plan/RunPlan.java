// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.plan;

import java.util.List;

import org.tallypost.endpoint.CreditReturn;
import org.tallypost.endpoint.Flow;

/**
 * Everything that the processes of a run have to agree on. Written by the parent, read by the workers.
 * <p>
 * A <i>step</i> is what lies between two meetings of all processes: one alltoall, or a batch of round trips or messages. A
 * <i>unit</i> is what a time is stated for: the alltoall, one round trip, one message.
 *
 * @param workload       the pattern.
 * @param ranks          endpoints in the group.
 * @param processes      worker processes; each drives its ranks on one thread.
 * @param active         ranks that take part: 0 to active - 1, or in the ping-pongs active / 2 pairs.
 * @param messageLength  bytes of a message.
 * @param slots          slots per sender in each mailbox (flow static and dynamic).
 * @param creditSlots    of these, for credit packets.
 * @param flows          flow controls in the order in which they take turns.
 * @param paths          of messages, each under each flow control.
 * @param isAllChecked   are all bytes compared in the measured steps as well?
 * @param creditReturn   how credits travel.
 * @param piggyback      do data packets carry credits?
 * @param repeats        turns of each flow control that are measured.
 * @param stepsPerRepeat steps in a turn.
 * @param unitsPerStep   units in a step: 1, round trips of each pair, or messages of each sender.
 * @param warmupSteps    steps of each flow control before measuring.
 * @param timeoutNs      time without any message moved after which the run is given up.
 * @param corruptRank    rank that damages a message on purpose in each step in which all bytes are compared, or -1.
 * @param nodes          nodes, each with an equal share of the processes.
 */
public record RunPlan(
    WorkloadKind workload,
    int ranks,
    int processes,
    int active,
    int messageLength,
    int slots,
    int creditSlots,
    List<Flow> flows,
    List<MessagePath> paths,
    boolean isAllChecked,
    CreditReturn creditReturn,
    boolean piggyback,
    int repeats,
    int stepsPerRepeat,
    int unitsPerStep,
    int warmupSteps,
    long timeoutNs,
    int corruptRank,
    NodePlan nodes)
{
    /**
     * What takes turns.
     *
     * @return each flow control with each path, in their order: the flow controls of a path follow one another.
     */
    public List<Way> ways()
    {
        return paths.stream().flatMap((path) -> flows.stream().map((flow) -> new Way(flow, path))).toList();
    }

    /**
     * The process that drives a rank.
     *
     * @param rank of the endpoint.
     * @return index of the process.
     */
    public int processOf(final int rank)
    {
        return workload.processOf(rank, ranks, processes);
    }

    /**
     * The node of a process.
     *
     * @param process index of the process.
     * @return index of the node.
     */
    public int nodeOf(final int process)
    {
        return (int)((long)process * nodes.count() / processes);
    }

    /**
     * The ranks of a process.
     *
     * @param process index of the process.
     * @return the ranks in ascending order.
     */
    public int[] ranksOf(final int process)
    {
        int count = 0;
        final int[] found = new int[ranks];
        for (int rank = 0; rank < ranks; rank++)
        {
            if (processOf(rank) == process)
            {
                found[count++] = rank;
            }
        }
        return java.util.Arrays.copyOf(found, count);
    }

    /**
     * Does the rank send or receive messages in this run?
     *
     * @param rank of the endpoint.
     * @return false if it is attached, holds credits, and keeps still.
     */
    public boolean isActive(final int rank)
    {
        return workload.hasRoundTrips() ? rank % (ranks / 2) < active / 2 : rank < active;
    }

    /**
     * Messages that all ranks together send in a step.
     *
     * @return the number of messages.
     */
    public long messagesPerStep()
    {
        return switch (workload)
        {
            case ALLTOALL -> (long)active * (active - 1);
            case PINGPONG, MULTIPINGPONG -> (long)active * unitsPerStep;
            case RATE -> (long)(active - 1) * unitsPerStep;
        };
    }

    /**
     * Messages that may lie unread in one mailbox when nothing holds the senders back: those of a whole step.
     *
     * @return the number of messages.
     */
    public long unreadMessagesLimit()
    {
        return switch (workload)
        {
            case ALLTOALL -> active - 1;
            case PINGPONG, MULTIPINGPONG -> 1L;
            case RATE -> (long)(active - 1) * unitsPerStep;
        };
    }

    /**
     * Units over which the time of a step is shared out: a step's time divided by this is the time reported.
     *
     * @return 1, round trips of a pair, or messages of all senders.
     */
    public long unitsTimed()
    {
        return switch (workload)
        {
            case ALLTOALL -> 1L;
            case PINGPONG, MULTIPINGPONG -> unitsPerStep;
            case RATE -> messagesPerStep();
        };
    }
}
