// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import mpi.programs.Windows;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Programs with windows and with requests that fail, as jobs of real processes. They check what they get. */
@Tag("once")
class WindowProgramsTest extends ProgramRuns
{
    @Test
    void shouldReadAndChangeMemoryAndTakeLocksOfARankThatIsGone() throws IOException, InterruptedException
    {
        shouldComplete(2, 3, Windows.class, WindowRegions.class, "counts", WindowRegions.class, "holder");
        assertTrue(text().contains("rank 2 has the lock"), this::text);
    }

    @Test
    void shouldLockMemoryOfARankThatComputesAndGiveBackLocksOfAllPartsWhenOneIsGone() throws IOException, InterruptedException
    {
        shouldComplete(1, 3, WindowRegions.class, "locks", WindowRegions.class, "all");
        assertTrue(text().contains("rank 2 had the locks"), this::text);
    }

    @Test
    void shouldFailChangesOfMemoryOfARankThatIsGone() throws IOException, InterruptedException
    {
        assertEquals(0, run(2, WindowRegions.class, "gone"), this::text);
        assertTrue(text().contains("rank 0 got: the other rank is gone: "), this::text);
        assertTrue(text().contains(", rank 1 of the window's communicator"), this::text);
    }

    @Test
    void shouldDropWhatIsNoMessageToAWindowAndKeepNoLockWhenAFunctionThrows() throws IOException, InterruptedException
    {
        shouldComplete(1, 2, WindowListener.class, "drops", WindowRegions.class, "thrown");
        assertTrue(text().contains("rank 0 drops what is no message to its part of a window: found=3 bytes from rank 1"),
            this::text);
        assertTrue(text().contains("rank 0 had the lock"), this::text);
    }

    @Test
    void shouldNotKeepALockByMessagesWhenAFunctionOfTheProgramThrows() throws IOException, InterruptedException
    {
        options = List.of("-Dtallypost.mpi.regionMemory=0");
        assertEquals(0, run(2, WindowRegions.class, "thrown"), this::text);
        assertTrue(text().contains("rank 0 had the lock"), this::text);
    }

    @Test
    void shouldDoWithLittleMappedMemoryAndEndTheJobWhenAWindowHearsNoMore() throws IOException, InterruptedException
    {
        options = List.of("-Dtallypost.mpi.regionMemory=" + (1 << 20));
        shouldEndWith(1, 1, 2, WindowRegions.class, "room", WindowListener.class, "gone");
        assertTrue(text().contains("rank 0 ends, as its part of a window hears no more: the other rank is gone: "), this::text);
    }
}
