// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.link;

import java.util.function.BooleanSupplier;
import org.tallypost.transportaeron.internal.wire.BatchAssembler;

/**
 * Which way frames of high priority go, and in which order the other node takes the batches of both streams. For the agent's
 * thread.
 *
 * <pre>
 *  until the other node's BEAT says that it receives the high stream         from then on
 *
 *   low:  [low, high, MEMBER] [low, high] ...                                 low:  [low] [MEMBER] [low] [low] ...
 *                                                                                       |   ^
 *   high:  nothing                                                            high: [h] | [h] ...  behind what is left of them
 * </pre>
 *
 * A batch of the high stream comes behind the last low batch with a MEMBER frame, and behind all that left before the change of
 * ways. A low batch with a MEMBER frame comes behind all high batches that left before it. What another batch comes behind has
 * left: before a MEMBER frame the high batch in hand leaves, behind it the low one does. So all can be taken in the order in
 * which they leave, and none waits for one that waits for it.
 */
final class StreamOrder
{
    private static final long NONE = -1;

    private final BatchAssembler low;
    /** Null if there is no high stream. */
    private final BatchAssembler high;
    private final BooleanSupplier isConnected;
    private boolean isReceived;
    private boolean isSplit;
    private long openedNs;
    /** Sequence of the low batch in hand if there are MEMBER frames in it; no frame of high priority goes before it leaves. */
    private long heldAt = NONE;

    /**
     * Of a link that does not stand yet.
     *
     * @param high        null if there is no high stream.
     * @param isConnected whether the high stream would take anything.
     */
    StreamOrder(final BatchAssembler low, final BatchAssembler high, final BooleanSupplier isConnected)
    {
        this.low = low;
        this.high = high;
        this.isConnected = isConnected;
    }

    /** A link begins, with both assemblers. */
    void open(final long nowNs)
    {
        openedNs = nowNs;
        isReceived = false;
        isSplit = false;
        heldAt = NONE;
    }

    /** The other node has said that it receives the high stream of this link. */
    void onReceived()
    {
        isReceived = high != null;
    }

    /** While this node stood still it could not hear anything. */
    void pause(final long pauseNs)
    {
        openedNs += pauseNs;
    }

    /** Whether there is a high stream of which the other node has not said for so long that it has come. */
    boolean isLate(final long nowNs, final long limitNs)
    {
        return high != null && !isReceived && nowNs - openedNs > limitNs;
    }

    /** Where frames of high priority go. */
    BatchAssembler way()
    {
        return isSplit ? high : low;
    }

    boolean isSplit()
    {
        return isSplit;
    }

    /**
     * Changes the way of high priority if it is time: behind all that went the old one.
     *
     * @return whether it has changed now.
     */
    boolean split()
    {
        if (isSplit || !isReceived || !isConnected.getAsBoolean() || low.flush() < 0)
        {
            return false;
        }
        isSplit = true;
        high.follow(low.sequence());
        return true;
    }

    /** Before a MEMBER frame: false if it cannot go now. */
    boolean beginMember()
    {
        if (isSplit)
        {
            if (!release() || high.flush() < 0)
            {
                return false;
            }
            low.follow(high.sequence());
        }
        return true;
    }

    /** Behind a MEMBER frame: false if nothing may follow it yet. */
    boolean endMember()
    {
        if (isSplit)
        {
            heldAt = low.sequence();
        }
        return release();
    }

    /** Whether frames of high priority may go: no MEMBER frame is in hand. */
    boolean release()
    {
        if (heldAt == NONE)
        {
            return true;
        }
        if (low.sequence() == heldAt && low.flush() < 0)
        {
            return false;
        }
        heldAt = NONE;
        low.follow(0);
        high.follow(low.sequence());
        return true;
    }
}
