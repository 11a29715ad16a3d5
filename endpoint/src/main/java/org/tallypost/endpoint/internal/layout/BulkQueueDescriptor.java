// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.endpoint.internal.layout;

import org.agrona.concurrent.UnsafeBuffer;
import org.tallypost.endpoint.transport.BulkPort;

/**
 * Layout of the contents of a rank's bulk queue, a shared file of the node: what the rank wants to do with memory of ranks of
 * other nodes, and what has come of it.
 *
 * <pre>
 *  offset       length   field                                          written by
 *  ------------------------------------------------------------------------------------------------------
 *       0            8   magic                                          the rank
 *       8            4   layout version                                 the rank, last
 *      12            4   rank                                           the rank
 *      16            4   epoch                                          the rank
 *      20            4   1 if the rank has closed it                    the rank
 *      24          104   unused, zero
 *     128            8   operations asked for                           the rank, after the cell
 *     136          120   unused, zero
 *     256            8   first operation of this agent                  the agent, when it begins
 *     264            8   agents so far                                  the agent, after the former
 *     272            8   operations completed before this agent         the agent, when it begins
 *     280          104   unused, zero
 *     384            8   operations completed                           the agent, after the cell
 *     392            4   1 if the agent has dropped the queue             the agent, last
 *     396          116   unused, zero
 *     512  256 x   256   cells: operation n is in cell n mod 256
 *       S   64 x 32768   slots for bytes; S is a multiple of 4,096
 *
 *  cell:
 *       0            8   number of the operation                        the rank
 *       8            4   kind                                           the rank
 *      12            4   length of the bytes                            the rank
 *      16            8   owner of the memory: rank (32 bits), epoch (32)
 *      24            8   entry (32 bits), generation (32)
 *      32            8   offset in the region
 *      40            8   first word                                     the rank
 *      48            8   second word                                    the rank
 *      56            4   slot of the bytes; -1 if they are in the cell
 *      60            4   unused, zero
 *      64           64   bytes of a short put                           the rank
 *     128            8   number of the operation plus 1, when it is completed   the agent, last
 *     136            8   result                                         the agent
 *     144            8   value                                          the agent
 *     152          104   unused, zero
 * </pre>
 *
 * A cell is used again when its operation is completed, and a slot when the operation that has it is. The agent's thread reads a
 * cell once. An agent that follows another one goes on behind what was asked for by then: what is before that, and not completed,
 * is over.
 *
 * <p>The rank believes a cell only as far as the count of completed operations goes, and the count only if there are as many such
 * cells: any process of the node may write either.
 */
public final class BulkQueueDescriptor
{
    /** "TALLYBLK" as bytes. */
    public static final long MAGIC = 0x4B4C_4259_4C4C_4154L;
    public static final int VERSION = 2;

    public static final int MAGIC_OFFSET = 0;
    public static final int VERSION_OFFSET = MAGIC_OFFSET + Long.BYTES;
    public static final int RANK_OFFSET = VERSION_OFFSET + Integer.BYTES;
    public static final int EPOCH_OFFSET = RANK_OFFSET + Integer.BYTES;
    public static final int CLOSED_OFFSET = EPOCH_OFFSET + Integer.BYTES;
    public static final int ASKED_OFFSET = 128;
    public static final int START_OFFSET = 256;
    public static final int AGENTS_OFFSET = START_OFFSET + Long.BYTES;
    public static final int BEFORE_OFFSET = AGENTS_OFFSET + Long.BYTES;
    public static final int COMPLETED_OFFSET = 384;
    public static final int DROPPED_OFFSET = COMPLETED_OFFSET + Long.BYTES;
    public static final int CELLS_OFFSET = 512;

    public static final int CELLS = BulkPort.MAX_OPERATIONS;
    public static final int CELL_LENGTH = 256;
    public static final int NUMBER_OFFSET = 0;
    public static final int KIND_OFFSET = NUMBER_OFFSET + Long.BYTES;
    public static final int LENGTH_OFFSET = KIND_OFFSET + Integer.BYTES;
    public static final int OWNER_OFFSET = LENGTH_OFFSET + Integer.BYTES;
    public static final int ENTRY_OFFSET = OWNER_OFFSET + Long.BYTES;
    public static final int AT_OFFSET = ENTRY_OFFSET + Long.BYTES;
    public static final int FIRST_OFFSET = AT_OFFSET + Long.BYTES;
    public static final int SECOND_OFFSET = FIRST_OFFSET + Long.BYTES;
    public static final int SLOT_OFFSET = SECOND_OFFSET + Long.BYTES;
    public static final int BYTES_OFFSET = 64;
    public static final int MAX_SHORT_LENGTH = 64;
    public static final int DONE_OFFSET = BYTES_OFFSET + MAX_SHORT_LENGTH;
    public static final int RESULT_OFFSET = DONE_OFFSET + Long.BYTES;
    public static final int VALUE_OFFSET = RESULT_OFFSET + Long.BYTES;

    public static final int SLOTS = 64;
    public static final int SLOT_LENGTH = BulkPort.MAX_LENGTH;
    public static final int NO_SLOT = -1;

    private static final int PAGE_LENGTH = 4096;
    public static final int SLOTS_OFFSET = (CELLS_OFFSET + CELLS * CELL_LENGTH + PAGE_LENGTH - 1) & -PAGE_LENGTH;
    public static final int LENGTH = SLOTS_OFFSET + SLOTS * SLOT_LENGTH;

    private BulkQueueDescriptor()
    {
    }

    /** Name of the shared file. */
    public static String name(final int rank, final int epoch)
    {
        return "bulk-" + rank + "-" + epoch;
    }

    /** Where the cell of an operation is. */
    public static int cellOffset(final long number)
    {
        return CELLS_OFFSET + (int)(number & CELLS - 1) * CELL_LENGTH;
    }

    public static int slotOffset(final int slot)
    {
        return SLOTS_OFFSET + slot * SLOT_LENGTH;
    }

    /** Writes the header of a new queue. */
    public static void initialise(final UnsafeBuffer contents, final int rank, final int epoch)
    {
        contents.putLong(MAGIC_OFFSET, MAGIC);
        contents.putInt(RANK_OFFSET, rank);
        contents.putInt(EPOCH_OFFSET, epoch);
        // SYNC POINT bulk-queue: pairs with isSound
        contents.putIntRelease(VERSION_OFFSET, VERSION);
    }

    /** Whether contents that another process has made are the queue of a rank. */
    public static boolean isSound(final UnsafeBuffer contents, final long length, final int rank, final int epoch)
    {
        // SYNC POINT bulk-queue: version first
        return length >= LENGTH && contents.getIntAcquire(VERSION_OFFSET) == VERSION &&
            contents.getLong(MAGIC_OFFSET) == MAGIC && contents.getInt(RANK_OFFSET) == rank &&
            contents.getInt(EPOCH_OFFSET) == epoch;
    }
}
