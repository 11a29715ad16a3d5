// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.Node;

class StatCommandTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldReadARunningNodeAndNameTheLaggard() throws IOException
    {
        final Node.Context context = new Node.Context().directory(directory.toFile()).groupName("stat").rankCount(3);
        try (Node node = Node.launch(context); Endpoint sender = node.open(0); Endpoint receiver = node.open(1))
        {
            final UnsafeBuffer message = new UnsafeBuffer(new byte[100]);
            assertTrue(sender.offer(receiver.rank(), 1, message, 0, message.capacity()) >= 0);

            final CommandRun table = CommandRun.of("stat", directory.toString(), "--count", "2", "--interval", "1ms");
            assertEquals(0, table.exitCode(), table::toString);
            assertTrue(table.output().startsWith("group stat: 3 ranks, flow dynamic, carrier direct"), table::toString);
            assertTrue(table.output().contains("laggard: rank 1 (pid " + ProcessHandle.current().pid() + "): 2 slots unread"),
                table::toString);

            final CommandRun json = CommandRun.of("stat", directory.toString(), "--count", "1", "--json");
            final JsonNode root = new ObjectMapper().readTree(json.output());
            assertEquals(2, root.path("endpoints").size(), json::toString);
            assertEquals(1, root.path("endpoints").path(0).path("sent").asLong(), json::toString);
            assertEquals(1, root.path("laggard").path("rank").asInt(), json::toString);

            assertEquals(1, receiver.poll((source, tag, buffer, offset, length) ->
            {
            }, 10));
            final CommandRun after = CommandRun.of("stat", directory.toString(), "--count", "1", "--json");
            assertTrue(new ObjectMapper().readTree(after.output()).path("laggard").isNull(), after::toString);
        }
    }

    @Test
    void shouldSayThatThereIsNoNode()
    {
        final CommandRun run = CommandRun.of("stat", directory.resolve("none").toString());
        assertEquals(1, run.exitCode(), run::toString);
        assertTrue(run.errors().contains("found=nothing"), run::toString);
        assertEquals(2, CommandRun.of("stat").exitCode());
        assertEquals(2, CommandRun.of("stat", directory.toString(), "--interval", "never").exitCode());
        assertEquals(2, CommandRun.of("stat", directory.toString(), "--count", "-1").exitCode());
    }
}
