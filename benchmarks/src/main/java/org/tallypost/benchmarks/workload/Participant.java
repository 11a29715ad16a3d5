// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.workload;

import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;
import org.agrona.MutableDirectBuffer;
import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.Step;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.LongSend;
import org.tallypost.endpoint.MessageListener;

/**
 * What one active rank does in a step. One thread drives all participants of a process in turn; none of them ever waits.
 */
public abstract class Participant implements MessageListener
{
    /** Messages taken from the mailbox in one turn. */
    protected static final int POLL_LIMIT = 256;

    /** Own endpoint. */
    protected final Endpoint endpoint;
    /** Own rank. */
    protected final int rank;
    /** Parameters of the run. */
    protected final RunPlan plan;
    /** Contents of messages. */
    protected final Pattern pattern;
    /** Comparison of what arrives. */
    protected final MessageCheck check;
    /** Number of the step's first message within each pair. */
    protected long baseRound;
    /** Messages of this step that are out. */
    protected long sent;
    /** Messages of this step that have arrived. */
    protected long received;

    private final MutableDirectBuffer damaged;
    private boolean damageNext;
    private long totalSent;
    private long totalDelayed;

    /**
     * Creates a participant.
     *
     * @param endpoint own endpoint.
     * @param plan     of the run.
     * @param pattern  contents of messages.
     * @param check    comparison of what arrives.
     */
    protected Participant(final Endpoint endpoint, final RunPlan plan, final Pattern pattern, final MessageCheck check)
    {
        this.endpoint = endpoint;
        this.rank = endpoint.rank();
        this.plan = plan;
        this.pattern = pattern;
        this.check = check;
        this.damaged = rank == plan.corruptRank() ? new ExpandableArrayBuffer(plan.messageLength()) : null;
    }

    /**
     * Begins a step: forgets the step before and posts what can be posted.
     *
     * @param step to begin.
     */
    public final void begin(final Step step)
    {
        baseRound = (long)step.index() * plan.unitsPerStep();
        sent = 0;
        received = 0;
        damageNext = damaged != null && check.isAllBytes();
        onBegin(step);
    }

    /**
     * Begins a step; counts and {@link #baseRound} are set.
     *
     * @param step to begin.
     */
    protected abstract void onBegin(Step step);

    /**
     * Polls, and sends what can be sent.
     *
     * @return work done, 0 if there was none.
     */
    public abstract int turn();

    /**
     * Messages that this rank sends in a step.
     *
     * @return their number.
     */
    public abstract long sendsExpected();

    /**
     * Messages that this rank receives in a step.
     *
     * @return their number.
     */
    public abstract long receivesExpected();

    /**
     * What keeps this rank from being done, in words.
     *
     * @return the ranks it waits for.
     */
    public abstract String waitsFor();

    /**
     * Is everything sent and received?
     *
     * @return true at the end of the step.
     */
    public final boolean isDone()
    {
        return sent == sendsExpected() && received == receivesExpected();
    }

    /**
     * Starts a message of this step.
     *
     * @param send  handle that is free.
     * @param dest  rank to send to.
     * @param round number within the pair.
     * @return true if all of it is out; false if the rest waits for credits.
     */
    protected final boolean start(final LongSend send, final int dest, final long round)
    {
        DirectBuffer buffer = pattern.buffer();
        int offset = pattern.offset(rank, dest, round);
        if (damageNext)
        {
            damageNext = false;
            final int middle = plan.messageLength() / 2;
            damaged.putBytes(0, buffer, offset, plan.messageLength());
            damaged.putByte(middle, (byte)~damaged.getByte(middle));
            buffer = damaged;
            offset = 0;
        }
        totalSent++;
        final long code = send.start(dest, (int)round, buffer, offset, plan.messageLength());
        if (code == Endpoint.NO_CREDIT)
        {
            totalDelayed++;
        }
        return isOut(code, dest);
    }

    /**
     * Goes on with a message that waits for credits.
     *
     * @param send handle in use.
     * @param dest rank it sends to.
     * @return true if all of it is out; false if the rest still waits.
     */
    protected final boolean progress(final LongSend send, final int dest)
    {
        return isOut(send.progress(), dest);
    }

    private boolean isOut(final long code, final int dest)
    {
        if (code >= 0)
        {
            onOut(dest);
            return true;
        }
        if (code != Endpoint.NO_CREDIT)
        {
            throw new IllegalStateException("rank " + rank + " to rank " + dest + ": " + Endpoint.errorString(code));
        }
        return false;
    }

    /**
     * A message is out.
     *
     * @param dest rank that it was sent to.
     */
    protected void onOut(final int dest)
    {
        sent++;
    }

    /**
     * Own rank.
     *
     * @return the rank.
     */
    public final int rank()
    {
        return rank;
    }

    /**
     * Messages of this step that are out.
     *
     * @return their number.
     */
    public final long sent()
    {
        return sent;
    }

    /**
     * Messages of this step that have arrived.
     *
     * @return their number.
     */
    public final long received()
    {
        return received;
    }

    /**
     * Messages started since creation.
     *
     * @return their number.
     */
    public final long totalSent()
    {
        return totalSent;
    }

    /**
     * Messages that were not out at once because credits were missing, since creation.
     *
     * @return their number.
     */
    public final long totalDelayed()
    {
        return totalDelayed;
    }

    /**
     * Own endpoint.
     *
     * @return the endpoint.
     */
    public final Endpoint endpoint()
    {
        return endpoint;
    }
}
