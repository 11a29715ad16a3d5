// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.thesis;

/**
 * One simulated run. Runs that are the same are done once, whichever figures need them.
 *
 * @param pattern      which rank sends to which.
 * @param ranks        processes of the application, 16 on a node; each has a mailbox with slots for all of them.
 * @param active       how many of them take part, from rank 0 on; the others wait in a barrier.
 * @param hops         between the two nodes of a multi-pingpong; 0 for patterns that fill the mesh.
 * @param length       of a message in bytes, without its header.
 * @param rule         for credits.
 * @param slots        of a mailbox for each process, credit slots included; 0 without flow control.
 * @param creditSlots  of these.
 * @param piggyback    whether credits travel in data packets that have room.
 * @param sharedMemory whether messages within a node need no slots.
 * @param free         whether the protocol's own computing takes no time.
 * @param warmups      iterations before time counts.
 * @param iterations   that count.
 * @param stay         iterations after which the root changes, or of a phase; 1 otherwise.
 */
public record Cell(
    PatternKind pattern,
    int ranks,
    int active,
    int hops,
    int length,
    Rule rule,
    int slots,
    int creditSlots,
    boolean piggyback,
    boolean sharedMemory,
    boolean free,
    int warmups,
    int iterations,
    int stay)
{
    /** Message of all experiments that do not say otherwise. */
    public static final int LENGTH = 2048;

    private static final int REFERENCE_TIMES = 4;

    /**
     * A run without flow control, of one iteration.
     *
     * @param pattern which rank sends to which.
     * @param ranks   that all take part.
     * @return the run.
     */
    public static Cell of(final PatternKind pattern, final int ranks)
    {
        return new Cell(pattern, ranks, ranks, 0, LENGTH, Rule.NONE, 0, 0, false, false, false, 0, 1, 1);
    }

    /**
     * The same with another number of processes, all of them active.
     *
     * @param found number of them.
     * @return the run.
     */
    public Cell ranks(final int found)
    {
        return new Cell(pattern, found, found, hops, length, rule, slots, creditSlots, piggyback, sharedMemory, free, warmups,
            iterations, stay);
    }

    /**
     * The same with only some processes active.
     *
     * @param found number of them.
     * @return the run.
     */
    public Cell active(final int found)
    {
        return new Cell(pattern, ranks, found, hops, length, rule, slots, creditSlots, piggyback, sharedMemory, free, warmups,
            iterations, stay);
    }

    /**
     * The same between two nodes.
     *
     * @param found hops between them.
     * @return the run.
     */
    public Cell hops(final int found)
    {
        return new Cell(pattern, ranks, active, found, length, rule, slots, creditSlots, piggyback, sharedMemory, free, warmups,
            iterations, stay);
    }

    /**
     * The same with messages of another length.
     *
     * @param found bytes.
     * @return the run.
     */
    public Cell length(final int found)
    {
        return new Cell(pattern, ranks, active, hops, found, rule, slots, creditSlots, piggyback, sharedMemory, free, warmups,
            iterations, stay);
    }

    /**
     * The same with flow control.
     *
     * @param found         rule.
     * @param foundSlots    for each process.
     * @param foundForCredit of these.
     * @return the run.
     */
    public Cell rule(final Rule found, final int foundSlots, final int foundForCredit)
    {
        return new Cell(pattern, ranks, active, hops, length, found, foundSlots, foundForCredit, piggyback, sharedMemory, free,
            warmups, iterations, stay);
    }

    /**
     * The same with credits in data packets.
     *
     * @return the run.
     */
    public Cell withPiggyback()
    {
        return new Cell(pattern, ranks, active, hops, length, rule, slots, creditSlots, true, sharedMemory, free, warmups,
            iterations, stay);
    }

    /**
     * The same with shared memory within a node.
     *
     * @return the run.
     */
    public Cell withSharedMemory()
    {
        return new Cell(pattern, ranks, active, hops, length, rule, slots, creditSlots, piggyback, true, free, warmups,
            iterations, stay);
    }

    /**
     * The same with a protocol that computes in no time.
     *
     * @return the run.
     */
    public Cell withoutComputing()
    {
        return new Cell(pattern, ranks, active, hops, length, rule, slots, creditSlots, piggyback, sharedMemory, true, warmups,
            iterations, stay);
    }

    /**
     * The same, more often.
     *
     * @param foundWarmups    before time counts.
     * @param foundIterations that count.
     * @param foundStay       after how many something changes.
     * @return the run.
     */
    public Cell times(final int foundWarmups, final int foundIterations, final int foundStay)
    {
        return new Cell(pattern, ranks, active, hops, length, rule, slots, creditSlots, piggyback, sharedMemory, free,
            foundWarmups, foundIterations, foundStay);
    }

    /**
     * The run without flow control that this one is compared with. One alltoall is like the next there, so that a few will do.
     *
     * @return the reference.
     */
    public Cell reference()
    {
        final boolean isSteady = pattern == PatternKind.ALLTOALL || pattern == PatternKind.ALLTOALL_IN_TURN ||
            pattern == PatternKind.SIMULTANEOUS || pattern == PatternKind.SIMULTANEOUS_IN_TURN;
        final int times = isSteady ? Math.min(iterations, REFERENCE_TIMES) : iterations;
        return new Cell(pattern, ranks, active, hops, length, Rule.NONE, 0, 0, false, sharedMemory, false, warmups, times,
            stay);
    }
}
