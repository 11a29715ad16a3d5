// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

/**
 * Producer of a rate: sends as fast as there is room, until the consumer has seen enough.
 */
final class RateProducer extends Party
{
    private static final int BATCH = 64;

    private final int party;
    private final int length;

    RateProducer(final ForkSpec spec, final Control control, final Link link, final int party, final Patience patience)
    {
        super(spec, control, link, party, patience);
        this.party = party;
        length = Transport.messageLength(spec);
    }

    @Override
    Figure run(final long step)
    {
        while (!control.isStopped(step))
        {
            sends();
        }
        while (!link.flush())
        {
            patience.idle("room for the last messages");
        }
        control.sent(party, step, payload.sequence());
        return null;
    }

    private void sends()
    {
        for (int i = 0; i < BATCH; i++)
        {
            final int offset = payload.prepare();
            while (!link.send(payload.buffer(), offset, length))
            {
                patience.idle("room for a message");
                link.onRefused();
            }
        }
    }

    @Override
    double stream(final long step)
    {
        while (!control.isStopped(step))
        {
            lineWrites();
        }
        control.sent(party, step, lines.number());
        return 0;
    }

    private void lineWrites()
    {
        for (int i = 0; i < BATCH; i++)
        {
            while (!lines.write())
            {
                probePatience.idle("room for a line of the raw probe");
            }
        }
    }
}
