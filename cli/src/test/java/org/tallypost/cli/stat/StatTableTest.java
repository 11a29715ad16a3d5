// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.stat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.tallypost.endpoint.transport.LinkCounter;
import org.tallypost.node.LinkStat;

class StatTableTest
{
    private static final long S = 1_000_000_000L;
    private static final int ALL = Integer.MAX_VALUE;

    /** Rank and pid, and then each counter a number of its own, times a factor. */
    private static EndpointSample sample(final int rank, final String state, final long factor, final long stallTimeNs)
    {
        return new EndpointSample(
            rank, 1, state.equals("open"), state, 4_000 + rank,
            101 * factor, 102 * factor, 103 * factor, 104 * factor, 5 * factor,
            stallTimeNs, 107 * factor, 108 * factor, 109 * factor, 110 * factor, 111 * factor, 112 * factor, 0, 0, 0,
            rank == 1 ? 2 : 0, 1, 0, true, 21, 22, 4_096, 23 * factor,
            rank == 1 ? 24 * factor : 0, 250_000 * factor, 26 * factor, 27);
    }

    private static NodeSample node(final long timeNs, final EndpointSample... samples)
    {
        return new NodeSample("/node", "group", 0, 1, 1_000, timeNs, List.of(samples), List.of());
    }

    @Test
    void shouldShowWhatWasCountedAtTheFirstLook()
    {
        final String table = StatTable.of(
            node(0, sample(0, "open", 1, 0), sample(1, "open", 2, 3 * S), sample(2, "dead", 1, 9 * S)), null, Optional.empty(),
                ALL);
        assertEquals("""
            traffic, since the ranks were opened
            rank   pid   state  sent  received  B sent  B received  unread  most
            1     4001    open   202       204     206         208      21    22
            0     4000    open   101       102     103         104      21    22
            2     4002    dead   101       102     103         104      21    22
            all      -  2 open   404       408     412         416      63    22
            credits, since the ranks were opened
            rank  stalls  waited  returns  nudges  stolen  revoked  asked  answers
            1         10    3.0s      214     216     218      220    222      224
            0          5    0.0s      107     108     109      110    111      112
            2          5    9.0s      107     108     109      110    111      112
            all       20   12.0s      428     432     436      440    444      448

            damage: none
            lanes of rank 1: 2, of these 1 own lines, 0 stay behind; polls wait
            bulk of rank 1: 48 operations, 500.0kB, 52 refused, 27 under way
            laggard: no open rank has anything to read
            """, table.replace(System.lineSeparator(), "\n"));
    }

    /** Each counter a number of its own, times a factor. */
    private static LinkStat link(final int peer, final boolean isUp, final long factor)
    {
        final Map<LinkCounter, Long> values = new EnumMap<>(LinkCounter.class);
        for (final LinkCounter counter : LinkCounter.values())
        {
            values.put(counter, counter == LinkCounter.UP ? isUp ? 1 : 0 : (100L + counter.ordinal()) * factor);
        }
        values.put(LinkCounter.STATE_TIME, 3 * S);
        values.put(LinkCounter.UP_TIME, isUp ? factor * S : 0);
        values.put(LinkCounter.DOWN_TIME, isUp ? 0 : factor * S);
        values.put(LinkCounter.STALL_TIME, factor * S / 4);
        return new LinkStat(peer, values);
    }

    private static NodeSample linked(final long timeNs, final LinkStat... links)
    {
        return new NodeSample("/node", "group", 0, 3, 1_000, timeNs, List.of(sample(0, "open", 1, 0)), List.of(links));
    }

    @Test
    void shouldShowLinksAndThoseThatAreDownFirst()
    {
        final NodeSample before = linked(0, link(1, true, 1), link(2, false, 2), link(3, true, 1));
        final NodeSample after = linked(S, link(1, true, 2), link(2, false, 2), link(3, true, 4));
        final String first = StatTable.of(before, null, Optional.empty(), ALL).replace(System.lineSeparator(), "\n");
        assertTrue(first.contains("""
            links, since the node was founded
            node  link   for  sent  received  B sent  B received  stalled  repairs  dropped
            2     down  3.0s   210       212     448         452     0.5s      470      238
            1       up  3.0s   105       106     224         226     0.3s      235      119
            3       up  3.0s   105       106     224         226     0.3s      235      119
            """), first);
        final String second = StatTable.of(after, before, Optional.empty(), 2).replace(System.lineSeparator(), "\n");
        assertTrue(second.contains("""
            links, per second
            node  link   for  sent  received  B sent  B received  stalled  repairs  dropped
            2     down  3.0s     -         -       -           -        -        -      238
            3       up  3.0s   105       106     224         226      25%      235      476
            and 1 more links
            """), second);
        assertTrue(second.lines().allMatch((line) -> line.length() <= 80), second);
    }

    @Test
    void shouldShowRatesFromTheSecondLookOn()
    {
        final NodeSample before = node(0, sample(0, "open", 1, 4 * S), sample(2, "open", 1, 4 * S));
        final NodeSample after = node(2 * S, sample(0, "open", 1, 4 * S), sample(2, "open", 201, 5 * S));
        final String table = StatTable.of(after, before, Optional.empty(), ALL);
        assertEquals("""
            traffic, per second
            rank   pid   state   sent  received  B sent  B received  unread  most
            2     4002    open  10100     10200   10300       10400      21    22
            0     4000    open      0         0       0           0      21    22
            all      -  2 open  10100     10200   10300       10400      42    22
            credits, per second
            rank  stalls  waited  returns  nudges  stolen  revoked  asked  answers
            2        500     50%    10700   10800   10900    11000  11100    11200
            0          0      0%        0       0       0        0      0        0
            all      500     50%    10700   10800   10900    11000  11100    11200
            since the ranks were opened: 20402 messages (20806B) sent, 20604 (21008B) received
                                         1010 stalls, waited 9.0 s

            damage: none
            laggard: no open rank has anything to read
            """, table.replace(System.lineSeparator(), "\n"));
    }

    @Test
    void shouldCountANewIncarnationFromItsBeginning()
    {
        final EndpointSample old = sample(0, "open", 100, 0);
        final EndpointSample again = new EndpointSample(0, 2, true, "open", 4_001, 6, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            0, 0, 0,
            true, 0, 0, 4_096, 1, 0, 0, 0, 0);
        final String table = StatTable.of(node(2 * S, again), node(0, old), Optional.empty(), ALL);
        assertTrue(table.lines().anyMatch((line) -> line.matches("0 +4001 +open +3 +0 .*")), table);
    }

    @Test
    void shouldHaveNoRateOfTwoLooksAtTheSameTime()
    {
        final NodeSample node = node(5, sample(0, "open", 1, 0));
        assertTrue(StatTable.of(node, node, Optional.empty(), ALL).startsWith("traffic, since"));
    }

    @Test
    void shouldShowTheFirstRanksOnlyIfThereAreMore()
    {
        final NodeSample node =
            node(0, sample(0, "open", 1, 0), sample(1, "open", 2, 3 * S), sample(2, "open", 1, 9 * S), sample(3, "open", 1, S));
        final String table = StatTable.of(node, null, Optional.empty(), 2);
        assertTrue(table.contains("and 2 more ranks, which are in the rows 'all'"), table);
        assertEquals(2, table.lines().filter((line) -> line.startsWith("2 ")).count(), table);
        assertFalse(table.lines().anyMatch((line) -> line.startsWith("3 ")), table);
        assertTrue(table.lines().anyMatch((line) -> line.startsWith("all ") && line.contains("4 open")), table);
    }

    @Test
    void shouldTellDamage()
    {
        final EndpointSample damaged = new EndpointSample(7, 1, true, "open", 4_001, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3,
            200_000, 1,
            0, 0, 0, true, 0, 0, 4_096, 1, 0, 0, 0, 0);
        final String table = StatTable.of(node(0, sample(0, "open", 1, 0), damaged), null, Optional.empty(), ALL);
        assertTrue(table.contains("damage, rank 7: 3 refused, 200.0k slots skipped, 1 repaired"), table);
        assertFalse(table.contains("damage: none"), table);
    }

    @Test
    void shouldFitEightyColumnsWithTheLargestCounts()
    {
        final long most = Long.MAX_VALUE / 4;
        final EndpointSample large = new EndpointSample(1_048_575, 9, true, "closed", 4_194_304, most, most, most, most, most,
            most,
            most, most, most, most, most, most, most, most, most, 4, 4, 4, false, most, most, most, most,
            most, most, most, most);
        final NodeSample before = node(0, sample(1_048_575, "open", 0, 0));
        final NodeSample after = node(1, large, sample(3, "open", 1, 0));
        final Optional<Laggard.Finding> laggard = Optional.of(new Laggard.Finding(large, most));
        for (final NodeSample first : new NodeSample[]{null, before, node(-S, sample(3, "open", 1, 0))})
        {
            StatTable.of(after, first, laggard, ALL).lines()
                .forEach((line) -> assertTrue(line.length() <= 80, line.length() + ": " + line));
        }
    }

    @Test
    void shouldRoundLargeCountsAndAddThemUp()
    {
        final String table = StatTable.of(node(0, sample(0, "open", 990, 0), sample(1, "open", 9_900, 0)), null,
            Optional.empty(), ALL);
        assertTrue(table.contains("  99990  ") && table.contains("  999.9k  ") && table.contains("  1.1M  "), table);
    }
}
