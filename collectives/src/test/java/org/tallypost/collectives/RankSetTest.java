// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class RankSetTest
{
    @Test
    void shouldSortAndFind()
    {
        final RankSet set = RankSet.of(5, 2, 9, 2);
        assertEquals(3, set.size());
        assertEquals(2, set.rank(0));
        assertEquals(1, set.indexOf(5));
        assertEquals(-1, set.indexOf(7));
        assertEquals(-1, set.indexOf(100));
        assertTrue(set.contains(9));
        assertFalse(set.contains(0));
        assertEquals("[2, 5, 9]", set.toString());
        assertEquals(RankSet.of(3, 4, 5), RankSet.range(3, 6));
        assertEquals(RankSet.of(3, 4).hashCode(), RankSet.range(3, 5).hashCode());
        assertEquals(0, RankSet.of().size());
        assertThrows(IllegalArgumentException.class, () -> RankSet.of(1, -1));
        assertThrows(IllegalArgumentException.class, () -> RankSet.range(3, 2));
    }

    @Property(tries = 300)
    void shouldDoTheAlgebraOfSets(
        @ForAll @IntRange(min = 0, max = 1023) final int left, @ForAll @IntRange(min = 0, max = 1023) final int right)
    {
        assertEquals(set(left | right), set(left).union(set(right)));
        assertEquals(set(left & right), set(left).intersection(set(right)));
        assertEquals(set(left & ~right), set(left).difference(set(right)));
    }

    private static RankSet set(final int bits)
    {
        final Set<Integer> ranks = new TreeSet<>();
        for (int i = 0; i < Integer.SIZE; i++)
        {
            if ((bits >>> i & 1) != 0)
            {
                ranks.add(i);
            }
        }
        return RankSet.of(ranks.stream().mapToInt(Integer::intValue).toArray());
    }
}
