// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.workload;

import java.util.Arrays;

import org.agrona.DirectBuffer;
import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.Step;
import org.tallypost.endpoint.Endpoint;

/**
 * Rank 0, which receives from all other active ranks and holds each of them to its order.
 */
public final class RateReceiver extends Participant
{
    private final int[] receivedFrom;

    /**
     * Creates the receiver.
     *
     * @param endpoint own endpoint.
     * @param plan     of the run.
     * @param pattern  contents of messages.
     * @param check    comparison of what arrives.
     */
    public RateReceiver(final Endpoint endpoint, final RunPlan plan, final Pattern pattern, final MessageCheck check)
    {
        super(endpoint, plan, pattern, check);
        receivedFrom = new int[plan.active()];
    }

    @Override
    protected void onBegin(final Step step)
    {
        Arrays.fill(receivedFrom, 0);
    }

    @Override
    public int turn()
    {
        return Polled.work(endpoint.poll(this, POLL_LIMIT));
    }

    @Override
    public void onMessage(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        if (source <= 0 || source >= receivedFrom.length || receivedFrom[source] >= plan.unitsPerStep())
        {
            check.mismatch(source, rank, baseRound, "nothing was expected from this rank");
            return;
        }
        check.check(source, rank, baseRound + receivedFrom[source], tag, buffer, offset, length);
        receivedFrom[source]++;
        received++;
    }

    @Override
    public long sendsExpected()
    {
        return 0;
    }

    @Override
    public long receivesExpected()
    {
        return (long)(receivedFrom.length - 1) * plan.unitsPerStep();
    }

    @Override
    public String waitsFor()
    {
        int behind = 1;
        for (int source = 2; source < receivedFrom.length; source++)
        {
            if (receivedFrom[source] < receivedFrom[behind])
            {
                behind = source;
            }
        }
        return "messages, most of all from rank " + behind + " (" + receivedFrom[behind] + " of " + plan.unitsPerStep() + ")";
    }
}
