// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

import java.util.List;

/**
 * What a simulated run showed. Times are simulated ones.
 *
 * @param timeNs         of one iteration, mean of those that count.
 * @param messages       sent in all, through mailboxes.
 * @param delayed        of them had to wait for a credit at least once.
 * @param packets        with data.
 * @param creditPackets  beside them.
 * @param requests       compulsory ones.
 * @param stolen         credits moved from one sender's quota to another's.
 * @param piggybacked    credits in data packets.
 * @param stallNs        time that processes had something to send and no credit for it, summed up.
 * @param blockedNs      time that nodes were held up because a mailbox was full, summed up.
 * @param peakSlots      most slots filled in a mailbox.
 * @param greatestQuota  of any sender, at the end.
 * @param samples        credits of rank 0 over time; empty for most patterns.
 */
public record CellResult(
    double timeNs,
    long messages,
    long delayed,
    long packets,
    long creditPackets,
    long requests,
    long stolen,
    long piggybacked,
    double stallNs,
    double blockedNs,
    int peakSlots,
    int greatestQuota,
    List<Sample> samples)
{
    /**
     * Credits between rank 0 and the others: at hand, on their way, or of packets that are not retrieved yet. Groups of ranks are
     * the first quarter without rank 0, the second quarter, the second half.
     *
     * @param iteration after which, from 1; 0 before the first; a fraction after the barrier that follows.
     * @param toIt      that others have for slots of rank 0, by groups of ranks.
     * @param ofIt      that rank 0 has for slots of others.
     */
    public record Sample(double iteration, List<Group> toIt, List<Group> ofIt)
    {
    }

    /**
     * Credits with a group of ranks.
     *
     * @param least  of them.
     * @param median of them.
     * @param most   of them.
     * @param mean   of them.
     */
    public record Group(int least, int median, int most, double mean)
    {
    }

    /**
     * Share of messages that had to wait.
     *
     * @return in percent.
     */
    public double delayedPercent()
    {
        return messages == 0 ? 0 : 100.0 * delayed / messages;
    }
}
