// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class DistributionTest
{
    @Test
    void shouldGiveSlicesInBothOrders()
    {
        final Distribution up = Distribution.ascending(4, 100);
        final Distribution down = Distribution.descending(4, 100);
        assertEquals(200, up.offset(2));
        assertEquals(100, down.offset(2));
        assertEquals(1, down.sliceOf(2));
        assertEquals(400, up.extent());
        assertEquals(100, down.maxLength());
        assertFalse(up.isOverlapping() || down.isOverlapping());
        assertNotEquals(up, down);
    }

    @Test
    void shouldChangeOneMember()
    {
        final Distribution up = Distribution.ascending(4, 100);
        final Distribution shared = up.slice(0, 3);
        assertEquals(300, shared.offset(0));
        assertTrue(shared.isOverlapping());
        assertEquals(0, up.offset(0));
        final Distribution own = up.range(2, 1_000, 7);
        assertEquals(7, own.length(2));
        assertEquals(-1, own.sliceOf(2));
        assertEquals(1_007, own.extent());
        assertFalse(own.isOverlapping());
        assertTrue(own.range(3, 1_006, 1).isOverlapping());
        assertFalse(own.range(3, 1_003, 0).isOverlapping());
        assertEquals(shared, Distribution.ascending(4, 100).slice(0, 3));
        assertEquals(shared.hashCode(), Distribution.ascending(4, 100).slice(0, 3).hashCode());
    }

    @Test
    void shouldGiveRangesBehindEachOther()
    {
        final Distribution ranges = Distribution.ofLengths(3, 0, 5);
        assertEquals(3, ranges.offset(2));
        assertEquals(0, ranges.length(1));
        assertEquals(8, ranges.extent());
        assertEquals(-1, ranges.sliceOf(0));
        assertEquals(Distribution.ascending(2, 4), Distribution.ofLengths(4, 4));
        assertFalse(ranges.isOverlapping());
        assertThrows(IllegalArgumentException.class, Distribution::ofLengths);
        assertThrows(IllegalArgumentException.class, () -> Distribution.ofLengths(1, -1));
        assertThrows(IllegalArgumentException.class, () -> Distribution.ofLengths(Integer.MAX_VALUE, 1));
    }

    @Test
    void shouldRefuseWhatIsNoDistribution()
    {
        assertThrows(IllegalArgumentException.class, () -> Distribution.ascending(0, 1));
        assertThrows(IllegalArgumentException.class, () -> Distribution.descending(2, -1));
        assertThrows(IllegalArgumentException.class, () -> Distribution.ascending(3, 1 << 30));
        final Distribution up = Distribution.ascending(2, 8);
        assertThrows(IllegalArgumentException.class, () -> up.slice(2, 0));
        assertThrows(IllegalArgumentException.class, () -> up.slice(0, 2));
        assertThrows(IllegalArgumentException.class, () -> up.range(0, -1, 0));
        assertThrows(IllegalArgumentException.class, () -> up.range(0, Integer.MAX_VALUE, 1));
    }

    @Property(tries = 300)
    void shouldFindOverlaps(@ForAll final long seed)
    {
        final Random random = new Random(seed);
        final int members = 1 + random.nextInt(6);
        Distribution distribution = Distribution.ascending(members, random.nextInt(4));
        final boolean[] taken = new boolean[200];
        boolean isOverlapping = false;
        for (int member = 0; member < members; member++)
        {
            distribution = distribution.range(member, random.nextInt(100), random.nextInt(20));
            for (int i = 0; i < distribution.length(member); i++)
            {
                isOverlapping |= taken[distribution.offset(member) + i];
                taken[distribution.offset(member) + i] = true;
            }
        }
        assertEquals(isOverlapping, distribution.isOverlapping());
    }
}
