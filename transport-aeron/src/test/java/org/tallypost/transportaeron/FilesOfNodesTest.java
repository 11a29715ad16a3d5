// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.tallypost.endpoint.transport.TransportEvent;
import org.tallypost.mailbox.ForkedJvm;
import org.tallypost.mailbox.Watchdog;

/** Nodes that are linked keep their files, and those of the media driver, from other users, whatever the umask. */
@Tag("once")
class FilesOfNodesTest
{
    @TempDir
    private Path directory;

    /** The child: links two nodes and says how their files may be used. */
    static final class Linker
    {
        private Linker()
        {
        }

        /**
         * Links two nodes.
         *
         * @param arguments directory.
         * @throws IOException if a file cannot be looked at.
         */
        public static void main(final String[] arguments) throws IOException
        {
            final File directory = new File(arguments[0]);
            try (NodesRig rig = new NodesRig(directory, 2, 1).launchAll())
            {
                rig.pollUntil("links", (source, tag, buffer, offset, length) -> {}, () ->
                    rig.count(TransportEvent.Kind.LINK_UP) >= 2);
                try (Stream<Path> all = Files.walk(new File(directory, "node-0").toPath(), 2))
                {
                    for (final Path path : all.toList())
                    {
                        System.out.println(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)) + " " +
                            directory.toPath().relativize(path));
                    }
                }
            }
            System.out.println(Stream.of(directory.list()).toList());
        }
    }

    /** The child: links two nodes with priorities, does something to a file of one, and says what it hears about it. */
    static final class Spoiler
    {
        private Spoiler()
        {
        }

        /**
         * Spoils a file.
         *
         * @param arguments directory, name of the file, and whether it is truncated, or else removed.
         * @throws IOException if that fails.
         */
        public static void main(final String[] arguments) throws IOException
        {
            final File directory = new File(arguments[0]);
            final File file = new File(directory, "node-0/" + arguments[1]);
            try (NodesRig rig = new NodesRig(directory, 2, 1).tuned((context, transport) -> context.highSlots(4)).launchAll())
            {
                rig.pollUntil("links", (source, tag, buffer, offset, length) -> {}, () ->
                    rig.count(TransportEvent.Kind.LINK_UP) >= 2);
                if (Boolean.parseBoolean(arguments[2]))
                {
                    try (RandomAccessFile access = new RandomAccessFile(file, "rw"))
                    {
                        access.setLength(0);
                    }
                }
                else
                {
                    Files.delete(file.toPath());
                }
                Watchdog.await("somebody hears of " + file, () -> rig.errors.stream().anyMatch((t) ->
                    String.valueOf(t.getMessage()).contains("file=" + file)));
                rig.errors.forEach((t) -> System.out.println(t.getMessage()));
            }
            finally
            {
                System.out.println("end");
            }
        }
    }

    @ParameterizedTest
    @CsvSource({"egress-1, true", "high-egress-1, true", "egress-1, false", "high-egress-1, false"})
    void shouldNameARingThatWasCutOffOrRemoved(final String name, final boolean isCut)
    {
        try (ForkedJvm child = ForkedJvm.start(Spoiler.class, directory, name, isCut))
        {
            final StringBuilder told = new StringBuilder();
            for (String line = child.readLine(); !line.equals("end"); line = child.readLine())
            {
                told.append(line).append('\n');
            }
            final String fault = isCut ? "file was truncated" : "file was removed or replaced";
            assertTrue(told.toString().contains(
                fault + " while it was mapped: file=" + new File(directory.toFile(), "node-0/" + name)), told::toString);
        }
    }

    @Test
    void shouldKeepOthersOutWhateverTheUmask()
    {
        try (ForkedJvm child = ForkedJvm.startFromShell(
            List.of(), "umask 000 && exec \"$@\"", Linker.class, directory))
        {
            final Set<String> names = new TreeSet<>();
            String line = child.readLine();
            for (; !line.startsWith("["); line = child.readLine())
            {
                final String name = line.substring(line.indexOf(' ') + 1);
                final boolean isDirectory = name.equals("node-0") || name.equals("node-0/driver");
                // what lies in a directory of the driver's is kept by that
                if (!name.startsWith("node-0/driver/"))
                {
                    assertTrue(line.startsWith(isDirectory ? "rwx------ " : "rw------- "), line);
                    names.add(name);
                }
            }
            assertTrue(names.containsAll(List.of("node-0", "node-0/driver", "node-0/egress-1", "node-0/group", "node-0/lock",
                "node-0/mailbox-0-1", "node-0/registry", "node-0/remote", "node-0/transport.lock")), names.toString());
            assertEquals("[]", line, "nothing is left");
            assertEquals(0, child.waitFor());
        }
    }
}
