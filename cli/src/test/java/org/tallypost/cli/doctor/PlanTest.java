// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.node.Node;

class PlanTest
{
    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"1, 4", "2, 64", "5, 8", "16, 64", "3, 300"})
    void shouldNeedWhatANodeTakesThatHasAllItsRanksOpen(final int ranks, final int slots)
    {
        final File place = directory.resolve("node").toFile();
        final SystemHost host = new SystemHost(Path.of("/"));
        final Plan before = new Plan(place, host.node(place), ranks, slots, 1, 0);
        final long needed = before.neededLength();
        final List<Endpoint> open = new ArrayList<>();
        try (Node node = Node.launch(new NodeContext().directory(place).rankCount(ranks).slotsPerSender(slots)))
        {
            for (int rank = 0; rank < ranks; rank++)
            {
                final long rest = new Plan(place, host.node(place), ranks, slots, 1, 0).neededLength();
                assertTrue(rest < needed, "less is needed, as some is there: " + rest + " of " + needed);
                open.add(node.open(rank));
            }
            final long taken = Stream.of(place.listFiles()).mapToLong(File::length).sum();
            assertTrue(taken <= needed, "taken " + taken + ", said to be needed " + needed);
            assertTrue(needed <= taken + (taken >> 1) + (1 << 20), "taken " + taken + ", said to be needed " + needed);
            assertEquals(0, new Plan(place, host.node(place), ranks, slots, 1, 0).neededLength());
        }
        assertEquals(Optional.empty(), host.node(directory.toFile()));
        assertEquals(0, new Plan(place, Optional.empty(), 0, slots, 1, 0).neededLength(), "no plan");
    }
}
