// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.lane.tactic;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.tallypost.mailbox.lane.tactic.Trial.EPOCHS;

import org.junit.jupiter.api.Test;

class TrialTest
{
    /** Between two trials. */
    private static final int REST_EPOCHS = 1000;
    private static final int CYCLE = EPOCHS + REST_EPOCHS;

    private Trial trial = new Trial(Trial.NONE, true);
    private long nowNs = -1_000;
    private boolean isFirst = true;
    private int rest;
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
            rest--;
            if (rest <= 0)
            {
                isFirst = trial.next(nowNs);
                rest = trial.isOn() ? 0 : REST_EPOCHS;
            }
        }
        return first;
    }

    @Test
    void shouldTryBothByTurnsAndThenKeepOne()
    {
        assertTrue(trial.isFirstChosen());
        final boolean[] ways = new boolean[EPOCHS + 1];
        for (int i = 0; i < ways.length; i++)
        {
            assertEquals(i > 0, trial.isOn());
            nowNs += i % 2 == 0 ? 500 : 1_000;
            ways[i] = trial.next(nowNs);
        }
        // the first way took 1,000, the second one 500
        assertArrayEquals(new boolean[]{true, false, true, false, true, false, false}, ways);
        assertFalse(trial.isOn());
        assertFalse(trial.isFirstChosen());
    }

    @Test
    void shouldUseTheFirstWayWhileThatIsFaster()
    {
        final int first = run(10 * CYCLE, 1_000, 1_500);
        assertEquals(10 * CYCLE - 10 * EPOCHS / 2, first, 1);
        assertTrue(isFirst);
    }

    @Test
    void shouldUseTheSecondWayWhileThatIsFaster()
    {
        final int first = run(10 * CYCLE, 1_500, 1_000);
        assertEquals(10 * EPOCHS / 2, first, 2);
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
        run(EPOCHS, 1_000, 1_000);
        run(REST_EPOCHS, 1_000, 1_000);
        assertTrue(isFirst);
        for (int i = 0; i < EPOCHS; i++)
        {
            run(1, 1_000, i == 4 ? 100 : 1_000);
        }
        run(10, 1_000, 1_000);
        assertTrue(isFirst);
    }

    private void beOnProof()
    {
        trial = new Trial(Trial.PROOF, false);
        isFirst = false;
        rest = 100;
        assertEquals(0, run(100, 500, 1_000));
    }

    @Test
    void shouldUseAWayOnProofOnceItHasProvenItself()
    {
        beOnProof();
        assertEquals(EPOCHS / 2, run(EPOCHS + 1, 500, 1_000), 1);
        assertTrue(isFirst);
        assertEquals(500, run(500, 500, 1_000));
        // and no longer than it does
        run(CYCLE, 950, 1_000);
        assertFalse(isFirst);
    }

    @Test
    void shouldUseAWayOnProofUntilTheFirstTrialIfToldSo()
    {
        trial = new Trial(Trial.PROOF, true);
        rest = 100;
        assertEquals(100, run(100, 1_000, 1_000));
        run(EPOCHS + 1, 1_000, 1_000);
        assertFalse(isFirst);
    }

    /** Where less of a proof is wanted. */
    @Test
    void shouldTakeASixteenthForProofIfThatIsAskedFor()
    {
        trial = new Trial(2 * Trial.PROOF, false);
        isFirst = false;
        rest = 100;
        run(CYCLE, 950, 1_000);
        assertFalse(isFirst);
        run(CYCLE, 930, 1_000);
        assertTrue(isFirst);
    }

    @Test
    void shouldNotUseAWayOnProofThatIsHardlyFaster()
    {
        beOnProof();
        run(2 * CYCLE + EPOCHS + 1, 900, 1_000);
        assertFalse(isFirst);
    }

    @Test
    void shouldProveAWayDespiteOneLongEpoch()
    {
        beOnProof();
        run(EPOCHS + 1 - 3, 500, 1_000);
        nowNs += 100_000;
        run(3, 500, 1_000);
        assertTrue(isFirst);
    }
}
