// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.tallypost.benchmarks.compare.ForkResult;
import org.tallypost.benchmarks.compare.MachineState;
import org.tallypost.benchmarks.compare.MachineStates;
import org.tallypost.benchmarks.compare.Mode;
import org.tallypost.benchmarks.compare.Probe;

/**
 * The rounds of one figure: what is measured, what came of it, and what it is compared with.
 */
final class Series
{
    /**
     * What is measured.
     *
     * @param group     title of what it stands side by side with: these share the state of the machine.
     * @param transport that carries the messages.
     * @param mode      whose probe brackets it.
     * @param phase     of the study.
     * @param senders   that there are.
     * @param length    of a message in bytes.
     * @param bytes     of the buffer as it was asked for.
     * @param work      steps that the receiver does for each message.
     */
    record Entry(String group, String transport, Mode mode, Phase phase, int senders, int length, long bytes, int work)
    {
    }

    /**
     * One round.
     *
     * @param run   that stands for it: of all that were kept in the state, the median of each figure; null if there was none.
     * @param state of the machine, or null if the round is not kept.
     * @param why   it is not kept, or null.
     */
    record Sample(ForkResult.Run run, MachineState state, String why)
    {
    }

    /** Runs of one round, or why there are none. */
    private record Round(List<ForkResult.Run> runs, String failure)
    {
    }

    final Entry entry;
    private final List<Round> rounds = new ArrayList<>();
    private Series reference;
    private String notPossible;
    private long wrong;
    private long bufferBytes;
    private long fileBytes;
    private int slotsPerSender;

    Series(final Entry entry)
    {
        this.entry = entry;
    }

    /** What it is divided by, round by round. */
    Series comparedWith(final Series other)
    {
        reference = other;
        return this;
    }

    Series notPossible(final String why)
    {
        notPossible = why;
        return this;
    }

    void sizes(final long newBufferBytes, final long newFileBytes, final int newSlotsPerSender)
    {
        bufferBytes = newBufferBytes;
        fileBytes = newFileBytes;
        slotsPerSender = newSlotsPerSender;
    }

    /** A round, in its place: rounds of the same number were run one after the other. */
    void add(final List<ForkResult.Run> runs, final long wrongMessages)
    {
        wrong += wrongMessages;
        rounds.add(new Round(runs, runs.isEmpty() ? "no run" : null));
    }

    void addFailure(final String failure)
    {
        rounds.add(new Round(List.of(), failure));
    }

    /** All that its probes saw. */
    Stream<Probe> probes()
    {
        return rounds.stream().flatMap((round) -> round.runs.stream()).flatMap((run) -> Stream.of(run.before(), run.after()));
    }

    /** All rounds, by what they saw of a state, or if they did not see that one, of another. */
    List<Sample> samples(final MachineStates states, final MachineState state)
    {
        return rounds.stream().map((round) -> sample(round, states, state)).toList();
    }

    private static Sample sample(final Round round, final MachineStates states, final MachineState wanted)
    {
        if (round.failure != null)
        {
            return new Sample(null, null, round.failure);
        }
        for (final MachineState state : wanted.first())
        {
            final List<ForkResult.Run> kept = ForkResult.Run.kept(round.runs, states, state);
            if (!kept.isEmpty())
            {
                return new Sample(ForkResult.Run.medians(kept), state, null);
            }
        }
        final ForkResult.Run last = round.runs.get(round.runs.size() - 1);
        return new Sample(last, null, last.whyNotKept(states));
    }

    Series reference()
    {
        return reference;
    }

    String notPossible()
    {
        return notPossible;
    }

    long wrong()
    {
        return wrong;
    }

    long bufferBytes()
    {
        return bufferBytes;
    }

    long fileBytes()
    {
        return fileBytes;
    }

    int slotsPerSender()
    {
        return slotsPerSender;
    }
}
