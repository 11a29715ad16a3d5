// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import java.util.Arrays;
import org.agrona.UnsafeApi;

/**
 * Whether the consumer of a lane makes the cache lines that it has read its own, by writing into them, before it gives them back.
 * A line that was only read is in two caches, and the holder's next store into it has to wait until the other copy is gone; one
 * that was written is in one cache, and comes over as any other line does. Which of both is faster depends on the processor,
 * and may be more than half of the rate (docs/performance.md), so it is found out: now and then both are tried by turns, four
 * laps or more each, and the faster one is used until the next trial. For one thread.
 */
final class LineOwnership
{
    /** Epochs of a trial, of both kinds by turns. */
    static final int TRIAL_EPOCHS = 6;
    /** Epochs from a trial to the next: those of the slower kind are less than one message in a hundred. */
    static final int REST_EPOCHS = 1000;
    private static final int OWNING = 0;
    private static final int LEAVING = 1;
    private static final int LEAST_SLOTS = 4096;
    private static final int LAPS = 4;
    /** The other kind has to be faster by one in so many, or what is just noise would change the kind. */
    private static final int MARGIN = 32;

    /** Last word of a slot, where never is a header. */
    private static final int LAST_WORD = MailboxDescriptor.SLOT_LENGTH - Long.BYTES;

    private final int epochSlots;
    private boolean isOwning = true;
    /** Addresses of the slots that were read last, if they are to be written into and are not yet. */
    private long readBegin;
    private long readEnd;
    private int slotsLeft;
    private long startNs;
    /** Of the trial first; -1 before the first epoch, which may have begun at any time. */
    private int epoch = -1;
    /** Shortest and longest epoch of the trial, of each kind. */
    private final long[] leastNs = new long[2];
    private final long[] mostNs = new long[2];
    private boolean isChosen = true;

    /**
     * Nothing is known yet: lines are made the consumer's own, but for the epochs that try the other kind.
     *
     * @param laneSlots slots of the lane.
     */
    LineOwnership(final int laneSlots)
    {
        epochSlots = Math.max(LEAST_SLOTS, LAPS * laneSlots);
        slotsLeft = epochSlots;
    }

    /** Slots that follow each other were read, and their handlers have returned. */
    void noteRead(final long begin, final long end)
    {
        if (isOwning)
        {
            readBegin = begin;
            readEnd = end;
        }
    }

    /**
     * Makes the lines of what was read last the consumer's own. Not behind the handler, whose answer or next message would wait
     * for these stores, but before the next run, or when there is none; and before the position is shown: what is behind that is
     * the holder's.
     */
    void own()
    {
        if (readBegin != readEnd)
        {
            ownLines();
        }
    }

    private void ownLines()
    {
        for (long line = readBegin; line < readEnd; line += MailboxDescriptor.SLOT_LENGTH)
        {
            UnsafeApi.putLong(line + LAST_WORD, 0L);
        }
        readBegin = readEnd;
    }

    /** What was read last is not the consumer's any more. */
    void forget()
    {
        readBegin = readEnd;
    }

    /** So many slots were given back. */
    void noteFreed(final int freed)
    {
        if (isDue(freed))
        {
            isOwning = next(System.nanoTime());
        }
    }

    /** Whether so many freed slots end an epoch: then {@link #next} is to be called. */
    boolean isDue(final int freed)
    {
        slotsLeft -= freed;
        return slotsLeft <= 0;
    }

    /**
     * An epoch is over.
     *
     * @param nowNs by any clock that goes on.
     * @return whether lines are made the consumer's own in the next one.
     */
    boolean next(final long nowNs)
    {
        if (epoch >= 0 && epoch < TRIAL_EPOCHS)
        {
            note(nowNs - startNs);
        }
        slotsLeft = epochSlots;
        startNs = nowNs;
        epoch = epoch + 1 < TRIAL_EPOCHS + REST_EPOCHS ? epoch + 1 : 0;
        if (epoch == 0)
        {
            Arrays.fill(leastNs, Long.MAX_VALUE);
            Arrays.fill(mostNs, 0L);
        }
        else if (epoch == TRIAL_EPOCHS)
        {
            choose();
        }
        return epoch < TRIAL_EPOCHS ? isOwningTried() : isChosen;
    }

    private boolean isOwningTried()
    {
        return (epoch & 1) == OWNING;
    }

    private void note(final long ns)
    {
        final int kind = epoch & 1;
        leastNs[kind] = Math.min(leastNs[kind], ns);
        mostNs[kind] = Math.max(mostNs[kind], ns);
    }

    /**
     * The other kind has to be faster in each of its epochs than the one in use in any: how long an epoch takes depends on what
     * is sent as well, and a choice stays for long.
     */
    private void choose()
    {
        final int chosen = isChosen ? OWNING : LEAVING;
        isChosen ^= mostNs[chosen ^ 1] < leastNs[chosen] - leastNs[chosen] / MARGIN;
    }
}
