// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.mailbox.Trial.TRIAL_EPOCHS;

import org.junit.jupiter.api.Test;

class TrialTest
{
    private static final int REST_EPOCHS = 1000;
    private static final int CYCLE = TRIAL_EPOCHS + REST_EPOCHS;

    private Trial trial = new Trial(4096, REST_EPOCHS, Trial.NONE, 0);
    private long nowNs = -1_000;
    private boolean isFirst = true;
    private int epochs;

    /** Epochs that take as long as their way takes, one of them longer; how many of them were of the first way. */
    private int run(final int count, final long firstNs, final long secondNs)
    {
        int first = 0;
        for (int i = 0; i < count; i++)
        {
            first += isFirst ? 1 : 0;
            nowNs += isFirst ? firstNs : secondNs;
            // kept from its work now and then, in either kind
            nowNs += ++epochs % 50 == 0 ? 100_000 : 0;
            isFirst = trial.next(nowNs);
        }
        return first;
    }

    @Test
    void shouldEndAnEpochAfterSomeSlots()
    {
        assertFalse(trial.isDue(4000));
        assertFalse(trial.isDue(95));
        assertTrue(trial.isDue(1));
        trial.next(1);
        assertFalse(trial.isDue(4095));
        assertTrue(trial.isDue(64));
        assertTrue(new Trial(65_536, REST_EPOCHS, Trial.NONE, 0).isDue(65_536));
    }

    @Test
    void shouldUseTheFirstWayWhileThatIsFaster()
    {
        final int first = run(10 * CYCLE, 1_000, 1_500);
        assertEquals(10 * CYCLE - 10 * TRIAL_EPOCHS / 2, first, 1);
        assertTrue(isFirst);
    }

    @Test
    void shouldUseTheSecondWayWhileThatIsFaster()
    {
        final int first = run(10 * CYCLE, 1_500, 1_000);
        assertEquals(10 * TRIAL_EPOCHS / 2, first, 2);
    }

    @Test
    void shouldFollowTheMachine()
    {
        run(3 * CYCLE, 1_000, 1_500);
        run(2 * CYCLE, 1_500, 1_000);
        assertFalse(isFirst);
        run(2 * CYCLE, 1_000, 1_500);
        assertTrue(isFirst);
    }

    @Test
    void shouldStayWithWhatItHasIfTheOtherIsHardlyFaster()
    {
        run(2 * CYCLE, 1_000, 980);
        assertTrue(isFirst);
        run(2 * CYCLE, 1_000, 500);
        assertFalse(isFirst);
        run(2 * CYCLE, 980, 1_000);
        assertFalse(isFirst);
    }

    @Test
    void shouldNotChangeForOneFastEpoch()
    {
        run(TRIAL_EPOCHS, 1_000, 1_000);
        run(REST_EPOCHS, 1_000, 1_000);
        assertTrue(isFirst);
        for (int i = 0; i < TRIAL_EPOCHS; i++)
        {
            run(1, 1_000, i == 4 ? 100 : 1_000);
        }
        run(10, 1_000, 1_000);
        assertTrue(isFirst);
    }

    private void beOnProof()
    {
        trial = new Trial(4096, REST_EPOCHS, Trial.PROOF, 100);
        isFirst = false;
        assertEquals(0, run(100, 500, 1_000));
    }

    @Test
    void shouldUseAWayOnProofOnceItHasProvenItself()
    {
        beOnProof();
        assertEquals(TRIAL_EPOCHS / 2, run(TRIAL_EPOCHS + 1, 500, 1_000), 1);
        assertTrue(isFirst);
        assertEquals(500, run(500, 500, 1_000));
        // and no longer than it does
        run(CYCLE, 950, 1_000);
        assertFalse(isFirst);
    }

    @Test
    void shouldUseAWayOnProofUntilTheFirstTrialIfToldSo()
    {
        trial = new Trial(4096, REST_EPOCHS, Trial.PROOF, 100);
        trial.useFirst();
        assertEquals(100, run(100, 1_000, 1_000));
        run(TRIAL_EPOCHS + 1, 1_000, 1_000);
        assertFalse(isFirst);
    }

    /** Where less of a proof is wanted. */
    @Test
    void shouldTakeASixteenthForProofIfThatIsAskedFor()
    {
        trial = new Trial(4096, REST_EPOCHS, 2 * Trial.PROOF, 100);
        isFirst = false;
        run(CYCLE, 950, 1_000);
        assertFalse(isFirst);
        run(CYCLE, 930, 1_000);
        assertTrue(isFirst);
    }

    @Test
    void shouldNotUseAWayOnProofThatIsHardlyFaster()
    {
        beOnProof();
        run(2 * CYCLE, 900, 1_000);
        assertFalse(isFirst);
    }

    @Test
    void shouldProveAWayDespiteOneLongEpoch()
    {
        beOnProof();
        run(TRIAL_EPOCHS + 1 - 3, 500, 1_000);
        nowNs += 100_000;
        run(3, 500, 1_000);
        assertTrue(isFirst);
    }
}
