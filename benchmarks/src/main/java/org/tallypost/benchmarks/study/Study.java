// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.List;
import java.util.Locale;

/**
 * What is studied.
 */
public enum Study
{
    /** Rate against the bytes of the receiving buffer. */
    BUFFERS(Phase.RATE),
    /** Latency of a quiet sender, alone and beside a flood. */
    ISOLATION(Phase.ALONE, Phase.FLOOD);

    private final List<Phase> phases;

    Study(final Phase... phases)
    {
        this.phases = List.of(phases);
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
