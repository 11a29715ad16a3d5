// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SocketTurnsTest
{
    private final SocketTurns.Turn turn = new SocketTurns.Turn(0);
    private long work;

    @Test
    void shouldLookInEachCycleWhileTheOtherDirectionRests()
    {
        for (int i = 0; i < 10; i++)
        {
            look(false);
        }
    }

    @Test
    void shouldPassOverAnEmptySocketAFewTimesWhileTheOtherDirectionWorks()
    {
        look(false);
        for (int round = 0; round < 3; round++)
        {
            for (int i = 0; i < SocketTurns.MAX_PASSED; i++)
            {
                work++;
                assertTrue(turn.isPassed(work, false, 0), "pass " + i);
            }
            work++;
            look(false);
        }
    }

    @Test
    void shouldLookAgainAtOnceWhereSomethingWasFound()
    {
        look(false);
        work++;
        assertTrue(turn.isPassed(work, false, 0));
        look(true);
        for (int i = 0; i < 10; i++)
        {
            work++;
            look(true);
        }
    }

    @Test
    void shouldLookAsSoonAsTheOtherDirectionRests()
    {
        look(false);
        work++;
        assertTrue(turn.isPassed(work, false, 0));
        look(false);
        assertEquals(1, work);
    }

    @Test
    void shouldPassOverAnEmptySocketInFurtherCyclesOfTheDriver()
    {
        look(false);
        for (int i = 0; i < 10; i++)
        {
            assertTrue(turn.isPassed(work, true, 0));
        }
        work++;
        assertTrue(turn.isPassed(work, false, 0), "these did not count");
        look(true);
        assertFalse(turn.isPassed(work, true, 0), "something was there");
    }

    @Test
    void shouldPassOverAnEmptySocketForAMomentWhateverElseIsDone()
    {
        final SocketTurns.Turn resting = new SocketTurns.Turn(100);
        assertFalse(resting.isPassed(0, false, Long.MAX_VALUE - 10), "nothing is known of it");
        resting.onLook(true, Long.MAX_VALUE - 10);
        assertFalse(resting.isPassed(0, false, Long.MAX_VALUE - 9), "something was there");
        resting.onLook(false, Long.MAX_VALUE - 9);
        for (int at = -8; at < 91; at++)
        {
            assertTrue(resting.isPassed(0, false, Long.MAX_VALUE + at), "after " + (at + 9));
        }
        assertFalse(resting.isPassed(0, false, Long.MAX_VALUE + 91));
        resting.onLook(false, Long.MAX_VALUE + 91);
        assertTrue(resting.isPassed(0, false, Long.MAX_VALUE + 92));
        assertFalse(resting.isPassed(0, false, Long.MAX_VALUE + 1000), "a thread that sleeps in between looks each time");
    }

    private void look(final boolean isFound)
    {
        assertFalse(turn.isPassed(work, false, 0));
        turn.onLook(isFound, 0);
    }
}
