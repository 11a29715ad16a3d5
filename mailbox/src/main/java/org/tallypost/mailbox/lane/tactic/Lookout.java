// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.lane.tactic;

import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.SystemNanoClock;

/**
 * How a poll that found nothing stays for a moment, if what it waits for usually comes within one. A consumer that looks at the
 * next header all the time takes the line away from the sender that is about to write it, again and again, and both wait for
 * that. So it looks now and then, with spin-wait hints in between, less and less often the longer it takes
 * (docs/lab/073-waiting-poll.md).
 *
 * <pre>
 *   found nothing
 *   look  hint look  hint look  hint hint look  hint hint look  hint hint hint look  ...  up to the looks of a wait: nothing
 * </pre>
 *
 * <p>A <i>pause</i> is the time from the first poll that found nothing to the next one that finds something. In each there are at
 * most {@value #WAITS} waits in vain, one for each poll, so that the caller gets to what else it has to do in between. If two
 * thirds of the pauses do not end within them, there are no more of them for an epoch.
 *
 * <p>Only a sender that has sent something to the one that it heard of last, since the pause before, waits like that: somebody
 * answers. A consumer of a flow that waited for the next message just behind its sender would never let it get ahead
 * (docs/design/lanes.md). And only while that pays: on some processors, or where cores are near, looks without a pause are
 * faster. So both are tried now and then, an epoch each, and the waits have to prove themselves ({@link Trial}).
 *
 * <p>For one thread. It reads what it is given to look at, and writes nothing that is shared.
 */
public final class Lookout
{
    /**
     * Looks of a wait by default, with 56 hints in between. What a hint takes is the processor's affair: 20 ns on AMD's
     * family 26, so that a wait lasts some 1.3 us.
     */
    public static final int DEFAULT_LOOKS = 14;
    /** Most looks of a wait: the hints grow with their square. */
    public static final int MAX_LOOKS = 64;
    static final int WAITS = 4;
    /** What is sent in an epoch: 8,192 of the shortest messages, or some sixty of 2,048 bytes. */
    static final int EPOCH_QUARTERS = 8192;
    /** Two that answer each other must not have their trials at the same time again and again: each draws its own numbers. */
    static final int LEAST_REST_EPOCHS = 192;
    static final int LEAST_EPOCHS_BEFORE = 8;
    static final int DRAWN_EPOCHS = 64;
    /** By so much the waits have to shorten what goes there and back: a sixteenth. */
    private static final int PROOF = 16;
    /** A wait of more looks than that is a long one: some 220 ns. Between near cores an answer comes earlier. */
    private static final int SHORT_LOOKS = 4;
    private static final int MAX_TRUST = 8;
    /** Lost by a pause in which nothing came; one in which something did brings 1. */
    private static final int LOSS = 2;

    private final BooleanSupplier ready;
    private final LongSupplier sent;
    private final NanoClock clock;
    private final Trial trial = new Trial(PROOF, true);
    private final long restQuarters;
    private final int looks;
    /** What is still to be sent in this epoch, or until the next trial. */
    private long quartersLeft;
    /** What is still to be sent until waits are trusted again. */
    private long epochLeft = EPOCH_QUARTERS;
    private long found = Long.MIN_VALUE;
    private int waitsLeft;
    /** Whether there was a wait in this pause, and what came ended it. */
    private boolean isWaited;
    private boolean isCome;
    /** Looks of this pause. */
    private int looked;
    private int trust = MAX_TRUST / 2;
    /** What the last trial found; while one is on, whether this is an epoch with waits. */
    private boolean isPaying = true;

    /**
     * Nothing is known yet: there are waits, until they turn out to be in vain, or not to pay.
     *
     * @param looks of a wait, 0 to {@link #MAX_LOOKS}; with 0 there is none.
     * @param ready says whether the next poll delivers something; it is asked at each look.
     * @param sent  says how much the caller has sent to the one it heard of last, since it was last asked about it, in quarters
     *              of a slot; it is asked once in a pause. Where that is nothing nobody answers, and a flow is better left
     *              alone.
     * @throws IllegalArgumentException if the looks are out of range.
     */
    public Lookout(final int looks, final BooleanSupplier ready, final LongSupplier sent)
    {
        this(looks, ready, sent, SystemNanoClock.INSTANCE);
    }

    Lookout(final int looks, final BooleanSupplier ready, final LongSupplier sent, final NanoClock clock)
    {
        if (looks < 0 || looks > MAX_LOOKS)
        {
            throw new IllegalArgumentException("looks out of range: found=" + looks + ", expected 0 to " + MAX_LOOKS);
        }
        this.looks = looks;
        this.ready = ready;
        this.sent = sent;
        this.clock = clock;
        final int drawn = (int)(clock.nanoTime() >>> 5);
        restQuarters = (long)EPOCH_QUARTERS * (LEAST_REST_EPOCHS + (drawn & DRAWN_EPOCHS - 1));
        quartersLeft = (long)EPOCH_QUARTERS * (LEAST_EPOCHS_BEFORE + (drawn >> 8 & DRAWN_EPOCHS - 1));
    }

    /**
     * A poll has found nothing: stays for a moment, or not.
     *
     * @param foundSoFar polls that found something, or what they found, up to now; another number than the last time says that
     *                   a new pause has begun.
     * @return whether there is something to be polled.
     */
    public boolean await(final long foundSoFar)
    {
        if (foundSoFar != found)
        {
            found = foundSoFar;
            beginPause();
        }
        return waitsLeft > 0 && look();
    }

    /**
     * Whether what was waited for took its time: its sender may be far away, by the time that a cache line takes.
     *
     * @return true if there were more than a few looks since the last time that something was delivered.
     */
    public boolean isLong()
    {
        return looked > SHORT_LOOKS;
    }

    private void beginPause()
    {
        if (isWaited)
        {
            trust = isCome ? Math.min(MAX_TRUST, trust + 1) : Math.max(0, trust - LOSS);
        }
        isWaited = false;
        isCome = false;
        looked = 0;
        waitsLeft = looks > 0 && isWorthIt(sent.getAsLong()) ? WAITS : 0;
    }

    private boolean isWorthIt(final long sentQuarters)
    {
        final long quarters = Math.min(sentQuarters, EPOCH_QUARTERS);
        quartersLeft -= quarters;
        epochLeft -= quarters;
        if (quartersLeft <= 0)
        {
            isPaying = trial.next(clock.nanoTime());
            quartersLeft = trial.isOn() ? EPOCH_QUARTERS : restQuarters;
            epochLeft = 0;
        }
        if (epochLeft <= 0)
        {
            epochLeft = EPOCH_QUARTERS;
            trust = MAX_TRUST / 2;
        }
        return quarters > 0 && isPaying && trust > 0;
    }

    /**
     * Whether waits pay, by the last trial; true if there was none yet.
     *
     * @return true if so.
     */
    public boolean isPaying()
    {
        return looks > 0 && trial.isFirstChosen();
    }

    private boolean look()
    {
        isWaited = true;
        for (int i = 0; i < looks; i++)
        {
            for (int hints = i >> 1; hints >= 0; hints--)
            {
                Thread.onSpinWait();
            }
            looked++;
            if (ready.getAsBoolean())
            {
                isCome = true;
                return true;
            }
        }
        waitsLeft--;
        return false;
    }
}
