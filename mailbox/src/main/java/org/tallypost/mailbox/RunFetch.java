// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import org.agrona.UnsafeApi;

/**
 * Whether the consumer of a lane asks for all lines of a long run that it has waited for before its handler reads them. A handler
 * that reads word by word has as many lines under way as fit into what the processor works on at a time; one load for each line
 * has all that the core can ask for. Where cores are far apart a round trip takes four fifths of the time, where they are near
 * some hundredths more, and a handler that looks at the first words only waits for lines that it does not want
 * (docs/lab/066-first-after-a-pause.md). So it has to prove itself in trials. For one thread.
 */
final class RunFetch
{
    /** The processor has about as many lines under way by itself. */
    static final int LEAST_SLOTS = 17;
    /** Of runs that were waited for: some hundred and twenty of the longest messages. */
    static final int EPOCH_SLOTS = 4096;
    /** Between trials: the cores that a machine lends may move closer or further apart at any time. */
    static final int REST_EPOCHS = 250;
    /** So that in lanes of up to 1,024 slots the first trial does not fall into that of whose the lines are. */
    static final int EPOCHS_BEFORE = 28;

    private final Trial trial = new Trial(EPOCH_SLOTS, REST_EPOCHS, Trial.PROOF, EPOCHS_BEFORE);
    private boolean isFetching;
    /** What was read, so that no compiler leaves the loads out. */
    private long words;

    /**
     * A run is about to be delivered that came after the consumer had found nothing.
     *
     * @param begin address of its first slot.
     * @param slots of it, all of them in the lane.
     * @return whether its lines were asked for.
     */
    boolean arrived(final long begin, final int slots)
    {
        if (slots < LEAST_SLOTS)
        {
            return false;
        }
        if (trial.isDue(slots))
        {
            isFetching = trial.next(System.nanoTime());
        }
        if (isFetching)
        {
            fetch(begin, slots);
        }
        return isFetching;
    }

    /** The last line first: the first ones are what the handler asks for itself. */
    private void fetch(final long begin, final int slots)
    {
        long sum = 0;
        for (int slot = slots - 1; slot > 0; slot--)
        {
            sum += UnsafeApi.getLong(begin + ((long)slot << MailboxDescriptor.SLOT_SHIFT));
        }
        words = sum;
    }
}
