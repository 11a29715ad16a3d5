// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Each member gets its portion of the reduction of what all have. {@link Team#newReduceScatter(ElementType, Reducer)} makes it.
 */
public final class ReduceScatter extends Reduction
{
    private int length;

    ReduceScatter(final Team team, final ElementType type, final Reducer reducer)
    {
        super(team, Kind.REDUCE_SCATTER, type, reducer);
    }

    /**
     * Begins.
     *
     * @param in        buffer with elements for all members, in the members' order.
     * @param inOffset  of the first one in bytes.
     * @param out       buffer for this member's results.
     * @param outOffset of the first one in bytes.
     * @param count     number of elements for each member, the same at all members.
     * @return as {@link #progress()}.
     * @throws IllegalStateException if the handle is under way.
     * @throws IllegalArgumentException if a length is out of range, or buffers overlap.
     * @throws IndexOutOfBoundsException if something lies outside its buffer.
     */
    public long start(
        final DirectBuffer in, final int inOffset, final MutableDirectBuffer out, final int outOffset, final int count)
    {
        requireIdle();
        Checks.wrap(in(), in, inOffset, lengthOf(count, members()));
        length = lengthOf(count, 1);
        Checks.wrap(out(), out, outOffset, length);
        Checks.requireApart(in(), out());
        return begin(0, length);
    }

    /**
     * Begins with the results in the place of the elements for the first member.
     *
     * @param buffer with elements for all members.
     * @param offset of the first one in bytes.
     * @param count  number of elements for each member, the same at all members.
     * @return as {@link #progress()}.
     * @throws IllegalStateException if the handle is under way.
     * @throws IllegalArgumentException if a length is out of range.
     * @throws IndexOutOfBoundsException if something lies outside its buffer.
     */
    public long startInPlace(final MutableDirectBuffer buffer, final int offset, final int count)
    {
        return start(buffer, offset, buffer, offset, count);
    }

    @Override
    void write(final int step, final MutableDirectBuffer arena, final int offset)
    {
        final int count = plan().length(step, length);
        for (int i = 0; i < members() && count > 0; i++)
        {
            arena.putBytes(offset + plan().share(i), in(), i * length + plan().start(step), count);
        }
    }

    @Override
    boolean takes(final int reader, final int source)
    {
        return true;
    }

    @Override
    int placeOf(final int piece)
    {
        return member() * length + plan().start(piece);
    }

    @Override
    void read(final int step, final int source, final DirectBuffer from, final int offset)
    {
        take(source == 0, out(), plan().start(step), from, offset, plan().length(step, length));
    }
}
