// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.study;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.benchmarks.Tallypost;
import org.tallypost.cli.CommandRun;

/** Each adapter and what it is held against carry a few messages. */
class AdaptersCommandTest
{
    @TempDir
    private Path directory;
    @TempDir
    private Path outputs;

    private CommandRun run(final String options)
    {
        return CommandRun.of(
            Tallypost.commandLine(), ("bench adapters --directory " + directory + " " + options).split(" "));
    }

    @Test
    void shouldMeasureEachAdapterBesideItsReference() throws IOException
    {
        final Path json = outputs.resolve("adapters.json");
        final CommandRun run = run("--messages 200 --turns 1 --warmup 1 --json " + json);
        assertEquals(0, run.exitCode(), run.errors());
        final JsonNode root = new ObjectMapper().readTree(json.toFile());
        for (final String name : List.of("agrona", "flow", "blocking", "rsocket"))
        {
            assertTrue(run.output().lines().anyMatch((line) -> line.startsWith(name + " ")), run.output());
            assertTrue(root.get(name).get("messagesPerS").asDouble() > 0, root::toString);
            assertTrue(root.get(name).get("referenceMessagesPerS").asDouble() > 0, root::toString);
        }
        assertArrayEquals(new String[0], directory.toFile().list());
    }

    @Test
    void shouldRefuseAnAdapterThatThereIsNot()
    {
        final CommandRun run = run("--adapters flow,nothing");
        assertEquals(2, run.exitCode(), run.output());
        assertTrue(run.errors().contains("--adapters: found nothing"), run.errors());
    }
}
