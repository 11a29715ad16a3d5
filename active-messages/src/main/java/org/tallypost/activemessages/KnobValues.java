// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.activemessages;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.activemessages.LoggpKnobs.Knob;

/**
 * The LogGP knobs as the rank has seen them last. A look is one load as long as no process sets a knob, and what
 * follows it asks for the four of them only while one is set. One thread.
 */
final class KnobValues
{
    private static final long PS_IN_NS = 1_000;

    private final LoggpKnobs knobs;
    private final UnsafeBuffer words;
    private long changes;
    private boolean isOn;
    private long overheadNs;
    private long gapNs;
    private long byteGapPs;
    private long latencyNs;

    KnobValues(final LoggpKnobs knobs, final UnsafeBuffer words)
    {
        this.knobs = knobs;
        this.words = words;
        read();
    }

    private void read()
    {
        // SYNC POINT knob-set: what was set before the count is seen here
        changes = words.getLongAcquire(KnobsDescriptor.CHANGES_OFFSET);
        overheadNs = knobs.get(Knob.OVERHEAD);
        gapNs = knobs.get(Knob.GAP);
        byteGapPs = knobs.get(Knob.BYTE_GAP);
        latencyNs = knobs.get(Knob.LATENCY);
        isOn = (overheadNs | gapNs | byteGapPs | latencyNs) != 0;
    }

    /** Looks at the knobs; returns whether one was set since the last look. */
    boolean look()
    {
        if (words.getLongOpaque(KnobsDescriptor.CHANGES_OFFSET) == changes)
        {
            return false;
        }
        read();
        return true;
    }

    /** Whether one of them was set at the last look. */
    boolean isOn()
    {
        return isOn;
    }

    long overheadNs()
    {
        return overheadNs;
    }

    long gapNs()
    {
        return gapNs;
    }

    long latencyNs()
    {
        return latencyNs;
    }

    /** Time of the bytes of a block. */
    long blockNs(final int length)
    {
        return length * byteGapPs / PS_IN_NS;
    }
}
