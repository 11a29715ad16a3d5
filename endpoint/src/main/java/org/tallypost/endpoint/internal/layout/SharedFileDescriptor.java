// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.layout;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Layout of a file that programs of a node share by name: its owner, how much of it is reserved, and its contents.
 *
 * <pre>
 *  offset   length   field
 *  ------------------------------------------------------------------------------------------------------
 *       0        8   magic
 *       8        4   layout version, written last
 *      12        4   length of the name, bytes of ASCII, 1 to 100
 *      16        8   file length, bytes
 *      24        4   owner's index in the registry
 *      28        4   owner's incarnation
 *      32        8   owner's pid
 *      40        8   owner's start time
 *      48        8   owner's namespaces
 *      56        8   number by which the file is known again: drawn by chance when it was made
 *      64      100   the name
 *     164       92   unused, zero
 *     256        8   length of the contents that is reserved, bytes: it grows only
 *     264        4   1 if the owner has closed the file
 *     268     3828   unused, zero
 *    4096            contents
 * </pre>
 *
 * The first 256 bytes do not change once the file has its name; the owner alone writes the others before the contents.
 */
public final class SharedFileDescriptor
{
    /** "TALLYSHR" as bytes. */
    public static final long MAGIC = 0x5248_5359_4C4C_4154L;
    public static final int VERSION = 1;

    public static final int MAGIC_OFFSET = 0;
    public static final int VERSION_OFFSET = MAGIC_OFFSET + Long.BYTES;
    public static final int NAME_LENGTH_OFFSET = VERSION_OFFSET + Integer.BYTES;
    public static final int FILE_LENGTH_OFFSET = NAME_LENGTH_OFFSET + Integer.BYTES;
    public static final int PROCESS_OFFSET = FILE_LENGTH_OFFSET + Long.BYTES;
    public static final int INCARNATION_OFFSET = PROCESS_OFFSET + Integer.BYTES;
    public static final int PID_OFFSET = INCARNATION_OFFSET + Integer.BYTES;
    public static final int START_TIME_OFFSET = PID_OFFSET + Long.BYTES;
    public static final int NAMESPACE_OFFSET = START_TIME_OFFSET + Long.BYTES;
    public static final int NUMBER_OFFSET = NAMESPACE_OFFSET + Long.BYTES;
    public static final int NAME_OFFSET = NUMBER_OFFSET + Long.BYTES;
    public static final int MAX_NAME_LENGTH = 100;
    public static final int RESERVED_OFFSET = 256;
    public static final int CLOSED_OFFSET = RESERVED_OFFSET + Long.BYTES;
    /** A page: what programs align within the contents is aligned in the file. */
    public static final int CONTENTS_OFFSET = 4096;
    /** Bytes of the header that do not change and tell the owner. */
    public static final int OWNER_LENGTH = NAME_OFFSET;

    /** Longest contents: a mapping has offsets of 31 bits. */
    public static final long MAX_LENGTH = Integer.MAX_VALUE - 2 * CONTENTS_OFFSET + 1;

    private SharedFileDescriptor()
    {
    }

    public static long fileLength(final long length)
    {
        return CONTENTS_OFFSET + length;
    }

    /** The name; one that cannot be right if its length is not. */
    public static String name(final DirectBuffer buffer)
    {
        final int length = buffer.getInt(NAME_LENGTH_OFFSET);
        return length < 1 || length > MAX_NAME_LENGTH ? "" : buffer.getStringWithoutLengthAscii(NAME_OFFSET, length);
    }

    /** Bytes of the contents that may be touched, whatever the word says: never more than are mapped. */
    public static long reservedLength(final UnsafeBuffer buffer)
    {
        // SYNC POINT shared-reserved: the pages are there
        final long length = buffer.getLongAcquire(RESERVED_OFFSET);
        return Math.max(0, Math.min(length, buffer.capacity() - CONTENTS_OFFSET));
    }
}
