// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.workload;

import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.tallypost.benchmarks.plan.MessagePath;
import org.tallypost.benchmarks.plan.Phase;
import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.Step;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.MessageListener;
import org.tallypost.node.Node;

/**
 * The ranks of one process under one flow control, driven by one thread.
 */
public final class RankGroup implements MessageListener, AutoCloseable
{
    private static final int SIGNIFICANT_DIGITS = 3;

    private final MessageCheck check;
    private final Histogram histogram = new Histogram(SIGNIFICANT_DIGITS);
    private final Participant[] participants;
    private final Endpoint[] bystanders;
    private final boolean isAllChecked;
    /** Null unless messages go by regions. */
    private final SendRegions regions;
    private int nextBystander;

    /**
     * Creates the participants.
     *
     * @param plan      of the run.
     * @param path      of its messages.
     * @param pattern   contents of messages.
     * @param node      of the endpoints.
     * @param endpoints of this process.
     */
    public RankGroup(
        final RunPlan plan, final MessagePath path, final Pattern pattern, final Node node, final List<Endpoint> endpoints)
    {
        isAllChecked = plan.isAllChecked();
        regions = path == MessagePath.REGIONS ? new SendRegions(plan, pattern, node, endpoints) : null;
        check = new MessageCheck(pattern, plan.messageLength());
        final List<Participant> active = new ArrayList<>();
        final List<Endpoint> passive = new ArrayList<>();
        for (final Endpoint endpoint : endpoints)
        {
            if (plan.isActive(endpoint.rank()))
            {
                active.add(newParticipant(plan, path, pattern, endpoint));
            }
            else
            {
                passive.add(endpoint);
            }
        }
        participants = active.toArray(new Participant[0]);
        bystanders = passive.toArray(new Endpoint[0]);
    }

    private Participant newParticipant(
        final RunPlan plan, final MessagePath path, final Pattern pattern, final Endpoint endpoint)
    {
        return switch (plan.workload())
        {
            case ALLTOALL -> switch (path)
            {
                case RUNS -> new RunParticipant(endpoint, plan, pattern, check);
                case PACKETS -> new PacketParticipant(endpoint, plan, pattern, check);
                case REGIONS -> new RegionParticipant(endpoint, plan, pattern, check, regions);
            };
            case PINGPONG, MULTIPINGPONG -> new PingPongParticipant(endpoint, plan, pattern, check, histogram);
            case RATE -> endpoint.rank() == 0 ?
                new RateReceiver(endpoint, plan, pattern, check) : new RateSender(endpoint, plan, pattern, check);
        };
    }

    /**
     * Begins a step on all ranks, each in turn.
     *
     * @param step to begin.
     */
    public void begin(final Step step)
    {
        check.allBytes(isAllChecked || step.phase() == Phase.VERIFIED);
        for (final Participant participant : participants)
        {
            participant.begin(step);
        }
    }

    /**
     * Gives every rank one turn. Of the ranks that take no part one is polled, because control packets may wait there.
     *
     * @return work done, 0 if there was none.
     */
    public int sweep()
    {
        int work = 0;
        for (final Participant participant : participants)
        {
            work += participant.turn();
        }
        if (bystanders.length > 0)
        {
            work += Polled.work(bystanders[nextBystander].poll(this, 1));
            nextBystander = nextBystander + 1 < bystanders.length ? nextBystander + 1 : 0;
        }
        return work;
    }

    /**
     * Messages that the ranks of this group have received, and packets of messages. What is sent arrives, so that the sum over
     * all processes stands still only when nothing moves.
     *
     * @return the number since creation.
     */
    public long messagesMoved()
    {
        return check.checked() + check.packets();
    }

    /**
     * Are all ranks done with the step?
     *
     * @return true at its end.
     */
    public boolean isDone()
    {
        for (final Participant participant : participants)
        {
            if (!participant.isDone())
            {
                return false;
            }
        }
        return true;
    }

    /**
     * A message for a rank that takes no part is an error.
     */
    @Override
    public void onMessage(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        check.mismatch(source, bystanders[nextBystander].rank(), tag, "nothing was expected by this rank");
    }

    /**
     * The ranks that take part.
     *
     * @return participants in the order of their ranks.
     */
    public List<Participant> participants()
    {
        return List.of(participants);
    }

    /**
     * The comparison of all that arrived.
     *
     * @return the check of this process and flow control.
     */
    public MessageCheck check()
    {
        return check;
    }

    /**
     * Round trips that were stamped, in nanoseconds.
     *
     * @return the histogram, empty for workloads without round trips.
     */
    public Histogram histogram()
    {
        return histogram;
    }

    /** Ends the regions, if there are any. The endpoints stay open. */
    @Override
    public void close()
    {
        CloseHelper.close(regions);
    }
}
