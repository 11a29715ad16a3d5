// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.node.Node;

/** Holds the run book, docs/guide/operations.md, against what the commands write. */
@Tag("once")
class RunBookTest
{
    private static final Pattern TYPE = Pattern.compile("(?m)^# TYPE (\\S+) ");
    private static final Pattern COUNTER = Pattern.compile("`(tallypost_[a-z_]+)`");
    private static final Pattern NAME = Pattern.compile("`([^`]+)`");

    @TempDir
    private Path directory;

    private static String section(final String title) throws IOException
    {
        final String text = Files.readString(Path.of("..", "docs", "guide", "operations.md"));
        final int begin = text.indexOf("\n## " + title + "\n");
        assertFalse(begin < 0, () -> "operations.md has no section " + title);
        final int end = text.indexOf("\n## ", begin + 1);
        return text.substring(begin, end < 0 ? text.length() : end);
    }

    private static Set<String> all(final Pattern pattern, final String text)
    {
        return pattern.matcher(text).results().map((final MatchResult found) -> found.group(1))
            .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void shouldSayOfEachCounterWhatItMeans() throws IOException
    {
        try (Node node = Node.launch(HeldNode.linkedContext(directory.toFile())); Endpoint endpoint = node.open(0))
        {
            assertEquals(0, endpoint.rank());
            final CommandRun run = CommandRun.of("stat", directory.toString(), "--prometheus");
            assertEquals(0, run.exitCode(), run::toString);
            assertEquals(all(TYPE, run.output()), all(COUNTER, section("While it runs")), "counters, and those in operations.md");
        }
    }

    @Test
    void shouldSayOfEachCheckWhatToDo() throws IOException
    {
        try (Node node = Node.launch(HeldNode.context(directory.toFile())); Endpoint endpoint = node.open(0))
        {
            assertEquals(0, endpoint.rank());
            final CommandRun run = CommandRun.of("doctor", "--json", "--ranks", "2", "--nodes", "2", directory.toString());
            final Set<String> checks = new TreeSet<>();
            for (final JsonNode each : new ObjectMapper().readTree(run.output()).path("checks"))
            {
                checks.add(each.path("check").asText());
            }
            assertFalse(checks.isEmpty(), run::toString);
            final Set<String> rows = new TreeSet<>();
            section("Before the start").lines().filter((line) -> line.startsWith("| `"))
                .forEach((line) -> rows.addAll(all(NAME, line.split("\\|")[1])));
            checks.removeAll(rows);
            assertEquals(Set.of(), checks, "checks of doctor without a row in operations.md");
        }
    }
}
