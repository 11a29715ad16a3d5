// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.workload;

import org.agrona.DirectBuffer;
import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.Step;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.LongSend;

/**
 * A rank that sends to rank 0 as fast as its credits allow.
 */
public final class RateSender extends Participant
{
    /** Messages sent before the next sender of the same process has its turn. */
    private static final int BURST_LIMIT = 64;

    private final int units;
    private final LongSend send;

    /**
     * Creates a sender.
     *
     * @param endpoint own endpoint.
     * @param plan     of the run.
     * @param pattern  contents of messages.
     * @param check    comparison of what arrives, which is nothing.
     */
    public RateSender(final Endpoint endpoint, final RunPlan plan, final Pattern pattern, final MessageCheck check)
    {
        super(endpoint, plan, pattern, check);
        units = plan.unitsPerStep();
        send = endpoint.newSend();
    }

    @Override
    protected void onBegin(final Step step)
    {
    }

    @Override
    public int turn()
    {
        int work = Polled.work(endpoint.poll(this, POLL_LIMIT));
        for (int i = 0; i < BURST_LIMIT && sent < units; i++)
        {
            if (!(send.isActive() ? progress(send, 0) : start(send, 0, baseRound + sent)))
            {
                break;
            }
            work++;
        }
        return work;
    }

    @Override
    public void onMessage(final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        check.mismatch(source, rank, baseRound, "nothing was expected by this rank");
    }

    @Override
    public long sendsExpected()
    {
        return units;
    }

    @Override
    public long receivesExpected()
    {
        return 0;
    }

    @Override
    public String waitsFor()
    {
        return "credits towards rank 0";
    }
}
