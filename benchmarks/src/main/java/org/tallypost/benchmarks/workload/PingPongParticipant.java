// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.workload;

import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;
import org.tallypost.benchmarks.plan.Phase;
import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.Step;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.LongSend;

/**
 * One side of a pair that exchanges a message and its answer. The lower rank begins.
 */
public final class PingPongParticipant extends Participant
{
    private final int partner;
    private final boolean isInitiator;
    private final int units;
    private final LongSend send;
    private final Histogram histogram;
    private boolean isStamped;
    private long startNs;

    /**
     * Creates a participant.
     *
     * @param endpoint  own endpoint.
     * @param plan      of the run.
     * @param pattern   contents of messages.
     * @param check     comparison of what arrives.
     * @param histogram of round trips in nanoseconds, filled in the stamped steps.
     */
    public PingPongParticipant(
        final Endpoint endpoint,
        final RunPlan plan,
        final Pattern pattern,
        final MessageCheck check,
        final Histogram histogram)
    {
        super(endpoint, plan, pattern, check);
        final int half = plan.ranks() / 2;
        isInitiator = rank < half;
        partner = isInitiator ? rank + half : rank - half;
        units = plan.unitsPerStep();
        send = endpoint.newSend();
        this.histogram = histogram;
    }

    @Override
    protected void onBegin(final Step step)
    {
        isStamped = step.phase() == Phase.STAMPED && isInitiator;
        startWhenDue();
    }

    @Override
    public int turn()
    {
        int work = 0;
        if (send.isActive())
        {
            work += progress(send, partner) ? 1 : 0;
        }
        work += Polled.work(endpoint.poll(this, POLL_LIMIT));
        startWhenDue();
        return work;
    }

    private void startWhenDue()
    {
        final boolean isDue = isInitiator ? received == sent : received > sent;
        if (isDue && sent < units && !send.isActive())
        {
            startNs = isStamped ? System.nanoTime() : 0;
            start(send, partner, baseRound + sent);
        }
    }

    @Override
    public void onMessage(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        if (source != partner || received >= units)
        {
            check.mismatch(source, rank, baseRound + received, "nothing was expected from this rank");
            return;
        }
        if (isStamped)
        {
            histogram.recordValue(System.nanoTime() - startNs);
        }
        check.check(source, rank, baseRound + received, tag, buffer, offset, length);
        received++;
    }

    @Override
    public long sendsExpected()
    {
        return units;
    }

    @Override
    public long receivesExpected()
    {
        return units;
    }

    @Override
    public String waitsFor()
    {
        return send.isActive() ? "credits towards rank " + partner : "a message from rank " + partner;
    }
}
