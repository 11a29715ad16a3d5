// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;

/** Which rank is where, and where a node is. */
class TopologyTest
{
    private static final List<NodeAddress> TWO = List.of(new NodeAddress("a", 1), new NodeAddress("b", 1));

    private static String refused(final Runnable code)
    {
        return assertThrows(IllegalArgumentException.class, code::run).getMessage();
    }

    @Test
    void shouldGiveEachNodeItsRanks()
    {
        final Topology topology = new Topology(TWO, new int[]{0, 1, 0, 1, 1});
        assertEquals(5, topology.rankCount());
        assertEquals(2, topology.nodeCount());
        assertEquals(2, topology.map().rankCount(0));
        assertArrayEquals(new int[]{1, 3, 4}, topology.map().ranks(1));
        assertEquals(2, topology.map().localIndex(4));
        assertEquals(0, topology.nodeOf(2));
        assertTrue(topology.map().isOn(1, 4));
        assertFalse(topology.map().isOn(0, 4) || topology.map().isOn(1, 5));
        assertFalse(topology.map().isOn(1, -1) || topology.map().isOn(2, 1));
        assertEquals("0x1 1x1 0x1 1x2", topology.map().layout());
        assertEquals("0x3 1x1", Topology.blocks(TWO, new int[]{3, 1}).map().layout());
    }

    @Test
    void shouldRefuseWhatCannotBe()
    {
        assertTrue(refused(() -> new Topology(TWO, new int[]{0, 2})).contains("rank=1, found node=2, expected=0 to 1"));
        assertTrue(refused(() -> new Topology(TWO, new int[0])).contains("ranks out of range"));
        assertTrue(refused(() -> new Topology(List.of(), new int[1])).contains("nodes out of range"));
        assertTrue(refused(() -> Topology.blocks(TWO, new int[3])).contains("found=3 numbers, expected=2"));
        assertTrue(refused(() -> new Topology(List.of(TWO.get(0), TWO.get(0)), new int[1])).contains("one address"));
    }

    @Test
    void shouldReadAddresses()
    {
        assertEquals(new NodeAddress("host.example", 7), NodeAddress.parse("host.example", 7));
        assertEquals(new NodeAddress("10.0.0.1", 8), NodeAddress.parse("10.0.0.1:8", 7));
        assertEquals(new NodeAddress("fe80::1", 9), NodeAddress.parse("[fe80::1]:9", 7));
        assertEquals("[fe80::1]:7", NodeAddress.parse("[fe80::1]", 7).toString());
        assertEquals("a:7", NodeAddress.parse("a", 7).toString());
        for (final String text : List.of("", "a:", "a:b", "a:0", "a:65536", "fe80::1", "[fe80::1", "[a]b:1", "a|b", "a b",
            "a?x:1", "a:99999999999", "a:-1"))
        {
            refused(() -> NodeAddress.parse(text, 7));
        }
    }
}
