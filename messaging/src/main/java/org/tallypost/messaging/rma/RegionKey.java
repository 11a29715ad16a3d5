// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.messaging.rma;

import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.tallypost.messaging.internal.checks.Checks;

/**
 * Names a region or a loan of a rank, in 16 bytes that can be sent. It gives no right by itself: a rank that attaches looks it
 * up in the table of the owner's memory, and a key that does not fit is refused. To be used again; for one thread.
 *
 * <pre>
 *       0   4   rank of the owner
 *       4   4   epoch of the owner's rank
 *       8   4   entry in the owner's table
 *      12   4   generation of the entry
 * </pre>
 *
 * All little-endian.
 */
public final class RegionKey
{
    /** Bytes of a key that is sent. */
    public static final int LENGTH = 16;

    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private int rank;
    private int epoch;
    private int id;
    private int generation;

    /** A key of nothing. */
    public RegionKey()
    {
    }

    RegionKey set(final int rank, final int epoch, final int id, final int generation)
    {
        this.rank = rank;
        this.epoch = epoch;
        this.id = id;
        this.generation = generation;
        return this;
    }

    /**
     * Writes it.
     *
     * @param buffer to write to.
     * @param offset of the key in bytes.
     * @throws IndexOutOfBoundsException if there is no room for {@link #LENGTH} bytes.
     */
    public void encode(final MutableDirectBuffer buffer, final int offset)
    {
        Checks.within(buffer, offset, LENGTH);
        buffer.putInt(offset, rank, ORDER);
        buffer.putInt(offset + 4, epoch, ORDER);
        buffer.putInt(offset + 8, id, ORDER);
        buffer.putInt(offset + 12, generation, ORDER);
    }

    /**
     * Reads it. Any bytes will do: whether they name something is found out by attaching.
     *
     * @param buffer to read from.
     * @param offset of the key in bytes.
     * @return this.
     * @throws IndexOutOfBoundsException if there are fewer than {@link #LENGTH} bytes.
     */
    public RegionKey decode(final DirectBuffer buffer, final int offset)
    {
        Checks.within(buffer, offset, LENGTH);
        return set(buffer.getInt(offset, ORDER), buffer.getInt(offset + 4, ORDER), buffer.getInt(offset + 8, ORDER),
            buffer.getInt(offset + 12, ORDER));
    }

    /**
     * Rank of the owner.
     *
     * @return the rank, not checked.
     */
    public int rank()
    {
        return rank;
    }

    /**
     * Epoch of the owner's rank.
     *
     * @return the epoch, not checked.
     */
    public int epoch()
    {
        return epoch;
    }

    int id()
    {
        return id;
    }

    int generation()
    {
        return generation;
    }

    @Override
    public boolean equals(final Object other)
    {
        return other instanceof RegionKey && rank == ((RegionKey)other).rank && epoch == ((RegionKey)other).epoch &&
            id == ((RegionKey)other).id && generation == ((RegionKey)other).generation;
    }

    @Override
    public int hashCode()
    {
        return ((rank * 31 + epoch) * 31 + id) * 31 + generation;
    }

    @Override
    public String toString()
    {
        return "RegionKey{rank=" + rank + ", epoch=" + epoch + ", id=" + id + ", generation=" + generation + "}";
    }
}
