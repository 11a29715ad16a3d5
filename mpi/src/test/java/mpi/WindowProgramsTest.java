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
    void shouldReadAndChangeMemoryOfOtherRanks() throws IOException, InterruptedException
    {
        shouldComplete(3, Windows.class);
        // without memory that others map all of it goes by messages
        options = List.of("-Dtallypost.mpi.regionMemory=0");
        shouldComplete(3, Windows.class);
    }

    @Test
    void shouldReadAndChangeMappedMemoryWithoutMessages() throws IOException, InterruptedException
    {
        shouldComplete(3, WindowRegions.class, "counts");
        assertEquals(0, run(2, WindowRegions.class, "gone"), this::text);
        assertTrue(text().contains("rank 0 got: the other rank is gone: "), this::text);
        assertTrue(text().contains(", rank 1 of the window's communicator"), this::text);
        options = List.of("-Dtallypost.mpi.regionMemory=" + (1 << 20));
        shouldComplete(2, WindowRegions.class, "room");
    }

    @Test
    void shouldLockMemoryOfARankThatComputes() throws IOException, InterruptedException
    {
        shouldComplete(3, WindowRegions.class, "locks");
    }

    @Test
    void shouldTakeLocksOfARankThatIsGone() throws IOException, InterruptedException
    {
        assertEquals(0, run(3, WindowRegions.class, "holder"), this::text);
        assertTrue(text().contains("rank 2 has the lock"), this::text);
    }

    @Test
    void shouldGiveBackLocksOfAllPartsWhenOneIsGone() throws IOException, InterruptedException
    {
        assertEquals(0, run(3, WindowRegions.class, "all"), this::text);
        assertTrue(text().contains("rank 2 had the locks"), this::text);
    }

    @Test
    void shouldNotKeepALockWhenAFunctionOfTheProgramThrows() throws IOException, InterruptedException
    {
        assertEquals(0, run(2, WindowRegions.class, "thrown"), this::text);
        assertTrue(text().contains("rank 0 had the lock"), this::text);
        // locks by messages
        options = List.of("-Dtallypost.mpi.regionMemory=0");
        assertEquals(0, run(2, WindowRegions.class, "thrown"), this::text);
        assertTrue(text().contains("rank 0 had the lock"), this::text);
    }

    @Test
    void shouldDropWhatIsNoMessageToAWindow() throws IOException, InterruptedException
    {
        shouldComplete(2, WindowListener.class, "drops");
        assertTrue(text().contains("rank 0 drops what is no message to its part of a window: found=3 bytes from rank 1"),
            this::text);
    }

    @Test
    void shouldEndTheJobWhenAWindowHearsNoMore() throws IOException, InterruptedException
    {
        assertEquals(1, run(2, WindowListener.class, "gone"), this::text);
        assertTrue(text().contains("rank 0 ends, as its part of a window hears no more: the other rank is gone: "), this::text);
    }

    @Test
    void shouldEndTheJobWhenAFreedRequestFails() throws IOException, InterruptedException
    {
        assertEquals(1, run(2, WindowListener.class, "freed"), this::text);
        assertTrue(text().contains("rank 0 ends, as a request that the program has freed has failed: "), this::text);
    }
}
