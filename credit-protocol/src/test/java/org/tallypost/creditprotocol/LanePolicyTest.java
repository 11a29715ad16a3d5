// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.creditprotocol;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import java.util.function.IntPredicate;
import org.junit.jupiter.api.Test;

class LanePolicyTest
{
    private static final int EARNED = LanePolicy.SAMPLE * LanePolicy.WORTH;

    private static final IntPredicate NONE_ON_ITS_WAY = (lane) -> false;

    private final LanePolicy policy = new LanePolicy(2);

    private boolean send(final int sender, final int packets)
    {
        boolean earned = false;
        for (int i = 0; i < packets; i++)
        {
            earned |= policy.onRing(sender);
        }
        return earned;
    }

    @Test
    void shouldGiveALaneToWhoSendsAlone()
    {
        assertFalse(send(7, EARNED - 1));
        assertTrue(send(7, 1));
        assertFalse(send(7, EARNED - 1), "once for each so many packets");
        assertTrue(send(7, 1));
    }

    @Test
    void shouldGiveNoneAmongManyThatSendAlike()
    {
        for (int i = 0; i < 100_000; i++)
        {
            // a stride that shares no factor with the sampling
            assertFalse(policy.onRing(i * 7 % 1023), "packet " + i);
        }
    }

    @Test
    void shouldFindTheHotOnesInTheCrowd()
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        final Set<Integer> earned = new HashSet<>();
        for (int i = 0; i < 200_000; i++)
        {
            final int sender = random.nextInt(10) < 6 ? random.nextInt(3) : 3 + random.nextInt(1000);
            if (policy.onRing(sender))
            {
                earned.add(sender);
            }
        }
        assertEquals(Set.of(0, 1, 2), earned, "seed=" + seed);
    }

    @Test
    void shouldTakeTheLaneThatIsHardlyUsed()
    {
        policy.onLane(0, 1000);
        policy.onLane(1, 5);
        assertEquals(1, policy.review(NONE_ON_ITS_WAY));
        policy.onLane(0, 5);
        policy.onLane(1, 1000);
        assertEquals(0, policy.review(NONE_ON_ITS_WAY), "what was used before the last review does not count");
    }

    @Test
    void shouldLeaveLanesWithThoseWhoUseThem()
    {
        policy.onLane(0, EARNED);
        policy.onLane(1, EARNED);
        assertEquals(LanePolicy.NONE, policy.review(NONE_ON_ITS_WAY));
    }

    @Test
    void shouldNotTakeALaneThatWasGrantedJustNow()
    {
        policy.onLane(0, 1000);
        policy.onGranted(1);
        assertEquals(LanePolicy.NONE, policy.review(NONE_ON_ITS_WAY));
        policy.onLane(0, 1000);
        assertEquals(1, policy.review(NONE_ON_ITS_WAY));
    }

    @Test
    void shouldAskForTheFirstOfTwoThatAreUsedAlike()
    {
        policy.onLane(0, 5);
        policy.onLane(1, 5);
        assertEquals(0, policy.review(NONE_ON_ITS_WAY));
    }

    @Test
    void shouldHaveNothingToTakeWithoutLanes()
    {
        assertEquals(LanePolicy.NONE, new LanePolicy(0).review(NONE_ON_ITS_WAY));
    }

    @Test
    void shouldAskForALaneThatCanBeGivenBack()
    {
        policy.onLane(1, 5);
        assertEquals(1, policy.review((lane) -> lane == 0), "the first is used less, but is on its way");
        assertEquals(LanePolicy.NONE, policy.review((lane) -> true));
    }
}
