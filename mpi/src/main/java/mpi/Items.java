// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package mpi;

/** Items of a type in a buffer of a program. */
final class Items
{
    final Object buffer;
    /** Elements of the array before the first item. */
    final long offset;
    /** Bytes behind them, or of objects places. */
    final long skip;
    final int count;
    final Datatype type;

    private Items(final Object buffer, final long offset, final long skip, final int count, final Datatype type)
    {
        this.buffer = buffer;
        this.offset = offset;
        this.skip = skip;
        this.count = count;
        this.type = type;
    }

    static Items of(final Object buffer, final long offset, final int count, final Datatype type)
    {
        return new Items(buffer, offset, 0, count, type);
    }

    /** Others behind these in the same buffer: so many extents from the first. */
    Items at(final long extents, final int itemCount)
    {
        // without a type there are none, which is found when they are looked at
        return new Items(buffer, offset, skip + (type == null ? 0 : extents * type.extent()), itemCount, type);
    }

    /** Others in the same buffer, so many bytes from the first of these. */
    Items atBytes(final long bytes, final int itemCount, final Datatype itemType)
    {
        return new Items(buffer, offset, skip + bytes, itemCount, itemType);
    }
}
