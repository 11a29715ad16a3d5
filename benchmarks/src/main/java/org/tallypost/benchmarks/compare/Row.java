// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.compare;

import java.util.List;

/**
 * The figures of one transport in one group.
 *
 * @param transport       that was measured.
 * @param group           in which it stands.
 * @param figure          mean nanoseconds of a round trip, or messages per second, over the rounds kept; null if there is none.
 * @param p50Ns           median over the rounds of each round's median, in nanoseconds; null for rate.
 * @param p99Ns           the same of the 99th percentile; null for rate.
 * @param p999Ns          the same of the 99.9th percentile; null for rate.
 * @param ratioToRaw      median over the rounds of the figure divided by that of the probes round it; null if there is none.
 * @param ratioToBestPeer the figure's median divided by that of the best peer; null if there is none.
 * @param rounds          kept.
 * @param roundsRun       that were run.
 * @param state           of the machine in the rounds kept; null if none was kept.
 * @param oversubscribed  whether more threads wanted to run than there are cores; waiting ones then yielded.
 * @param bufferBytes     length of the receiving buffer; 0 if unknown.
 * @param wrong           messages that did not arrive as they were sent.
 * @param samples         all rounds.
 * @param invalid         why the figures cannot be trusted, or null.
 */
record Row(
    String transport,
    Group group,
    Spread figure,
    Double p50Ns,
    Double p99Ns,
    Double p999Ns,
    Double ratioToRaw,
    Double ratioToBestPeer,
    int rounds,
    int roundsRun,
    MachineState state,
    boolean oversubscribed,
    long bufferBytes,
    long wrong,
    List<Sample> samples,
    String invalid)
{
    /** Why no figure of several rows is valid, or null if one is. */
    static String whyNothingIsValid(final List<Row> rows)
    {
        if (rows.stream().anyMatch((row) -> row.figure != null && row.invalid == null))
        {
            return null;
        }
        return rows.stream().filter((row) -> row.invalid != null).findFirst()
            .map((row) -> "none of " + rows.size() + " figures is valid; " + row.transport + ": " + row.invalid)
            .orElse("nothing was measured");
    }

    Row withRatioToBestPeer(final Double ratio)
    {
        return new Row(transport, group, figure, p50Ns, p99Ns, p999Ns, ratioToRaw, ratio, rounds, roundsRun, state,
            oversubscribed, bufferBytes, wrong, samples, invalid);
    }

    /**
     * One round.
     *
     * @param run   that stands for it: of all that were kept in the state, the median of each figure; null if there was none.
     * @param state of the machine, or null if the round was not kept.
     * @param why   it was not kept, or null.
     * @param runs  kept in that state, of which the figures are the medians.
     * @param ratio median of what each of them has to the probes round it; of the last run if none was kept.
     */
    record Sample(ForkResult.Run run, MachineState state, String why, int runs, double ratio)
    {
        /** What a fork has to say of a state; if it did not see that one, of the one that it saw. */
        static Sample of(final ForkResult result, final MachineStates states, final MachineState wanted)
        {
            if (result.failure() != null)
            {
                return new Sample(null, null, result.failure(), 0, 0);
            }
            if (result.runs().isEmpty())
            {
                return new Sample(null, null, "no run", 0, 0);
            }
            for (final MachineState state : wanted.first())
            {
                final List<ForkResult.Run> kept = ForkResult.Run.kept(result.runs(), states, state);
                if (!kept.isEmpty())
                {
                    return new Sample(ForkResult.Run.medians(kept), state, null, kept.size(),
                        Spread.of(kept.stream().mapToDouble(ForkResult.Run::ratio).toArray()).median());
                }
            }
            final ForkResult.Run last = result.runs().get(result.runs().size() - 1);
            return new Sample(last, null, last.whyNotKept(states), 0, last.ratio());
        }
    }
}
