// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * What a fork found.
 *
 * @param runs        that were measured, in their order.
 * @param wrong       messages that did not arrive as they were sent.
 * @param bufferBytes length of the buffer that received the messages; 0 if unknown.
 * @param failure     why there is no run, or null.
 */
public record ForkResult(List<Run> runs, long wrong, long bufferBytes, String failure)
{
    /**
     * A fork that failed.
     *
     * @param failure why.
     * @return the result.
     */
    public static ForkResult failed(final String failure)
    {
        return new ForkResult(List.of(), 0, 0, failure);
    }

    /** All that its probes saw. */
    Stream<Probe> probes()
    {
        return runs.stream().flatMap((run) -> Stream.of(run.before, run.after));
    }

    /**
     * A run between two probes.
     *
     * @param before      the machine just before.
     * @param after       the machine just after.
     * @param figure      mean nanoseconds of a round trip, taken without time stamps; or messages per second.
     * @param p50Ns       median of round trips in nanoseconds, the reading of the clock included; 0 for rate.
     * @param p99Ns       99th percentile; 0 for rate.
     * @param p999Ns      99.9th percentile; 0 for rate.
     * @param messages    that were counted.
     * @param busy        least share of the run, 0 to 1, in which a party had its core; 1 if parties yield, as then none has.
     */
    public record Run(
        Probe before, Probe after, double figure, double p50Ns, double p99Ns, double p999Ns, long messages, double busy)
    {
        /** So many runs that are kept are enough: their median is not a whim of one moment. */
        public static final int ENOUGH = 3;
        /** Parties that spin use their cores all the time, unless somebody else does. */
        static final double MIN_BUSY = 0.9;

        /**
         * What stands for several runs of a fork: the median of each figure by itself.
         *
         * @param runs one or more.
         * @return a run with the messages of all of them.
         */
        public static Run medians(final List<Run> runs)
        {
            return new Run(
                median(runs.stream().map(Run::before).toList()), median(runs.stream().map(Run::after).toList()),
                median(runs, Run::figure), median(runs, Run::p50Ns), median(runs, Run::p99Ns), median(runs, Run::p999Ns),
                runs.stream().mapToLong(Run::messages).sum(), median(runs, Run::busy));
        }

        private static Probe median(final List<Probe> probes)
        {
            return new Probe(
                median(probes, Probe::value), median(probes, Probe::roundTripNs), median(probes, Probe::workNs));
        }

        private static <T> double median(final List<T> runs, final ToDoubleFunction<T> value)
        {
            return Spread.of(runs.stream().mapToDouble(value).toArray()).median();
        }

        /**
         * The runs that were kept in a state.
         *
         * @param runs   of a fork.
         * @param states of the machine.
         * @param state  asked for.
         * @return those of them.
         */
        public static List<Run> kept(final List<Run> runs, final MachineStates states, final MachineState state)
        {
            return runs.stream().filter((run) -> run.isKept(states) && run.isIn(states, state)).toList();
        }

        /**
         * Mean of the two probes.
         *
         * @return nanoseconds, or lines per second.
         */
        public double probe()
        {
            return (before.value() + after.value()) / 2;
        }

        /** What does not know how fast the cores were goes with any pace of theirs. */
        private boolean isIn(final MachineStates states, final MachineState state)
        {
            final MachineState found = states.classify(before);
            return found == state || found == MachineState.FAST && state == MachineState.SHARED && before.workNs() == 0;
        }

        /** The figure divided by the mean of the probes. */
        double ratio()
        {
            return figure / probe();
        }

        /**
         * Whether the machine was fast all the time: there is no use in waiting for anything better.
         *
         * @param states of the machine.
         * @return true if so.
         */
        public boolean isKeptFast(final MachineStates states)
        {
            return isKept(states) && states.classify(before) == MachineState.FAST;
        }

        /**
         * What kept a run from being kept.
         *
         * @param states of the machine.
         * @return the reason, for a run of which {@link #isKept} says no.
         */
        public String whyNotKept(final MachineStates states)
        {
            final MachineState first = states.classify(before);
            final MachineState last = states.classify(after);
            return first != last ? "machine changed from " + first.label() + " to " + last.label() :
                hasCores() ? "machine " + first.label() : "core taken away during the run";
        }

        /**
         * Whether all parties had their cores.
         *
         * @return true if so.
         */
        public boolean hasCores()
        {
            return busy >= MIN_BUSY;
        }

        /**
         * Whether the machine was in one state all the time, as far as the probes can tell.
         *
         * @param states of the states.
         * @return true if so.
         */
        public boolean isKept(final MachineStates states)
        {
            final MachineState state = states.classify(before);
            return hasCores() && MachineState.KEPT.contains(state) && state == states.classify(after);
        }
    }
}
