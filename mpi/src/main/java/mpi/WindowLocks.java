// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

/** How the parts of a window are locked: by a word if all its ranks reach it, else by messages to the rank that has the part. */
final class WindowLocks
{
    /** By rank; null if its part is locked by messages. */
    private final WindowLock[] locks;

    /** Of the words of all ranks, and of what each rank has said that it reaches; for one of the ranks. */
    WindowLocks(final WindowRegion[] words, final int[][] reached, final WindowRanks ranks, final int own)
    {
        locks = new WindowLock[words.length];
        for (int rank = 0; rank < words.length; rank++)
        {
            boolean isForAll = true;
            for (final int[] each : reached)
            {
                isForAll &= (each[rank / Integer.SIZE] & 1 << rank % Integer.SIZE) != 0;
            }
            locks[rank] = isForAll ? new WindowLock(words[rank], ranks, rank, own) : null;
        }
    }

    /** A bit for each rank: whether its word is reached from here. */
    static int[] reached(final WindowRegion... words)
    {
        final int[] bits = new int[words.length / Integer.SIZE + 1];
        for (int rank = 0; rank < words.length; rank++)
        {
            bits[rank / Integer.SIZE] |= words[rank] == null ? 0 : 1 << rank % Integer.SIZE;
        }
        return bits;
    }

    /** The lock of a rank's part; null if it goes by messages. */
    WindowLock of(final int rank)
    {
        return locks[rank];
    }
}
