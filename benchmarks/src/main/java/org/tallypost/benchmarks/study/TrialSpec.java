// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import java.util.List;


/**
 * What one JVM measures: one contender with one number of senders, at several points one after the other. Handed to it as
 * JSON.
 *
 * @param study      that it belongs to: buffers or isolation.
 * @param contender  that carries the messages.
 * @param senders    all on one thread, unless there are three threads. For isolation two: the flooding one and the quiet one.
 * @param threads    of the measurement, the receiver's included: 2, or 3 for isolation.
 * @param points     in the order in which they are measured.
 * @param length     of a message in bytes, a multiple of 8.
 * @param turn       messages that a sender sends at most before it is the next one's turn.
 * @param durationMs of a run in milliseconds.
 * @param warmups    runs that are discarded at the first point; a third of them at the others.
 * @param runs       that count at each point.
 * @param corrupt    damages one message, to see that it is found.
 * @param timeoutMs  after which it gives up, in milliseconds.
 */
public record TrialSpec(
    Study study,
    Contender contender,
    int senders,
    int threads,
    List<Point> points,
    int length,
    int turn,
    int durationMs,
    int warmups,
    int runs,
    boolean corrupt,
    int timeoutMs)
{
    /** Most polls look at so many messages. */
    static final int LIMIT = 64;

    TrialSpec with(final Contender newContender, final int newSenders, final List<Point> newPoints)
    {
        return new TrialSpec(study, newContender, newSenders, threads, newPoints, length, turn, durationMs, warmups, runs,
            corrupt, timeoutMs);
    }

    /**
     * What differs between the runs of one JVM.
     *
     * @param bytes of the receiving buffer.
     * @param work  steps of a mixing function for each message, each waiting for the one before: about 5 cycles a step.
     */
    public record Point(int bytes, int work)
    {
    }
}
