// Copyright 2026 The Tallypost authors
// SPDX-License-Identifier: Apache-2.0
package org.tallypost.collectives;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Each member gets the reduction of what the members up to it have, or those before it.
 * {@link Team#newScan(ElementType, Reducer, boolean)} makes it.
 */
public final class Scan extends Reduction
{
    private final boolean isExclusive;

    Scan(final Team team, final ElementType type, final Reducer reducer, final boolean isExclusive)
    {
        super(team, isExclusive ? Kind.EXCLUSIVE_SCAN : Kind.SCAN, type, reducer);
        this.isExclusive = isExclusive;
        phases(team.nodes(), () -> new ScanPhases(team.nodes(), this));
    }

    boolean isExclusive()
    {
        return isExclusive;
    }

    @Override
    int operands()
    {
        return isExclusive ? member() : member() + 1;
    }

    /**
     * Begins. The first member's results of an exclusive scan are not written.
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
    void write(final int step, final MutableDirectBuffer arena, final int offset)
    {
        final int count = plan().length(step, in().capacity());
        if (count > 0)
        {
            arena.putBytes(offset, in(), plan().start(step), count);
        }
    }

    @Override
    boolean takes(final int reader, final int source)
    {
        return source < reader || !isExclusive && source == reader;
    }

    @Override
    void read(final int step, final int source, final DirectBuffer from, final int offset)
    {
        take(source == 0, out(), plan().start(step), from, offset, plan().length(step, in().capacity()));
    }
}
