// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.doctor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.cli.CommandRun;
import org.tallypost.cli.HeldNode;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.node.Node;

@Tag("once")
class ListCommandTest
{
    @TempDir
    private Path place;

    private CommandRun list(final String... options)
    {
        final String[] args = new String[options.length + 2];
        args[0] = "ls";
        System.arraycopy(options, 0, args, 1, options.length);
        args[options.length + 1] = place.toString();
        return CommandRun.of(args);
    }

    @Test
    void shouldListLivingAndDeadNodes() throws IOException
    {
        final CommandRun none = list();
        assertEquals(0, none.exitCode(), none::toString);
        assertEquals("no nodes below " + place, none.output().strip());
        final Path deep = Files.createDirectories(place.resolve("a/b"));
        try (ForkedJvm holder = HeldNode.start(deep.resolve("dead")))
        {
            holder.kill();
        }
        final Path damaged = Files.createDirectory(place.resolve("damaged"));
        Files.writeString(damaged.resolve("group"), "none");
        Files.writeString(damaged.resolve("registry"), "none");
        try (Node node = Node.launch(HeldNode.context(place.resolve("living").toFile()).deleteOnClose(true));
            Endpoint endpoint = node.open(2))
        {
            final CommandRun run = list();
            assertEquals(0, run.exitCode(), run::toString);
            final List<String> lines = run.output().lines().map((line) -> line.replaceAll(" +", " ")).sorted().toList();
            assertEquals(4, lines.size(), run::toString);
            assertTrue(lines.get(0).matches("dead 3 0 [0-9.,]+ " + deep.resolve("dead") + ", held"), run::toString);
            assertTrue(lines.get(1).matches("living 3 1 [0-9.,]+ " + place.resolve("living") + ", held"),
                () -> run + " of " + endpoint);
            assertEquals("processes ranks open MiB directory, group", lines.get(2));
            assertTrue(lines.get(3).startsWith("unreadable 0 0 0.0 " + damaged + ", "), run::toString);
            int open = 0;
            final CommandRun lined = list("--json");
            assertEquals(3, lined.output().lines().count(), lined::toString);
            for (final String line : lined.output().lines().toList())
            {
                final JsonNode json = new ObjectMapper().readTree(line);
                assertTrue(json.path("bytes").asLong() > 0 && json.path("directory").asText().startsWith(place.toString()), line);
                open += json.path("open").asInt();
            }
            assertEquals(1, open);
        }
    }

    @Test
    void shouldListANodeByItsOwnDirectory()
    {
        try (Node node = Node.launch(HeldNode.context(place.resolve("own").toFile()).deleteOnClose(true)))
        {
            final CommandRun run = CommandRun.of("ls", node.context().directory().getPath());
            assertEquals(2, run.output().lines().count(), run::toString);
            assertTrue(run.output().contains("living"), run::toString);
        }
    }

    /** A terminal obeys what the name of a directory or of a group says, and a name of two lines is not two nodes. */
    @Test
    void shouldWriteNothingThatATerminalObeys()
    {
        final Path obeyed = place.resolve("a\033[31m\nb");
        final String printed = place.resolve("a?[31m?b").toString();
        try (Node node = Node.launch(HeldNode.context(obeyed.toFile()).groupName("c\u009b2J\u2028d").deleteOnClose(true)))
        {
            final CommandRun run = list();
            assertEquals(2, run.output().lines().count(), run::toString);
            assertTrue(run.output().endsWith(printed + ", c?2J?d" + System.lineSeparator()), run::toString);
            final String directory = node.context().directory().getPath();
            for (final String command : List.of("ls --json", "stat --count 1", "stat --json --count 1", "stat --prometheus",
                "doctor --verbose", "doctor --json", "clean --dry-run"))
            {
                final String[] words = (command + " -").split(" ");
                words[words.length - 1] = directory;
                final CommandRun other = CommandRun.of(words);
                assertEquals("", other.output().replaceAll("[^\\p{Cc}\\u2028]|[\r\n]", ""), () -> command + ": " + other);
            }
            assertTrue(CommandRun.of("stat", "--count", "1", directory).output().contains("group c?2J?d: "), directory);
        }
        final CommandRun none = CommandRun.of("stat", obeyed.toString());
        assertEquals(1, none.exitCode(), none::toString);
        assertTrue(none.errors().contains(printed) && none.errors().lines().count() == 1, none::toString);
    }

    @Test
    void shouldRefuseWhatIsNoDirectory()
    {
        final CommandRun run = CommandRun.of("ls", place.resolve("none").toString());
        assertEquals(1, run.exitCode(), run::toString);
        assertTrue(run.errors().startsWith("no directory: found=nothing, expected="), run::toString);
        assertEquals(2, CommandRun.of("ls", "--none").exitCode());
    }
}
