// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.ArrayList;
import java.util.List;

/**
 * The rounds of one figure: what is measured, what came of it, and what it is compared with.
 */
final class Series
{
    /**
     * What is measured.
     *
     * @param group     title of what it stands side by side with.
     * @param transport that carries the messages.
     * @param phase     of the study.
     * @param senders   that there are.
     * @param length    of a message in bytes.
     * @param bytes     of the buffer as it was asked for.
     * @param work      steps that the receiver does for each message.
     */
    record Entry(String group, String transport, Phase phase, int senders, int length, long bytes, int work)
    {
    }

    /**
     * One round.
     *
     * @param run that stands for it: of all its runs the median of each figure; null if there was none.
     * @param why there is none, or null.
     */
    record Sample(TrialRun run, String why)
    {
    }

    /** Runs of one round, or why there are none. */
    private record Round(List<TrialRun> runs, String failure)
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
    void add(final List<TrialRun> runs, final long wrongMessages)
    {
        wrong += wrongMessages;
        rounds.add(new Round(runs, runs.isEmpty() ? "no run" : null));
    }

    void addFailure(final String failure)
    {
        rounds.add(new Round(List.of(), failure));
    }

    /** All rounds in their order. */
    List<Sample> samples()
    {
        return rounds.stream().map((round) ->
            new Sample(round.failure != null ? null : TrialRun.medians(round.runs), round.failure)).toList();
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
