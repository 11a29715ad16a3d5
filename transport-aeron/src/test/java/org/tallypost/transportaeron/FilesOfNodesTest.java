// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.transport.TransportEvent;
import org.tallypost.mailbox.ForkedJvm;

/** Nodes that are linked keep their files, and those of the media driver, from other users, whatever the umask. */
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
                    rig.count(TransportEvent.Kind.LINK_UP) == 2);
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
