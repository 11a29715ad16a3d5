// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.lane.tactic;

import org.agrona.concurrent.NanoClock;

/**
 * What the consumer of a lane does in one way or another, whichever is faster on this machine with what is sent now. One schedule
 * has one trial at a time: what two of them change at the same time neither could tell apart. For the consumer's thread.
 *
 * <pre>
 *   rest | lines: own, shared, own, shared, own, shared | rest | stay behind: yes, no, yes, no, yes, no | rest | lines: ...
 *          an epoch each, of slots that were freed               an epoch each, longer
 * </pre>
 */
public final class LaneTactics
{
    /** Four laps show little: what a line was used for has an effect for some laps (docs/lab/070-epochs-of-trials.md). */
    private static final int OWNERSHIP_LAPS = 16;
    private static final int LEAST_OWNERSHIP_SLOTS = 4096;
    /** Long beside what a full lane holds, which is read without a wait however it came to be full. */
    private static final int TRAIL_LAPS = 64;
    private static final int LEAST_TRAIL_SLOTS = 1 << 16;
    /** Between two trials, in epochs of the ownership's trial. The slower ways have some 4 % of all that is sent. */
    static final int REST_EPOCHS = 500;
    /** Before the second trial: fewer, so that a lane with little traffic has had both trials soon. */
    static final int FIRST_REST_EPOCHS = 128;

    private static final int OWNERSHIP = 0;
    private static final int TRAIL = 1;

    private final NanoClock clock;
    private final LineOwnership ownership = new LineOwnership();
    private final Trail trail;
    private final Trial[] trials = {new Trial(Trial.NONE, true), new Trial(Trial.PROOF, false)};
    /** Slots of an epoch of each trial. */
    private final int[] epochs;
    /** Which trial is on, or comes next. */
    private int turn = OWNERSHIP;
    private int restEpochs = FIRST_REST_EPOCHS;
    private long slotsLeft;

    /**
     * Nothing is known yet: lines are made the consumer's own, and it does not stay behind.
     *
     * @param laneSlots slots of the lane.
     * @param clock     that trials and waits are timed with.
     */
    public LaneTactics(final int laneSlots, final NanoClock clock)
    {
        this.clock = clock;
        trail = new Trail(laneSlots, clock);
        epochs = new int[]{ownershipEpoch(laneSlots), Math.max(LEAST_TRAIL_SLOTS, TRAIL_LAPS * laneSlots)};
        slotsLeft = epochs[OWNERSHIP];
    }

    static int ownershipEpoch(final int laneSlots)
    {
        return Math.max(LEAST_OWNERSHIP_SLOTS, OWNERSHIP_LAPS * laneSlots);
    }

    /**
     * How lines that were read are given back.
     *
     * @return the tactic.
     */
    public LineOwnership ownership()
    {
        return ownership;
    }

    /**
     * Whether the consumer stays behind.
     *
     * @return the tactic.
     */
    public Trail trail()
    {
        return trail;
    }

    /**
     * Slots were given back.
     *
     * @param freed number of slots.
     */
    public void noteFreed(final int freed)
    {
        slotsLeft -= freed;
        if (slotsLeft <= 0)
        {
            turn(clock.nanoTime());
        }
    }

    void turn(final long nowNs)
    {
        final boolean isFirst = trials[turn].next(nowNs);
        if (turn == TRAIL)
        {
            trail.use(isFirst);
        }
        else
        {
            ownership.use(isFirst);
        }
        slotsLeft = epochs[turn];
        if (!trials[turn].isOn())
        {
            slotsLeft = (long)restEpochs * epochs[OWNERSHIP];
            restEpochs = REST_EPOCHS;
            turn ^= 1;
        }
    }

    /**
     * Whether the consumer writes into what it has read, but for trials.
     *
     * @return true if so.
     */
    public boolean isOwning()
    {
        return trials[OWNERSHIP].isFirstChosen();
    }

    /**
     * Whether the consumer stays behind a flow, but for trials.
     *
     * @return true if so.
     */
    public boolean isTrailing()
    {
        return trials[TRAIL].isFirstChosen();
    }
}
