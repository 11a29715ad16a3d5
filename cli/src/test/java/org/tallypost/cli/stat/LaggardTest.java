// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.stat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.junit.jupiter.api.Test;
import org.tallypost.cli.console.JsonText;
import org.tallypost.collectives.TeamStat;

class LaggardTest
{
    private static final List<TeamStat.Late> LATE = List.of(new TeamStat.Late(-2, 3, 7, 11, "all reduce", List.of(0, 9)));

    private final Laggard laggard = new Laggard();

    @Test
    void shouldNameTheLargestBacklogAtTheFirstLook()
    {
        final Optional<Laggard.Finding> found = laggard.update(node(0, sample(0, 5, 1), sample(1, 9, 1), sample(2, 7, 1)));
        assertEquals(1, found.orElseThrow().sample().rank());
        assertEquals(0, found.orElseThrow().stillNs());
    }

    @Test
    void shouldPreferTheOneThatHasNotPolledForLongest()
    {
        laggard.update(node(0, sample(0, 5, 1), sample(1, 9, 1)));
        laggard.update(node(10, sample(0, 5, 1), sample(1, 9, 2)));
        final Optional<Laggard.Finding> found = laggard.update(node(30, sample(0, 5, 1), sample(1, 900, 2)));
        assertEquals(0, found.orElseThrow().sample().rank());
        assertEquals(30, found.orElseThrow().stillNs());
    }

    @Test
    void shouldNameNobodyWithoutABacklog()
    {
        laggard.update(node(0, sample(0, 0, 1)));
        assertEquals(Optional.empty(), laggard.update(node(1_000, sample(0, 0, 1))));
    }

    @Test
    void shouldShowTheLaggardInTableAndJson()
    {
        final NodeSample first = node(0, sample(3, 5, 1));
        final NodeSample second = node(2_000_000_000L, sample(3, 5, 1));
        laggard.update(first);
        final Optional<Laggard.Finding> found = laggard.update(second);
        final String table = StatTable.of(second, first, found, 10);
        assertTrue(table.contains(String.format(
            "laggard: rank 3 (pid 77): 5 slots unread,%n         and no poll seen for 2.0 s")), table);
        final String json = StatFormat.json(second, found, List.of());
        assertTrue(json.contains("\"laggard\":{\"rank\":3,\"pid\":77,\"backlogSlots\":5,\"stillNs\":2000000000}"), json);
        assertEquals(1, json.lines().count());
    }

    @Test
    void shouldWriteTheJsonThatALibraryWrites() throws JsonProcessingException
    {
        final ObjectMapper mapper = new ObjectMapper();
        final NodeSample node = new NodeSample("/a \"node\"\\\u0001\n", "gr\u00fcppe", 0, 1, 1_000, 0,
            List.of(sample(3, 5, 1), sample(4, 0, Long.MAX_VALUE)), List.of());
        final JsonNode root = mapper.readTree(StatFormat.json(node, laggard.update(node), LATE));
        assertEquals(mapper.writeValueAsString(root), StatFormat.json(node, laggard.update(node), LATE));
        assertEquals(node.directory(), root.path("directory").textValue());
        assertEquals(node.group(), root.path("group").textValue());
        assertEquals(mapper.writeValueAsString(node.endpoints()), root.path("endpoints").toString());
        assertEquals(mapper.writeValueAsString(LATE), root.path("late").toString());
        assertEquals("null", JsonText.of(null));
    }

    @Test
    void shouldShowFewLateMembersInLinesOf80Columns()
    {
        final List<Integer> many = IntStream.range(1_000, 2_021).boxed().toList();
        final TeamStat.Late late = new TeamStat.Late(-2, 12, 1_023, 4_000_000_000L, "exclusive scan", many);
        final String lines = StatFormat.late(List.of(LATE.get(0), late, late, late), 2);
        assertEquals("""
            late: rank 7 has not come to all reduce 11
                  of team fffffffffffffffe, view 3; waiting: 0, 9
            late: rank 1023 has not come to exclusive scan 4000000000
                  of team fffffffffffffffe, view 12; waiting: 1000, 1001, 1002 and 1018 more
            and 2 more late members
            """, lines.replace(System.lineSeparator(), "\n"));
        assertTrue(lines.lines().allMatch((line) -> line.length() <= 80), lines);
        assertEquals("", StatFormat.late(List.of(), 2));
    }

    private static NodeSample node(final long timeNs, final EndpointSample... samples)
    {
        return new NodeSample("/node", "group", 0, 1, 1_000, timeNs, List.of(samples), List.of());
    }

    private static EndpointSample sample(final int rank, final long backlogSlots, final long polls)
    {
        return new EndpointSample(
            rank, 1, true, "open", 77, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            false, backlogSlots, 0, 4096, polls, 0, 0, 0, 0);
    }
}
