// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import java.util.Arrays;
import org.agrona.concurrent.UnsafeBuffer;

/** A handler that checks every message: whole, of the source its header names, and next in its source's sequence. */
public final class CheckingHandler implements PacketHandler
{
    public final long[] next;
    public final int[] freedSlots;
    long messages;
    long freed;

    CheckingHandler(final int sources)
    {
        next = new long[sources];
        freedSlots = new int[sources];
    }

    @Override
    public void onPacket(
        final int type, final int flags, final int source, final UnsafeBuffer buffer, final int offset, final int length)
    {
        final long sequence = Payload.sequence(buffer, offset);
        if ((int)Payload.source(buffer, offset) != source || sequence != next[source])
        {
            throw new AssertionError("source=" + source + ": found sequence=" + sequence + " of source=" +
                Payload.source(buffer, offset) + ", expected sequence=" + next[source] + ", all=" + Arrays.toString(next));
        }
        final int damage = Payload.firstDamage(buffer, offset, length);
        if (damage >= 0)
        {
            throw new AssertionError("source=" + source + ", sequence=" + sequence + ", length=" + length +
                ": byte " + damage + " is damaged");
        }
        next[source]++;
        messages++;
    }

    @Override
    public void onFreed(final int type, final int source, final int slots)
    {
        freedSlots[source] += slots;
        freed += slots;
    }
}
