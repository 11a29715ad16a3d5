// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.knobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.activemessages.LoggpKnobs;
import org.tallypost.activemessages.LoggpKnobs.Knob;
import org.tallypost.cli.CommandRun;
import org.tallypost.cli.HeldNode;
import org.tallypost.node.Node;

@Tag("once")
class KnobsCommandTest
{
    @TempDir
    private Path place;

    private File directory()
    {
        return place.resolve("node").toFile();
    }

    private CommandRun knobs(final String... options)
    {
        final String[] args = Arrays.copyOf(new String[]{ "knobs", directory().toString() }, 2 + options.length);
        System.arraycopy(options, 0, args, 2, options.length);
        return CommandRun.of(args);
    }

    @Test
    void shouldSetAndShowTheKnobsOfRunningRanks()
    {
        try (Node node = Node.launch(HeldNode.context(directory()).deleteOnClose(true));
            LoggpKnobs zero = LoggpKnobs.open(node, 0);
            LoggpKnobs two = LoggpKnobs.open(node, 2))
        {
            final CommandRun all = knobs("--o", "2us", "--g", "1.5ms", "--G", "11us/100B", "--L", "500ns");
            assertEquals(0, all.exitCode(), all::toString);
            for (final LoggpKnobs each : new LoggpKnobs[]{ zero, two })
            {
                assertEquals(2_000, each.get(Knob.OVERHEAD));
                assertEquals(1_500_000, each.get(Knob.GAP));
                assertEquals(110_000, each.get(Knob.BYTE_GAP));
                assertEquals(500, each.get(Knob.LATENCY));
            }
            assertTrue(all.output().contains("0     2.000  1500.000     11.000  0.500"), all::toString);

            final CommandRun one = knobs("--rank", "2", "--reset", "--L", "10us");
            assertEquals(0, one.exitCode(), one::toString);
            assertEquals(0, two.get(Knob.OVERHEAD));
            assertEquals(10_000, two.get(Knob.LATENCY));
            assertEquals(2_000, zero.get(Knob.OVERHEAD));
            assertEquals(2, one.output().lines().count(), one::toString);

            final CommandRun none = knobs("--rank", "1");
            assertEquals(1, none.exitCode(), none::toString);
            assertTrue(none.errors().contains("no rank with knobs") && none.errors().contains("rank=1"), none::toString);
        }
    }

    @ParameterizedTest
    @CsvSource({"--o,2", "--L,1us/B", "--g,2s", "--o,1000000001ns", "--G,1us", "--G,1us/0B", "--G,2ms/B",
        "--G,11/100B", "--rank,x", "--rank,-1", "--o,9999999999us", "--o,NaN",
        "--g,Infinity", "--L,-1us", "--G,-1us/B", "--o,1e3us",
        "--L,99999999999999999999999s", "--G,1us/99999999999999999999B", "--g,''"})
    void shouldRefuseAbsurdValues(final String option, final String value)
    {
        try (Node node = Node.launch(HeldNode.context(directory()).deleteOnClose(true));
            LoggpKnobs zero = LoggpKnobs.open(node, 0))
        {
            final CommandRun run = knobs(option, value);
            assertEquals(2, run.exitCode(), run::toString);
            assertTrue(run.errors().contains(option) && run.errors().contains("expected"), run::toString);
            for (final Knob knob : Knob.values())
            {
                assertEquals(0, zero.get(knob));
            }
        }
    }

    @Test
    void shouldSayThatTheGroupIsGone()
    {
        final CommandRun none = knobs();
        assertEquals(1, none.exitCode(), none::toString);
        assertTrue(none.errors().contains("not a directory"), none::toString);
        try (Node node = Node.launch(HeldNode.context(directory()).deleteOnClose(true)))
        {
            LoggpKnobs.open(node, 0).close();
            final CommandRun gone = knobs("--o", "1us");
            assertEquals(1, gone.exitCode(), gone::toString);
            assertTrue(gone.errors().contains("no rank with knobs"), gone::toString);
        }
    }
}
