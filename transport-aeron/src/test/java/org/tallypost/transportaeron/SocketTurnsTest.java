// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class SocketTurnsTest
{
    private final SocketTurns.Turn turn = new SocketTurns.Turn();
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
                assertTrue(turn.isPassed(work, false), "pass " + i);
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
        assertTrue(turn.isPassed(work, false));
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
        assertTrue(turn.isPassed(work, false));
        look(false);
        assertEquals(1, work);
    }

    @Test
    void shouldPassOverAnEmptySocketInFurtherCyclesOfTheDriver()
    {
        look(false);
        for (int i = 0; i < 10; i++)
        {
            assertTrue(turn.isPassed(work, true));
        }
        work++;
        assertTrue(turn.isPassed(work, false), "these did not count");
        look(true);
        assertFalse(turn.isPassed(work, true), "something was there");
    }

    private void look(final boolean isFound)
    {
        assertFalse(turn.isPassed(work, false));
        turn.onLook(isFound);
    }
}
