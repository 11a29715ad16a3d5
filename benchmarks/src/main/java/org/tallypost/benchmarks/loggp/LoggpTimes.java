// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.loggp;

import org.tallypost.activemessages.LoggpKnobs.Knob;

/**
 * The parameters that a machine has, or that are added to it.
 *
 * @param overheadNs o.
 * @param gapNs      g.
 * @param byteGapPs  G.
 * @param latencyNs  L.
 */
record LoggpTimes(long overheadNs, long gapNs, long byteGapPs, long latencyNs)
{
    private static final int PS_IN_NS = 1_000;
    static final LoggpTimes NONE = new LoggpTimes(0, 0, 0, 0);

    /** One knob alone. */
    static LoggpTimes of(final Knob knob, final long value)
    {
        return NONE.with(knob, value);
    }

    /** These, with more of one. */
    LoggpTimes with(final Knob knob, final long value)
    {
        return switch (knob)
        {
            case OVERHEAD -> new LoggpTimes(overheadNs + value, gapNs, byteGapPs, latencyNs);
            case GAP -> new LoggpTimes(overheadNs, gapNs + value, byteGapPs, latencyNs);
            case BYTE_GAP -> new LoggpTimes(overheadNs, gapNs, byteGapPs + value, latencyNs);
            case LATENCY -> new LoggpTimes(overheadNs, gapNs, byteGapPs, latencyNs + value);
        };
    }

    long get(final Knob knob)
    {
        return switch (knob)
        {
            case OVERHEAD -> overheadNs;
            case GAP -> gapNs;
            case BYTE_GAP -> byteGapPs;
            case LATENCY -> latencyNs;
        };
    }

    long blockNs(final int length)
    {
        return length * byteGapPs / PS_IN_NS;
    }
}
