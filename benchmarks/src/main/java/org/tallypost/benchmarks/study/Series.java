// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.ArrayList;
import java.util.List;

import org.tallypost.benchmarks.compare.ForkResult;
import org.tallypost.benchmarks.compare.MachineState;
import org.tallypost.benchmarks.compare.Mode;

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
     * @param run   that stands for it, or null if there was none.
     * @param state of the machine, or null if the round is not kept.
     * @param why   it is not kept, or null.
     */
    record Sample(ForkResult.Run run, MachineState state, String why)
    {
    }

    final Entry entry;
    final Thresholds thresholds;
    private final List<Sample> samples = new ArrayList<>();
    private Series reference;
    private String notPossible;
    private long wrong;
    private long bufferBytes;
    private long fileBytes;
    private int slotsPerSender;

    Series(final Entry entry, final Thresholds thresholds)
    {
        this.entry = entry;
        this.thresholds = thresholds;
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
        samples.add(sample(runs));
    }

    void addFailure(final String failure)
    {
        samples.add(new Sample(null, null, failure));
    }

    private Sample sample(final List<ForkResult.Run> runs)
    {
        for (final ForkResult.Run run : runs)
        {
            if (thresholds.keeps(entry.mode, run))
            {
                return new Sample(run, thresholds.classify(entry.mode, run.probeBefore()), null);
            }
        }
        if (runs.isEmpty())
        {
            return new Sample(null, null, "no run");
        }
        final ForkResult.Run last = runs.get(runs.size() - 1);
        final MachineState before = thresholds.classify(entry.mode, last.probeBefore());
        final MachineState after = thresholds.classify(entry.mode, last.probeAfter());
        return new Sample(last, null, before == after ?
            before == MachineState.STOLEN ? "machine stolen" : "core taken away during the run" :
            "machine changed from " + before.label() + " to " + after.label());
    }

    List<Sample> samples()
    {
        return samples;
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
