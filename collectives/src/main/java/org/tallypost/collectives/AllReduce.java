// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/** All get the reduction of what all have. {@link Team#newAllReduce(ElementType, Reducer)} makes it. */
public final class AllReduce extends SlicedReduction
{
    AllReduce(final Team team, final ElementType type, final Reducer reducer)
    {
        super(team, Kind.ALL_REDUCE, type, reducer);
        phases(team.nodes(), () -> new AllReducePhases(team.nodes(), this));
    }

    /**
     * Begins.
     *
     * @param in        buffer with this member's elements.
     * @param inOffset  of the first one in bytes.
     * @param out       buffer for the results.
     * @param outOffset of the first one in bytes.
     * @param count     number of elements, the same at all members.
     * @return as {@link #progress()}.
     * @throws IllegalStateException if the handle is under way.
     * @throws IllegalArgumentException if a length is out of range, or buffers overlap.
     * @throws IndexOutOfBoundsException if something lies outside its buffer.
     */
    public long start(
        final DirectBuffer in, final int inOffset, final MutableDirectBuffer out, final int outOffset, final int count)
    {
        requireIdle();
        final int length = lengthOf(count, 1);
        Checks.wrap(in(), in, inOffset, length);
        Checks.wrap(out(), out, outOffset, length);
        Checks.requireApart(in(), out());
        return begin(0, length);
    }

    /**
     * Begins with the results in the place of the elements.
     *
     * @param buffer with this member's elements.
     * @param offset of the first one in bytes.
     * @param count  number of elements, the same at all members.
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
    boolean takes(final int reader, final int source)
    {
        return true;
    }
}
