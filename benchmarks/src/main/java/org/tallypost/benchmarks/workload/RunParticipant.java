// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.workload;

import org.agrona.DirectBuffer;
import org.tallypost.benchmarks.plan.MessagePath;
import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.LongSend;

/**
 * A rank of an alltoall on {@link MessagePath#RUNS}: the endpoint cuts messages as credits come, and puts them together.
 */
final class RunParticipant extends AlltoallParticipant
{
    RunParticipant(final Endpoint endpoint, final RunPlan plan, final Pattern pattern, final MessageCheck check)
    {
        super(endpoint, plan, pattern, check);
    }

    @Override
    protected LongSend newSend()
    {
        return endpoint.newSend();
    }

    @Override
    public void onMessage(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        onArrived(source, tag, buffer, offset, length);
    }
}
