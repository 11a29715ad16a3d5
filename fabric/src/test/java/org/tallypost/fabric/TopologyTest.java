// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.fabric;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

class TopologyTest
{
    @Test
    void shouldWalkAlongTheFirstDimensionFirst()
    {
        final Topology topology = Topology.mesh(16, 4, 4, 4);
        assertEquals(1_024, topology.processes());
        assertEquals(64, topology.nodes());
        // from (0, 0, 0) to (2, 1, 1), and back
        assertArrayEquals(new int[]{ 0, 1, 2, 6, 22 }, route(topology, 0, 22));
        assertArrayEquals(new int[]{ 22, 21, 20, 16, 0 }, route(topology, 22, 0));
        assertArrayEquals(new int[]{ 5 }, route(topology, 5, 5));
        assertEquals(3, topology.node(63));
    }

    @Test
    void shouldHaveTheDistancesOfTheThesis()
    {
        assertEquals(14, Topology.mesh(16, 8, 8).hops(0, 63));
        assertEquals(9, Topology.mesh(16, 4, 4, 4).hops(0, 63));
        final Topology pair = Topology.pair(16, 14);
        assertEquals(14, pair.hops(pair.node(0), pair.node(16)));
        assertEquals(0, pair.hops(pair.node(0), pair.node(15)));
    }

    @Test
    void shouldBeOneHopFromAnyToAnyWhenApart()
    {
        final Topology topology = Topology.apart(5);
        assertArrayEquals(new int[]{ 3, 1 }, route(topology, 3, 1));
        assertArrayEquals(new int[]{ 0, 4 }, route(topology, 0, 4));
        assertEquals(5, topology.processes());
    }

    @Test
    void shouldRefuseMeshesWithoutNodes()
    {
        assertThrows(IllegalArgumentException.class, () -> Topology.mesh(0, 4));
        assertThrows(IllegalArgumentException.class, () -> Topology.mesh(16));
        assertThrows(IllegalArgumentException.class, () -> Topology.mesh(16, 4, 0));
        assertThrows(IllegalArgumentException.class, () -> Topology.pair(16, 0));
        assertThrows(IllegalArgumentException.class, () -> Topology.apart(0));
    }

    private static int[] route(final Topology topology, final int from, final int to)
    {
        final int start = topology.routeStart(from, to);
        final int[] cards = new int[topology.routeEnd(from, to) - start];
        for (int i = 0; i < cards.length; i++)
        {
            cards[i] = topology.card(start + i);
        }
        return cards;
    }
}
