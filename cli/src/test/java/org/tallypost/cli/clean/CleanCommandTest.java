// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.cli.clean;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.cli.CommandRun;
import org.tallypost.cli.HeldNode;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;
import org.tallypost.node.Node;

@Tag("once")
class CleanCommandTest
{
    @TempDir
    private Path place;

    private Path node()
    {
        return place.resolve("node");
    }

    private List<String> names()
    {
        final String[] names = node().toFile().list();
        Arrays.sort(names);
        return List.of(names);
    }

    private CommandRun clean(final String... options)
    {
        final String[] args = Arrays.copyOf(new String[]{ "clean", node().toString() }, 2 + options.length);
        System.arraycopy(options, 0, args, 2, options.length);
        return CommandRun.of(args);
    }

    @Test
    void shouldRemoveTheNodeOfAKilledProcess()
    {
        try (ForkedJvm holder = HeldNode.start(node()))
        {
            holder.kill();
        }
        final List<String> before = names();
        assertTrue(before.containsAll(
            List.of("group", "lock", "mailbox-0-1", "mailbox-1-1", "registry", "shared-held")), before::toString);

        final long bytes = before.stream().mapToLong((name) -> node().resolve(name).toFile().length()).sum();
        final CommandRun dry = clean("--dry-run");
        assertEquals(0, dry.exitCode(), dry::toString);
        assertEquals(before, names());
        before.forEach((name) -> assertTrue(dry.output().contains("would remove " + node().resolve(name)), dry::toString));

        final CommandRun run = clean();
        assertEquals(0, run.exitCode(), run::toString);
        before.forEach((name) -> assertTrue(run.output().contains("removed " + node().resolve(name)), run::toString));
        assertTrue(run.output().contains(String.format(Locale.ROOT,
            "removed %d files, %,d KiB; no process of the node was left, and the directory is gone",
            before.size(), bytes / 1024)), run::toString);
        assertFalse(Files.exists(node()), run::toString);
        assertEquals("", run.errors());
    }

    @Test
    void shouldKeepWhatIsNoneOfTheNodes() throws IOException
    {
        try (ForkedJvm holder = HeldNode.start(node()))
        {
            holder.kill();
        }
        final List<String> others =
            List.of("aeron.log", "bell-of-mine", "driver", "egress-", "mailbox-1", "mailbox-1-2-3", "mailbox-notes.txt",
            "shared-notes.txt");
        for (final String name : others)
        {
            if (name.equals("driver"))
            {
                Files.createDirectory(node().resolve(name));
                Files.writeString(node().resolve(name).resolve("notes"), "");
            }
            else
            {
                Files.writeString(node().resolve(name), "");
            }
        }
        final CommandRun run = clean();
        assertEquals(0, run.exitCode(), run::toString);
        assertEquals(others, names());
        assertTrue(run.output().contains("the directory stays, it has other files: "), run::toString);
        assertEquals(1, clean().exitCode(), "it is no node's any more");
    }

    @Test
    void shouldRemoveTheFilesOfAnEmbeddedDriverOfADeadNode() throws IOException
    {
        try (ForkedJvm holder = HeldNode.start(node()))
        {
            holder.kill();
        }
        final Path outside = Files.writeString(place.resolve("outside"), "");
        final Path files = Files.createDirectories(node().resolve("driver/aeron/publications"));
        Files.writeString(files.resolve("1.logbuffer"), "");
        Files.createSymbolicLink(files.resolve("link"), outside);
        final CommandRun run = clean();
        assertEquals(0, run.exitCode(), run::toString);
        assertFalse(Files.exists(node()), run::toString);
        assertTrue(Files.exists(outside), "links are not followed");
    }

    @Test
    void shouldLeaveALivingNodeAloneButForWhatADeadProcessLeft() throws IOException
    {
        try (Node node = Node.launch(HeldNode.context(node().toFile()));
            Endpoint endpoint = node.open(2);
            ForkedJvm other = HeldNode.start(node()))
        {
            final CommandRun before = clean();
            assertEquals(0, before.exitCode(), before::toString);
            assertTrue(before.output().startsWith("removed 0 files"), before::toString);
            assertEquals(64, node.createShared("own", 64).length());
            other.kill();
            final Path unmade = Files.writeString(node().resolve(".registry.new"), "");
            Watchdog.await("the death of the other process", () -> endpoint.offer(1, 1, new UnsafeBuffer(new byte[8]), 0, 8) < 0);
            Watchdog.await("its mailboxes to go", () ->
            {
                final CommandRun run = clean();
                assertEquals(0, run.exitCode(), run::toString);
                assertTrue(run.output().contains("; the node has living processes and stays"), run::toString);
                return !Files.exists(node().resolve("mailbox-0-1")) && !Files.exists(node().resolve("mailbox-1-1")) &&
                    !Files.exists(node().resolve("shared-held"));
            });
            assertFalse(Files.exists(unmade));
            assertTrue(Files.exists(node().resolve("mailbox-2-1")) && Files.exists(node().resolve("shared-own")));
            try (Endpoint again = node.open(1))
            {
                final UnsafeBuffer message = new UnsafeBuffer(new byte[8]);
                Watchdog.await("a message", () ->
                {
                    endpoint.offer(1, 1, message, 0, 8);
                    return again.poll((source, tag, buffer, offset, length) -> assertEquals(8, length), 10) > 0;
                });
            }
        }
    }

    @Test
    void shouldRefuseWhatIsNoNode() throws IOException
    {
        assertEquals(1, clean().exitCode());
        Files.createDirectory(node());
        Files.writeString(node().resolve("mailbox-1-1"), "mine");
        final CommandRun other = clean();
        assertEquals(1, other.exitCode(), other::toString);
        assertTrue(other.errors().startsWith("no node here: "), other::toString);
        // no lock was made there
        assertEquals(List.of("mailbox-1-1"), names());
        Files.writeString(node().resolve("group"), "mine as well, and no group file of this project");
        Files.writeString(node().resolve("registry"), "");
        final CommandRun damaged = clean();
        assertEquals(1, damaged.exitCode(), damaged::toString);
        assertEquals(List.of("group", "mailbox-1-1", "registry"), names());
        assertEquals(2, CommandRun.of("clean").exitCode());
    }

    @Test
    void shouldRefuseADirectoryInWhichOthersMayWrite() throws IOException
    {
        try (ForkedJvm holder = HeldNode.start(node()))
        {
            holder.kill();
        }
        final List<String> before = names();
        Files.setPosixFilePermissions(node(), PosixFilePermissions.fromString("rwxrwxrwx"));
        final CommandRun run = clean();
        assertEquals(1, run.exitCode(), run::toString);
        assertTrue(run.errors().contains("writable by others"), run::toString);
        assertEquals(before, names());
    }
}
