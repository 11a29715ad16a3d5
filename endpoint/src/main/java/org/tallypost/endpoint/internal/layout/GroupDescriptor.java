// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.layout;

/**
 * Layout of a node's group file: what all its processes have to agree on, which process holds which rank, and the counters.
 *
 * <pre>
 *  offset              length   field
 *  ------------------------------------------------------------------------------------------------------
 *       0                   8   magic
 *       8                   4   layout version, written last
 *      12                   4   rank count P
 *      16                   8   file length, bytes
 *      24                   4   slots per sender
 *      28                   4   credit slots
 *      32                   4   flow, ordinal
 *      36                   4   credit return, ordinal
 *      40                   4   ring slots of a mailbox
 *      44                   4   piggyback, 0 or 1
 *      48                   4   length of the group's name, bytes of UTF-8, at most 64
 *      52                  64   the group's name
 *     116                   4   slots per sender of the high rings, 0 if there are none
 *     120                   8   liveness interval, nanoseconds
 *     128               P x 8   rank words: epoch (32 bits), state (32): 0 never open, 1 open, 2 closed, 3 gone
 *     128 +  8 P        P x 8   rank owners: process index (32 bits), process incarnation (32)
 *     128 + 16 P              padding to a multiple of 128
 *       C             P x 512   counters, see {@link CountersDescriptor}
 *       C + 512 P     P x 512   counters of the high rings, only if there are any
 * </pre>
 *
 * A rank's words are written under the node's file lock when it opens, by one compare-and-set when it closes or is gone.
 */
public final class GroupDescriptor
{
    /** "TALLYGRP" as bytes. */
    public static final long MAGIC = 0x5052_4759_4C4C_4154L;
    public static final int VERSION = 4;

    public static final int MAGIC_OFFSET = 0;
    public static final int VERSION_OFFSET = 8;
    public static final int RANKS_OFFSET = 12;
    public static final int FILE_LENGTH_OFFSET = 16;
    public static final int SLOTS_OFFSET = 24;
    public static final int CREDIT_SLOTS_OFFSET = 28;
    public static final int FLOW_OFFSET = 32;
    public static final int CREDIT_RETURN_OFFSET = 36;
    public static final int RING_SLOTS_OFFSET = 40;
    public static final int PIGGYBACK_OFFSET = 44;
    public static final int NAME_LENGTH_OFFSET = 48;
    public static final int NAME_OFFSET = 52;
    public static final int MAX_NAME_LENGTH = 64;
    public static final int HIGH_SLOTS_OFFSET = 116;
    public static final int LIVENESS_INTERVAL_OFFSET = 120;
    public static final int RANK_WORDS_OFFSET = 128;

    public static final int STATE_NEVER = 0;
    public static final int STATE_OPEN = 1;
    public static final int STATE_CLOSED = 2;
    public static final int STATE_GONE = 3;

    private GroupDescriptor()
    {
    }

    public static int rankWordOffset(final int rank)
    {
        return RANK_WORDS_OFFSET + rank * Long.BYTES;
    }

    public static int ownerOffset(final int ranks, final int rank)
    {
        return RANK_WORDS_OFFSET + (ranks + rank) * Long.BYTES;
    }

    public static int countersOffset(final int ranks, final int rank)
    {
        final int start = (RANK_WORDS_OFFSET + 2 * ranks * Long.BYTES + 127) & -128;
        return start + rank * CountersDescriptor.LENGTH;
    }

    public static long fileLength(final int ranks)
    {
        return (long)countersOffset(ranks, 0) + (long)ranks * CountersDescriptor.LENGTH;
    }

    /** As {@link #fileLength(int)}, with counters of high rings if these have any slots. */
    public static long fileLength(final int ranks, final int highSlots)
    {
        return fileLength(ranks) + (highSlots == 0 ? 0 : (long)ranks * CountersDescriptor.LENGTH);
    }

    /** Where the counters of a rank's high ring are. */
    public static int highCountersOffset(final int ranks, final int rank)
    {
        return countersOffset(ranks, ranks + rank);
    }

    public static long rankWord(final int epoch, final int state)
    {
        return ((long)epoch << 32) | state;
    }

    public static int epoch(final long rankWord)
    {
        return (int)(rankWord >>> 32);
    }

    public static int state(final long rankWord)
    {
        return (int)rankWord;
    }
}
