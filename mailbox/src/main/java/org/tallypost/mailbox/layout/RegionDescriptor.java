// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.mailbox.layout;

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
 *      72               8   entrant of a region: rank (32 bits), epoch (32) of what is in the midst of puts; 0 if nothing is. It
 *                           is set before the state word is read, and belongs to no generation
 * </pre>
 *
 * Generations begin at a number drawn by chance: a key of a memory that was closed does not fit the next memory of the rank.
 *
 * The owner keeps offsets, lengths and generations in its own memory as well, and goes by these: what others write into the table
 * misleads only those that read it, and these check what they read. They are ranks of the node, and the process that carries
 * packets between nodes, for ranks of other nodes.
 */
public final class RegionDescriptor
{
    /** "TALLYRGN" as bytes. */
    public static final long MAGIC = 0x4E47_5259_4C4C_4154L;
    /** Version of the layout. */
    public static final int VERSION = 2;

    /** Offset of the magic. */
    public static final int MAGIC_OFFSET = 0;
    /** Offset of the layout version. */
    public static final int VERSION_OFFSET = MAGIC_OFFSET + Long.BYTES;
    /** Offset of the owner's rank. */
    public static final int RANK_OFFSET = VERSION_OFFSET + Integer.BYTES;
    /** Offset of the epoch of the owner's rank. */
    public static final int EPOCH_OFFSET = RANK_OFFSET + Integer.BYTES;
    /** Offset of the number of entries. */
    public static final int ENTRIES_OFFSET = EPOCH_OFFSET + Integer.BYTES;
    /** Offset of the word that says that the memory is closed. */
    public static final int CLOSED_OFFSET = ENTRIES_OFFSET + Integer.BYTES;
    /** Offset of the first entry. */
    public static final int TABLE_OFFSET = 128;

    /** Bytes of an entry. */
    public static final int ENTRY_LENGTH = 128;
    /** Offset of the state word in an entry. */
    public static final int STATE_OFFSET = 0;
    /** Offset in an entry of where its chunk is. */
    public static final int CHUNK_OFFSET = STATE_OFFSET + Long.BYTES;
    /** Offset in an entry of how long it is. */
    public static final int LENGTH_OFFSET = CHUNK_OFFSET + Long.BYTES;
    /** Offset of the borrower in an entry. */
    public static final int BORROWER_OFFSET = LENGTH_OFFSET + Long.BYTES;
    /** Offset of the loan word in an entry. */
    public static final int LOAN_OFFSET = 64;

    /** Offset of the entrant in an entry. */
    public static final int ENTRANT_OFFSET = LOAN_OFFSET + Long.BYTES;

    /** Kind of an entry that is not in use. */
    public static final int KIND_FREE = 0;
    /** Kind of a region. */
    public static final int KIND_REGION = 1;
    /** Kind of a loan. */
    public static final int KIND_LOAN = 2;

    /** Right to read a region. */
    public static final int RIGHT_READ = 1;
    /** Right to write into a region. */
    public static final int RIGHT_WRITE = 2;
    /** Right to change words of a region by atomic operations. */
    public static final int RIGHT_ATOMIC = 4;

    /** A loan that no rank has read. */
    public static final int LOAN_LENT = 1;
    /** A loan that is over. */
    public static final int LOAN_RELEASED = 2;
    /** A loan that is read. */
    public static final int LOAN_READ = 3;

    /** Bytes of the shortest chunk. */
    public static final int UNIT_LENGTH = 1024;
    /** Most entries. */
    public static final int MAX_ENTRIES = 1 << 16;

    private static final int PAGE_LENGTH = 4096;

    private RegionDescriptor()
    {
    }

    /**
     * Name of the shared file.
     *
     * @param rank  of the owner.
     * @param epoch of the owner's rank.
     * @return the name.
     */
    public static String name(final int rank, final int epoch)
    {
        return "region-" + rank + "-" + epoch;
    }

    /**
     * Where an entry is.
     *
     * @param id of the entry.
     * @return offset in the contents.
     */
    public static int entryOffset(final int id)
    {
        return TABLE_OFFSET + id * ENTRY_LENGTH;
    }

    /**
     * Where the memory begins.
     *
     * @param entries of the table.
     * @return offset in the contents.
     */
    public static int memoryOffset(final int entries)
    {
        return (entryOffset(entries) + PAGE_LENGTH - 1) & -PAGE_LENGTH;
    }

    /**
     * A state word.
     *
     * @param generation of the entry.
     * @param kind       of the entry.
     * @param rights     that it gives.
     * @return the word.
     */
    public static long stateWord(final int generation, final int kind, final int rights)
    {
        return ((long)generation << 32) | kind << 8 | rights;
    }

    /**
     * Generation in a state word or a loan word.
     *
     * @param word either of them.
     * @return the generation.
     */
    public static int generation(final long word)
    {
        return (int)(word >>> 32);
    }

    /**
     * Kind in a state word.
     *
     * @param stateWord of an entry.
     * @return the kind, not checked.
     */
    public static int kind(final long stateWord)
    {
        return (int)(stateWord >>> 8) & 0xFF;
    }

    /**
     * Rights in a state word.
     *
     * @param stateWord of an entry.
     * @return the rights, not checked.
     */
    public static int rights(final long stateWord)
    {
        return (int)stateWord & 0xFF;
    }

    /**
     * A loan word.
     *
     * @param generation of the entry.
     * @param state      of the loan.
     * @return the word.
     */
    public static long loanWord(final int generation, final int state)
    {
        return ((long)generation << 32) | state;
    }

    /**
     * A rank in an incarnation.
     *
     * @param rank  that borrows, or enters.
     * @param epoch of the rank.
     * @return the word, never 0.
     */
    public static long borrowerWord(final int rank, final int epoch)
    {
        return ((long)rank << 32) | (epoch & 0xFFFF_FFFFL);
    }

    /**
     * Rank in the word of a borrower or an entrant.
     *
     * @param word either of them.
     * @return the rank, not checked.
     */
    public static int rank(final long word)
    {
        return (int)(word >>> 32);
    }

    /**
     * Epoch in the word of a borrower or an entrant.
     *
     * @param word either of them.
     * @return the epoch, not checked.
     */
    public static int epoch(final long word)
    {
        return (int)word;
    }

    /**
     * Writes the header of a new memory.
     *
     * @param contents of the shared file.
     * @param rank     of the owner.
     * @param epoch    of the owner's rank.
     * @param entries  of the table.
     */
    public static void initialise(final UnsafeBuffer contents, final int rank, final int epoch, final int entries)
    {
        contents.putLong(MAGIC_OFFSET, MAGIC);
        contents.putInt(RANK_OFFSET, rank);
        contents.putInt(EPOCH_OFFSET, epoch);
        contents.putInt(ENTRIES_OFFSET, entries);
        // SYNC POINT region-memory: pairs with isSound
        contents.putIntRelease(VERSION_OFFSET, VERSION);
    }

    /**
     * The owner closes the memory: no rank attaches any more.
     *
     * @param contents of the shared file.
     */
    public static void close(final UnsafeBuffer contents)
    {
        // SYNC POINT region-closed: before the name is free for the next memory
        contents.putIntRelease(CLOSED_OFFSET, 1);
    }

    /**
     * Whether the owner has closed the memory.
     *
     * @param contents of the shared file.
     * @return true if so.
     */
    public static boolean isClosed(final UnsafeBuffer contents)
    {
        // SYNC POINT region-closed: then a memory of the name is another one
        return contents.getIntAcquire(CLOSED_OFFSET) != 0;
    }

    /**
     * Whether contents that another process has made are the memory of a rank.
     *
     * @param contents of the shared file.
     * @param length   of them that is reserved, in bytes.
     * @param rank     of the owner.
     * @param epoch    of the owner's rank.
     * @return false if they are not.
     */
    public static boolean isSound(final UnsafeBuffer contents, final long length, final int rank, final int epoch)
    {
        // SYNC POINT region-memory: version first
        return length >= TABLE_OFFSET && contents.getIntAcquire(VERSION_OFFSET) == VERSION &&
            contents.getLong(MAGIC_OFFSET) == MAGIC && contents.getInt(RANK_OFFSET) == rank &&
            contents.getInt(EPOCH_OFFSET) == epoch;
    }

    /**
     * Number of entries.
     *
     * @param contents of the shared file.
     * @param length   of them that is reserved, in bytes.
     * @return the number if so many are there; 0 if it is wrong.
     */
    public static int entries(final UnsafeBuffer contents, final long length)
    {
        final int entries = contents.getInt(ENTRIES_OFFSET);
        return entries < 1 || entries > MAX_ENTRIES || memoryOffset(entries) > length ? 0 : entries;
    }

    /**
     * Whether an entry may say so of its chunk: it lies in what is reserved behind the table.
     *
     * @param base           offset of the chunk in the contents.
     * @param length         of what is registered or lent, in bytes.
     * @param entries        of the table.
     * @param reservedLength of the contents, in bytes.
     * @return false if it is damaged.
     */
    public static boolean isChunk(final long base, final long length, final int entries, final long reservedLength)
    {
        return base >= memoryOffset(entries) && base < reservedLength && (base & UNIT_LENGTH - 1) == 0 && length >= 1 &&
            length <= reservedLength - base;
    }
}
