// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.Locale;

/**
 * What the machine could do when it was probed. Hosts of virtual machines move cores about: the same code then takes several
 * times as long, so figures of different states are never put side by side.
 */
public enum MachineState
{
    /** The cores are nearer to each other than for most of the time, such as halves of one core: a rare whim of the host. */
    NEAR,
    /** The cores are near each other, and ours. */
    FAST,
    /** The cores are far from each other. */
    SLOW,
    /** Somebody else has the cores for part of the time: no figure of this state is kept. */
    STOLEN;

    /**
     * Name in reports.
     *
     * @return the name.
     */
    public String label()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
