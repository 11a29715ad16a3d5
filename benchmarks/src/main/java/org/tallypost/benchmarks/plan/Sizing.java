// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.plan;

import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Flow;
import org.tallypost.messaging.rma.RegionMemory;

/**
 * Memory that a run takes: ring sizes for the reference, bytes of files, and the heap of the workers.
 */
public final class Sizing
{
    /** Bytes of a slot. */
    public static final int SLOT_LENGTH = 64;

    /** Bytes of a message that a packet of one slot carries. */
    public static final int PACKET_LENGTH = 48;
    /** Windows over all ranks; up to 1,024 ranks every pair has one of its own. */
    private static final int MIN_WINDOWS = 1 << 12;
    private static final int MAX_WINDOWS = 1 << 20;

    private static final long MIN_RING_SLOTS = 64;
    private static final int RUN_HEADER_LENGTH = 16;
    /** The line that sender and receiver of a pair share. */
    private static final int PAIR_LENGTH = 128;
    /** Header, spare slots beyond the end of the ring, counters. */
    private static final int MAILBOX_FIXED_LENGTH = 16 * 1024;
    private static final long MIB = 1024L * 1024L;
    /** Ledger (at most 150 bytes a sender), account, pair words and send handle of a pair in one process, with room to spare. */
    private static final int HEAP_PER_PAIR = 512;

    private Sizing()
    {
    }

    /**
     * Windows that one rank's messages are taken from, in words of 8 bytes.
     *
     * @param ranks in the group.
     * @return a power of two.
     */
    public static int windowsOfRank(final int ranks)
    {
        final int wanted = Math.max((int)powerOfTwo(ranks), MIN_WINDOWS / (int)Math.min(MIN_WINDOWS, powerOfTwo(ranks)));
        return Math.min(MAX_WINDOWS, wanted);
    }

    /**
     * Windows that all messages are taken from.
     *
     * @param ranks in the group.
     * @return a power of two.
     */
    public static int windows(final int ranks)
    {
        return (int)Math.min(MAX_WINDOWS, powerOfTwo(ranks) * windowsOfRank(ranks));
    }

    /**
     * Slots that a message takes in the mailbox of a receiver of the same node.
     *
     * @param path          of the message.
     * @param messageLength in bytes.
     * @return slots, headers included.
     */
    public static long slotsOf(final MessagePath path, final int messageLength)
    {
        return switch (path)
        {
            case RUNS -> slotsOf(messageLength);
            case PACKETS -> (messageLength + PACKET_LENGTH - 1L) / PACKET_LENGTH;
            case REGIONS -> 1;
        };
    }

    /**
     * Slots that a message takes in a mailbox, cut into runs as the endpoint does, rounded up.
     *
     * @param messageLength in bytes.
     * @return slots, headers included.
     */
    public static long slotsOf(final int messageLength)
    {
        final long fullRuns = messageLength / Endpoint.MAX_RUN_LENGTH;
        final int rest = messageLength % Endpoint.MAX_RUN_LENGTH;
        return fullRuns * slotsOfRun(Endpoint.MAX_RUN_LENGTH) + (rest == 0 ? 0 : slotsOfRun(rest));
    }

    private static long slotsOfRun(final int payloadLength)
    {
        return (payloadLength + RUN_HEADER_LENGTH + SLOT_LENGTH - 1) / SLOT_LENGTH;
    }

    /**
     * Slots of a mailbox that never refuses anything without flow control: twice a step and a message, because the endpoint keeps
     * one half of such a ring spare for what others claim between its look and its own claim.
     *
     * @param plan of the run.
     * @param path of the messages.
     * @return slots of the ring, a power of two.
     */
    public static long ringSlots(final RunPlan plan, final MessagePath path)
    {
        final long needed = 2 * (plan.unreadMessagesLimit() + 1) * slotsOf(path, plan.messageLength());
        return Math.max(MIN_RING_SLOTS, powerOfTwo(needed));
    }

    private static long powerOfTwo(final long least)
    {
        return least <= 1 ? 1 : Long.highestOneBit(least - 1) << 1;
    }

    /**
     * Bytes of all files that one flow control and path need.
     *
     * @param plan of the run.
     * @param way  the flow control and the path.
     * @return bytes, an estimate from above for sizes of practical interest.
     */
    public static long fileBytes(final RunPlan plan, final Way way)
    {
        final long ranks = plan.ranks();
        final long ring = way.flow() == Flow.NONE ? ringSlots(plan, way.path()) : powerOfTwo((long)plan.slots() * ranks);
        final long pairs = ranks * PAIR_LENGTH;
        final long regions = way.path() == MessagePath.REGIONS ? plan.processes() * regionBytes(plan) : 0;
        return ranks * (ring * SLOT_LENGTH + pairs + MAILBOX_FIXED_LENGTH + Endpoint.MAX_RUN_LENGTH) + regions;
    }

    /**
     * Bytes of the regions of a process, each of which takes a power of two.
     *
     * @param plan of the run.
     * @return bytes, at least {@link RegionMemory#MIN_LENGTH}.
     */
    public static long regionBytes(final RunPlan plan)
    {
        final long ranksHere = (plan.ranks() + plan.processes() - 1) / plan.processes();
        return powerOfTwo(ranksHere) * Math.max(RegionMemory.MIN_LENGTH, powerOfTwo(new SendRegionDescriptor(plan).length()));
    }

    /**
     * Bytes of all files of the run.
     *
     * @param plan of the run.
     * @return the sum over flow controls and paths.
     */
    public static long fileBytes(final RunPlan plan)
    {
        long sum = 0;
        for (final Way way : plan.ways())
        {
            sum += fileBytes(plan, way);
        }
        return sum;
    }

    /**
     * Bytes of the files of the reference.
     *
     * @param plan of the run.
     * @return the sum over the paths, 0 if it is not run.
     */
    public static long referenceBytes(final RunPlan plan)
    {
        return plan.ways().stream().filter((way) -> way.flow() == Flow.NONE).mapToLong((way) -> fileBytes(plan, way)).sum();
    }

    /**
     * Heap limit of one worker. A message that is longer than the sender's credits arrives in parts, and its receiver keeps one
     * buffer per sender to put it together.
     *
     * @param plan of the run.
     * @return megabytes for {@code -Xmx}.
     */
    public static int heapMebibytes(final RunPlan plan)
    {
        final long ranksHere = (plan.ranks() + plan.processes() - 1) / plan.processes() + 1;
        final long pairsHere = ranksHere * plan.ranks();
        final long talkingPairs = ranksHere * Math.min(plan.active(), plan.ranks());
        final long perFlow = pairsHere * HEAP_PER_PAIR + talkingPairs * 2L * plan.messageLength();
        return (int)Math.min(Integer.MAX_VALUE, 256L + plan.ways().size() * perFlow / MIB + 4L * plan.messageLength() / MIB);
    }
}
