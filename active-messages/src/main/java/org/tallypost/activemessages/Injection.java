// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import java.util.Arrays;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * The network card of LogGP's apparatus at the sending side (seed 004, pages 22 and 23). The overhead o is a spin of the sending
 * thread. The gaps g and G delay messages behind one another, and no thread. A message carries the time at which the card would
 * have put it on the wire, and the receiver holds it back until then. The card has room for few messages that are not on the
 * wire. One thread.
 */
final class Injection
{
    /** Messages that the card takes before the first of them is on the wire. */
    static final int ROOM = 16;

    private final KnobValues knobs;
    private final NanoClock clock;
    /** When each of the last messages is on the wire. */
    private final long[] times = new long[ROOM];
    private int next;
    /** When the card may begin with the next message. */
    private long freeNs;
    /** When it was last seen whether there is room. */
    private long lookNs;
    private boolean isOverheadSpent;
    /** All that was sent while a knob was set is on the wire. */
    private boolean isClear;

    Injection(final KnobValues knobs)
    {
        this(knobs, SystemNanoClock.INSTANCE);
    }

    Injection(final KnobValues knobs, final NanoClock clock)
    {
        this.knobs = knobs;
        this.clock = clock;
        freeNs = clock.nanoTime();
        Arrays.fill(times, freeNs);
    }

    /** Whether the next message takes no time here, and none is in front of it. Mostly without a look at the clock. */
    boolean isOff()
    {
        return !knobs.isOn() && (isClear || clear());
    }

    private boolean clear()
    {
        isOverheadSpent = false;
        isClear = freeNs - clock.nanoTime() <= 0;
        return isClear;
    }

    boolean hasRoom()
    {
        lookNs = clock.nanoTime();
        return times[next] - lookNs <= 0;
    }

    /** Spends the overhead of a message from the look for room on, once however often it is tried. */
    void overhead()
    {
        if (!isOverheadSpent)
        {
            isOverheadSpent = true;
            isClear = false;
            spin(clock, lookNs, knobs.overheadNs());
        }
    }

    /** From a look at the clock that is made without a knob too: a look of its own would come on top of what is set. */
    static void spin(final NanoClock clock, final long beginNs, final long lengthNs)
    {
        if (lengthNs > 0)
        {
            final long end = beginNs + lengthNs;
            while (clock.nanoTime() - end < 0)
            {
                Thread.onSpinWait();
            }
        }
    }

    /** When a message of now with a block of so many bytes is on the wire with all of them. */
    long time(final int blockLength)
    {
        return beginNs() + knobs.blockNs(blockLength);
    }

    private long beginNs()
    {
        final long now = clock.nanoTime();
        return freeNs - now > 0 ? freeNs : now;
    }

    void sent(final int blockLength)
    {
        isOverheadSpent = false;
        isClear = false;
        final long begin = beginNs();
        final long onWire = begin + knobs.blockNs(blockLength);
        times[next] = onWire;
        next = (next + 1) % ROOM;
        freeNs = onWire + knobs.gapNs();
    }
}
