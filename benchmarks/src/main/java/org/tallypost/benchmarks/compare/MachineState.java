// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.function.ToLongBiFunction;
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
    /**
     * The cores are near each other, and one of them does its own work slower than it can ({@link CoreWork}), as it does while
     * somebody else computes on its other half.
     */
    SHARED,
    /** The cores are far from each other, whoever else computes on them: lines take most of the time. */
    SLOW,
    /** Somebody else has the cores for part of the time: no figure of this state is kept. */
    STOLEN;

    /** Figures of these are kept, the best one first. */
    static final List<MachineState> KEPT = List.of(FAST, SHARED, SLOW);
    /** More than all rounds together. */
    private static final long HAS_ENOUGH = 1_000_000;

    /**
     * The state in which most figures have rounds enough, then most rounds of those that are needed; or the best one.
     *
     * @param figures that are to be put side by side.
     * @param kept    rounds of a figure that are kept in a state.
     * @param enough  rounds that a figure needs.
     * @param <T>     that holds a figure's rounds.
     * @return the state.
     */
    public static <T> MachineState ofMost(
        final Collection<T> figures, final ToLongBiFunction<T, MachineState> kept, final int enough)
    {
        MachineState best = FAST;
        long most = -1;
        for (final MachineState state : KEPT)
        {
            final long weight = figures.stream().mapToLong((figure) -> kept.applyAsLong(figure, state))
                .map((rounds) -> rounds >= enough ? enough + HAS_ENOUGH : rounds).sum();
            if (weight > most)
            {
                most = weight;
                best = state;
            }
        }
        return best;
    }

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
