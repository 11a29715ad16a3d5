// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.HdrHistogram.Histogram;
import org.agrona.DirectBuffer;

/**
 * First party of a round trip: sends, waits for the answer, checks it. Percentiles come from a loop that reads the clock
 * before and after each round trip, the mean from a loop that does not: reading the clock takes some 20 ns.
 */
final class Pinger extends Party implements Inlet
{
    private static final int BATCH = 128;
    private static final long MAX_NS = 10_000_000_000L;

    private final Histogram histogram = new Histogram(MAX_NS, 3);
    private final int length;
    private int answers;

    Pinger(final ForkSpec spec, final Control control, final Link link, final Patience patience)
    {
        super(spec, control, link, 0, patience);
        length = Transport.messageLength(spec);
    }

    @Override
    Figure run(final long step)
    {
        // the other party may still be on its way
        roundTrips(BATCH);
        histogram.reset();
        final long startNs = System.nanoTime();
        while (System.nanoTime() - startNs < durationNs() / 2)
        {
            stampedRoundTrips(BATCH);
        }
        long count = 0;
        final long unstampedNs = System.nanoTime();
        long elapsedNs = 0;
        while (elapsedNs < durationNs() / 2)
        {
            roundTrips(BATCH);
            count += BATCH;
            elapsedNs = System.nanoTime() - unstampedNs;
        }
        control.stop(step);
        return new Figure(
            (double)elapsedNs / count,
            histogram.getValueAtPercentile(50),
            histogram.getValueAtPercentile(99),
            histogram.getValueAtPercentile(99.9),
            count + histogram.getTotalCount());
    }

    private void stampedRoundTrips(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            final long startNs = System.nanoTime();
            roundTrip();
            histogram.recordValue(Math.min(MAX_NS, System.nanoTime() - startNs));
        }
    }

    private void roundTrips(final int count)
    {
        for (int i = 0; i < count; i++)
        {
            roundTrip();
        }
    }

    private void roundTrip()
    {
        final int offset = payload.prepare();
        while (!link.send(payload.buffer(), offset, length))
        {
            patience.idle("room for a message");
            link.onRefused();
        }
        answers = 0;
        do
        {
            if (link.poll(this, 1) == 0)
            {
                patience.idle("an answer");
            }
        }
        while (answers == 0);
    }

    @Override
    public void onMessage(final DirectBuffer buffer, final int offset, final int messageLength)
    {
        check.onMessage(buffer, offset, messageLength);
        answers++;
    }
}
