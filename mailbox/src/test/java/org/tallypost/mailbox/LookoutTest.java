// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A poll stays while that pays, and no longer than it may. */
class LookoutTest
{
    private static final int LOOKS = 5;
    private static final int NEVER = Integer.MAX_VALUE;

    private int looked;
    /** The look that finds something, of those that are to come. */
    private int readyIn = NEVER;
    private long delivered;
    private boolean isAnswered = true;

    private boolean isReady()
    {
        looked++;
        return --readyIn <= 0;
    }

    private Lookout lookout(final int looks)
    {
        return new Lookout(looks, this::isReady, () -> isAnswered);
    }

    /** Looks of a pause in which nothing comes, however often it is polled. */
    private int pauseInVain(final Lookout lookout)
    {
        looked = 0;
        readyIn = NEVER;
        delivered++;
        for (int poll = 0; poll < 3 * Lookout.WAITS; poll++)
        {
            assertFalse(lookout.await(delivered));
            assertTrue(looked <= (poll + 1) * LOOKS, "looks of " + (poll + 1) + " polls: " + looked);
        }
        return looked;
    }

    /** Looks of a pause that ends at the look with that number, if there are waits. */
    private int pauseThatEnds(final Lookout lookout, final int at)
    {
        looked = 0;
        readyIn = at;
        delivered++;
        for (int poll = 0; poll < Lookout.WAITS && !lookout.await(delivered); poll++)
        {
            assertTrue(readyIn > 0, "what was found was not said");
        }
        return looked;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, LOOKS, LOOKS + 1, Lookout.WAITS * LOOKS})
    void shouldSayWhatCameAtTheLookThatFoundIt(final int at)
    {
        final Lookout lookout = lookout(LOOKS);
        for (int pause = 0; pause < 3 * Lookout.PAUSES_WITHOUT; pause++)
        {
            assertEquals(at, pauseThatEnds(lookout, at), "pause " + pause);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 4, 5, 14, 15, 56})
    void shouldSayWhatTookItsTime(final int at)
    {
        final Lookout lookout = lookout(Lookout.DEFAULT_LOOKS);
        assertEquals(at, pauseThatEnds(lookout, at));
        assertEquals(at > 4, lookout.isLong());
        // and forgets it
        assertEquals(1, pauseThatEnds(lookout, 1));
        assertFalse(lookout.isLong());
    }

    @Test
    void shouldNotTakeFewLooksForALongTimeInHoweverManyWaits()
    {
        final Lookout lookout = lookout(1);
        assertEquals(Lookout.WAITS, pauseThatEnds(lookout, Lookout.WAITS));
        assertFalse(lookout.isLong());
    }

    @Test
    void shouldReturnToTheCallerBetweenTheWaitsOfAPauseAndEndThem()
    {
        assertEquals(Lookout.WAITS * LOOKS, pauseInVain(lookout(LOOKS)));
    }

    @Test
    void shouldSeldomWaitWhereNothingComesInTime()
    {
        final Lookout lookout = lookout(LOOKS);
        int first = 0;
        while (pauseInVain(lookout) > 0)
        {
            first++;
            assertTrue(first < Lookout.PAUSES_WITHOUT, "it never ends");
        }
        int some = 0;
        for (int pause = 0; pause < 10 * Lookout.PAUSES_WITHOUT; pause++)
        {
            some += pauseInVain(lookout) > 0 ? 1 : 0;
        }
        assertEquals(10, some);
    }

    @ParameterizedTest
    @ValueSource(ints = {8, 1_000})
    void shouldLoseItsTrustAsFastHoweverLongThingsCameInTime(final int before)
    {
        final Lookout lookout = lookout(LOOKS);
        for (int pause = 0; pause < before; pause++)
        {
            pauseThatEnds(lookout, 1);
        }
        int inVain = 0;
        while (pauseInVain(lookout) > 0)
        {
            inVain++;
        }
        assertEquals(4, inVain);
    }

    @Test
    void shouldNotTrustWhatComesInTimeEverySecondTime()
    {
        final Lookout lookout = lookout(LOOKS);
        int inVain = 0;
        for (int pause = 0; pause < 10 * Lookout.PAUSES_WITHOUT; pause++)
        {
            inVain += pauseInVain(lookout) > 0 ? 1 : 0;
            pauseThatEnds(lookout, 1);
        }
        assertTrue(inVain <= 30, "pauses with waits in vain: " + inVain);
    }

    @Test
    void shouldWaitAgainWhenThingsComeInTimeAgain()
    {
        final Lookout lookout = lookout(LOOKS);
        while (pauseInVain(lookout) > 0)
        {
            Thread.onSpinWait();
        }
        int pauses = 0;
        for (int waited = 0; waited < 3; pauses++)
        {
            assertTrue(pauses < 2 * Lookout.PAUSES_WITHOUT, "it never waits again");
            waited = pauseThatEnds(lookout, LOOKS) > 0 ? waited + 1 : 0;
        }
        assertEquals(LOOKS, pauseThatEnds(lookout, LOOKS));
    }

    /** The consumer of a flow. */
    @Test
    void shouldNotLookIfNothingWasSentSinceThePauseBefore()
    {
        final Lookout lookout = lookout(LOOKS);
        readyIn = 1;
        assertTrue(lookout.await(1));
        final int before = looked;
        isAnswered = false;
        for (int pause = 2; pause < 10 * Lookout.PAUSES_WITHOUT; pause++)
        {
            assertFalse(lookout.await(pause));
        }
        assertEquals(before, looked);
        isAnswered = true;
        assertTrue(lookout.await(0));
    }

    @Test
    void shouldNotLookIfItMayNot()
    {
        final Lookout lookout = lookout(0);
        readyIn = 1;
        for (int pause = 0; pause < Lookout.PAUSES_WITHOUT; pause++)
        {
            assertFalse(lookout.await(pause));
        }
        assertEquals(0, looked);
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, Lookout.MAX_LOOKS + 1})
    void shouldSayWhatIsOutOfRange(final int looks)
    {
        final IllegalArgumentException refused = assertThrows(IllegalArgumentException.class, () -> lookout(looks));
        assertEquals("looks out of range: found=" + looks + ", expected 0 to 64", refused.getMessage());
    }
}
