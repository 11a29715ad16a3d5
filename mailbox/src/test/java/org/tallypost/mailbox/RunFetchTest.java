// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Lines of a long run are asked for at once while that is tried, and not for what is short. */
class RunFetchTest extends LaneFixture
{
    private static final int SLOTS = 128;

    private long begin()
    {
        start(SLOTS);
        return buffer.addressOffset() + slot(0);
    }

    /** How often lines were asked for in an epoch. */
    private static int epoch(final RunFetch fetch, final long begin, final int slots)
    {
        int count = 0;
        for (int done = 0; done < RunFetch.EPOCH_SLOTS; done += slots)
        {
            count += fetch.arrived(begin, slots) ? 1 : 0;
        }
        return count;
    }

    @ParameterizedTest
    @ValueSource(ints = {32, 64})
    void shouldAskInEachSecondEpochOfATrial(final int slots)
    {
        final long begin = begin();
        final RunFetch fetch = new RunFetch();
        final int runs = RunFetch.EPOCH_SLOTS / slots;
        for (int i = 0; i < RunFetch.EPOCHS_BEFORE; i++)
        {
            assertEquals(0, epoch(fetch, begin, slots), "nothing is known yet");
        }
        // an epoch ends with the run that makes it full, which is the first of the next one
        int asked = epoch(fetch, begin, slots);
        for (int i = 0; i < Trial.TRIAL_EPOCHS; i++)
        {
            assertEquals((i & 1) == 0 ? 1 : 0, asked - (i & 1) * (runs - 1), "epoch " + i);
            asked = epoch(fetch, begin, slots);
        }
    }

    @Test
    void shouldLeaveAloneWhatIsShort()
    {
        final long begin = begin();
        final RunFetch fetch = new RunFetch();
        for (int i = 0; i < RunFetch.EPOCH_SLOTS * (RunFetch.EPOCHS_BEFORE + Trial.TRIAL_EPOCHS); i++)
        {
            assertFalse(fetch.arrived(begin, RunFetch.LEAST_SLOTS - 1));
        }
    }
}
