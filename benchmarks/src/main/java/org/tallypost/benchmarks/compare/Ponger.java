// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import org.agrona.DirectBuffer;

/**
 * Second party of a round trip: checks what comes, and sends it back out of the buffer in which it came.
 */
final class Ponger extends Party implements Inlet
{
    private static final int POLLS = 256;

    Ponger(final ForkSpec spec, final Control control, final Link link, final Patience patience)
    {
        super(spec, control, link, 1, patience);
    }

    @Override
    Figure run(final long step)
    {
        while (!control.isStopped(step))
        {
            answer();
        }
        return null;
    }

    private void answer()
    {
        for (int i = 0; i < POLLS; i++)
        {
            if (link.poll(this, 1) == 0)
            {
                patience.idle("a message, or the end of the run");
            }
        }
    }

    @Override
    public void onMessage(final DirectBuffer buffer, final int offset, final int length)
    {
        check.onMessage(buffer, offset, length);
        while (!link.send(buffer, offset, length))
        {
            patience.idle("room for an answer");
        }
    }
}
