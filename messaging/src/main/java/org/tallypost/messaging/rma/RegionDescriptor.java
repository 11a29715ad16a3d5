// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.rma;

import org.agrona.concurrent.UnsafeBuffer;

/**
 * Layout of the contents of a rank's region memory, which is a shared file of the node.
 *
 * <pre>
 *  offset          length   field
 *  ------------------------------------------------------------------------------------------------------
 *       0               8   magic
 *       8               4   layout version, written last
 *      12               4   rank of the owner
 *      16               4   epoch of the owner's rank
 *      20               4   number of entries E
 *      24               4   1 if the owner has closed it
 *      28             100   unused, zero
 *     128       E x   128   entries
 *     M                     memory, in chunks of powers of two; M is a multiple of 4,096
 *
 *  entry:
 *       0               8   state word: generation (32 bits), kind (8), rights (8): written by the owner
 *       8               8   offset of the chunk in the contents
 *      16               8   length of what is registered or lent, bytes
 *      24               8   borrower of a loan: rank (32 bits), epoch (32)
 *      64               8   loan word: generation (32 bits), state (32): 0 none, 1 lent, 2 released, 3 read. The borrower takes
 *                           it from lent to read, and ends the loan
 * </pre>
 *
 * Generations begin at a number drawn by chance: a key of a memory that was closed does not fit the next memory of the rank.
 *
 * The owner keeps offsets, lengths and generations in its own memory as well, and goes by these: what others write into the table
 * misleads nobody but those that read it, and these check what they read.
 */
final class RegionDescriptor
{
    /** "TALLYRGN" as bytes. */
    static final long MAGIC = 0x4E47_5259_4C4C_4154L;
    static final int VERSION = 1;

    static final int MAGIC_OFFSET = 0;
    static final int VERSION_OFFSET = MAGIC_OFFSET + Long.BYTES;
    static final int RANK_OFFSET = VERSION_OFFSET + Integer.BYTES;
    static final int EPOCH_OFFSET = RANK_OFFSET + Integer.BYTES;
    static final int ENTRIES_OFFSET = EPOCH_OFFSET + Integer.BYTES;
    static final int CLOSED_OFFSET = ENTRIES_OFFSET + Integer.BYTES;
    static final int TABLE_OFFSET = 128;

    static final int ENTRY_LENGTH = 128;
    static final int STATE_OFFSET = 0;
    static final int CHUNK_OFFSET = STATE_OFFSET + Long.BYTES;
    static final int LENGTH_OFFSET = CHUNK_OFFSET + Long.BYTES;
    static final int BORROWER_OFFSET = LENGTH_OFFSET + Long.BYTES;
    static final int LOAN_OFFSET = 64;

    static final int KIND_FREE = 0;
    static final int KIND_REGION = 1;
    static final int KIND_LOAN = 2;

    static final int LOAN_LENT = 1;
    static final int LOAN_RELEASED = 2;
    static final int LOAN_READ = 3;

    static final int PAGE_LENGTH = 4096;
    static final int MAX_ENTRIES = 1 << 16;

    private RegionDescriptor()
    {
    }

    static int entryOffset(final int id)
    {
        return TABLE_OFFSET + id * ENTRY_LENGTH;
    }

    static int memoryOffset(final int entries)
    {
        return (entryOffset(entries) + PAGE_LENGTH - 1) & -PAGE_LENGTH;
    }

    static long stateWord(final int generation, final int kind, final int rights)
    {
        return ((long)generation << 32) | kind << 8 | rights;
    }

    static int generation(final long word)
    {
        return (int)(word >>> 32);
    }

    static int kind(final long stateWord)
    {
        return (int)(stateWord >>> 8) & 0xFF;
    }

    static int rights(final long stateWord)
    {
        return (int)stateWord & 0xFF;
    }

    static long loanWord(final int generation, final int state)
    {
        return ((long)generation << 32) | state;
    }

    static long borrowerWord(final int rank, final int epoch)
    {
        return ((long)rank << 32) | (epoch & 0xFFFF_FFFFL);
    }

    /** Writes the header of a new memory. */
    static void initialise(final UnsafeBuffer contents, final int rank, final int epoch, final int entries)
    {
        contents.putLong(MAGIC_OFFSET, MAGIC);
        contents.putInt(RANK_OFFSET, rank);
        contents.putInt(EPOCH_OFFSET, epoch);
        contents.putInt(ENTRIES_OFFSET, entries);
        // SYNC POINT region-memory: pairs with isSound
        contents.putIntRelease(VERSION_OFFSET, VERSION);
    }

    /** The owner closes the memory: nobody attaches any more. */
    static void close(final UnsafeBuffer contents)
    {
        // SYNC POINT region-closed: before the name is free for the next memory
        contents.putIntRelease(CLOSED_OFFSET, 1);
    }

    /** Whether the owner has closed the memory. */
    static boolean isClosed(final UnsafeBuffer contents)
    {
        // SYNC POINT region-closed: then a memory of the name is another one
        return contents.getIntAcquire(CLOSED_OFFSET) != 0;
    }

    /** Whether contents that another process has made are the memory of a rank. */
    static boolean isSound(final UnsafeBuffer contents, final long length, final int rank, final int epoch)
    {
        // SYNC POINT region-memory: version first
        return length >= TABLE_OFFSET && contents.getIntAcquire(VERSION_OFFSET) == VERSION &&
            contents.getLong(MAGIC_OFFSET) == MAGIC && contents.getInt(RANK_OFFSET) == rank &&
            contents.getInt(EPOCH_OFFSET) == epoch;
    }

    /** Number of entries, if so many are there; 0 if the number is wrong. */
    static int entries(final UnsafeBuffer contents, final long length)
    {
        final int entries = contents.getInt(ENTRIES_OFFSET);
        return entries < 1 || entries > MAX_ENTRIES || memoryOffset(entries) > length ? 0 : entries;
    }
}
