// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.stat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Instant;
import java.util.List;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.cli.CommandRun;
import org.tallypost.cli.HeldNode;
import org.tallypost.cli.Tallypost;
import org.tallypost.collectives.Barrier;
import org.tallypost.collectives.Collectives;
import org.tallypost.collectives.CollectivesContext;
import org.tallypost.collectives.Team;
import org.tallypost.collectives.TeamMeeting;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.endpoint.NodeContext;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;
import org.tallypost.node.NodeStat;

@Tag("once")
class StatCommandTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldReadARunningNodeAndNameTheLaggard() throws IOException
    {
        final NodeContext context = new NodeContext().directory(directory.toFile()).groupName("stat").rankCount(3);
        try (Node node = Node.launch(context); Endpoint sender = node.open(0); Endpoint receiver = node.open(1))
        {
            final UnsafeBuffer message = new UnsafeBuffer(new byte[100]);
            assertTrue(sender.offer(receiver.rank(), 1, message, 0, message.capacity()) >= 0);

            final CommandRun table = CommandRun.of("stat", directory.toString(), "--count", "2", "--interval", "1ms");
            assertEquals(0, table.exitCode(), table::toString);
            assertTrue(table.output().startsWith("group stat: 3 ranks, flow dynamic, credit return direct"), table::toString);
            assertTrue(table.output().contains("laggard: rank 1 (pid " + ProcessHandle.current().pid() + "): 2 slots unread"),
                table::toString);

            final CommandRun json = CommandRun.of("stat", directory.toString(), "--count", "1", "--json");
            final JsonNode root = new ObjectMapper().readTree(json.output());
            assertEquals(2, root.path("endpoints").size(), json::toString);
            assertEquals(1, root.path("schema").asInt(), json::toString);
            assertEquals(directory.toAbsolutePath().toString(), root.path("directory").asText(), json::toString);
            assertEquals("stat", root.path("group").asText(), json::toString);
            assertFalse(Instant.parse(root.path("time").asText()).isAfter(Instant.now()), json::toString);
            assertEquals("open", root.path("endpoints").path(0).path("state").asText(), json::toString);
            for (final String name : List.of("refused", "skippedSlots", "repairedCredits", "creditsRevoked", "nudges"))
            {
                assertTrue(root.path("endpoints").path(0).path(name).isIntegralNumber(), () -> name + json);
            }
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
    void shouldShowALinkThatIsDown() throws IOException
    {
        try (Node node = Node.launch(HeldNode.linkedContext(directory.toFile())); Endpoint endpoint = node.open(0))
        {
            assertEquals(0, endpoint.rank());
            final CommandRun table = CommandRun.of("stat", directory.toString(), "--count", "1");
            assertTrue(table.output().contains("links, since the node was founded"), table::toString);
            final CommandRun json = CommandRun.of("stat", directory.toString(), "--count", "1", "--json");
            final JsonNode links = new ObjectMapper().readTree(json.output()).path("links");
            assertEquals(1, links.size(), json::toString);
            assertEquals(1, links.path(0).path("peer").asInt(), json::toString);
            assertTrue(links.path(0).path("up").isBoolean(), json::toString);
            assertEquals(0, links.path(0).path("ups").asLong(-1), json::toString);
            final CommandRun metrics = CommandRun.of("stat", directory.toString(), "--prometheus");
            assertTrue(metrics.output().lines().anyMatch((line) -> line.startsWith("tallypost_link_up{") &&
                line.endsWith("node=\"0\",peer=\"1\"} 0")), metrics::toString);
        }
    }

    @Test
    void shouldNameMembersThatKeepOthersWaiting()
    {
        final NodeContext context = context(directory, "late");
        try (Node node = Node.launch(context); Endpoint first = node.open(0); Endpoint second = node.open(2);
            Collectives waiting = Collectives.attach(node, first, new CollectivesContext());
            Collectives late = Collectives.attach(node, second, new CollectivesContext()))
        {
            final TeamMeeting here = waiting.meeting(5, 0, 2);
            final TeamMeeting there = late.meeting(5, 0, 2);
            Watchdog.await("both", () -> here.tryEnter() & there.tryEnter());
            final Barrier barrier = here.team().newBarrier();
            final Barrier other = there.team().newBarrier();
            assertFalse(CommandRun.of("stat", directory.toString(), "--count", "1").output().contains("late: rank"));
            assertEquals(Team.IN_PROGRESS, barrier.start());
            final CommandRun table = CommandRun.of("stat", directory.toString(), "--count", "1");
            assertTrue(table.output().contains(String.format("late: rank 2 has not come to barrier 0%n")), table::toString);
            assertTrue(table.output().contains(String.format("; waiting: 0%n")), table::toString);
            other.start();
            Watchdog.await("the barrier", () -> barrier.progress() >= 0);
            assertFalse(CommandRun.of("stat", directory.toString(), "--count", "1").output().contains("late: rank"));
        }
    }

    @Test
    void shouldCallRanksOfDeadProcessesDeadThoughNoProcessOfTheNodeIsLeft() throws IOException
    {
        try (ForkedJvm holder = HeldNode.start(directory))
        {
            final CommandRun before = CommandRun.of("stat", directory.toString(), "--count", "1");
            assertTrue(before.output().contains("2 open"), before::toString);
            holder.kill();
            Watchdog.await("the end of the process", () -> !holder.isAlive());
        }
        // without a count: nothing changes any more, so it ends
        final CommandRun table = CommandRun.of("stat", directory.toString());
        assertEquals(2, table.output().lines().filter((line) -> line.contains("  dead  ")).count(), table::toString);
        assertTrue(table.output().contains("0 open"), table::toString);
        final CommandRun json = CommandRun.of("stat", directory.toString(), "--count", "1", "--json");
        final JsonNode endpoint = new ObjectMapper().readTree(json.output()).path("endpoints").path(0);
        assertEquals("dead", endpoint.path("state").asText(), json::toString);
        assertFalse(endpoint.path("open").asBoolean(), json::toString);
        assertTrue(endpoint.path("pid").asLong() > 0, json::toString);
        assertEquals(1, endpoint.path("sent").asLong(), json::toString);
    }

    private static NodeContext context(final Path place, final String name)
    {
        return new NodeContext().directory(place.toFile()).groupName(name).rankCount(3);
    }

    @Test
    void shouldGoOnWithANewNodeAndEndWhenThereIsNone() throws IOException
    {
        final Path first = directory.resolve("first");
        final Path second = directory.resolve("second");
        Node.launch(context(first, "first")).close();
        Node.launch(context(second, "second")).close();
        // what a link names changes at once
        final Path place = Files.createSymbolicLink(directory.resolve("place"), first);
        final NodeStat stat = NodeStat.attach(place.toFile());
        try (ForkedJvm run = ForkedJvm.start(Tallypost.class, "stat", place, "--interval", "10ms"))
        {
            Watchdog.await("the first node", () -> starts(run.pollLine(), "group first: 3 ranks"));
            assertTrue(stat.isCurrent());
            Files.move(Files.createSymbolicLink(directory.resolve("next"), second), place, StandardCopyOption.ATOMIC_MOVE);
            assertFalse(stat.isCurrent());
            Watchdog.await("the second node", () -> starts(run.pollLine(), "group second: 3 ranks"));
            IoUtil.delete(second.toFile(), false);
            assertEquals(0, run.waitFor());
        }
        assertFalse(stat.isCurrent());
    }

    private static boolean starts(final String line, final String text)
    {
        return line != null && line.startsWith(text);
    }

    @Test
    void shouldSayThatThereIsNoNode() throws IOException
    {
        final CommandRun run = CommandRun.of("stat", directory.resolve("none").toString());
        assertEquals(1, run.exitCode(), run::toString);
        assertTrue(run.errors().contains("found=nothing"), run::toString);
        final CommandRun file = CommandRun.of("stat", Files.writeString(directory.resolve("file"), "").toString());
        assertEquals(1, file.exitCode(), file::toString);
        assertTrue(file.errors().contains("found=a file"), file::toString);
        Files.delete(directory.resolve("file"));
        final CommandRun other = CommandRun.of("stat", directory.toString());
        assertEquals(1, other.exitCode(), other::toString);
        assertTrue(other.errors().startsWith("no node here: directory=" + directory + ", found no file group in it") &&
            other.errors().contains("tallypost ls"), other::toString);
        assertEquals(1, other.errors().lines().count(), other::toString);
        assertEquals(2, CommandRun.of("stat").exitCode());
        assertEquals(2, CommandRun.of("stat", directory.toString(), "--interval", "never").exitCode());
        assertEquals(2, CommandRun.of("stat", directory.toString(), "--count", "-1").exitCode());
    }
}
