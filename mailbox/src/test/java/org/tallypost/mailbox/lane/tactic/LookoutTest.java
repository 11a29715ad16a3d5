// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.lane.tactic;

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
    private static final int PAUSES = 64;
    private static final int NEVER = Integer.MAX_VALUE;

    private int looked;
    /** The look that finds something, of those that are to come. */
    private int readyIn = NEVER;
    private long delivered;
    /** In each pause. */
    private long sent = 1;
    private long nowNs;

    private boolean isReady()
    {
        looked++;
        return --readyIn <= 0;
    }

    private Lookout lookout(final int looks)
    {
        return new Lookout(looks, this::isReady, () -> sent, () -> nowNs);
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
        for (int pause = 0; pause < 3 * PAUSES; pause++)
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
    void shouldNotWaitForTheRestOfAnEpochWhereNothingComesInTime()
    {
        final Lookout lookout = lookout(LOOKS);
        for (int epoch = 0; epoch < 5; epoch++)
        {
            sent = 1;
            int first = 0;
            while (pauseInVain(lookout) > 0)
            {
                first++;
                assertTrue(first < PAUSES, "it never ends");
            }
            assertEquals(2, first, "epoch " + epoch);
            for (int pause = 0; pause < PAUSES; pause++)
            {
                assertEquals(0, pauseInVain(lookout), "epoch " + epoch + ", pause " + pause);
            }
            sent = Lookout.EPOCH_QUARTERS - 1;
            // ends the epoch, and is the first of the next one
            assertTrue(pauseInVain(lookout) > 0);
            trustAgain(lookout);
        }
    }

    /** One comes in time for two that did not, so that it is as at the beginning. */
    private void trustAgain(final Lookout lookout)
    {
        sent = 1;
        assertEquals(1, pauseThatEnds(lookout, 1));
        assertEquals(1, pauseThatEnds(lookout, 1));
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
        for (int pause = 0; pause < 10 * PAUSES; pause++)
        {
            inVain += pauseInVain(lookout) > 0 ? 1 : 0;
            pauseThatEnds(lookout, 1);
        }
        assertTrue(inVain <= 30, "pauses with waits in vain: " + inVain);
    }

    /** How many epochs have waits, if a pause takes that long with them and without: each is an epoch of its own. */
    private int epochsWithWaits(final Lookout lookout, final int epochs, final long withNs, final long withoutNs)
    {
        sent = Lookout.EPOCH_QUARTERS;
        int waited = 0;
        for (int epoch = 0; epoch < epochs; epoch++)
        {
            final boolean isWaited = pauseThatEnds(lookout, 2) > 0;
            waited += isWaited ? 1 : 0;
            nowNs += isWaited ? withNs : withoutNs;
        }
        return waited;
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 32, 1_000_000_007, -31, Long.MIN_VALUE})
    void shouldWaitWhileThatPaysAndTryNowAndThenWhetherItDoes(final long startNs)
    {
        nowNs = startNs;
        final Lookout lookout = lookout(LOOKS);
        final int most = Lookout.LEAST_REST_EPOCHS + Lookout.DRAWN_EPOCHS;
        final int tried = Trial.EPOCHS / 2;
        epochsWithWaits(lookout, most, 100, 90);
        // with a trial that has begun before, and one that has not ended
        final int inVain = epochsWithWaits(lookout, 10 * most, 100, 90);
        assertTrue(inVain >= 9 * tried && inVain <= 15 * tried, "epochs with waits that do not pay: " + inVain);
        epochsWithWaits(lookout, 2 * most, 70, 100);
        final int paying = epochsWithWaits(lookout, 10 * most, 70, 100);
        assertTrue(paying <= 10 * most - 9 * tried && paying >= 10 * most - 15 * tried, "epochs without: " + paying);
    }

    @Test
    void shouldNotWaitForWhatIsHardlyGained()
    {
        final Lookout lookout = lookout(LOOKS);
        epochsWithWaits(lookout, 2 * Lookout.LEAST_REST_EPOCHS, 95, 100);
        assertTrue(epochsWithWaits(lookout, Lookout.LEAST_REST_EPOCHS, 95, 100) <= Trial.EPOCHS);
    }

    /** The consumer of a flow. */
    @Test
    void shouldNotLookIfNothingWasSentSinceThePauseBefore()
    {
        final Lookout lookout = lookout(LOOKS);
        readyIn = 1;
        assertTrue(lookout.await(1));
        final int before = looked;
        sent = 0;
        for (int pause = 2; pause < 10 * PAUSES; pause++)
        {
            assertFalse(lookout.await(pause));
        }
        assertEquals(before, looked);
        sent = 1;
        assertTrue(lookout.await(0));
    }

    @Test
    void shouldNotLookIfItMayNot()
    {
        final Lookout lookout = lookout(0);
        readyIn = 1;
        for (int pause = 0; pause < PAUSES; pause++)
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
