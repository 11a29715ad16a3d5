// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.mailbox.LineOwnership.REST_EPOCHS;
import static org.tallypost.mailbox.LineOwnership.TRIAL_EPOCHS;

import org.junit.jupiter.api.Test;

class LineOwnershipTest
{
    private static final int CYCLE = TRIAL_EPOCHS + REST_EPOCHS;

    private final LineOwnership ownership = new LineOwnership(64);
    private long nowNs = -1_000;
    private boolean isOwning = true;
    private int epochs;

    /** Epochs that take as long as the lines let them, one of them longer; how many of them owned their lines. */
    private int run(final int count, final long owningNs, final long leavingNs)
    {
        int owned = 0;
        for (int i = 0; i < count; i++)
        {
            owned += isOwning ? 1 : 0;
            nowNs += isOwning ? owningNs : leavingNs;
            // kept from its work now and then, in either kind
            nowNs += ++epochs % 50 == 0 ? 100_000 : 0;
            isOwning = ownership.next(nowNs);
        }
        return owned;
    }

    @Test
    void shouldEndAnEpochAfterSomeLaps()
    {
        assertFalse(ownership.isDue(4000));
        assertFalse(ownership.isDue(95));
        assertTrue(ownership.isDue(1));
        ownership.next(1);
        assertFalse(ownership.isDue(4095));
        assertTrue(ownership.isDue(64));
        assertFalse(new LineOwnership(65_536).isDue(4 * 65_536 - 1));
    }

    @Test
    void shouldOwnWhileThatIsFaster()
    {
        final int owned = run(10 * CYCLE, 1_000, 1_500);
        assertEquals(10 * CYCLE - 10 * TRIAL_EPOCHS / 2, owned, 1);
        assertTrue(isOwning);
    }

    @Test
    void shouldLeaveTheLinesWhileThatIsFaster()
    {
        final int owned = run(10 * CYCLE, 1_500, 1_000);
        assertEquals(10 * TRIAL_EPOCHS / 2, owned, 2);
    }

    @Test
    void shouldFollowTheMachine()
    {
        run(3 * CYCLE, 1_000, 1_500);
        run(2 * CYCLE, 1_500, 1_000);
        assertFalse(isOwning);
        run(2 * CYCLE, 1_000, 1_500);
        assertTrue(isOwning);
    }

    @Test
    void shouldStayWithWhatItHasIfTheOtherIsHardlyFaster()
    {
        run(2 * CYCLE, 1_000, 980);
        assertTrue(isOwning);
        run(2 * CYCLE, 1_000, 500);
        assertFalse(isOwning);
        run(2 * CYCLE, 980, 1_000);
        assertFalse(isOwning);
    }

    @Test
    void shouldNotChangeForOneFastEpoch()
    {
        run(TRIAL_EPOCHS, 1_000, 1_000);
        run(REST_EPOCHS, 1_000, 1_000);
        assertTrue(isOwning);
        for (int i = 0; i < TRIAL_EPOCHS; i++)
        {
            run(1, 1_000, i == 4 ? 100 : 1_000);
        }
        run(10, 1_000, 1_000);
        assertTrue(isOwning);
    }
}
