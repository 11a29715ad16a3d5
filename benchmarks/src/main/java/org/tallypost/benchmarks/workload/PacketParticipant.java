// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.workload;

import java.util.Arrays;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.benchmarks.plan.MessagePath;
import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.Sizing;
import org.tallypost.benchmarks.plan.Step;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.LongSend;

/**
 * A rank of an alltoall on {@link MessagePath#PACKETS}. It puts each message together from the packets of its source, as the
 * thesis's receivers do.
 */
final class PacketParticipant extends AlltoallParticipant
{
    private final int[] filled;
    private final UnsafeBuffer[] parts;

    PacketParticipant(final Endpoint endpoint, final RunPlan plan, final Pattern pattern, final MessageCheck check)
    {
        super(endpoint, plan, pattern, check);
        filled = new int[plan.active()];
        parts = new UnsafeBuffer[plan.active()];
    }

    @Override
    protected LongSend newSend()
    {
        return new PacketSend(endpoint);
    }

    @Override
    protected void onBegin(final Step step)
    {
        Arrays.fill(filled, 0);
        super.onBegin(step);
    }

    @Override
    public void onMessage(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        if (!isExpected(source))
        {
            return;
        }
        final int whole = plan.messageLength();
        if (tag != (int)baseRound || length != Math.min(whole - filled[source], Sizing.PACKET_LENGTH))
        {
            check.mismatch(source, rank, baseRound, "packet behind byte " + filled[source] + ": found tag " + tag + " and " +
                length + " bytes, expected tag " + (int)baseRound + " and " +
                Math.min(whole - filled[source], Sizing.PACKET_LENGTH));
            return;
        }
        if (parts[source] == null)
        {
            parts[source] = new UnsafeBuffer(new byte[whole]);
        }
        parts[source].putBytes(filled[source], buffer, offset, length);
        filled[source] += length;
        check.packet();
        if (filled[source] == whole)
        {
            onArrived(source, tag, parts[source], 0, whole);
        }
    }
}
