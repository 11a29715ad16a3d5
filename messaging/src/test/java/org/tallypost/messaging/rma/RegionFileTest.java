// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.rma;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.Random;
import org.agrona.concurrent.UnsafeBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tallypost.endpoint.Endpoint;
import org.tallypost.node.Node;

/** Files of programs as regions: what they held when they were read, whatever becomes of them. */
class RegionFileTest
{
    @TempDir
    private Path directory;

    private File file(final int length) throws IOException
    {
        final byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return Files.write(directory.resolve("data"), bytes).toFile();
    }

    private interface Use
    {
        void with(Node node, Endpoint endpoint, RegionMemory memory) throws IOException;
    }

    private void use(final Use use) throws IOException
    {
        try (Node node = Node.launch(RegionFixture.context(directory.resolve("node"), 2)); Endpoint endpoint = node.open(0);
            RegionMemory memory = RegionMemory.open(node, endpoint, 1 << 20, 4, 4))
        {
            use.with(node, endpoint, memory);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 1_024, 300_000, 1 << 20})
    void shouldHaveWhatTheFileHeld(final int length) throws IOException
    {
        use((node, endpoint, memory) ->
        {
            final File file = file(length);
            final byte[] expected = Files.readAllBytes(file.toPath());
            final Region region = memory.load(file, Region.READ);
            // a file that is cut off takes nothing from those that have attached
            try (RandomAccessFile cut = new RandomAccessFile(file, "rw"))
            {
                cut.setLength(0);
            }
            assertTrue(file.delete());
            assertEquals(length, region.length());
            assertEquals(Region.READ, region.rights());
            try (Endpoint other = node.open(1); RegionMemory otherMemory = RegionMemory.open(node, other))
            {
                final RemoteRegion remote = new RemoteRegion();
                assertEquals(0, remote.attach(otherMemory, region.key(new RegionKey())));
                final byte[] found = new byte[length];
                assertEquals(length, remote.get(0, new UnsafeBuffer(found), 0, length));
                assertEquals(new UnsafeBuffer(expected), new UnsafeBuffer(found));
                assertEquals(RegionResult.NO_RIGHT, remote.put(0, new UnsafeBuffer(found), 0, length));
            }
        });
    }

    private static void refuse(final RegionMemory memory, final File file, final String words)
    {
        final IOException ex = assertThrows(IOException.class, () -> memory.load(file, Region.READ));
        assertTrue(ex.toString().contains(words), ex.toString());
        assertEquals(0, memory.usedLength());
    }

    @Test
    void shouldRefuseWhatIsNoFileToBeRead() throws IOException
    {
        use((node, endpoint, memory) ->
        {
            refuse(memory, directory.toFile(), "no regular file");
            refuse(memory, new File("/dev/zero"), "no regular file");
            refuse(memory, directory.resolve("none").toFile(), "none");
            final File file = file(100);
            final Path link = Files.createSymbolicLink(directory.resolve("link"), file.toPath());
            refuse(memory, link.toFile(), "no regular file");
            refuse(memory, file(0), "found=0");
            try (RandomAccessFile large = new RandomAccessFile(file, "rw"))
            {
                large.setLength((1L << 30) + 1);
            }
            refuse(memory, file, "out of range");
            assertThrows(IllegalStateException.class, () -> memory.load(file((1 << 20) + 1), Region.READ));
            assertThrows(IllegalArgumentException.class, () -> memory.load(file(1), 8));
            assertEquals(0, memory.usedLength());
        });
    }

    /** Between its opening and the last byte. */
    @Test
    void shouldRefuseAFileThatChangesMeanwhile() throws IOException
    {
        final UnsafeBuffer buffer = new UnsafeBuffer(new byte[1_000_000]);
        final File file = file(1_000_000);
        try (RegionFile opened = new RegionFile(file, 1 << 20))
        {
            opened.copyTo(buffer);
            try (RandomAccessFile longer = new RandomAccessFile(file, "rw"))
            {
                longer.setLength(1_000_001);
            }
            assertTrue(assertThrows(IOException.class, () -> opened.copyTo(buffer)).getMessage().contains("changed"));
            try (RandomAccessFile shorter = new RandomAccessFile(file, "rw"))
            {
                shorter.setLength(999_999);
            }
            assertTrue(assertThrows(IOException.class, () -> opened.copyTo(buffer)).getMessage().contains("shorter"));
        }
        final File written = file(1_000_000);
        try (RegionFile opened = new RegionFile(written, 1 << 20))
        {
            Files.setLastModifiedTime(written.toPath(), FileTime.fromMillis(1));
            assertTrue(assertThrows(IOException.class, () -> opened.copyTo(buffer)).getMessage().contains("changed"));
        }
    }
}
