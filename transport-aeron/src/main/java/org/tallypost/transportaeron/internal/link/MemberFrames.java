// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.STATE_CLOSED;
import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.STATE_OPEN;
import static org.tallypost.transportaeron.internal.wire.FrameDescriptor.TYPE_MEMBER;

import org.tallypost.endpoint.transport.NodePort;
import org.tallypost.endpoint.transport.RankMap;
import org.tallypost.transportaeron.internal.wire.BatchAssembler;

/**
 * Tells one other node which ranks are open here. For the agent's thread.
 */
final class MemberFrames
{
    private final RankMap map;
    private final int[] locals;
    /** What the other node was told of the ranks here: epoch, 0 if it is closed. */
    private final int[] told;
    private final int[] toTell;
    private boolean isDue;

    MemberFrames(final RankMap map, final int ownNode)
    {
        this.map = map;
        locals = map.ranks(ownNode);
        told = new int[locals.length];
        toTell = new int[locals.length];
    }

    /** A link begins: the other node knows of no rank here. */
    void begin(final NodePort port)
    {
        for (int i = 0; i < locals.length; i++)
        {
            told[i] = 0;
            toTell[i] = port.localEpoch(locals[i]);
        }
        isDue = true;
    }

    /** Whether there may be something to tell. */
    boolean isDue()
    {
        return isDue;
    }

    /** Whether the last change of a rank was not told. */
    boolean isUntold(final int local)
    {
        final int i = map.localIndex(local);
        return isDue && told[i] != toTell[i];
    }

    /** A rank has opened, or closed. */
    void note(final int local, final int epoch, final boolean isOpen)
    {
        toTell[map.localIndex(local)] = isOpen ? epoch : 0;
        isDue = true;
    }

    /**
     * Tells what is to be told. The frame is behind all that a rank sent before it closed, and before all that it sends when it
     * is open, of either priority.
     *
     * @param order     of the two streams.
     * @param highPairs null if there are no priorities.
     * @return frames written.
     */
    int tell(
        final BatchAssembler assembler, final StreamOrder order, final LinkPairs pairs, final LinkPairs highPairs)
    {
        int count = 0;
        for (int i = 0; i < locals.length; i++)
        {
            if (told[i] != toTell[i])
            {
                if (!order.release())
                {
                    return count;
                }
                final boolean isOpen = toTell[i] != 0;
                if (!isOpen)
                {
                    // what it has received, or that is told as lost
                    pairs.tellAll(assembler);
                    if (highPairs != null)
                    {
                        highPairs.tellAll(order.way());
                    }
                }
                if (!order.beginMember() || !assembler.appendControl(
                    TYPE_MEMBER, isOpen ? STATE_OPEN : STATE_CLOSED, locals[i], 0, isOpen ? toTell[i] : told[i], 0, 0))
                {
                    return count;
                }
                told[i] = toTell[i];
                count++;
                order.endMember();
            }
        }
        isDue = false;
        return count;
    }
}
