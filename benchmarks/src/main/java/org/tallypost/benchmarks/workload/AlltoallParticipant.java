// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.workload;

import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.tallypost.benchmarks.plan.RunPlan;
import org.tallypost.benchmarks.plan.Step;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.LongSend;

/**
 * One rank of the thesis's alltoall (section 5.3): first sends one message to every other active rank, in the order rank + 1,
 * rank + 2 and so on, then receives one from each. All sends are posted together, each with a handle of its own: what has credits
 * goes, and no destination waits for another one. Nothing synchronises ranks within a step. Subclasses say which way messages go.
 */
public abstract class AlltoallParticipant extends Participant
{
    private static final int RANKS_NAMED = 8;

    private final int active;
    private final long[] seen;
    /** Handles of sends that wait for credits are the first {@link #pendingCount}; those behind are free. */
    private final LongSend[] sends;
    private final int[] dests;
    private int pendingCount;

    /**
     * Creates a participant.
     *
     * @param endpoint own endpoint.
     * @param plan     of the run.
     * @param pattern  contents of messages.
     * @param check    comparison of what arrives.
     */
    protected AlltoallParticipant(
        final Endpoint endpoint, final RunPlan plan, final Pattern pattern, final MessageCheck check)
    {
        super(endpoint, plan, pattern, check);
        active = plan.active();
        seen = new long[(active + Long.SIZE - 1) / Long.SIZE];
        sends = new LongSend[active];
        dests = new int[active];
    }

    /**
     * A handle by which messages go.
     *
     * @return a new handle.
     */
    protected abstract LongSend newSend();

    /**
     * The rank to which this one sends its messages in their order.
     *
     * @param distance 1 for the first one.
     * @return the rank.
     */
    protected final int destination(final int distance)
    {
        return rank + distance < active ? rank + distance : rank + distance - active;
    }

    @Override
    protected void onBegin(final Step step)
    {
        Arrays.fill(seen, 0);
        pendingCount = 0;
        for (int i = 1; i < active; i++)
        {
            final int dest = destination(i);
            if (sends[pendingCount] == null)
            {
                sends[pendingCount] = newSend();
            }
            if (!start(sends[pendingCount], dest, baseRound))
            {
                dests[pendingCount++] = dest;
            }
        }
    }

    @Override
    public int turn()
    {
        int work = Polled.work(endpoint.poll(this, POLL_LIMIT));
        int kept = 0;
        for (int i = 0; i < pendingCount; i++)
        {
            final LongSend send = sends[i];
            final int dest = dests[i];
            if (progress(send, dest))
            {
                work++;
            }
            else
            {
                sends[i] = sends[kept];
                sends[kept] = send;
                dests[kept++] = dest;
            }
        }
        pendingCount = kept;
        return work;
    }

    /**
     * Whether a message of a rank may come now. If not, that is noted as a mismatch.
     *
     * @param source rank that it came from.
     * @return true if it takes part, and its message of this step has not arrived.
     */
    protected final boolean isExpected(final int source)
    {
        if (source < 0 || source >= active || source == rank)
        {
            check.mismatch(source, rank, baseRound, "this rank does not take part");
            return false;
        }
        if ((seen[source / Long.SIZE] & 1L << source) != 0)
        {
            check.mismatch(source, rank, baseRound, "it came twice");
            return false;
        }
        return true;
    }

    /**
     * A message has arrived, if it is expected, and is compared with what was sent.
     *
     * @param source rank that it came from.
     * @param tag    of it.
     * @param buffer that holds it.
     * @param offset of it in bytes.
     * @param length of it in bytes.
     */
    protected final void onArrived(
        final int source, final int tag, final DirectBuffer buffer, final int offset, final int length)
    {
        if (!isExpected(source))
        {
            return;
        }
        seen[source / Long.SIZE] |= 1L << source;
        received++;
        check.check(source, rank, baseRound, tag, buffer, offset, length);
    }

    @Override
    public long sendsExpected()
    {
        return active - 1;
    }

    @Override
    public long receivesExpected()
    {
        return active - 1;
    }

    @Override
    public String waitsFor()
    {
        final StringBuilder text = new StringBuilder();
        if (pendingCount > 0)
        {
            text.append("credits towards ranks");
            for (int i = 0; i < Math.min(RANKS_NAMED, pendingCount); i++)
            {
                text.append(' ').append(dests[i]);
            }
            text.append(pendingCount > RANKS_NAMED ? " ..." : "");
        }
        int missing = 0;
        for (int source = 0; source < active; source++)
        {
            if (source != rank && (seen[source / Long.SIZE] & (1L << source)) == 0 && missing++ < RANKS_NAMED)
            {
                text.append(missing > 1 ? " " : (text.length() > 0 ? "; " : "") + "messages from ranks ").append(source);
            }
        }
        return text.append(missing > RANKS_NAMED ? " ..." : "").toString();
    }
}
