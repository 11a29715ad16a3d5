// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Windows that are freed, and locks by messages of ranks that are gone, in a job of real processes. */
@Tag("once")
class WindowHoldersTest extends ProgramRuns
{
    @Test
    void shouldNotFreeAWindowWithLocksAndTakeLocksByMessagesOfARankThatIsGone() throws IOException, InterruptedException
    {
        options = List.of("-Dtallypost.mpi.regionMemory=0");
        shouldComplete(1, 3, WindowHolders.class, "freed", WindowHolders.class, "holder");
        assertTrue(text().contains("rank 1 of the window's communicator is gone with a lock for itself of a part that rank 2 "),
            this::text);
        assertTrue(text().contains("rank 2 has the lock"), this::text);
    }
}
