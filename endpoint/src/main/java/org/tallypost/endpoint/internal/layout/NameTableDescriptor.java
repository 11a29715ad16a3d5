// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.layout;

/**
 * Layout of a node's file of names: which rank has which name, and a number with it.
 *
 * <pre>
 *  offset              length   field
 *  ------------------------------------------------------------------------------------------------------
 *       0                   8   magic
 *       8                   4   layout version, written last
 *      12                   4   number of entries E
 *      16                   8   file length, bytes
 *      24                 104   unused, zero
 *     128             E x 128   entries
 *
 *  entry:
 *       0                   4   sequence: odd while the entry is being written
 *       4                   4   length of the name, bytes of UTF-8, at most 100; 0 if the entry is free
 *       8                   4   rank
 *      12                   4   epoch of the rank
 *      16                   8   number
 *      24                 100   the name
 *     124                   4   unused, zero
 * </pre>
 *
 * Entries are written under the node's lock, and read without it: what was read counts if the sequence is even, and is the same
 * before and after. An entry of a rank that is not open in its epoch is free, whatever it says. To the holder of the lock one
 * with an odd sequence is free as well: its writer has died.
 */
public final class NameTableDescriptor
{
    /** "TALLYNAM" as bytes. */
    public static final long MAGIC = 0x4D41_4E59_4C4C_4154L;
    public static final int VERSION = 1;

    public static final int MAGIC_OFFSET = 0;
    public static final int VERSION_OFFSET = MAGIC_OFFSET + Long.BYTES;
    public static final int ENTRIES_OFFSET = VERSION_OFFSET + Integer.BYTES;
    public static final int FILE_LENGTH_OFFSET = ENTRIES_OFFSET + Integer.BYTES;
    public static final int TABLE_OFFSET = 128;
    public static final int ENTRIES = 1024;

    public static final int ENTRY_LENGTH = 128;
    public static final int SEQUENCE_OFFSET = 0;
    public static final int NAME_LENGTH_OFFSET = SEQUENCE_OFFSET + Integer.BYTES;
    public static final int RANK_OFFSET = NAME_LENGTH_OFFSET + Integer.BYTES;
    public static final int EPOCH_OFFSET = RANK_OFFSET + Integer.BYTES;
    public static final int NUMBER_OFFSET = EPOCH_OFFSET + Integer.BYTES;
    public static final int NAME_OFFSET = NUMBER_OFFSET + Long.BYTES;
    public static final int MAX_NAME_LENGTH = 100;

    private NameTableDescriptor()
    {
    }

    public static int entryOffset(final int entry)
    {
        return TABLE_OFFSET + entry * ENTRY_LENGTH;
    }

    public static long fileLength()
    {
        return entryOffset(ENTRIES);
    }
}
