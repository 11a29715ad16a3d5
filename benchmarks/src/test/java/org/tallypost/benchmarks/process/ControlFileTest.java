// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0

package org.tallypost.benchmarks.process;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ControlFileTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldMeetWhenAllHaveCome()
    {
        final File file = directory.resolve("control").toFile();
        try (ControlFile first = ControlFile.create(file, 2, 4, 1); ControlFile second = ControlFile.map(file))
        {
            first.arrive(0, 1);
            assertFalse(second.haveAllArrived(1));
            second.arrive(1, 1);
            assertTrue(first.haveAllArrived(1));
            assertFalse(first.haveAllArrived(2));
        }
    }

    @Test
    void shouldTakeTimeFromFirstStartToLastEndAcrossTheWrapOfTheClock()
    {
        final File file = directory.resolve("control").toFile();
        try (ControlFile control = ControlFile.create(file, 3, 4, 2))
        {
            control.times(0, 1, Long.MAX_VALUE - 10, Long.MIN_VALUE + 20);
            control.times(1, 1, Long.MAX_VALUE - 15, Long.MAX_VALUE);
            control.times(2, 1, Long.MAX_VALUE, Long.MIN_VALUE + 40);
            assertEquals(56, control.durationNs(1));
        }
    }

    @Test
    void shouldKeepWhatProcessesTell()
    {
        final File file = directory.resolve("control").toFile();
        try (ControlFile control = ControlFile.create(file, 2, 4, 1))
        {
            final RankState state = new RankState(3, 1, 7, 2, 9);
            control.step(1, 17);
            control.moved(0, 23);
            control.rankState(3, state);
            control.stop(ControlFile.STALLED);
            control.stop(ControlFile.FAILED);
            assertEquals(17, control.step(1));
            assertEquals(23, control.moved(0));
            assertEquals(state, control.rankState(3));
            assertEquals(13, state.missing());
            assertEquals(ControlFile.STALLED, control.stopReason());
        }
    }

    @Test
    void shouldRefuseAForeignFile() throws IOException
    {
        final Path file = directory.resolve("control");
        Files.write(file, new byte[256]);
        final IllegalStateException ex = assertThrows(IllegalStateException.class, () -> ControlFile.map(file.toFile()));
        assertTrue(ex.getMessage().contains("found magic 0, expected"), ex.getMessage());
    }
}
