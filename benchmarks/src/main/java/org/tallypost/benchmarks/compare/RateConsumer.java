// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.DirectBuffer;

/**
 * Consumer of a rate: counts and checks what comes while the run lasts, and then takes what is still under way, so that the
 * next run begins empty.
 */
final class RateConsumer extends Party implements Inlet
{
    private static final int LIMIT = 64;
    private static final int POLLS = 64;

    private long received;

    RateConsumer(final ForkSpec spec, final Control control, final Link link, final Patience patience)
    {
        super(spec, control, link, 0, patience);
    }

    @Override
    Figure run(final long step)
    {
        final long before = received;
        while (received == before)
        {
            polls();
        }
        final long startCount = received;
        final long startNs = System.nanoTime();
        long elapsedNs = 0;
        // a run in which the producers never had a core goes on until they have
        while (elapsedNs < durationNs() || received == startCount)
        {
            polls();
            elapsedNs = System.nanoTime() - startNs;
        }
        final long count = received - startCount;
        control.stop(step);
        drain(step);
        return new Figure(count * 1e9 / elapsedNs, 0, 0, 0, count);
    }

    private void polls()
    {
        for (int i = 0; i < POLLS; i++)
        {
            if (link.poll(this, LIMIT) == 0)
            {
                patience.idle("messages");
            }
        }
    }

    private void drain(final long step)
    {
        long sent = 0;
        for (int producer = 1; producer < spec.parties(); producer++)
        {
            while (!control.hasSent(producer, step))
            {
                polls();
            }
            sent += control.sent(producer);
        }
        while (received < sent)
        {
            if (link.poll(this, LIMIT) == 0)
            {
                patience.idle("the last of " + sent + " messages");
            }
        }
    }

    @Override
    public void onMessage(final DirectBuffer buffer, final int offset, final int length)
    {
        check.onMessage(buffer, offset, length);
        received++;
    }

    @Override
    double stream(final long step)
    {
        final long before = lines.number();
        while (lines.number() == before)
        {
            lineReads();
        }
        final long startCount = lines.number();
        final long startNs = System.nanoTime();
        long elapsedNs = 0;
        while (elapsedNs < probeNs() || lines.number() == startCount)
        {
            lineReads();
            elapsedNs = System.nanoTime() - startNs;
        }
        final long count = lines.number() - startCount;
        control.stop(step);
        while (!control.hasSent(1, step) || lines.number() < control.sent(1))
        {
            lineReads();
        }
        return lines.sum() == 0 ? 0 : count * 1e9 / elapsedNs;
    }

    private void lineReads()
    {
        for (int i = 0; i < POLLS; i++)
        {
            if (lines.read(LIMIT) == 0)
            {
                probePatience.idle("lines of the raw probe");
            }
        }
    }
}
