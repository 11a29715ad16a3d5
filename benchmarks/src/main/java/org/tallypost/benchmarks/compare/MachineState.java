// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

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
    /** The cores are near each other, and somebody else computes on the other half of one of them ({@link CoreWork}). */
    SHARED,
    /** The cores are far from each other, whoever else computes on them: lines take most of the time. */
    SLOW,
    /** Somebody else has the cores for part of the time: no figure of this state is kept. */
    STOLEN;

    /** Figures of these are kept; of two that have as many rounds the one that comes first. */
    static final List<MachineState> KEPT = List.of(FAST, SHARED, SLOW);

    /**
     * This one, and then the others of which figures are kept, the best one first.
     *
     * @return states in the order in which a round is asked what it saw of them.
     */
    public List<MachineState> first()
    {
        return Stream.concat(Stream.of(this), KEPT.stream().filter((state) -> state != this)).toList();
    }

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
