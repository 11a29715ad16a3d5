// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.transportaeron.internal.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.tallypost.endpoint.transport.TransportEvent;
import org.tallypost.mailbox.files.NoRoomException;
import org.tallypost.transportaeron.NodesRig;

/** An embedded media driver has all pages of its files before it works, or is not launched. */
class DriverFilesTest
{
    private static final int BLOCK_LENGTH = 512;

    @TempDir
    private File directory;

    /** Bytes that a file takes on its file system. */
    private static long reserved(final Path file) throws IOException
    {
        final Process process = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
        try (BufferedReader reader = new BufferedReader(
            new InputStreamReader(process.getInputStream(), StandardCharsets.US_ASCII)))
        {
            return Long.parseLong(reader.readLine()) * BLOCK_LENGTH;
        }
    }

    private static List<Path> files(final File driver) throws IOException
    {
        try (Stream<Path> all = Files.walk(driver.toPath()))
        {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void shouldReserveAllPagesOfTheDriversFiles() throws IOException
    {
        try (NodesRig rig = new NodesRig(directory, 2, 1).launchAll())
        {
            rig.pollUntil("links", (source, tag, buffer, offset, length) -> {}, () ->
                rig.count(TransportEvent.Kind.LINK_UP) == 2);
            long length = 0;
            int logs = 0;
            final List<String> sparse = new ArrayList<>();
            for (final Path file : files(new File(directory, "node-0/driver")))
            {
                length += Files.size(file);
                logs += file.toString().endsWith(".logbuffer") ? 1 : 0;
                if (reserved(file) < Files.size(file))
                {
                    sparse.add(file.getFileName() + " has " + reserved(file) + " of " + Files.size(file));
                }
            }
            assertEquals(List.of(), sparse);
            assertEquals(2, logs, "one for each direction");
            assertTrue(length <= rig.settings(0).driverLength(),
                "found=" + length + ", computed=" + rig.settings(0).driverLength());
        }
    }

    @Test
    void shouldRefuseToLaunchADriverWithoutRoom()
    {
        final long needed = Long.MAX_VALUE;
        final NoRoomException refusal = assertThrows(
            NoRoomException.class, () -> DriverFiles.checkRoom(directory, needed));
        assertEquals(needed, refusal.neededLength());
        assertTrue(
            refusal.getMessage().startsWith("no room for the media driver's files: directory=" + directory), refusal::getMessage);
        assertTrue(refusal.getMessage().contains("needed=" + needed + " bytes, free now="), refusal::getMessage);
        DriverFiles.checkRoom(directory, 1);
    }

    @Test
    void shouldNotReserveLongerTermsThanTheOtherNodeHas()
    {
        try (NodesRig rig = new NodesRig(directory, 2, 1))
        {
            rig.launch(0);
            final AeronSettings settings = rig.settings(0);
            final int expected = settings.incomingTermLength(settings.stream(1));
            assertTrue(expected > 0);
            final List<Throwable> told = new ArrayList<>();
            final SetupCheck check = new SetupCheck(settings, told::add);
            assertTrue(check.isTaken(settings.stream(1), expected));
            assertEquals(0, told.size());
            for (int i = 0; i < 100; i++)
            {
                assertFalse(check.isTaken(settings.stream(1), 1 << 30));
            }
            assertEquals(100, check.refusedCount());
            assertEquals(1, told.size(), "once, not for each packet");
            assertTrue(told.get(0).getMessage().contains("found termLength=" + (1 << 30) + ", expected at most " + expected));
        }
    }
}
