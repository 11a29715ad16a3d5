// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.List;
import java.util.Locale;

import org.tallypost.benchmarks.compare.Mode;

/**
 * What is studied.
 */
public enum Study
{
    /** Rate against the bytes of the receiving buffer. */
    BUFFERS(Mode.RATE, Phase.RATE),
    /** Latency of a quiet sender, alone and beside a flood. */
    ISOLATION(Mode.RTT, Phase.ALONE, Phase.FLOOD),
    /** What flow control costs. */
    CREDITS(null);

    private final Mode probe;
    private final List<Phase> phases;

    Study(final Mode probe, final Phase... phases)
    {
        this.probe = probe;
        this.phases = List.of(phases);
    }

    /** Which raw probe its figures lie between; null if that differs from figure to figure. */
    Mode probe()
    {
        return probe;
    }

    List<Phase> phases()
    {
        return phases;
    }

    String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
